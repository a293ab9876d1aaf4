//! `azulejo verify`: is a record true?

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use azulejo_engine::Record;
use clap::Args;

/// Check a record: every deal against its seed, every move, the score and the winners; for a match
/// of an arena also that its deals were not chosen, and that its clocks add up.
///
/// A file may hold many records, one a line. The first defect of each is named.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The record, as written by `play`, `match` and `export`.
    record: PathBuf,
}

impl Verify {
    pub(crate) fn run(&self) -> Result<()> {
        let records = read_all(&self.record)?;
        let many = records.len() > 1;
        let mut defects = 0;
        for (number, record) in (1..).zip(&records) {
            let name = if many { format!("record {number}: ") } else { String::new() };
            match record.verify() {
                Ok(last) if record.arena.is_some() => {
                    let how = if last.is_over() { "to its end" } else { "until it was broken off" };
                    say!(
                        "{name}true {how}: commitment, nonces, seed, deals, moves, clocks, score \
                         and placements agree"
                    );
                }
                Ok(last) if !last.is_over() => {
                    say!("{name}true so far, but the game is not finished");
                }
                Ok(_) => {
                    let seed =
                        if record.seed.is_some() { "seed, deals" } else { "deals (no seed)" };
                    say!("{name}true: {seed}, moves, score and winners agree");
                }
                Err(defect) => {
                    defects += 1;
                    say!("{name}FALSE: {defect}");
                }
            }
        }
        if defects > 0 {
            bail!("{defects} of {} records are not true", records.len());
        }
        Ok(())
    }
}

/// The records of a file, one a line or one over many lines.
pub(crate) fn read_all(path: &PathBuf) -> Result<Vec<Record>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines: Vec<(usize, &str)> =
        (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).collect();
    let Some(&(_, first)) = lines.first() else { bail!("{} is empty", path.display()) };
    // One record over many lines, unless the first line is a document by itself.
    if lines.len() == 1 || serde_json::from_str::<serde::de::IgnoredAny>(first).is_err() {
        let record = Record::read(&text).map_err(|bad| anyhow!("{}: {bad}", path.display()))?;
        return Ok(vec![record]);
    }
    let read = |(number, line): (usize, &str)| {
        Record::read(line).map_err(|bad| anyhow!("{}, line {number}: {bad}", path.display()))
    };
    lines.into_iter().map(read).collect()
}
