//! Delays with and without readers or abuse.

use serde::Serialize;

use super::ratio;
use crate::ladder::check::Verdict;
use crate::ladder::disturbance::Disturbance;
use crate::ladder::swarm::{MoveTimes, Observed};
use crate::ladder::windows::Window;

#[derive(Clone, Debug, Serialize)]
pub(in crate::ladder) struct DisturbanceReport {
    /// For people: what disturbed the arena.
    pub(super) disturbance: String,
    pub(super) calls_per_second: f64,
    /// Refused or failed.
    pub(super) calls_refused: u64,
    pub(super) first_refusal: Option<String>,
    pub(super) quiet: DelayReport,
    pub(super) disturbed: DelayReport,
    /// Disturbed to quiet.
    pub(super) turns_per_second_ratio: Option<f64>,
    /// The same, 99.9 %.
    pub(super) loop_delay_p999_ratio: Option<f64>,
    pub(super) submit_p999_ratio: Option<f64>,
    pub(super) charged_beyond_thought_p999_ratio: Option<f64>,
}

/// Beside abuse, honest bots still get this share of their turns.
const LEAST_TURNS: f64 = 0.9;
/// And 99 of 100 turns are charged at most this much more, in microseconds.
const MOST_OVERCHARGE_US: u64 = 10_000;

/// Delays in one kind of slices.
#[derive(Clone, Copy, Debug, Serialize)]
pub(in crate::ladder) struct DelayReport {
    pub(super) seconds: f64,
    pub(super) turns_per_second: f64,
    /// Of a core.
    pub(super) server_cpu: Option<f64>,
    /// Number of ticks of the arena's loop; how late they were. Interpolated within the buckets of
    /// the arena's histogram.
    pub(super) ticks: u64,
    pub(super) loop_delay_p50_us: Option<f64>,
    pub(super) loop_delay_p99_us: Option<f64>,
    pub(super) loop_delay_p999_us: Option<f64>,
    pub(super) submit_p999_us: u64,
    pub(super) charged_beyond_thought_p99_us: u64,
    pub(super) charged_beyond_thought_p999_us: u64,
}

impl DelayReport {
    fn new(window: &Window, times: &MoveTimes) -> Self {
        let delay = |quantile| window.loop_delay.quantile(quantile).map(|seconds| seconds * 1e6);
        Self {
            seconds: window.seconds,
            turns_per_second: window.moves as f64 / window.seconds.max(f64::EPSILON),
            server_cpu: ratio(window.cpu_seconds, Some(window.seconds)),
            ticks: window.loop_delay.count(),
            loop_delay_p50_us: delay(0.5),
            loop_delay_p99_us: delay(0.99),
            loop_delay_p999_us: delay(0.999),
            submit_p999_us: times.submit.value_at_quantile(0.999),
            charged_beyond_thought_p99_us: times.overcharged.value_at_quantile(0.99),
            charged_beyond_thought_p999_us: times.overcharged.value_at_quantile(0.999),
        }
    }
}

impl DisturbanceReport {
    pub(in crate::ladder) fn new(
        disturbance: String,
        clients: &Disturbance,
        (quiet, disturbed): (&Window, &Window),
        observed: &Observed,
    ) -> Self {
        let calls_per_second = disturbed.calls as f64 / disturbed.seconds.max(f64::EPSILON);
        let without = DelayReport::new(quiet, &observed.quiet);
        let with = DelayReport::new(disturbed, &observed.disturbed);
        let micros = |with: u64, without: u64| ratio(Some(with as f64), Some(without as f64));
        Self {
            disturbance,
            calls_per_second,
            calls_refused: clients.refused(),
            first_refusal: clients.first_refusal(),
            turns_per_second_ratio: ratio(
                Some(with.turns_per_second),
                Some(without.turns_per_second),
            ),
            loop_delay_p999_ratio: ratio(with.loop_delay_p999_us, without.loop_delay_p999_us),
            submit_p999_ratio: micros(with.submit_p999_us, without.submit_p999_us),
            charged_beyond_thought_p999_ratio: micros(
                with.charged_beyond_thought_p999_us,
                without.charged_beyond_thought_p999_us,
            ),
            quiet: without,
            disturbed: with,
        }
    }

    /// Honest bots do not suffer from abuse.
    pub(in crate::ladder) fn verdict(&self) -> Verdict {
        let turns = self.turns_per_second_ratio.unwrap_or_default();
        let (quiet, disturbed) = (
            self.quiet.charged_beyond_thought_p99_us,
            self.disturbed.charged_beyond_thought_p99_us,
        );
        let worse = disturbed.saturating_sub(quiet);
        Verdict {
            item: "abuse",
            // If no call succeeded, nothing was abused.
            holds: (self.calls_per_second > 0.0)
                .then_some(turns >= LEAST_TURNS && worse <= MOST_OVERCHARGE_US),
            says: format!(
                "{turns:.2} of the turns per second, 99 % of the charges {:.1} ms worse",
                worse as f64 / 1_000.0
            ),
            next: "find out which limit or budget of the server this abuse passes",
        }
    }
}
