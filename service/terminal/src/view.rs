//! Draws the table in the terminal and as SVG files.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use azulejo_draw::{Options, TextOptions, Theme};
use azulejo_engine::{Move, Table};
use azulejo_rules::parts::Seat;

/// The last move and its seat.
pub type LastPlayed = Option<(Seat, Move)>;

/// Options of all drawings of a game.
#[derive(Clone, Debug)]
pub struct View {
    pub names: Vec<String>,
    pub color: bool,
}

impl View {
    /// In color if standard output is a terminal and `plain` is not set.
    pub fn new(names: &[String], plain: bool) -> Self {
        let names = names.iter().map(|name| printable(name)).collect();
        Self { names, color: !plain && std::io::stdout().is_terminal() }
    }

    pub fn text(&self, table: &Table) -> String {
        table.text(&TextOptions { color: self.color, names: self.names.clone() })
    }

    pub fn svg(&self, table: &Table, last: LastPlayed) -> String {
        let last = last.map(|(seat, action)| action.shown(seat));
        table.svg(&Options { theme: Theme::Auto, names: self.names.clone(), last })
    }
}

/// A name without control characters, which must not reach the terminal.
fn printable(name: &str) -> String {
    const MAX_CHARS: usize = 40;
    name.chars().filter(|letter| !letter.is_control()).take(MAX_CHARS).collect()
}

/// A folder for the pictures of all steps.
#[derive(Debug)]
pub struct PictureFolder {
    folder: PathBuf,
}

impl PictureFolder {
    pub fn new(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Saves the picture of the table after this many steps.
    pub fn save(&self, steps: usize, svg: &str) -> Result<()> {
        let path = self.folder.join(format!("{steps:03}.svg"));
        std::fs::write(&path, svg).with_context(|| format!("cannot write {}", path.display()))
    }
}
