//! The time by which bots are charged. It stands still while the server does: when the process is
//! stopped, when the machine is moved or swaps, when a commit takes long. Nothing that the server was
//! late for is ever charged.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::state::ArenaState;

/// How often the process shows that it runs.
pub(super) const PULSE_EVERY: Duration = Duration::from_millis(5);
/// The clock runs on for this long after a pulse.
const PULSE_PATIENCE: Duration = Duration::from_millis(15);
/// The same for a beat of the loop, which may have nothing to do until the next tick.
const BEAT_PATIENCE: Duration = ArenaState::tick_every().saturating_add(Duration::from_millis(10));

/// After the process stood still for longer than this, what arrived meanwhile has to be read first: the
/// clock stands for as long again, up to a limit.
const STANDSTILL: Duration = Duration::from_millis(250);
const LONGEST_CATCH_UP: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct ServiceClock {
    origin: Instant,
    state: Mutex<Running>,
}

/// Real times are since the origin.
#[derive(Clone, Copy, Debug, Default)]
struct Running {
    /// The time of the clock, and the real time up to which it is computed.
    time: Duration,
    until: Duration,
    /// The last sign of life of the process and of the loop.
    pulse: Duration,
    beat: Duration,
    /// The clock stands until this real time.
    catching_up: Duration,
}

impl Running {
    fn limit(&self) -> Duration {
        (self.pulse + PULSE_PATIENCE).min(self.beat + BEAT_PATIENCE)
    }

    /// The time of the clock at this real time.
    fn advance(&mut self, real: Duration) -> Duration {
        let until = real.min(self.limit());
        self.time += until.saturating_sub(self.until.max(self.catching_up));
        self.until = self.until.max(until);
        self.time
    }

    /// The process runs.
    fn pulse(&mut self, real: Duration) {
        self.advance(real);
        // While the process stood still, its loop could not beat either.
        let stood_still = real.saturating_sub(self.pulse + PULSE_PATIENCE);
        self.beat = (self.beat + stood_still).min(real.max(self.beat));
        if stood_still > STANDSTILL {
            self.catching_up = real + stood_still.min(LONGEST_CATCH_UP);
        }
        self.pulse = real.max(self.pulse);
        self.run_on(real);
    }

    /// The loop runs.
    fn beat(&mut self, real: Duration) {
        self.advance(real);
        self.beat = real.max(self.beat);
        self.run_on(real);
    }

    /// What the clock missed stays missed: it goes on from here, or from the new limit if that is
    /// past too.
    fn run_on(&mut self, real: Duration) {
        self.until = self.until.max(real.min(self.limit()));
    }
}

impl ServiceClock {
    pub(super) fn start() -> Self {
        Self { origin: Instant::now(), state: Mutex::default() }
    }

    pub(super) fn now(&self) -> Duration {
        self.running().advance(self.origin.elapsed())
    }

    /// The process runs.
    pub(super) fn pulse(&self) {
        self.running().pulse(self.origin.elapsed());
    }

