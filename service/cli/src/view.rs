//! The table as a person sees it.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use azulejo_draw::{Options, TextOptions, Theme};
use azulejo_engine::{Move, Table};
use azulejo_rules::parts::Seat;

/// The last move and who made it.
pub(crate) type Last = Option<(Seat, Move)>;

/// How the table is shown.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) names: Vec<String>,
    pub(crate) color: bool,
}

impl View {
    /// In color where a terminal is watched, unless plain text is wanted.
    pub(crate) fn new(names: &[String], plain: bool) -> Self {
        let names = names.iter().map(|name| presentable(name)).collect();
        Self { names, color: !plain && std::io::stdout().is_terminal() }
    }

    pub(crate) fn text(&self, table: &Table) -> String {
        table.text(&TextOptions { color: self.color, names: self.names.clone() })
    }

    pub(crate) fn svg(&self, table: &Table, last: Last) -> String {
        let last = last.map(|(seat, action)| action.shown(seat));
        table.svg(&Options { theme: Theme::Auto, names: self.names.clone(), last })
    }
}

/// A name from a record may hold anything; a terminal must not obey it.
fn presentable(name: &str) -> String {
    const LONGEST: usize = 40;
    name.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect()
}

/// A folder that takes a picture of every step.
#[derive(Debug)]
pub(crate) struct Album {
    folder: PathBuf,
}

impl Album {
    pub(crate) fn new(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// The table after this many steps.
    pub(crate) fn add(&self, steps: usize, svg: &str) -> Result<()> {
        let path = self.folder.join(format!("{steps:03}.svg"));
        std::fs::write(&path, svg).with_context(|| format!("cannot write {}", path.display()))
    }
}
