//! A run from the first registration to the last verdict.

use std::time::{Duration, Instant};

use anyhow::Result;
use azulejo_arena::pool::Pool;
use azulejo_arena::store::Address;
use azulejo_terminal::output::progress;
use indicatif::ProgressBar;
use tokio_util::sync::CancellationToken;

use super::check::{self, Verdict};
use super::disturbance::Disturbance;
use super::journal::Journal;
use super::report::{DisturbanceReport, LadderReport, Measurement};
use super::schedule::{Phase, Schedule};
use super::swarm::Swarm;
use super::swarm_setup::{self as setup, SwarmPlayer};
use super::target::{Target, journal_of};
use super::traffic::Traffic;
use super::windows::{Window, Windows};
use super::yardstick::{self, Workload, YardstickReport};
use super::{LoadLadder, abuse, readers};
use crate::server;

/// For running matches to end: an absence takes 30 s, a bank longer.
const DRAIN_TIMEOUT: Duration = Duration::from_mins(3);
/// For the last ends to be acknowledged with a Heartbeat: the server pings every 5 s.
const ACKNOWLEDGE_TIMEOUT: Duration = Duration::from_secs(20);

/// Results of the time in which the bots play.
struct Played {
    seconds: f64,
    moves: u64,
    resumes: u64,
    swarm_cpu_seconds: Option<f64>,
    traffic: Traffic,
    heartbeats: Option<u64>,
    quiet: Window,
    disturbed: Window,
}

pub(super) async fn run(load: &LoadLadder) -> Result<LadderReport> {
    let bar = progress(load.seconds, "playing");
    let mut target = Target::open(load, &bar).await?;
    let registered = setup::register_bots(load, &target.url, &bar).await?;
    let token_bytes = registered.first().map_or(0, |bot| bot.token.len());
    let swarm = setup::swarm(load, &registered)?;
    let players = setup::players(load, &target.url, registered, &swarm);
    let mut tasks = setup::start(&players).await;
    setup::wait_connected(&players, &swarm).await?;
    bar.println(format!("{} bots are connected", players.len()));
    let pools: Vec<String> = load.pools.iter().map(ToString::to_string).collect();
    let disturbance = match (load.abuse, load.readers) {
        (Some(abuse), _) => Some(abuse::connect(abuse, &target.url, &players, &swarm).await?),
        (None, 0) => None,
        (None, count) => Some(readers::connect(count, &target.url, &pools, &swarm).await?),
    };
    let played = play(load, &mut target, &swarm, disturbance.as_ref(), &bar).await?;
    let disturbed = disturbance.as_ref().map(|clients| {
        let windows = (&played.quiet, &played.disturbed);
        DisturbanceReport::new(load.disturbance(), clients, windows, &swarm.observed())
    });
    drop(disturbance);
    bar.println("no new matches; waiting for running matches to end");
    let leave = CancellationToken::new();
    setup::finish_matches(&players, &leave, &mut tasks).await;
    drain(&players, &swarm).await;
    wait_acknowledged(target.store.as_ref(), &swarm).await?;
    let swarm_memory_kib = server::memory_kib("self");
    leave.cancel();
    while tasks.join_next().await.is_some() {}
    drop(players);
    let usage = target.close().await?;
    let yardstick = measure_yardstick(load, &played, token_bytes, &bar).await?;
    bar.finish_and_clear();
    let observed = swarm.take_observed()?;
    let verdicts = verdicts(target.store.as_ref(), &observed.journal).await?;
    keep(load, target, &observed.journal)?;
    let measurement = Measurement {
        seconds: played.seconds,
        moves: played.moves,
        resumes: played.resumes,
        cost: played.quiet,
        swarm_cpu_seconds: played.swarm_cpu_seconds,
        swarm_memory_kib,
        yardstick,
        disturbance: disturbed,
    };
    LadderReport::new(load, &observed, measurement, usage, verdicts)
}

