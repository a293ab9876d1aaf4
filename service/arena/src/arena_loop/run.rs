//! The loop itself: commands, ticks, commits, and recovery from a failed store.

use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::mailbox::{Mail, Replies};
use super::{ArenaLoop, Stopped, housekeeping, standings, take_over};
use crate::state::ArenaState;
use crate::store::{Epoch, StoreError};

/// Commands that are run before their writes are committed.
const COMMANDS_PER_BATCH: usize = 1_000;
/// A commit costs the same for one move as for many. So the more matches run, the longer commands
/// are collected before the next commit: this long for each match, up to a limit. What a bot is
/// charged does not change: the time of a command is that of its arrival.
const COLLECT_PER_MATCH: Duration = Duration::from_micros(20);
const LONGEST_COLLECTION: Duration = Duration::from_millis(10);
/// How long a tick may be put off while commands wait.
const LATEST_TICK: Duration = Duration::from_secs(1);
/// How often the lease of the store is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// The first and the longest wait before a store that failed is tried again. Matches continue at most
/// this long after the cause of the failure has ended.
const FIRST_RETRY: Duration = Duration::from_millis(100);
const LONGEST_RETRY: Duration = Duration::from_secs(1);
/// How long commands wait for a store that failed, before they fail and their callers have to retry: long
/// enough that most bots continue at once when it is back, and shorter than the deadline of a call.
const LONGEST_HOLD: Duration = Duration::from_secs(5);

