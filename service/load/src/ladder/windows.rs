//! The measured time, quiet and disturbed: what the server did in each.

use std::time::Instant;

use super::disturbance::Disturbance;
use super::schedule::Phase;
use super::swarm::Swarm;
use super::target::Target;
use crate::metrics::Buckets;

/// The state of all counters at one moment.
struct Sample {
    at: Instant,
    moves: usize,
    cpu_seconds: Option<f64>,
    loop_delay: Option<Buckets>,
    calls: u64,
}

/// Sums over all slices of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    pub(super) seconds: f64,
    pub(super) moves: u64,
    pub(super) cpu_seconds: Option<f64>,
    pub(super) loop_delay: Buckets,
    pub(super) calls: u64,
}

impl Window {
    fn add(&mut self, begin: &Sample, end: &Sample) {
        self.seconds += end.at.duration_since(begin.at).as_secs_f64();
        self.moves += (end.moves - begin.moves) as u64;
        self.calls += end.calls - begin.calls;
        if let Some((begin, end)) = begin.cpu_seconds.zip(end.cpu_seconds) {
            *self.cpu_seconds.get_or_insert_default() += end - begin;
        }
        if let Some((begin, end)) = begin.loop_delay.as_ref().zip(end.loop_delay.as_ref()) {
            self.loop_delay.add(begin, end);
        }
    }
}

/// Both kinds of slices. The swarm learns which one it is in.
pub(super) struct Windows<'a> {
    swarm: &'a Swarm,
    disturbance: Option<&'a Disturbance>,
    current: Option<(Phase, Sample)>,
    pub(super) quiet: Window,
    pub(super) disturbed: Window,
}

impl<'a> Windows<'a> {
    pub(super) fn new(swarm: &'a Swarm, disturbance: Option<&'a Disturbance>) -> Self {
        let (quiet, disturbed) = (Window::default(), Window::default());
        Self { swarm, disturbance, current: None, quiet, disturbed }
    }

    /// Ends the current slice if the phase changes, and begins another. The disturbance is active or not
    /// from here on.
    pub(super) async fn enter(&mut self, phase: Phase, is_disturbed: bool, target: &Target) {
        if self.current.as_ref().is_some_and(|(current, _)| *current == phase) {
            return;
        }
        self.swarm.observed().phase = phase;
        let sample = self.sample(target).await;
        if let Some(disturbance) = self.disturbance {
            disturbance.set_active(is_disturbed);
        }
        if let Some((ended, begin)) = &self.current {
            match ended {
                Phase::Quiet => self.quiet.add(begin, &sample),
                Phase::Disturbed => self.disturbed.add(begin, &sample),
                Phase::Unmeasured => {}
            }
        }
        self.current = Some((phase, sample));
    }

    async fn sample(&self, target: &Target) -> Sample {
        Sample {
            at: Instant::now(),
            moves: self.swarm.moves(),
            cpu_seconds: target.cpu_seconds(),
            loop_delay: match self.disturbance {
                Some(_) => target.loop_delay().await,
                None => None,
            },
            calls: self.disturbance.map_or(0, Disturbance::answered),
        }
    }
}
