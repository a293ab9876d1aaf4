//! `azulejo match`: how strong are they against each other?

mod own;
mod play;
mod report;

use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::{Result, bail};
use azulejo_rules::parts::Seed;
use clap::Args;
use indicatif::ProgressBar;

use crate::author::{Running, run_until_told};
use crate::options::Rules;
use crate::output::{check_writable, create, print_json, progress};
use crate::seats::{Player, Thinking, names};
use crate::seed::seed_from;
use play::Played;

/// Let bots play many games and count who wins.
///
/// Seats rotate from game to game, deals are independent. A shared victory counts as its share; the
/// margin is the mean lead over the best of the others. The intervals are made to hold the true
/// value 95 times in 100.
///
/// A bot of your own is a path or a command, as for `azulejo play`. It plays over the network, in an
/// arena inside this command, as many games at a time as it offers (`max_concurrent_matches` in the SDKs).
#[derive(Debug, Args)]
#[command(name = "match")]
#[command(after_help = "\
Examples:
  azulejo match strong greedy --games 200
  azulejo match ./mybot greedy --games 50
  azulejo match ./mybot ./mybot-before --games 200 --json
  azulejo match strong greedy greedy greedy --games 100 --game summer-pavilion
  azulejo match greedy random --games 1000 --records games.jsonl && azulejo verify games.jsonl")]
pub(crate) struct Match {
    /// Two to four of: random, greedy, strong (thinks for 100 ms), strong:MS, strong:Nn (N lines), or
    /// a bot of your own: ./mybot, ./bot.py, "go run ."
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
    /// Games played at the same time; as many as the machine has cores unless told, or, with bots of
    /// your own, as all of them offer.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Write a record of each game to this file, one a line.
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Print one line of JSON instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    running: Running,
}

impl Match {
    pub(crate) fn run(&self) -> Result<()> {
        let players: Vec<Player> =
            self.bots.iter().map(|bot| self.thinking.applied_to(bot.clone())).collect();
        let names = names(&players);
        // Before the first game: one should not play for hours and then fail to write.
        self.records.as_deref().map_or(Ok(()), check_writable)?;
        let bar = progress(self.games, "games");
        let own = players.iter().any(|player| matches!(player, Player::Own(_)));
        let (played, seed) = if own {
            if self.seed.is_some() {
                bail!("in an arena nobody chooses the deals: leave --seed out");
            }
            (run_until_told(self.play_in_arena(&players, &names, &bar))?, None)
        } else {
            let seed = seed_from(self.seed.as_deref())?;
            (self.play_here(&players, &names, &seed, &bar)?, Some(seed))
        };
        bar.finish_and_clear();
        self.write_records(&played)?;
        let report = report::Report::of(&names, seed.as_ref(), &played);
        if self.json {
            return print_json(&report);
        }
        report.print(self.rules);
        Ok(())
    }

    fn play_here(
        &self,
        players: &[Player],
        names: &[String],
        seed: &Seed,
        bar: &ProgressBar,
    ) -> Result<Vec<Played>> {
        let Some(bots) = play::house_bots(players) else {
            bail!("a person plays with `azulejo play`; a match is for bots");
        };
        let plan = play::Plan {
            ruleset: self.rules.ruleset(bots.len())?,
            bots: &bots,
            names,
            seed,
            games: self.games,
            jobs: self.jobs.map_or_else(cores, usize::from),
            recorded: self.records.is_some(),
        };
        play::play_all(&plan, bar)
    }

    fn write_records(&self, played: &[Played]) -> Result<()> {
        let Some(path) = &self.records else { return Ok(()) };
        let mut file = BufWriter::new(create(path)?);
        for record in played.iter().filter_map(|game| game.record.as_ref()) {
            writeln!(file, "{}", serde_json::to_string(record)?)?;
        }
        Ok(file.flush()?)
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}
