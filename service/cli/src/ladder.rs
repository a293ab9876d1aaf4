//! `azulejo ladder`: computes the official standings from an export.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use azulejo_arena::names::{MatchId, Player};
use azulejo_arena::pool::Pool;
use azulejo_arena::standings::{Games, Line, Standings};
use azulejo_engine::Record;
use azulejo_terminal::output::{print_json, print_table, progress};
use clap::{Args, Subcommand};
use serde::Serialize;

use crate::verify::read_all;

/// Compute official standings from exported records.
#[derive(Debug, Args)]
pub(crate) struct Ladder {
    #[command(subcommand)]
    command: LadderCommand,
}

#[derive(Debug, Subcommand)]
enum LadderCommand {
    Fit(Fit),
}

/// Compute the standings of an export: exactly the table that the server shows.
///
/// Every record is verified first.
#[derive(Debug, Args)]
#[command(after_help = "Create an export with `azulejo export matches.jsonl`.")]
struct Fit {
    /// File written by `azulejo export`.
    export: PathBuf,
    /// Only this pool, for example azul-colored-2-blitz. Default: all pools.
    #[arg(long)]
    pool: Option<Pool>,
    /// Print one line of JSON per pool instead of tables.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PoolStandings<'a> {
    pool: String,
    #[serde(flatten)]
    standings: &'a Standings,
}

impl Ladder {
    pub(crate) fn run(&self) -> Result<()> {
        let LadderCommand::Fit(fit) = &self.command;
        fit.run()
    }
}

impl Fit {
    fn run(&self) -> Result<()> {
        let mut pools: Vec<(Pool, Games)> = Vec::new();
        let records = read_all(&self.export)?;
        let bar = progress(records.len() as u64, "verifying");
        for (number, record) in (1..).zip(&records) {
            self.add(record, &mut pools).with_context(|| format!("record {number}"))?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        if pools.is_empty() {
            bail!("{} contains no rated match{}", self.export.display(), self.of_pool());
        }
        pools.sort_by_key(|(pool, _)| pool.to_string());
        for (pool, games) in &pools {
            let standings = games.fit();
            if self.json {
                print_json(&PoolStandings { pool: pool.to_string(), standings: &standings })?;
            } else {
                print(*pool, &standings);
            }
        }
        Ok(())
    }

    fn of_pool(&self) -> String {
        self.pool.map(|pool| format!(" of {pool}")).unwrap_or_default()
    }

    /// Verifies a record and, if it is a rated match, adds it to its pool.
    fn add(&self, record: &Record, pools: &mut Vec<(Pool, Games)>) -> Result<()> {
        let Some(arena) = &record.arena else { return Ok(()) };
        let pool: Pool = arena.pool.parse()?;
        if !arena.rated || self.pool.is_some_and(|only| only != pool) {
            return Ok(());
        }
        record.verify().map_err(|defect| anyhow!("verification failed: {defect}"))?;
        let players: Vec<Player> = record
            .seats
            .iter()
            .map(|seat| {
                let name = &seat.name;
                name.parse().with_context(|| format!("{name} is not a bot with a version"))
            })
            .collect::<Result<_>>()?;
        let (id, block): (MatchId, MatchId) = (arena.match_id.parse()?, arena.block.parse()?);
        let place = pools.iter().position(|(other, _)| *other == pool);
        let place = place.unwrap_or_else(|| {
            pools.push((pool, Games::default()));
            pools.len() - 1
        });
        let seats = players.iter().zip(arena.seats.iter().map(|seat| seat.placement));
        pools[place].1.add(&id, &block, seats);
        Ok(())
    }
}

fn print(pool: Pool, standings: &Standings) {
    let points: Vec<String> =
        standings.seat_points.iter().map(|points| format!("{points:+.1}")).collect();
    say!("{pool}: {} games; points by seat: {}", standings.games, points.join(", "));
    let headings =
        ["#", "bot", "rating", "±", "better than next", "significance", "games", "group"];
    print_table(&headings, standings.lines.iter().map(row));
    if standings.lines.iter().any(|line| line.provisional) {
        say!("? provisional: not enough games for a rank");
    }
    say!();
}

fn row(line: &Line) -> Vec<String> {
    vec![
        line.rank.map_or_else(|| "?".to_owned(), |rank| rank.to_string()),
        line.player.to_string(),
        format!("{:.1}", line.rating),
        format!("{:.1}", line.plus_minus),
        line.better_than_next.map(|chance| format!("{:.1} %", 100.0 * chance)).unwrap_or_default(),
        line.apart(),
        line.games.to_string(),
        line.group.to_string(),
    ]
}