impl ArenaLoop {
    /// Runs until `stop`. If the store fails, it starts again from what is stored.
    // Boxed, so that the loop is compiled in this crate and not in each that awaits it.
    pub fn run(self, stop: CancellationToken) -> BoxFuture<'static, Result<(), Stopped>> {
        self.run_until(stop).boxed()
    }

    async fn run_until(mut self, stop: CancellationToken) -> Result<(), Stopped> {
        // However this ends, so does the work beside it.
        let ends = CancellationToken::new();
        let _beside = ends.clone().drop_guard();
        let runtime = &self.arena.shared.runtime;
        runtime.spawn(standings::refresh(self.arena(), ends.clone()));
        runtime.spawn(housekeeping::run(self.arena(), self.retention, ends));
        let ended = self.run_with_recovery(&stop).await;
        self.arena.shared.set_holds_store(false);
        if ended.is_ok() {
            self.close().await;
        }
        ended
    }

    async fn run_with_recovery(&mut self, stop: &CancellationToken) -> Result<(), Stopped> {
        loop {
            let failure = match self.run_loop(stop).await {
                Ok(()) => return Ok(()),
                Err(StoreError::Fenced) => return Err(Stopped::Fenced),
                Err(failure) => failure,
            };
            tracing::error!(%failure, "restarting from the stored state");
            self.arena.shared.metrics.store_failed();
            self.arena.shared.set_holds_store(false);
            self.arena.shared.close_all();
            self.drop_commands();
            (self.state, self.epoch) = self.reacquire(stop).await?;
            // Watchers that subscribed meanwhile read the old view: events may be missing after it.
            self.arena.shared.close_all();
        }
    }

    /// Drops the waiting commands: their callers get an error and can retry.
    fn drop_commands(&mut self) {
        while self.mailbox.try_recv().is_ok() {}
    }

    async fn reacquire(
        &mut self,
        stop: &CancellationToken,
    ) -> Result<(ArenaState, Epoch), Stopped> {
        let (mut wait, mut dropped) = (FIRST_RETRY, Instant::now());
        loop {
            let failure = match self.try_reacquire().await {
                Ok(taken) => return Ok(taken),
                Err(StoreError::Fenced) => return Err(Stopped::Fenced),
                Err(failure) => failure,
            };
            if stop.is_cancelled() {
                return Err(Stopped::Store(failure));
            }
            tracing::error!(%failure, "the store is still unavailable");
            // A stop is noticed after one more try.
            let _stopped = stop.run_until_cancelled(tokio::time::sleep(wait)).await;
            wait = (wait * 2).min(LONGEST_RETRY);
            if dropped.elapsed() >= LONGEST_HOLD {
                dropped = Instant::now();
                self.drop_commands();
            }
        }
    }

    /// Takes over the store again, unless another arena owns it by now: two arenas must not take it
    /// from each other forever.
    async fn try_reacquire(&self) -> Result<(ArenaState, Epoch), StoreError> {
        // The last epoch that was taken, also if loading failed after it.
        self.arena.shared.store.renew(self.arena.shared.epoch()).await?;
        take_over(&self.arena, self.settings, &self.process_tokens).await
    }

    async fn run_loop(&mut self, stop: &CancellationToken) -> Result<(), StoreError> {
        let mut replies = Replies::default();
        let (mut ticked, mut renewed) = (Instant::now(), Instant::now());
        let mut committed = Instant::now();
        self.report_gauges();
        loop {
            let next_tick = ticked + ArenaState::tick_every();
            self.arena.shared.clock.beat();
            tokio::select! {
                biased;
                mail = self.mailbox.recv() => match mail {
                    Some(mail) => {
                        let until = (committed + self.collection_time()).min(next_tick);
                        if Instant::now() < until {
                            tokio::time::sleep_until(until.into()).await;
                        }
                        self.run_batch(mail, &mut replies);
                    }
                    None => return Ok(()),
                },
                () = tokio::time::sleep_until(next_tick.into()) => {}
                () = stop.cancelled() => return Ok(()),
            }
            // Commands that arrived in time run before the tick, unless they never end.
            let overdue = Instant::now() >= next_tick + LATEST_TICK;
            if overdue || (Instant::now() >= next_tick && self.mailbox.is_empty()) {
                ticked = Instant::now();
                self.arena.shared.metrics.late(ticked.saturating_duration_since(next_tick));
                self.state.set_official(self.arena.computed_standings());
                let now = self.arena.now();
                self.state.tick(now);
            }
            if renewed.elapsed() >= RENEW_EVERY {
                renewed = Instant::now();
                self.arena.shared.store.renew(self.epoch).await?;
                self.report_gauges();
            }
            committed = Instant::now();
            self.arena.shared.clock.beat();
            self.settle(&mut replies).await?;
        }
    }

    /// The time from one commit to the next.
    fn collection_time(&self) -> Duration {
        let matches = u32::try_from(self.state.running_matches()).unwrap_or(u32::MAX);
        COLLECT_PER_MATCH.saturating_mul(matches).min(LONGEST_COLLECTION)
    }

    /// Runs a command and those that wait behind it.
    fn run_batch(&mut self, first: Box<dyn Mail>, replies: &mut Replies) {
        let mut next = Some(first);
        for left in (0..COMMANDS_PER_BATCH).rev() {
            let Some(mail) = next else { return };
            mail.run(&mut self.state, self.arena.now(), replies);
            next = if left > 0 { self.mailbox.try_recv().ok() } else { None };
        }
    }

    fn report_gauges(&self) {
        let gauges = self.state.gauges(self.arena.time());
        self.arena.shared.metrics.set_gauges(&gauges);
    }

    /// Makes everything durable, then publishes it, carries out the effects and sends the replies.
    pub(super) fn settle<'a>(
        &'a mut self,
        replies: &'a mut Replies,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.settle_batch(replies).boxed()
    }

    async fn settle_batch(&mut self, replies: &mut Replies) -> Result<(), StoreError> {
        let shared = &self.arena.shared;
        let writes = self.state.take_writes();
        if !writes.is_empty() {
            let begun = Instant::now();
            shared.store.commit(self.epoch, &writes).await?;
            let took = begun.elapsed();
            shared.metrics.committed(writes.len(), took);
            tracing::debug!(writes = writes.len(), ?took, "batch committed");
        }
        for metric in self.state.take_metrics() {
            shared.metrics.count(metric);
        }
        // Before the effects: a watcher who subscribes after an event must find it in the view.
        self.state.publish(self.arena.time());
        shared.publish(self.state.view());
        for effect in self.state.release(self.arena.now()) {
            self.arena.carry_out(effect);
        }
        replies.send();
        Ok(())
    }
}
