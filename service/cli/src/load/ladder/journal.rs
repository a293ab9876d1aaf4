//! What the swarm was promised and told, kept small: a run of ten minutes makes a million promises.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// Everything that a store has to answer for.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Journal {
    pub(super) members: Vec<MemberName>,
    pub(super) matches: Names,
    /// Moves in the notation of the rules: there are few different ones.
    pub(super) words: Names,
    pub(super) promises: Vec<Promise>,
    /// Ends that were heard: match, member.
    pub(super) ends: Vec<(u32, u32)>,
}

/// A bot of the swarm.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MemberName {
    /// `owner/name`.
    pub(super) bot: String,
    /// Whether it behaves badly: nothing is promised to it.
    pub(super) bad: bool,
}

/// A move that the server has acknowledged.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Promise {
    /// Which of the matches.
    pub(super) at: u32,
    pub(super) turn: u32,
    /// Which of the words.
    pub(super) word: u32,
    /// Microseconds on the receipt.
    pub(super) charged: u32,
    /// Microseconds that the bot counted itself, from when it first saw the turn; none for one that
    /// behaves badly.
    pub(super) thought: Option<u32>,
    /// Whether the turn was told more than once, as after a restart.
    pub(super) again: bool,
}

/// Texts with numbers.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub(super) struct Names {
    texts: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
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

impl From<Vec<String>> for Names {
    fn from(texts: Vec<String>) -> Self {
        let numbers = texts.iter().cloned().zip(0..).collect();
        Self { texts, numbers }
    }
}

impl From<Names> for Vec<String> {
    fn from(names: Names) -> Self {
        names.texts
    }
}

impl Clone for Names {
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
        journal.with_context(|| format!("{} is no journal of a swarm", path.display()))
    }
}
