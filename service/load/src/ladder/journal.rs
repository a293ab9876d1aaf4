//! What the swarm received from the server, kept small: a run of ten minutes has a million moves.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// Everything that the store is checked against.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Journal {
    pub(super) bots: Vec<BotName>,
    pub(super) matches: Interner,
    /// Moves in notation: there are few different ones.
    pub(super) notations: Interner,
    pub(super) moves: Vec<AckedMove>,
    /// Ends of matches that were received: match, bot.
    pub(super) ends: Vec<(u32, u32)>,
}

/// A bot of the swarm.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct BotName {
    /// `owner/name`.
    pub(super) bot: String,
    /// Whether it misbehaves. It is then not checked what it received.
    pub(super) bad: bool,
}

/// A move that the server has acknowledged.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct AckedMove {
    /// Index of the match.
    pub(super) at: u32,
    pub(super) turn: u32,
    /// Index of the notation.
    pub(super) notation: u32,
    /// Microseconds on the receipt.
    pub(super) charged: u32,
    /// Microseconds by the bot's own clock, since it first received the turn. `None` if it
    /// misbehaves.
    pub(super) thought: Option<u32>,
    /// Whether the turn was received more than once, as after a restart.
    pub(super) repeated: bool,
}

impl AckedMove {
    /// Microseconds that the server charged beyond what the bot thought.
    pub(super) fn overcharged(&self) -> Option<u64> {
        Some(self.charged.saturating_sub(self.thought?).into())
    }
}

/// Texts by number.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub(super) struct Interner {
    texts: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Interner {
    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    pub(super) fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", String::as_str)
    }

    pub(super) const fn len(&self) -> usize {
        self.texts.len()
    }
}

impl From<Vec<String>> for Interner {
    fn from(texts: Vec<String>) -> Self {
        let numbers = texts.iter().cloned().zip(0..).collect();
        Self { texts, numbers }
    }
}

impl From<Interner> for Vec<String> {
    fn from(interner: Interner) -> Self {
        interner.texts
    }
}

impl Clone for Interner {
    fn clone(&self) -> Self {
        self.texts.clone().into()
    }
}

impl Journal {
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let cannot = || format!("cannot write {}", path.display());
        let mut file = BufWriter::new(File::create(path).with_context(cannot)?);
        serde_json::to_writer(&mut file, self).with_context(cannot)?;
        file.flush().with_context(cannot)
    }

    pub(super) fn read(path: &Path) -> Result<Self> {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let journal = serde_json::from_reader(BufReader::new(file));
        journal.with_context(|| format!("{} is not a journal of `load ladder`", path.display()))
    }
}
