//! The loop itself: commands, ticks, commits, and recovery from a failed store.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::mailbox::{Mail, Replies};
use super::{ArenaLoop, Stopped, standings, take_over};
use crate::state::ArenaState;
use crate::store::{Epoch, StoreError};

/// Commands that are run before their writes are committed.
const COMMANDS_PER_BATCH: usize = 1_000;
/// How long a tick may be put off while commands wait.
const LATEST_TICK: Duration = Duration::from_secs(1);
/// How often the lease of the store is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(2);

impl ArenaLoop {
    /// Runs until `stop`. If the store fails, it starts again from what is stored.
    pub async fn run(mut self, stop: CancellationToken) -> Result<(), Stopped> {
        // However this ends, so does the computation of standings.
        let ends = CancellationToken::new();
        let _standings = ends.clone().drop_guard();
        self.arena.shared.runtime.spawn(standings::refresh(self.arena(), ends));
        let metrics = self.arena.shared.metrics.clone();
        let ended = self.run_with_recovery(&stop).await;
        metrics.holds_store(false);
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
                Err(failure @ (StoreError::Failed(_) | StoreError::Conflict(_))) => failure,
            };
            tracing::error!(%failure, "restarting from the stored state");
            self.arena.shared.metrics.store_failed();
            self.arena.shared.metrics.holds_store(false);
            self.arena.shared.close_all();
            // Drops the waiting commands: their callers get an error and can retry.
            while self.mailbox.try_recv().is_ok() {}
            (self.state, self.epoch) = self.reacquire(stop).await?;
            // Watchers that subscribed meanwhile read the old view: events may be missing after it.
            self.arena.shared.close_all();
        }
    }

    async fn reacquire(&self, stop: &CancellationToken) -> Result<(ArenaState, Epoch), Stopped> {
        let mut wait = Duration::from_millis(100);
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
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(Duration::from_secs(5));
        }
    }

    /// Takes over the store again, unless another arena owns it by now: two arenas must not take it
    /// from each other forever.
    async fn try_reacquire(&self) -> Result<(ArenaState, Epoch), StoreError> {
        self.arena.shared.store.renew(self.epoch).await?;
        take_over(&self.arena, self.settings, &self.process_tokens).await
    }

    async fn run_loop(&mut self, stop: &CancellationToken) -> Result<(), StoreError> {
        let mut replies = Replies::default();
        let (mut ticked, mut renewed) = (Instant::now(), Instant::now());
        self.report_gauges();
        loop {
            let next_tick = ticked + ArenaState::tick_every();
            tokio::select! {
                biased;
                mail = self.mailbox.recv() => match mail {
                    Some(mail) => self.run_batch(mail, &mut replies),
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
                let now = self.arena.now();
                self.state.tick(now);
            }
            if renewed.elapsed() >= RENEW_EVERY {
                renewed = Instant::now();
                self.arena.shared.store.renew(self.epoch).await?;
                self.report_gauges();
            }
            self.settle(&mut replies).await?;
        }
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
    pub(super) async fn settle(&mut self, replies: &mut Replies) -> Result<(), StoreError> {
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
        shared.publish(self.state.view());
        for effect in self.state.release(self.arena.now()) {
            self.arena.carry_out(effect);
        }
        replies.send();
        Ok(())
    }
}
