//! `azulejo load standings`: how long the official standings of a large pool take.

mod results;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use azulejo_arena::arena_loop::{Arena, ArenaLoop};
use azulejo_arena::pool::Pool;
use azulejo_arena::standings::Games;
use azulejo_arena::state::Settings;
use azulejo_arena::store::{Sqlite, Store};
use azulejo_terminal::output::print_json;
use clap::Args;
use nix::sys::resource::{UsageWho, getrusage};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

/// Results per read, as in the arena.
const PAGE: u32 = 1_000;
/// The arena must publish within this time.
const LONGEST: Duration = Duration::from_mins(10);

/// Measure how long the official standings take: reading the results, computing, and publishing in a
/// running arena. The results are random; bots of similar strength meet.
#[derive(Debug, Args)]
pub(super) struct LoadStandings {
    /// Number of bots.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(8..=100_000))]
    bots: u32,
    /// Number of results.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    results: u32,
    /// Players per match.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4))]
    players: u8,
    /// Print one line of JSON.
    #[arg(long)]
    json: bool,
}

/// All times in seconds.
#[derive(Debug, Default, Serialize)]
struct Report {
    bots: u32,
    results: u32,
    players: u8,
    /// Processor time of the whole program: of SQLite too.
    read_cpu: f64,
    read: f64,
    fit_cpu: f64,
    fit: f64,
    /// From the start of the arena to the first standings.
    first_published: f64,
    /// From the announcement that results have changed to the new standings, all results read again.
    published_again: f64,
}

impl LoadStandings {
    pub(super) async fn run(&self) -> Result<()> {
        let folder = tempfile::tempdir()?;
        let pool: Pool = format!("azul-colored-{}-blitz", self.players).parse()?;
        let store = Sqlite::open(&folder.path().join("arena.db")).await?;
        results::write(&store, pool, self.bots, self.results).await?;
        let Self { bots, results, players, json } = *self;
        let mut report = Report { bots, results, players, ..Report::default() };
        let games = report.read(&store).await?;
        report.fit(&games)?;
        report.publish(Arc::new(store), pool).await?;
        if json {
            return print_json(&report);
        }
        report.print();
        Ok(())
    }
}

impl Report {
    async fn read(&mut self, store: &dyn Store) -> Result<Games> {
        let (began, cpu) = (Instant::now(), cpu(UsageWho::RUSAGE_SELF)?);
        let (mut games, mut after) = (Games::default(), 0);
        loop {
            let page = store.outcomes(after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.seq;
            for outcome in page {
                let seats = outcome.seats.iter().map(|(player, end)| (player, end.placement));
                games.add(&outcome.id, &outcome.block, seats);
            }
        }
        self.read = began.elapsed().as_secs_f64();
        self.read_cpu = cpu_since(UsageWho::RUSAGE_SELF, cpu)?;
        Ok(games)
    }

    fn fit(&mut self, games: &Games) -> Result<()> {
        let (began, cpu) = (Instant::now(), cpu(UsageWho::RUSAGE_THREAD)?);
        let standings = games.fit();
        self.fit = began.elapsed().as_secs_f64();
        self.fit_cpu = cpu_since(UsageWho::RUSAGE_THREAD, cpu)?;
        let games = standings.games;
        if games != self.results as usize {
            bail!("{games} of {} results are in the standings", self.results);
        }
        Ok(())
    }

    async fn publish(&mut self, store: Arc<dyn Store>, pool: Pool) -> Result<()> {
        let arena_loop = ArenaLoop::open(store, Settings::default()).await?;
        let (arena, stop) = (arena_loop.arena(), CancellationToken::new());
        let running = tokio::spawn(arena_loop.run(stop.clone()));
        self.first_published = self.published(&arena, pool, None).await?;
        let before = arena.standings(pool).map(|fitted| fitted.at.0);
        arena.standings_changed();
        self.published_again = self.published(&arena, pool, before).await?;
        stop.cancel();
        running.await?.context("the arena stopped")
    }

    /// How long it takes until standings with all results are published that are not from `before`.
    async fn published(&self, arena: &Arena, pool: Pool, before: Option<u64>) -> Result<f64> {
        let began = Instant::now();
        while began.elapsed() < LONGEST {
            let fitted = arena.standings(pool);
            let complete = |games: usize| games == self.results as usize;
            if fitted.is_some_and(|new| complete(new.standings.games) && before != Some(new.at.0)) {
                return Ok(began.elapsed().as_secs_f64());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        bail!("no standings within {LONGEST:?}")
    }

    fn print(&self) {
        let Self { bots, results, players, .. } = self;
        say!("{bots} bots, {results} results of {players} players");
        say!("reading: {:.2} s, processor time {:.2} s", self.read, self.read_cpu);
        say!("computing: {:.2} s, processor time {:.2} s", self.fit, self.fit_cpu);
        say!("published {:.1} s after the start of the arena", self.first_published);
        say!("after a change, all results read again: {:.1} s", self.published_again);
    }
}

/// User and system time.
fn cpu(of: UsageWho) -> Result<f64> {
    let usage = getrusage(of)?;
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

fn cpu_since(of: UsageWho, before: f64) -> Result<f64> {
    Ok(cpu(of)? - before)
}