    /// The loop runs.
    pub(super) fn beat(&self) {
        self.running().beat(self.origin.elapsed());
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn pulse(running: &mut Running, at: u64) {
        running.pulse(ms(at));
    }

    fn beat(running: &mut Running, at: u64) {
        running.beat(ms(at));
    }

    #[test]
    fn the_clock_keeps_time_while_the_server_runs() {
        let mut running = Running::default();
        for millis in (0..1_000).step_by(5) {
            pulse(&mut running, millis);
            if millis % 50 == 0 {
                beat(&mut running, millis);
            }
        }
        assert_eq!(running.advance(ms(1_000)), ms(1_000));
    }

    #[test]
    fn the_clock_stands_while_the_process_is_stopped() {
        let mut running = Running::default();
        pulse(&mut running, 100);
        beat(&mut running, 100);
        let before = running.advance(ms(100));

        let first_call = running.advance(ms(12_100));
        pulse(&mut running, 12_101);
        beat(&mut running, 12_102);

        assert_eq!(first_call, before + PULSE_PATIENCE);
        assert_eq!(running.advance(ms(12_102)), first_call);
        assert_eq!(runs_on(&mut running, 12_102, 13_101), first_call, "what waits is read first");
        assert_eq!(runs_on(&mut running, 13_101, 13_151), first_call + ms(50));
    }

    #[test]
    fn a_short_standstill_takes_no_time_to_catch_up() {
        let mut running = Running::default();
        pulse(&mut running, 100);
        beat(&mut running, 100);
        let before = running.advance(ms(100));
        pulse(&mut running, 300);
        beat(&mut running, 300);
        let resumed = running.advance(ms(300));
        assert_eq!(resumed, before + PULSE_PATIENCE);
        assert_eq!(runs_on(&mut running, 300, 350), resumed + ms(50));
    }

    #[test]
    fn a_commit_that_takes_long_after_a_standstill_is_not_charged_either() {
        let mut running = Running::default();
        pulse(&mut running, 100);
        beat(&mut running, 100);
        // The loop wakes up before the thread that shows that the process runs.
        beat(&mut running, 40_100);
        pulse(&mut running, 40_101);
        for millis in (40_105..44_100).step_by(5) {
            pulse(&mut running, millis);
        }
        let most = ms(15) + PULSE_PATIENCE + BEAT_PATIENCE;
        let charged = running.advance(ms(44_100));
        assert!(charged <= most, "{charged:?}");
    }

    /// The server runs from one real time to another. Returns the time of the clock then.
    fn runs_on(running: &mut Running, from: u64, to: u64) -> Duration {
        for millis in from..=to {
            pulse(running, millis);
            beat(running, millis);
        }
        running.advance(ms(to))
    }

    #[test]
    fn the_clock_stands_while_a_commit_takes_long() {
        let mut running = Running::default();
        pulse(&mut running, 0);
        beat(&mut running, 0);
        for millis in (0..4_000).step_by(5) {
            pulse(&mut running, millis);
        }
        beat(&mut running, 4_000);
        assert_eq!(running.advance(ms(4_000)), BEAT_PATIENCE);
        assert_eq!(running.advance(ms(4_010)), BEAT_PATIENCE + ms(10));
    }

    #[test]
    fn a_long_commit_is_not_charged_when_the_process_is_late_at_its_end() {
        let mut running = Running::default();
        pulse(&mut running, 0);
        beat(&mut running, 0);
        for millis in (0..=3_985).step_by(5) {
            pulse(&mut running, millis);
        }
        // The last pulse is 17 ms old.
        beat(&mut running, 4_002);
        assert_eq!(running.advance(ms(4_003)), BEAT_PATIENCE);
        pulse(&mut running, 4_005);
        assert_eq!(running.advance(ms(4_005)), BEAT_PATIENCE);
        assert_eq!(running.advance(ms(4_010)), BEAT_PATIENCE + ms(5));
    }

    #[test]
    fn a_short_standstill_of_the_process_in_a_long_commit_is_not_charged() {
        let mut running = Running::default();
        pulse(&mut running, 0);
        beat(&mut running, 0);
        for millis in (0..=1_000).step_by(5) {
            pulse(&mut running, millis);
        }
        pulse(&mut running, 1_200);
        for millis in (1_205..=2_000).step_by(5) {
            pulse(&mut running, millis);
        }
        beat(&mut running, 2_000);
        // The loop may have needed its patience again after the process ran on.
        let charged = running.advance(ms(2_001));
        assert!(charged <= 2 * BEAT_PATIENCE, "{charged:?}");
    }

    #[test]
    fn the_clock_never_goes_back() {
        let mut running = Running::default();
        let mut last = Duration::ZERO;
        let mut real = 0;
        for step in 0..10_000_u64 {
            real += step * 7_919 % 97;
            match step % 5 {
                0 => pulse(&mut running, real),
                3 => beat(&mut running, real),
                _ => {}
            }
            let now = running.advance(ms(real));
            assert!(now >= last && now <= ms(real), "{now:?} {last:?} {real}");
            last = now;
        }
    }
}
