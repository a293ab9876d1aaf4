//! What must never change: the draw, the number of move sequences, whole games.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod draw;
mod perft;

use azulejo_tests::golden::{folder, playthroughs};

#[test]
fn whole_games_are_unchanged() {
    for (name, now) in playthroughs() {
        let golden = std::fs::read_to_string(folder().join(&name)).unwrap();
        let differs = golden.lines().zip(now.lines()).position(|(was, is)| was != is);
        if let Some(line) = differs {
            let (was, is) = (golden.lines().nth(line), now.lines().nth(line));
            panic!("{name}, line {}:\n was {was:?}\n is  {is:?}", line + 1);
        }
        assert_eq!(golden.len(), now.len(), "{name} has another length");
    }
}
