//! The measured time, with and without readers: what the server did in each.

use std::time::Instant;

use super::readers::Readers;
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
    reads: u64,
}

/// Sums over all slices of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    pub(super) seconds: f64,
    pub(super) moves: u64,
    pub(super) cpu_seconds: Option<f64>,
    pub(super) loop_delay: Buckets,
    pub(super) reads: u64,
}

impl Window {
    fn add(&mut self, begin: &Sample, end: &Sample) {
        self.seconds += end.at.duration_since(begin.at).as_secs_f64();
        self.moves += (end.moves - begin.moves) as u64;
        self.reads += end.reads - begin.reads;
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
    readers: Option<&'a Readers>,
    current: Option<(Phase, Sample)>,
    pub(super) without_readers: Window,
    pub(super) with_readers: Window,
}

impl<'a> Windows<'a> {
    pub(super) fn new(swarm: &'a Swarm, readers: Option<&'a Readers>) -> Self {
        let (without_readers, with_readers) = (Window::default(), Window::default());
        Self { swarm, readers, current: None, without_readers, with_readers }
    }

    /// Ends the current slice if the phase changes, and begins another. Readers are active or not
    /// from here on.
    pub(super) async fn enter(&mut self, phase: Phase, has_readers: bool, target: &Target) {
        if self.current.as_ref().is_some_and(|(current, _)| *current == phase) {
            return;
        }
        self.swarm.observed().phase = phase;
        let sample = self.sample(target).await;
        if let Some(readers) = self.readers {
            readers.set_active(has_readers);
        }
        if let Some((ended, begin)) = &self.current {
            match ended {
                Phase::WithoutReaders => self.without_readers.add(begin, &sample),
                Phase::WithReaders => self.with_readers.add(begin, &sample),
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
            loop_delay: match self.readers {
                Some(_) => target.loop_delay().await,
                None => None,
            },
            reads: self.readers.map_or(0, Readers::answered),
        }
    }
}
