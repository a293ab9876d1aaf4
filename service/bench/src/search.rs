//! `azulejo bench search`: measures the speed of the strong bot's search.

use std::time::Instant;

use anyhow::{Context, Result};
use azulejo_bots::search::Search;
use azulejo_bots::{Dice, Game, greedy};
use azulejo_engine::Ruleset;
use azulejo_rules::parts::Seat;
use azulejo_rules::{azul, pavilion};
use azulejo_terminal::options::Table;
use azulejo_terminal::output::{grouped, print_json, print_table};
use clap::Args;
use serde::Serialize;

/// Run the strong bot's search on one thread, from positions early in a game.
#[derive(Debug, Args)]
pub(super) struct BenchSearch {
    #[command(flatten)]
    table: Table,
    /// Search iterations from each of ten positions.
    #[arg(long, default_value = "20000", value_parser = clap::value_parser!(u32).range(1..))]
    lines: u32,
    /// Print one line of JSON instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct SearchReport {
    lines: u64,
    lines_per_second: f64,
    nodes: u64,
}

const POSITIONS: u64 = 10;

impl BenchSearch {
    pub(super) fn run(&self) -> Result<()> {
        let report = match self.table.ruleset()? {
            Ruleset::Azul(rules) => self.measure(azul::Position::new(rules, Seat::First))?,
            Ruleset::SummerPavilion(rules) => {
                self.measure(pavilion::Position::new(rules, Seat::First))?
            }
        };
        if self.json {
            return print_json(&report);
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate")]
        let rate = grouped(report.lines_per_second as u64);
        let rows = [
            ("iterations", grouped(report.lines)),
            ("iterations per second", rate),
            ("nodes", grouped(report.nodes)),
        ];
        print_table(
            &["strong, one thread", ""],
            rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]),
        );
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "a rate to print")]
    fn measure<G: Game>(&self, start: G) -> Result<SearchReport> {
        let (mut nodes, mut seconds) = (0, 0.0);
        for seed in 0..POSITIONS {
            let position = after_a_few_moves(start, seed).context("no seat is to move")?;
            let mut search = Search::new(position, seed).context("no seat is to move")?;
            let began = Instant::now();
            (0..self.lines).for_each(|_| search.visit());
            seconds += began.elapsed().as_secs_f64();
            nodes += search.nodes() as u64;
        }
        let lines = u64::from(self.lines) * POSITIONS;
        Ok(SearchReport { lines, lines_per_second: (lines as f64 / seconds).round(), nodes })
    }
}

fn after_a_few_moves<G: Game>(start: G, seed: u64) -> Option<G> {
    let (mut position, mut dice) = (start, Dice::new(seed));
    for _ in 0..=seed {
        position.deal(&mut dice);
        let action = greedy::choose(&position, &mut dice)?;
        position.play(action);
    }
    position.deal(&mut dice);
    Some(position)
}
