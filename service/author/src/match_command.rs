//! `azulejo match`: many games between the same bots, with statistics.

mod in_arena;
mod local;
mod report;

use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::{Result, bail};
use azulejo_rules::parts::Seed;
use azulejo_terminal::options::Rules;
use azulejo_terminal::output::{check_writable, create, print_json, progress};
use azulejo_terminal::seed::seed_from;
use clap::Args;
use indicatif::ProgressBar;

use crate::seats::{PlayerSpec, ThinkingArgs, names};
use crate::{BotArgs, run_until_signal};
use local::PlayedGame;

/// Play many games between bots and report how often each wins.
///
/// Seats rotate from game to game; deals are independent. A tie for first place is divided between
/// the winners. The margin is the mean lead over the best opponent. All intervals are 95 % confidence
/// intervals.
///
/// A bot of your own is a path or a command, as in `azulejo play`. It plays over the network, in an
/// arena inside this command, as many games at a time as it accepts (`max_concurrent_matches` in the
/// SDKs).
#[derive(Debug, Args)]
#[command(name = "match")]
#[command(after_help = "\
Examples:
  azulejo match strong greedy --games 200
  azulejo match ./mybot greedy --games 50
  azulejo match ./mybot ./mybot-before --games 200 --json
  azulejo match strong greedy greedy greedy --games 100 --game summer-pavilion
  azulejo match greedy random --games 1000 --records games.jsonl && azulejo verify games.jsonl")]
pub struct MatchCommand {
    /// Two to four of: random, greedy, strong (100 ms per move), strong:MS (milliseconds per move),
    /// strong:Nn (N search iterations per move), or a bot of your own: ./mybot, ./bot.py, "go run ."
    #[arg(required = true, num_args = 2..=4)]
    bots: Vec<PlayerSpec>,
    /// Number of games.
    #[arg(long, default_value = "100", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    rules: Rules,
    /// Seed of the deals and of the house bots: a number or 64 hexadecimal digits. The same seed gives
    /// the same games, unless a bot has a time budget. Default: random; it is printed with the result.
    #[arg(long)]
    seed: Option<String>,
    #[command(flatten)]
    thinking: ThinkingArgs,
    /// Number of concurrent games. Default: one per core; with bots of your own, as many as all of
    /// them accept.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Write the records of all games to this file, one per line.
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Print one line of JSON instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    bot_args: BotArgs,
}

impl MatchCommand {
    pub fn run(&self) -> Result<()> {
        let players: Vec<PlayerSpec> =
            self.bots.iter().map(|bot| self.thinking.applied_to(bot.clone())).collect();
        let names = names(&players);
        // Fail now, not after hours of games.
        self.records.as_deref().map_or(Ok(()), check_writable)?;
        let bar = progress(self.games, "games");
        let own = players.iter().any(|player| matches!(player, PlayerSpec::Own(_)));
        let (played, seed) = if own {
            if self.seed.is_some() {
                bail!(
                    "--seed has no effect on bots of your own: the arena chooses the deals; leave --seed out"
                );
            }
            (run_until_signal(self.play_in_arena(&players, &names, &bar))?, None)
        } else {
            let seed = seed_from(self.seed.as_deref())?;
            (self.play_locally(&players, &names, &seed, &bar)?, Some(seed))
        };
        bar.finish_and_clear();
        self.write_records(&played)?;
        let report = report::MatchReport::of(&names, seed.as_ref(), &played);
        if self.json {
            return print_json(&report);
        }
        report.print(self.rules);
        Ok(())
    }

    fn play_locally(
        &self,
        players: &[PlayerSpec],
        names: &[String],
        seed: &Seed,
        bar: &ProgressBar,
    ) -> Result<Vec<PlayedGame>> {
        let Some(bots) = local::house_bots(players) else {
            bail!("`human` is not possible here; use `azulejo play human greedy`");
        };
        let plan = local::Plan {
            ruleset: self.rules.ruleset(bots.len())?,
            bots: &bots,
            names,
            seed,
            games: self.games,
            jobs: self.jobs.map_or_else(cores, usize::from),
            recorded: self.records.is_some(),
        };
        local::play_all(&plan, bar)
    }

    fn write_records(&self, played: &[PlayedGame]) -> Result<()> {
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
