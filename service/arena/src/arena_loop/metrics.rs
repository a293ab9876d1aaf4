//! The metrics of the arena. The README lists their names and labels.

use std::time::Duration;

use prometheus::core::Collector;
use prometheus::{
    Gauge, GaugeVec, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge,
    IntGaugeVec, Opts, Registry, Result, exponential_buckets,
};

use crate::pool::Pool;
use crate::state::{Gauges, MatchOutcome, Metric, MovedBy};

/// Commits take from less than a millisecond to seconds.
const COMMIT: [f64; 12] =
    [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5];
const BATCH: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0];
/// A match is found within moments, or after minutes.
const WAIT: [f64; 10] = [0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0];
const CHARGED: [f64; 12] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// All metrics, with their registry.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Registry,
    bots: BotMetrics,
    play: Play,
    storage: Storage,
}

/// Bots and pools.
#[derive(Clone, Debug)]
struct BotMetrics {
    connected: IntGauge,
    waiting: IntGaugeVec,
    longest_wait: GaugeVec,
    running: IntGaugeVec,
    queue_wait: HistogramVec,
}

/// Events of matches.
#[derive(Clone, Debug)]
struct Play {
    ended: IntCounterVec,
    moves: IntCounterVec,
    timeouts: IntCounter,
    illegal: IntCounter,
    resumes: IntCounter,
    lost_together: IntCounter,
    charged: Histogram,
}

/// The loop and its store.
#[derive(Clone, Debug)]
struct Storage {
    holds_store: IntGauge,
    delay: Histogram,
    commit: Histogram,
    batch: Histogram,
    failures: IntCounter,
    archived: IntCounter,
    deleted: IntCounter,
    fit: GaugeVec,
}

impl BotMetrics {
    fn new(to: &Registry) -> Result<Self> {
        let waiting = "Bots that could play another match now.";
        let longest = "Longest current wait of a bot for a match.";
        let queue = "Time bots waited for a ladder match.";
        let queue = HistogramOpts::new("azulejo_arena_queue_wait_seconds", queue);
        Ok(Self {
            connected: gauge(to, "azulejo_arena_bots_connected", "Bots that are connected.")?,
            waiting: added(
                to,
                IntGaugeVec::new(Opts::new("azulejo_arena_bots_waiting", waiting), &["pool"])?,
            )?,
            longest_wait: by_pool(to, "azulejo_arena_longest_wait_seconds", longest)?,
            running: added(
                to,
                IntGaugeVec::new(
                    Opts::new("azulejo_arena_matches_running", "Matches that are being played."),
                    &["pool"],
                )?,
            )?,
            queue_wait: added(to, HistogramVec::new(queue.buckets(WAIT.to_vec()), &["pool"])?)?,
        })
    }
}

impl Play {
    fn new(to: &Registry) -> Result<Self> {
        let ended = Opts::new("azulejo_arena_matches_ended_total", "Finished matches, by outcome.");
        let moves = Opts::new("azulejo_arena_moves_total", "Moves, by who made them.");
        let illegal = "Illegal moves submitted by bots.";
        let resumes = "Bots that reconnected during a match.";
        let together = "Matches whose bots were all lost at the same moment.";
        let charged = "Time charged to bots per move.";
        let play = Self {
            ended: added(to, IntCounterVec::new(ended, &["pool", "how"])?)?,
            moves: added(to, IntCounterVec::new(moves, &["by"])?)?,
            timeouts: count(to, "azulejo_arena_timeouts_total", "Seats that ran out of time.")?,
            illegal: count(to, "azulejo_arena_illegal_moves_total", illegal)?,
            resumes: count(to, "azulejo_arena_resumes_total", resumes)?,
            lost_together: count(to, "azulejo_arena_lost_together_total", together)?,
            charged: spread(to, "azulejo_arena_turn_charged_seconds", charged, &CHARGED)?,
        };
        // Report 0 for what has not happened yet.
        for by in [MovedBy::Bot, MovedBy::House, MovedBy::Automatic] {
            play.moves.with_label_values(&[name_of(by)]).inc_by(0);
        }
        Ok(play)
    }
}

impl Storage {
    fn new(to: &Registry) -> Result<Self> {
        let holds = "1 while this arena owns its store, 0 otherwise.";
        let delay = "Delay of the arena loop's ticks.";
        // Fine steps: the last per mille is compared from run to run.
        let delays = exponential_buckets(0.000_1, 1.25, 46)?;
        let commit = "Duration of commits.";
        let failures = "Failures of the store after which the arena restarted.";
        let archived = "Finished matches whose events were archived.";
        let deleted = "Old challenges that were deleted.";
        let fit = "Duration of the last computation of the official standings.";
        Ok(Self {
            holds_store: gauge(to, "azulejo_arena_holds_store", holds)?,
            delay: spread(to, "azulejo_arena_loop_delay_seconds", delay, &delays)?,
            commit: spread(to, "azulejo_store_commit_seconds", commit, &COMMIT)?,
            batch: spread(to, "azulejo_store_batch_writes", "Writes per commit.", &BATCH)?,
            failures: count(to, "azulejo_store_failures_total", failures)?,
            archived: count(to, "azulejo_store_archived_matches_total", archived)?,
            deleted: count(to, "azulejo_store_deleted_challenges_total", deleted)?,
            fit: by_pool(to, "azulejo_ladder_fit_seconds", fit)?,
        })
    }
}

