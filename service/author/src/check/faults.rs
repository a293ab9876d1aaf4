//! Faults of the network and of the server in the middle of a match.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::items::ItemOutcome;
use super::link::LinkQuality;
use super::trial::{ANSWERS_BEFORE_FAULT, TrialSetup};
use crate::{Fault, JournalEvent, LocalArena, LocalArenaConfig};

pub(super) async fn cut_stream(setup: &TrialSetup<'_>) -> Result<ItemOutcome> {
    let mut trial = setup.in_memory().await?;
    trial.team.arena.set_fault(Fault::DropAnswer(ANSWERS_BEFORE_FAULT));
    let id = trial.start_match().await?;
    let first = trial.wait_until_withheld(1).await?;
    trial.team.arena.set_fault(Fault::DropReply(ANSWERS_BEFORE_FAULT));
    trial.link.cut();
    let second = trial
        .wait_until_withheld(2)
        .await
        .context("the connection was cut before its answer arrived")?;
    trial.link.cut();
    trial.finish_match(&id).await.context("the connection was cut after its answer arrived")?;
    trial.close().await;
    Ok(ItemOutcome::Passed(format!("reconnected after cuts in turns {first} and {second}")))
}

pub(super) async fn duplicates(setup: &TrialSetup<'_>) -> Result<ItemOutcome> {
    let mut trial = setup.in_memory().await?;
    trial.team.arena.set_fault(Fault::DuplicateEvents);
    let id = trial.start_match().await?;
    trial.finish_match(&id).await.context("every event was sent twice")?;
    trial.close().await;
    Ok(ItemOutcome::Passed("a complete game in which every event was sent twice".to_owned()))
}

pub(super) async fn stale_turn(setup: &TrialSetup<'_>) -> Result<ItemOutcome> {
    /// Answers to one stale turn that are tolerated: a few retries do no harm.
    const MAX_ANSWERS: usize = 10;
    let mut trial = setup.in_memory().await?;
    trial.team.arena.set_fault(Fault::StaleTurns);
    let id = trial.start_match().await?;
    let played = trial.finish_match(&id).await;
    let (mut sent, mut answers) = (0, HashMap::<u32, usize>::new());
    for entry in trial.team.arena.journal.since(0) {
        if matches!(entry.event, JournalEvent::StaleTurnSent) {
            sent += 1;
        } else if let JournalEvent::AnswerRefused { turn, reason, .. } = entry.event
            && reason == "STALE_TURN"
        {
            *answers.entry(turn).or_default() += 1;
        }
    }
    let stale: usize = answers.values().sum();
    if let Some((turn, times)) = answers.into_iter().find(|(_, times)| *times > MAX_ANSWERS) {
        bail!("it repeated its answer to turn {turn} {times} times, although that turn was over");
    }
    played.context("it was sent turns that were over")?;
    trial.close().await;
    if sent == 0 {
        return Ok(ItemOutcome::NotApplicable("the game had too few turns".to_owned()));
    }
    Ok(ItemOutcome::Passed(format!("sent {sent} stale turns, received {stale} answers, played on")))
}

pub(super) async fn refused_answer(setup: &TrialSetup<'_>) -> Result<ItemOutcome> {
    let mut trial = setup.in_memory().await?;
    trial.team.arena.set_fault(Fault::RefuseAnswer(ANSWERS_BEFORE_FAULT));
    let id = trial.start_match().await?;
    trial.finish_match(&id).await.context("an answer was refused")?;
    let entries = trial.team.arena.journal.since(0);
    trial.close().await;
    let refused =
        entries.iter().any(|entry| matches!(entry.event, JournalEvent::AnswerRefused { .. }));
    if !refused {
        return Ok(ItemOutcome::NotApplicable("the game had too few turns".to_owned()));
    }
    Ok(ItemOutcome::Passed("played on after a refused answer".to_owned()))
}

pub(super) async fn restart(setup: &TrialSetup<'_>) -> Result<ItemOutcome> {
    let folder = tempfile::tempdir()?;
    let store = folder.path().join("arena.db").display().to_string();
    let config = LocalArenaConfig { store, ..LocalArenaConfig::in_memory() };
    let mut trial = setup.start(&config, LinkQuality::default()).await?;
    trial.team.arena.set_fault(Fault::DropAnswer(ANSWERS_BEFORE_FAULT));
    let id = trial.start_match().await?;
    let turn = trial.wait_until_withheld(1).await?;
    let journal = Arc::clone(&trial.team.arena.journal);
    // The store can only have one owner: stop the old arena first.
    trial.team.arena.stop().await;
    trial.team.arena = LocalArena::start(&config, journal).await?;
    trial.link.set_target(trial.team.arena.public);
    trial.finish_match(&id).await.context("the server was restarted")?;
    trial.close().await;
    Ok(ItemOutcome::Passed(format!(
        "the server was restarted in turn {turn}; the match was finished"
    )))
}
