//! Which part of the measured time is disturbed by readers or abuse, and which is quiet.

/// Seconds of a slice: quiet, then disturbed, and so on.
pub(super) const SLICE: u64 = 10;
/// The shortest slice: a second for the load to settle, and one that counts.
const SHORTEST: u64 = 2;

/// What is measured at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Just after a change: calls of the previous phase are still in flight.
    Unmeasured,
    Quiet,
    Disturbed,
}

/// The slices of the measured time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    /// Seconds of a slice. `None`: nothing disturbs.
    slice: Option<u64>,
    seconds: u64,
}

impl Schedule {
    /// `slice`: the longest that makes sense; none: nothing disturbs.
    pub(super) fn new(seconds: u64, slice: Option<u64>) -> Self {
        let longest = |slice: u64| (seconds / 2).clamp(SHORTEST, slice);
        Self { slice: slice.map(longest), seconds }
    }

    /// Whether the arena is disturbed in this second, counted from 0.
    pub(super) fn is_disturbed(&self, second: u64) -> bool {
        self.slice.is_some_and(|slice| second < self.end(slice) && second / slice % 2 == 1)
    }

    pub(super) fn phase(&self, second: u64) -> Phase {
        match self.slice {
            Some(slice) if second.is_multiple_of(slice) || second >= self.end(slice) => {
                Phase::Unmeasured
            }
            Some(_) if self.is_disturbed(second) => Phase::Disturbed,
            Some(_) | None => Phase::Quiet,
        }
    }

    /// The end of the last pair of slices: both kinds get the same time.
    const fn end(&self, slice: u64) -> u64 {
        self.seconds - self.seconds % (2 * slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(seconds: u64, has_disturbance: bool) -> String {
        let schedule = Schedule::new(seconds, has_disturbance.then_some(SLICE));
        let letter = |second| match (schedule.phase(second), schedule.is_disturbed(second)) {
            (Phase::Quiet, false) => '0',
            (Phase::Disturbed, true) => '1',
            (Phase::Unmeasured, false) => '.',
            (Phase::Unmeasured, true) => ',',
            (phase, is_disturbed) => panic!("{phase:?} {is_disturbed}"),
        };
        (0..seconds).map(letter).collect()
    }

    #[test]
    fn everything_is_measured_if_nothing_disturbs() {
        assert_eq!(letters(5, false), "00000");
    }

    #[test]
    fn slices_alternate_and_begin_with_a_second_that_does_not_count() {
        assert_eq!(letters(40, true), ".000000000,111111111.000000000,111111111");
    }

    #[test]
    fn a_slice_without_its_counterpart_does_not_count() {
        assert_eq!(letters(33, true), ".000000000,111111111.............");
    }

    #[test]
    fn short_runs_have_short_slices() {
        assert_eq!(letters(8, true), ".000,111");
        assert_eq!(letters(4, true), ".0,1");
        assert_eq!(letters(3, true), "...");
    }
}
