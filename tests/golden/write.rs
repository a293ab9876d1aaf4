//! `cargo golden`: rewrites the golden playthroughs. Read the diff before you commit it.

use azulejo_tests::golden::{folder, playthroughs};

fn main() -> std::io::Result<()> {
    for (name, text) in playthroughs() {
        std::fs::write(folder().join(name), text)?;
    }
    Ok(())
}
