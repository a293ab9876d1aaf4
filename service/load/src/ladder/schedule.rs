//! Which part of the measured time is with readers, and which without.

/// Seconds of a slice: without readers, then with them, and so on.
const SLICE: u64 = 10;
/// The shortest slice: a second for the load to settle, and one that counts.
const SHORTEST: u64 = 2;

/// What is measured at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Just after a change: calls of the previous phase are still in flight.
    Unmeasured,
    WithoutReaders,
    WithReaders,
}

/// The slices of the measured time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    /// Seconds of a slice. `None`: there are no readers.
    slice: Option<u64>,
    seconds: u64,
}

impl Schedule {
    pub(super) fn new(seconds: u64, readers: u32) -> Self {
        let slice = (seconds / 2).clamp(SHORTEST, SLICE);
        Self { slice: (readers > 0).then_some(slice), seconds }
    }

    /// Whether readers call in this second, counted from 0.
    pub(super) fn has_readers(&self, second: u64) -> bool {
        self.slice.is_some_and(|slice| second < self.end(slice) && second / slice % 2 == 1)
    }

    pub(super) fn phase(&self, second: u64) -> Phase {
        match self.slice {
            Some(slice) if second.is_multiple_of(slice) || second >= self.end(slice) => {
                Phase::Unmeasured
            }
            Some(_) if self.has_readers(second) => Phase::WithReaders,
            Some(_) | None => Phase::WithoutReaders,
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

    fn letters(seconds: u64, readers: u32) -> String {
        let schedule = Schedule::new(seconds, readers);
        let letter = |second| match (schedule.phase(second), schedule.has_readers(second)) {
            (Phase::WithoutReaders, false) => '0',
            (Phase::WithReaders, true) => '1',
            (Phase::Unmeasured, false) => '.',
            (Phase::Unmeasured, true) => ',',
            (phase, readers) => panic!("{phase:?} {readers}"),
        };
        (0..seconds).map(letter).collect()
    }

    #[test]
    fn everything_is_measured_if_there_are_no_readers() {
        assert_eq!(letters(5, 0), "00000");
    }

    #[test]
    fn slices_alternate_and_begin_with_a_second_that_does_not_count() {
        assert_eq!(letters(40, 1), ".000000000,111111111.000000000,111111111");
    }

    #[test]
    fn a_slice_without_its_counterpart_does_not_count() {
        assert_eq!(letters(33, 1), ".000000000,111111111.............");
    }

    #[test]
    fn short_runs_have_short_slices() {
        assert_eq!(letters(8, 1), ".000,111");
        assert_eq!(letters(4, 1), ".0,1");
        assert_eq!(letters(3, 1), "...");
    }
}
