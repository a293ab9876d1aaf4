//! What the arena counts of its own work. The names and labels are listed in the README.

use std::time::Duration;

use prometheus::core::Collector;
use prometheus::{
    Gauge, GaugeVec, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge,
    IntGaugeVec, Opts, Registry, Result,
};

use crate::hall::{By, Census, How, Note};
use crate::pool::Pool;

/// Commits take from less than a millisecond to seconds.
const COMMIT: [f64; 12] =
    [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5];
const BATCH: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0];
/// A place at a table within moments, or after minutes.
const WAIT: [f64; 10] = [0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0];
const CHARGED: [f64; 12] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// Everything that is counted, and where it is read.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Registry,
    crowd: Crowd,
    play: Play,
    keeping: Keeping,
}

/// Who is there.
#[derive(Clone, Debug)]
struct Crowd {
    connected: IntGauge,
    waiting: IntGaugeVec,
    longest_wait: GaugeVec,
    running: IntGaugeVec,
    queue_wait: HistogramVec,
}

/// What happens in matches.
#[derive(Clone, Debug)]
struct Play {
    ended: IntCounterVec,
    moves: IntCounterVec,
    timeouts: IntCounter,
    illegal: IntCounter,
    resumes: IntCounter,
    charged: Histogram,
}

/// What the arena does to keep it all.
#[derive(Clone, Debug)]
struct Keeping {
    holds_store: IntGauge,
    delay: Histogram,
    commit: Histogram,
    batch: Histogram,
    failures: IntCounter,
    fit: GaugeVec,
}

impl Crowd {
    fn new(to: &Registry) -> Result<Self> {
        let waiting = "Bots that would play one more match now.";
        let longest = "How long the first of the bots that wait has waited.";
        let queue = "How long bots waited for a place at a table of the ladder.";
        let queue = HistogramOpts::new("azulejo_arena_queue_wait_seconds", queue);
        Ok(Self {
            connected: gauge(to, "azulejo_arena_bots_connected", "Bots that listen now.")?,
            waiting: added(
                to,
                IntGaugeVec::new(Opts::new("azulejo_arena_bots_waiting", waiting), &["pool"])?,
            )?,
            longest_wait: by_pool(to, "azulejo_arena_longest_wait_seconds", longest)?,
            running: added(
                to,
                IntGaugeVec::new(
                    Opts::new("azulejo_arena_matches_running", "Matches that run now."),
                    &["pool"],
                )?,
            )?,
            queue_wait: added(to, HistogramVec::new(queue.buckets(WAIT.to_vec()), &["pool"])?)?,
        })
    }
}

impl Play {
    fn new(to: &Registry) -> Result<Self> {
        let ended = Opts::new("azulejo_arena_matches_ended_total", "Matches that are over.");
        let moves = Opts::new("azulejo_arena_moves_total", "Decisions, by whoever made them.");
        let illegal = "Answers of bots that were no legal move.";
        let resumes = "Bots that came back to a match that runs.";
        let charged = "What decisions of bots cost them.";
        let play = Self {
            ended: added(to, IntCounterVec::new(ended, &["pool", "how"])?)?,
            moves: added(to, IntCounterVec::new(moves, &["by"])?)?,
            timeouts: count(to, "azulejo_arena_timeouts_total", "Seats whose time was up.")?,
            illegal: count(to, "azulejo_arena_illegal_moves_total", illegal)?,
            resumes: count(to, "azulejo_arena_resumes_total", resumes)?,
            charged: spread(to, "azulejo_arena_turn_charged_seconds", charged, &CHARGED)?,
        };
        // What never happened is told too: as 0.
        for by in [By::Bot, By::House, By::Automatic] {
            play.moves.with_label_values(&[name_of(by)]).inc_by(0);
        }
        Ok(play)
    }
}

impl Keeping {
    fn new(to: &Registry) -> Result<Self> {
        let holds = "1 while this arena holds its store, 0 while it has lost it.";
        let delay = "How late the arena itself was for what was due.";
        let commit = "How long batches took to become durable.";
        let failures = "How often the store failed and was taken anew.";
        let fit = "How long the last fit of the official standings took.";
        Ok(Self {
            holds_store: gauge(to, "azulejo_arena_holds_store", holds)?,
            delay: spread(to, "azulejo_arena_desk_delay_seconds", delay, &COMMIT)?,
            commit: spread(to, "azulejo_store_commit_seconds", commit, &COMMIT)?,
            batch: spread(to, "azulejo_store_batch_writes", "Writes in a batch.", &BATCH)?,
            failures: count(to, "azulejo_store_failures_total", failures)?,
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
            crowd: Crowd::new(&registry)?,
            play: Play::new(&registry)?,
            keeping: Keeping::new(&registry)?,
            registry,
        })
    }

    /// Where all of it is read.
    #[must_use]
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    pub(super) fn count(&self, note: Note) {
        match note {
            Note::Waited { pool, time } => {
                let pool = pool.to_string();
                self.crowd.queue_wait.with_label_values(&[&pool]).observe(time.as_secs_f64());
            }
            Note::Moved { by, charged } => {
                self.play.moves.with_label_values(&[name_of(by)]).inc();
                if let Some(charged) = charged {
                    self.play.charged.observe(charged.as_secs_f64());
                }
            }
            Note::Illegal => self.play.illegal.inc(),
            Note::TimedOut => self.play.timeouts.inc(),
            Note::Resumed => self.play.resumes.inc(),
            Note::Ended { pool, how } => {
                let pool = pool.to_string();
                self.play.ended.with_label_values(&[pool.as_str(), how_of(how)]).inc();
            }
        }
    }

    /// Pools in which nobody is any more are not told of.
    pub(super) fn stand(&self, census: &Census) {
        self.crowd.connected.set(i64::try_from(census.connected).unwrap_or(i64::MAX));
        self.crowd.running.reset();
        self.crowd.waiting.reset();
        self.crowd.longest_wait.reset();
        for (pool, standing) in &census.pools {
            // What never happened there is told too: as 0.
            for how in [How::Finished, How::Forfeited, How::CalledOff] {
                self.play.ended.with_label_values(&[pool.as_str(), how_of(how)]).inc_by(0);
            }
            self.crowd.running.with_label_values(&[pool]).set(standing.matches.into());
            self.crowd.waiting.with_label_values(&[pool]).set(standing.waiting.into());
            let longest: &Gauge = &self.crowd.longest_wait.with_label_values(&[pool]);
            longest.set(standing.longest_wait.as_secs_f64());
        }
    }

    pub(super) fn late(&self, delay: Duration) {
        self.keeping.delay.observe(delay.as_secs_f64());
    }

    #[expect(clippy::cast_precision_loss, reason = "a batch has thousands of writes at most")]
    pub(super) fn committed(&self, writes: usize, took: Duration) {
        self.keeping.batch.observe(writes as f64);
        self.keeping.commit.observe(took.as_secs_f64());
    }

    pub(super) fn holds_store(&self, holds: bool) {
        self.keeping.holds_store.set(holds.into());
    }

    pub(super) fn store_failed(&self) {
        self.keeping.failures.inc();
    }

    pub(super) fn fitted(&self, pool: Pool, took: Duration) {
        self.keeping.fit.with_label_values(&[&pool.to_string()]).set(took.as_secs_f64());
    }
}

const fn name_of(by: By) -> &'static str {
    match by {
        By::Bot => "bot",
        By::House => "house",
        By::Automatic => "automatic",
    }
}

const fn how_of(how: How) -> &'static str {
    match how {
        How::Finished => "finished",
        How::Forfeited => "forfeited",
        How::CalledOff => "called_off",
    }
}
