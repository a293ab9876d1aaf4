//! The bot as a process: killed, asked to stop, and at rest.

use std::os::unix::process::ExitStatusExt as _;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::unistd::Pid;

use super::bench::{Bench, LATER};
use super::items::Outcome;
use crate::author::{Entry, Fault, Noted};

pub(super) async fn crash(bench: &Bench<'_>) -> Result<Outcome> {
    let mut trial = bench.in_memory().await?;
    trial.team.arena.set(Fault::LoseAnswer(LATER));
    let id = trial.call().await?;
    let turn = trial.held(1).await?;
    let server = trial.link.url();
    trial.team.again(0, &server).await.context("started again after it was killed")?;
    trial.play_on(&id).await.context("it was killed and started again")?;
    trial.close().await;
    Ok(Outcome::Passed(format!("killed in turn {turn}, started again, played on")))
}

pub(super) async fn stop(bench: &Bench<'_>) -> Result<Outcome> {
    /// A bot may wait a little for what is on its way; nobody waits longer than this for a bot.
    const WITHIN: Duration = Duration::from_secs(10);
    /// What shells and some languages say of a process that SIGTERM ended.
    const ENDED_BY_SIGTERM: i32 = 128 + 15;
    let mut trial = bench.in_memory().await?;
    trial.call().await?;
    let answered = |entry: &Entry| matches!(entry.what, Noted::Answered { .. }).then_some(());
    trial.sees("it answered no turn", answered).await?;
    let began = Instant::now();
    let process = &mut trial.team.bots[0].process;
    let Some(ended) = process.stop(WITHIN).await else {
        bail!("{} s after SIGTERM it was still running", WITHIN.as_secs());
    };
    let took = began.elapsed();
    let is_clean =
        ended.success() || ended.signal() == Some(15) || ended.code() == Some(ENDED_BY_SIGTERM);
    if !is_clean {
        bail!("after SIGTERM it ended with {ended}. {}", process.last_words().await);
    }
    trial.close().await;
    Ok(Outcome::Passed(format!("ended {:.1} s after SIGTERM ({ended})", took.as_secs_f64())))
}

pub(super) async fn idle(bench: &Bench<'_>) -> Result<Outcome> {
    const WATCHED: Duration = Duration::from_secs(3);
    const MOST_CPU: f64 = 0.15;
    const MOST_MIB: u64 = 2048;
    let mut trial = bench.in_memory().await?;
    let id = trial.call().await?;
    trial.play_on(&id).await?;
    let group = trial.team.bots[0].process.group();
    let Some((before, _)) = used(group) else {
        return Ok(Outcome::NotApplicable("this system does not tell what a process uses".into()));
    };
    tokio::time::sleep(WATCHED).await;
    let (after, mib) = used(group).context("it ended while it waited for a match")?;
    trial.close().await;
    let share = (after - before) / WATCHED.as_secs_f64();
    let seen = format!("{:.0} % of a core and {mib} MiB while it waits for a match", 100.0 * share);
    if share > MOST_CPU || mib > MOST_MIB {
        bail!("it uses {seen}");
    }
    Ok(Outcome::Passed(seen))
}

/// Seconds of processor time and MiB of memory that all processes of a group use.
fn used(group: Pid) -> Option<(f64, u64)> {
    /// What Linux counts by, everywhere that this runs.
    const TICKS_A_SECOND: f64 = 100.0;
    const PAGES_A_MIB: u64 = 256;
    let (mut seconds, mut pages, mut found) = (0.0, 0, false);
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name in brackets may hold anything; after it come state, parent, group, …
        let Some((_, rest)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
        if number(2) != u64::try_from(group.as_raw()).ok() {
            continue;
        }
        found = true;
        #[expect(clippy::cast_precision_loss, reason = "ticks of a few minutes")]
        let ticks = (number(11)? + number(12)?) as f64;
        seconds += ticks / TICKS_A_SECOND;
        pages += number(21)?;
    }
    found.then_some((seconds, pages / PAGES_A_MIB))
}
