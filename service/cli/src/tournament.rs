//! `azulejo match`: how strong are they against each other?

mod play;
mod report;

use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::options::Rules;
use crate::output::{check_writable, create, print_json, progress};
use crate::seats::{Player, Thinking, names};
use crate::seed::seed_from;

/// Let bots play many games and count who wins.
///
/// Seats rotate from game to game, deals are independent. A shared victory counts as its share; the
/// margin is the mean lead over the best of the others. The intervals are made to hold the true
/// value 95 times in 100.
#[derive(Debug, Args)]
#[command(name = "match")]
#[command(after_help = "\
Examples:
  azulejo match strong greedy --games 200
  azulejo match strong greedy greedy greedy --games 100 --game summer-pavilion
  azulejo match greedy random --games 1000 --records games.jsonl && azulejo verify games.jsonl")]
pub(crate) struct Match {
    /// Two to four of: random, greedy, strong (thinks for 100 ms), strong:MS, strong:Nn (N lines).
    #[arg(required = true, num_args = 2..=4)]
    bots: Vec<Player>,
    /// How many games.
    #[arg(long, default_value = "100", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    rules: Rules,
    /// Same seed, same games, unless a bot thinks by the clock: a number or 64 hexadecimal digits.
    #[arg(long)]
    seed: Option<String>,
    #[command(flatten)]
    thinking: Thinking,
    /// Games played at the same time; as many as the machine has cores unless told.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Write a record of each game to this file, one a line.
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Print one line of JSON instead of a table.
    #[arg(long)]
    json: bool,
}

impl Match {
    pub(crate) fn run(&self) -> Result<()> {
        let players: Vec<Player> =
            self.bots.iter().map(|&bot| self.thinking.applied_to(bot)).collect();
        let Some(bots) = play::house_bots(&players) else {
            bail!("a person plays with `azulejo play`; a match is for bots");
        };
        let names = names(&players);
        let seed = seed_from(self.seed.as_deref())?;
        let plan = play::Plan {
            ruleset: self.rules.ruleset(bots.len())?,
            bots: &bots,
            names: &names,
            seed: &seed,
            games: self.games,
            jobs: self.jobs.map_or_else(cores, usize::from),
            recorded: self.records.is_some(),
        };
        // Before the first game: one should not play for hours and then fail to write.
        self.records.as_deref().map_or(Ok(()), check_writable)?;
        let bar = progress(self.games, "games");
        let played = play::play_all(&plan, &bar)?;
        bar.finish_and_clear();
        if let Some(path) = &self.records {
            let mut file = BufWriter::new(create(path)?);
            for record in played.iter().filter_map(|game| game.record.as_ref()) {
                writeln!(file, "{}", serde_json::to_string(record)?)?;
            }
            file.flush()?;
        }
        let report = report::Report::of(&names, &seed, &played);
        if self.json {
            return print_json(&report);
        }
        report.print(self.rules);
        Ok(())
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}