/// The measured time.
async fn play(
    load: &LoadLadder,
    target: &mut Target,
    swarm: &Swarm,
    disturbance: Option<&Disturbance>,
    bar: &ProgressBar,
) -> Result<Played> {
    target.begin();
    let schedule = Schedule::new(load.seconds, disturbance.map(|_| load.slice()));
    let mut windows = Windows::new(swarm, disturbance);
    let heartbeats = target.heartbeats().await;
    let traffic = swarm.observed().traffic;
    let moves = swarm.moves();
    let (begun, cpu) = (Instant::now(), server::cpu_seconds("self"));
    let mut next_kill = load.kill_every.map(|every| (every, begun + Duration::from_secs(every)));
    for second in 0..load.seconds {
        windows.enter(schedule.phase(second), schedule.is_disturbed(second), target).await;
        tokio::time::sleep_until((begun + Duration::from_secs(second + 1)).into()).await;
        // Not in the last two seconds, so that all bots have reconnected at the end.
        if let Some((every, at)) = &mut next_kill
            && Instant::now() >= *at
            && second + 2 < load.seconds
        {
            *at += Duration::from_secs(*every);
            target.kill().await?;
        }
        target.sample_memory();
        bar.set_position(second + 1);
        bar.set_message(format!("playing, {} moves", swarm.moves() - moves));
    }
    windows.enter(Phase::Unmeasured, false, target).await;
    let seconds = begun.elapsed().as_secs_f64();
    let swarm_cpu_seconds = server::cpu_seconds("self").zip(cpu).map(|(end, begin)| end - begin);
    let heartbeats = target.heartbeats().await.zip(heartbeats).map(|(end, begin)| end - begin);
    let Windows { quiet, disturbed, .. } = windows;
    let observed = swarm.observed();
    Ok(Played {
        seconds,
        moves: (observed.journal.moves.len() - moves) as u64,
        resumes: observed.counts.resumes,
        swarm_cpu_seconds,
        traffic: observed.traffic.since(&traffic),
        heartbeats,
        quiet,
        disturbed,
    })
}

/// The same messages at the same pace. `None` if the server's cost is unknown.
async fn measure_yardstick(
    load: &LoadLadder,
    played: &Played,
    token_bytes: usize,
    bar: &ProgressBar,
) -> Result<Option<YardstickReport>> {
    let Some(heartbeats) = played.heartbeats.filter(|_| played.moves > 0) else { return Ok(None) };
    if load.yardstick_seconds == 0 {
        return Ok(None);
    }
    bar.println("measuring the yardstick");
    bar.set_message("yardstick");
    let seats: usize = load.pools.iter().map(Pool::players).sum();
    let workload = Workload {
        connections: load.bots,
        seats: (seats / load.pools.len()) as u32,
        moves_per_second: played.moves as f64 / played.seconds,
        token_bytes,
        messages: played.traffic.mix(heartbeats),
    };
    yardstick::measure(&workload, load.yardstick_seconds, bar).await.map(Some)
}

/// Waits until no bot has a seat in a running match, or for the timeout.
async fn drain(players: &[SwarmPlayer], swarm: &Swarm) {
    let until = Instant::now() + DRAIN_TIMEOUT;
    let busy = |player: &&SwarmPlayer| !player.behaviour.is_bad() && !player.bot.is_idle();
    while players.iter().filter(busy).count() > 0 && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let seated = swarm.observed().counts.seated;
    tracing::debug!(seated, "drained");
}

/// Waits until all ends are acknowledged, or for the timeout.
async fn wait_acknowledged(store: Option<&Address>, swarm: &Swarm) -> Result<()> {
    let Some(store) = store else {
        tokio::time::sleep(ACKNOWLEDGE_TIMEOUT / 2).await;
        return Ok(());
    };
    let store = store.open().await?;
    let bots = swarm.observed().journal.bots.clone();
    let journal = Journal { bots, ..Journal::default() };
    let until = Instant::now() + ACKNOWLEDGE_TIMEOUT;
    while check::unacknowledged(&*store, &journal).await? > 0 && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    Ok(())
}

async fn verdicts(store: Option<&Address>, journal: &Journal) -> Result<Vec<Verdict>> {
    let Some(store) = store else {
        let says = "no store to check".to_owned();
        return Ok(vec![Verdict::unknown("moves", says, "name the arena's store with --store")]);
    };
    check::check(&*store.open().await?, journal).await
}

fn keep(load: &LoadLadder, target: Target, journal: &Journal) -> Result<()> {
    let Target { store: Some(store), folder, .. } = target else { return Ok(()) };
    if load.keep {
        let path = journal_of(&store);
        journal.write(&path)?;
        // Do not delete it at the end.
        drop(folder.map(tempfile::TempDir::keep));
        let path = path.display();
        eprintln!("kept: azulejo load check --store {store} --journal {path}");
    }
    Ok(())
}