fn added<C: Collector + Clone + 'static>(to: &Registry, collector: C) -> Result<C> {
    to.register(Box::new(collector.clone()))?;
    Ok(collector)
}

fn gauge(to: &Registry, name: &str, help: &str) -> Result<IntGauge> {
    added(to, IntGauge::with_opts(Opts::new(name, help))?)
}

fn by_pool(to: &Registry, name: &str, help: &str) -> Result<GaugeVec> {
    added(to, GaugeVec::new(Opts::new(name, help), &["pool"])?)
}

fn count(to: &Registry, name: &str, help: &str) -> Result<IntCounter> {
    added(to, IntCounter::with_opts(Opts::new(name, help))?)
}

fn spread(to: &Registry, name: &str, help: &str, buckets: &[f64]) -> Result<Histogram> {
    let opts = HistogramOpts::new(name, help).buckets(buckets.to_vec());
    added(to, Histogram::with_opts(opts)?)
}

impl Metrics {
    pub(super) fn new() -> Result<Self> {
        let registry = Registry::new();
        Ok(Self {
            bots: BotMetrics::new(&registry)?,
            play: Play::new(&registry)?,
            storage: Storage::new(&registry)?,
            registry,
        })
    }

    /// The registry to collect them from.
    #[must_use]
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    pub(super) fn count(&self, metric: Metric) {
        match metric {
            Metric::Waited { pool, time } => {
                let pool = pool.to_string();
                self.bots.queue_wait.with_label_values(&[&pool]).observe(time.as_secs_f64());
            }
            Metric::Moved { by, charged } => {
                self.play.moves.with_label_values(&[name_of(by)]).inc();
                if let Some(charged) = charged {
                    self.play.charged.observe(charged.as_secs_f64());
                }
            }
            Metric::IllegalMove => self.play.illegal.inc(),
            Metric::TimedOut => self.play.timeouts.inc(),
            Metric::Resumed => self.play.resumes.inc(),
            Metric::LostTogether => self.play.lost_together.inc(),
            Metric::Ended { pool, outcome } => {
                let pool = pool.to_string();
                self.play.ended.with_label_values(&[pool.as_str(), outcome_name(outcome)]).inc();
            }
        }
    }

    /// Pools without bots and matches are not reported.
    pub(super) fn set_gauges(&self, gauges: &Gauges) {
        self.bots.connected.set(i64::try_from(gauges.connected).unwrap_or(i64::MAX));
        self.bots.running.reset();
        self.bots.waiting.reset();
        self.bots.longest_wait.reset();
        for (pool, of_pool) in &gauges.pools {
            // Report 0 for what has not happened yet.
            for outcome in
                [MatchOutcome::Finished, MatchOutcome::Forfeited, MatchOutcome::CalledOff]
            {
                let labels = [pool.as_str(), outcome_name(outcome)];
                self.play.ended.with_label_values(&labels).inc_by(0);
            }
            self.bots.running.with_label_values(&[pool]).set(of_pool.matches.into());
            self.bots.waiting.with_label_values(&[pool]).set(of_pool.waiting.into());
            let longest: &Gauge = &self.bots.longest_wait.with_label_values(&[pool]);
            longest.set(of_pool.longest_wait.as_secs_f64());
        }
    }

    pub(super) fn late(&self, delay: Duration) {
        self.storage.delay.observe(delay.as_secs_f64());
    }

    #[expect(clippy::cast_precision_loss, reason = "a batch has thousands of writes at most")]
    pub(super) fn committed(&self, writes: usize, took: Duration) {
        self.storage.batch.observe(writes as f64);
        self.storage.commit.observe(took.as_secs_f64());
    }

    pub(super) fn holds_store(&self, holds: bool) {
        self.storage.holds_store.set(holds.into());
    }

    pub(super) fn store_failed(&self) {
        self.storage.failures.inc();
    }

    pub(super) fn archived(&self, matches: u64) {
        self.storage.archived.inc_by(matches);
    }

    pub(super) fn deleted(&self, challenges: u64) {
        self.storage.deleted.inc_by(challenges);
    }

    pub(super) fn fitted(&self, pool: Pool, took: Duration) {
        self.storage.fit.with_label_values(&[&pool.to_string()]).set(took.as_secs_f64());
    }
}

const fn name_of(by: MovedBy) -> &'static str {
    match by {
        MovedBy::Bot => "bot",
        MovedBy::House => "house",
        MovedBy::Automatic => "automatic",
    }
}

const fn outcome_name(outcome: MatchOutcome) -> &'static str {
    match outcome {
        MatchOutcome::Finished => "finished",
        MatchOutcome::Forfeited => "forfeited",
        MatchOutcome::CalledOff => "called_off",
    }
}
