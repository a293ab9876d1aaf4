//! The bot as a process: killed, stopped, and idle.

use std::os::unix::process::ExitStatusExt as _;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::unistd::Pid;

use super::items::ItemOutcome;
use super::trial::{ANSWERS_BEFORE_FAULT, TrialSetup};
use crate::{Entry, Fault, JournalEvent};

pub(super) async fn crash(setup: &TrialSetup<'_>) -> Result<ItemOutcome> {
    let mut trial = setup.in_memory().await?;
    trial.team.arena.set_fault(Fault::DropAnswer(ANSWERS_BEFORE_FAULT));
    let id = trial.start_match().await?;
    let turn = trial.wait_until_withheld(1).await?;
    let server = trial.link.url();
    trial.team.restart_bot(0, &server).await.context("it was killed and started again")?;
    trial.finish_match(&id).await.context("it was killed and started again")?;
    trial.close().await;
    Ok(ItemOutcome::Passed(format!("killed in turn {turn}, started again, played on")))
}

pub(super) async fn stop(setup: &TrialSetup<'_>) -> Result<ItemOutcome> {
    /// Enough time to finish calls in progress.
    const STOP_TIMEOUT: Duration = Duration::from_secs(10);
    /// The exit code that shells and some languages use for a process ended by SIGTERM.
    const ENDED_BY_SIGTERM: i32 = 128 + 15;
    let mut trial = setup.in_memory().await?;
    trial.start_match().await?;
    let answered =
        |entry: &Entry| matches!(entry.event, JournalEvent::AnswerAccepted { .. }).then_some(());
    trial.wait_for("it did not answer a turn", answered).await?;
    let sent = Instant::now();
    let process = &mut trial.team.bots[0].process;
    let Some(status) = process.stop(STOP_TIMEOUT).await else {
        bail!("{} s after SIGTERM it was still running", STOP_TIMEOUT.as_secs());
    };
    let took = sent.elapsed();
    let is_clean =
        status.success() || status.signal() == Some(15) || status.code() == Some(ENDED_BY_SIGTERM);
    if !is_clean {
        bail!("after SIGTERM it exited with {status}. {}", process.last_output().await);
    }
    trial.close().await;
    Ok(ItemOutcome::Passed(format!("exited {:.1} s after SIGTERM ({status})", took.as_secs_f64())))
}

pub(super) async fn idle(setup: &TrialSetup<'_>) -> Result<ItemOutcome> {
    const OBSERVED: Duration = Duration::from_secs(3);
    const MAX_CPU: f64 = 0.15;
    const MAX_MIB: u64 = 2048;
    let mut trial = setup.in_memory().await?;
    let id = trial.start_match().await?;
    trial.finish_match(&id).await?;
    let group = trial.team.bots[0].process.group();
    let Some((before, _)) = usage(group) else {
        return Ok(ItemOutcome::NotApplicable("this system does not report resource usage".into()));
    };
    tokio::time::sleep(OBSERVED).await;
    let (after, mib) = usage(group).context("it exited while waiting for a match")?;
    trial.close().await;
    let share = (after - before) / OBSERVED.as_secs_f64();
    let seen = format!("{:.0} % of a core and {mib} MiB while waiting for a match", 100.0 * share);
    if share > MAX_CPU || mib > MAX_MIB {
        bail!("it uses {seen}");
    }
    Ok(ItemOutcome::Passed(seen))
}

/// Processor time in seconds and memory in MiB of all processes of a group.
fn usage(group: Pid) -> Option<(f64, u64)> {
    /// `USER_HZ`, which is 100 on all supported platforms.
    const TICKS_PER_SECOND: f64 = 100.0;
    const PAGES_PER_MIB: u64 = 256;
    let (mut seconds, mut pages, mut found) = (0.0, 0, false);
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name in parentheses may contain anything; state, parent, group, … follow it.
        let Some((_, rest)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
        if number(2) != u64::try_from(group.as_raw()).ok() {
            continue;
        }
        found = true;
        #[expect(clippy::cast_precision_loss, reason = "ticks of a few minutes")]
        let ticks = (number(11)? + number(12)?) as f64;
        seconds += ticks / TICKS_PER_SECOND;
        pages += number(21)?;
    }
    found.then_some((seconds, pages / PAGES_PER_MIB))
}
