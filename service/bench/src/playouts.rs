//! `azulejo playouts`: statistics of many games.

mod figures;

use std::num::NonZeroUsize;

use anyhow::{Context, Result};
use azulejo_engine::HouseBot;
use azulejo_play::{Game, Start, Statistics, playouts_in};
use azulejo_terminal::options;
use azulejo_terminal::output::{grouped, print_json, print_table, progress};
use clap::Args;

use figures::{Figures, Histogram};

/// Play many games between house bots and show scores, lengths and what each seat is worth.
///
/// The games run in this process, on all cores. Ties are shared: of two winners, each has won half.
#[derive(Debug, Args)]
#[command(after_help = "Does the first player have an advantage?\n\
                        \x20 azulejo playouts greedy --players 4 --games 20000")]
pub struct PlayoutsCommand {
    /// House bots by seat: random, greedy, strong:200n, … Fewer than seats: they take the seats in
    /// turn.
    #[arg(default_value = "random")]
    bots: Vec<String>,
    #[command(flatten)]
    table: options::Table,
    /// Number of games.
    #[arg(long, default_value = "100000", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: u32,
    /// Seed of deals and moves; the same seed gives the same games. `strong` needs iterations, such as
    /// strong:200n, for that.
    #[arg(long, default_value = "1")]
    seed: u64,
    /// Number of threads. Default: one per core.
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// Print one line of JSON instead of tables.
    #[arg(long)]
    json: bool,
}

/// Games between two signs of progress.
const AT_ONCE: u32 = 20_480;

impl PlayoutsCommand {
    pub fn run(&self) -> Result<()> {
        let bots = self.bots.iter().map(|name| {
            name.parse::<HouseBot>().map_err(|unknown| anyhow::anyhow!("{name}: {unknown}"))
        });
        let bots = bots.collect::<Result<Vec<_>>>()?;
        let ruleset = self.table.ruleset()?;
        let start = Game::of(ruleset, Start::default())?;
        let played = self.play(&start, &bots)?;
        let names = (0..played.seats).map(|seat| self.bots[seat % self.bots.len()].as_str());
        let figures = Figures::of(&played, names);
        if self.json {
            return print_json(&figures);
        }
        say!("{} games: {}", grouped(u64::from(self.games)), ruleset.title());
        print(&figures);
        say!();
        say!("{}", Histogram::of(&played));
        Ok(())
    }

    fn play(&self, start: &Game, bots: &[HouseBot]) -> Result<Statistics> {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = self.threads.map_or_else(cores, NonZeroUsize::get);
        let bar = progress(u64::from(self.games), "games");
        let mut all = Statistics { seats: start.players(), ..Statistics::default() };
        let mut begun = 0;
        while begun < self.games {
            let end = self.games.min(begun + AT_ONCE);
            let games = begun as usize..end as usize;
            let part = playouts_in(start, games, bots, self.seed, threads);
            all.append(part.context("cannot play these games")?);
            begun = end;
            bar.set_position(u64::from(begun));
        }
        bar.finish_and_clear();
        Ok(all)
    }
}

fn print(figures: &Figures) {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let rows = figures.seats.iter().enumerate().map(|(seat, of)| {
        vec![
            seat.to_string(),
            of.bot.clone(),
            percent(of.wins),
            format!("{} … {}", percent(of.win_interval[0]), percent(of.win_interval[1])),
            format!("{:.2}", of.mean_score),
            format!("±{:.2}", of.mean_score_interval),
            of.percentiles.map(|score| score.to_string()).join(" / "),
        ]
    });
    let head = ["seat", "bot", "wins", "95 %", "mean score", "95 %", "5 / 50 / 95 %"];
    print_table(&head, rows);
    say!(
        "a game has {:.1} moves ({} to {}) and {:.2} rounds on average",
        figures.mean_length,
        figures.shortest,
        figures.longest,
        figures.mean_rounds
    );
}
