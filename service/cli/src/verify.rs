//! `azulejo verify`: verifies records.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use azulejo_engine::Record;
use clap::Args;

/// Verify records: every deal against the seed, every move, the score and the winners; for a match of
/// an arena also the commitment to the deals and the clocks.
///
/// A file can contain several records, one per line. The first defect of each is printed. The exit
/// code is 1 if a record is invalid.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// File written by `play`, `match` or `export`.
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
                    let aborted = " up to the point where it was aborted";
                    let how_far = if last.is_over() { "" } else { aborted };
                    say!(
                        "{name}valid{how_far}: commitment, nonces, seed, deals, moves, clocks, score \
                         and placements"
                    );
                }
                Ok(last) if !last.is_over() => {
                    say!("{name}valid, but the game is not finished");
                }
                Ok(_) => {
                    let seed =
                        if record.seed.is_some() { "seed, deals" } else { "deals (no seed)" };
                    say!("{name}valid: {seed}, moves, score and winners");
                }
                Err(defect) => {
                    defects += 1;
                    say!("{name}INVALID: {defect}");
                }
            }
        }
        if defects > 0 {
            bail!("{defects} of {} records are invalid", records.len());
        }
        Ok(())
    }
}

/// The records of a file: one per line, or a single one over several lines.
pub(crate) fn read_all(path: &PathBuf) -> Result<Vec<Record>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines: Vec<(usize, &str)> =
        (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).collect();
    let Some(&(_, first)) = lines.first() else { bail!("{} is empty", path.display()) };
    // A single record over several lines, unless the first line is complete JSON.
    if lines.len() == 1 || serde_json::from_str::<serde::de::IgnoredAny>(first).is_err() {
        let record = Record::read(&text).map_err(|bad| anyhow!("{}: {bad}", path.display()))?;
        return Ok(vec![record]);
    }
    let read = |(number, line): (usize, &str)| {
        Record::read(line).map_err(|bad| anyhow!("{}, line {number}: {bad}", path.display()))
    };
    lines.into_iter().map(read).collect()
}
