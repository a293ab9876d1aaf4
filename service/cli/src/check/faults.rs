//! Faults of the network and of the server, in the middle of a match.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::bench::{Bench, LATER};
use super::items::Outcome;
use super::link::Quality;
use crate::author::{Fault, LocalArena, Noted, Place};

pub(super) async fn cut_stream(bench: &Bench<'_>) -> Result<Outcome> {
    let mut trial = bench.in_memory().await?;
    trial.team.arena.set(Fault::LoseAnswer(LATER));
    let id = trial.call().await?;
    let first = trial.held(1).await?;
    trial.team.arena.set(Fault::LoseReply(LATER));
    trial.link.cut();
    let after = |second: bool| {
        let what =
            if second { "after its answer had arrived" } else { "before its answer arrived" };
        format!("the connection was cut {what}")
    };
    let second = trial.held(2).await.with_context(|| after(false))?;
    trial.link.cut();
    trial.play_on(&id).await.with_context(|| after(true))?;
    trial.close().await;
    Ok(Outcome::Passed(format!("came back twice, after cuts in turns {first} and {second}")))
}

pub(super) async fn duplicates(bench: &Bench<'_>) -> Result<Outcome> {
    let mut trial = bench.in_memory().await?;
    trial.team.arena.set(Fault::DoubleEvents);
    let id = trial.call().await?;
    trial.play_on(&id).await.context("every event came twice")?;
    trial.close().await;
    Ok(Outcome::Passed("a whole game in which every event came twice".to_owned()))
}

pub(super) async fn stale_turn(bench: &Bench<'_>) -> Result<Outcome> {
    /// Answers to one question about an old turn; a few repetitions do no harm.
    const MOST: usize = 10;
    let mut trial = bench.in_memory().await?;
    trial.team.arena.set(Fault::OldTurns);
    let id = trial.call().await?;
    let played = trial.play_on(&id).await;
    let (mut asked, mut answers) = (0, HashMap::<u32, usize>::new());
    for entry in trial.team.arena.journal.since(0) {
        if matches!(entry.what, Noted::AskedAgain) {
            asked += 1;
        } else if let Noted::Refused { turn, reason, .. } = entry.what
            && reason == "STALE_TURN"
        {
            *answers.entry(turn).or_default() += 1;
        }
    }
    let stale: usize = answers.values().sum();
    if let Some((turn, times)) = answers.into_iter().find(|(_, times)| *times > MOST) {
        bail!("it said its answer to turn {turn} {times} times, though that turn was over");
    }
    played.context("it was asked about turns that were over")?;
    trial.close().await;
    if asked == 0 {
        return Ok(Outcome::NotApplicable("the game had too few turns".to_owned()));
    }
    Ok(Outcome::Passed(format!("asked about {asked} old turns, gave {stale} answers, played on")))
}

pub(super) async fn refused_answer(bench: &Bench<'_>) -> Result<Outcome> {
    let mut trial = bench.in_memory().await?;
    trial.team.arena.set(Fault::RefuseAnswer(LATER));
    let id = trial.call().await?;
    trial.play_on(&id).await.context("an answer was refused")?;
    let noted = trial.team.arena.journal.since(0);
    trial.close().await;
    let refused = noted.iter().any(|entry| matches!(entry.what, Noted::Refused { .. }));
    if !refused {
        return Ok(Outcome::NotApplicable("the game had too few turns".to_owned()));
    }
    Ok(Outcome::Passed("an answer was refused, and it played on".to_owned()))
}

pub(super) async fn restart(bench: &Bench<'_>) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let store = folder.path().join("arena.db").display().to_string();
    let place = Place { store, ..Place::in_memory() };
    let mut trial = bench.start(&place, Quality::default()).await?;
    trial.team.arena.set(Fault::LoseAnswer(LATER));
    let id = trial.call().await?;
    let turn = trial.held(1).await?;
    let journal = Arc::clone(&trial.team.arena.journal);
    // The old one has to let go of the store before the new one takes it.
    trial.team.arena.halt().await;
    trial.team.arena = LocalArena::open(&place, journal).await?;
    trial.link.lead_to(trial.team.arena.public);
    trial.play_on(&id).await.context("the server was restarted")?;
    trial.close().await;
    Ok(Outcome::Passed(format!("the server was gone in turn {turn}; the match was played on")))
}
