//! Delays with and without readers.

use serde::Serialize;

use super::ratio;
use crate::ladder::readers::Readers;
use crate::ladder::swarm::{MoveTimes, Observed};
use crate::ladder::windows::Window;

#[derive(Clone, Debug, Serialize)]
pub(in crate::ladder) struct ReadersReport {
    pub(super) readers: u32,
    pub(super) reads_per_second: f64,
    /// Refused or failed.
    pub(super) reads_refused: u64,
    pub(super) first_refusal: Option<String>,
    pub(super) without_readers: DelayReport,
    pub(super) with_readers: DelayReport,
    /// With readers to without, 99.9 %.
    pub(super) loop_delay_p999_ratio: Option<f64>,
    pub(super) submit_p999_ratio: Option<f64>,
    pub(super) charged_beyond_thought_p999_ratio: Option<f64>,
}

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
            charged_beyond_thought_p999_us: times.overcharged.value_at_quantile(0.999),
        }
    }
}

impl ReadersReport {
    pub(in crate::ladder) fn new(
        count: u32,
        readers: &Readers,
        without: &Window,
        with: &Window,
        observed: &Observed,
    ) -> Self {
        let reads_per_second = with.reads as f64 / with.seconds.max(f64::EPSILON);
        let without = DelayReport::new(without, &observed.without_readers);
        let with = DelayReport::new(with, &observed.with_readers);
        let micros = |with: u64, without: u64| ratio(Some(with as f64), Some(without as f64));
        Self {
            readers: count,
            reads_per_second,
            reads_refused: readers.refused(),
            first_refusal: readers.first_refusal(),
            loop_delay_p999_ratio: ratio(with.loop_delay_p999_us, without.loop_delay_p999_us),
            submit_p999_ratio: micros(with.submit_p999_us, without.submit_p999_us),
            charged_beyond_thought_p999_ratio: micros(
                with.charged_beyond_thought_p999_us,
                without.charged_beyond_thought_p999_us,
            ),
            without_readers: without,
            with_readers: with,
        }
    }
}
