//! `azulejo bench`: measures the speed of the rules and of the house bots. `azulejo playouts`: statistics
//! of many games.

#[macro_use]
extern crate azulejo_terminal;

mod playouts;
mod search;

use std::time::Instant;

use anyhow::Result;
use azulejo_bots::{Dice, Game};
use azulejo_engine::{Ruleset, Table};
use azulejo_rules::parts::Seat;
use azulejo_rules::{azul, pavilion};
use azulejo_terminal::options;
use azulejo_terminal::output::{grouped, print_json, print_table, progress};
use clap::{Args, Subcommand};
use serde::Serialize;

pub use playouts::PlayoutsCommand;

/// Measure the speed of the rules and of the house bots on this machine.
#[derive(Debug, Args)]
pub struct Bench {
    #[command(subcommand)]
    command: BenchCommand,
}

#[derive(Debug, Subcommand)]
enum BenchCommand {
    Playouts(Playouts),
    Search(search::BenchSearch),
}

/// Play random games on one thread.
///
/// A step is one decision: list the legal moves, choose one and play it, including tiling and dealing.
/// For reproducible figures, run two sizes under `valgrind --tool=callgrind` and divide the difference
/// in instructions by the difference in steps.
#[derive(Debug, Args)]
struct Playouts {
    #[command(flatten)]
    table: options::Table,
    /// Number of games.
    #[arg(long, default_value = "20000", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seed of deals and moves; the same seed gives the same games.
    #[arg(long, default_value = "1")]
    seed: u64,
    /// Print one line of JSON instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct PlayoutReport {
    games: u64,
    steps: u64,
    steps_per_second: f64,
    steps_per_game: f64,
    moves_per_step: f64,
    rounds_per_game: f64,
    mean_score: f64,
}

#[derive(Default)]
struct Tally {
    steps: u64,
    moves: u64,
    rounds: u64,
    points: u64,
}

impl Bench {
    pub fn run(&self) -> Result<()> {
        match &self.command {
            BenchCommand::Playouts(playouts) => playouts.run(),
            BenchCommand::Search(search) => search.run(),
        }
    }
}

impl Playouts {
    fn run(&self) -> Result<()> {
        let began = Instant::now();
        let tally = match self.table.ruleset()? {
            Ruleset::Azul(rules) => self.play(azul::Position::new(rules, Seat::First)),
            Ruleset::SummerPavilion(rules) => {
                self.play(pavilion::Position::new(rules, Seat::First))
            }
        };
        let report = self.report(&tally, began.elapsed().as_secs_f64())?;
        if self.json {
            return print_json(&report);
        }
        report.print();
        Ok(())
    }

    fn play<G: Game + Into<Table>>(&self, start: G) -> Tally {
        const GAMES_PER_TICK: u64 = 512;
        let mut dice = Dice::new(self.seed);
        let mut moves = G::Moves::default();
        let mut tally = Tally::default();
        let bar = progress(self.games, "games");
        for game in 1..=self.games {
            let mut position = start;
            loop {
                position.deal(&mut dice);
                if position.is_over() {
                    break;
                }
                position.list(&mut moves);
                position.play(moves[dice.below(moves.len())]);
                tally.steps += 1;
                tally.moves += moves.len() as u64;
            }
            let end: Table = position.into();
            tally.rounds += u64::from(end.round());
            tally.points += end.score().seats.iter().map(|seat| u64::from(seat.total)).sum::<u64>();
            if game.is_multiple_of(GAMES_PER_TICK) {
                bar.set_position(game);
            }
        }
        bar.finish_and_clear();
        tally
    }

    #[expect(clippy::cast_precision_loss, reason = "figures to print")]
    fn report(&self, tally: &Tally, seconds: f64) -> Result<PlayoutReport> {
        let per_game = |sum: u64| sum as f64 / self.games as f64;
        Ok(PlayoutReport {
            games: self.games,
            steps: tally.steps,
            steps_per_second: (tally.steps as f64 / seconds).round(),
            steps_per_game: per_game(tally.steps),
            moves_per_step: tally.moves as f64 / tally.steps as f64,
            rounds_per_game: per_game(tally.rounds),
            mean_score: per_game(tally.points) / self.table.players()?.seats() as f64,
        })
    }
}

impl PlayoutReport {
    fn print(&self) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rounded rate"
        )]
        let rate = grouped(self.steps_per_second as u64);
        let rows = [
            ("games", grouped(self.games)),
            ("steps", grouped(self.steps)),
            ("steps per second", rate),
            ("steps per game", format!("{:.2}", self.steps_per_game)),
            ("legal moves per step", format!("{:.2}", self.moves_per_step)),
            ("rounds per game", format!("{:.2}", self.rounds_per_game)),
            ("mean score", format!("{:.2}", self.mean_score)),
        ];
        print_table(
            &["random playouts, one thread", ""],
            rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]),
        );
    }
}
