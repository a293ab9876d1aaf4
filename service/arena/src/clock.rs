//! A seat's clock: a bank, an increment after each move, credit for network lag, and free waiting
//! time for turns that are not fetched at once. Durations are passed in; it reads no clock.

use std::time::Duration;

use crate::pool::TimeClass;
use crate::record::Receipt;

/// Maximum credit for network lag per move.
#[must_use]
pub fn credit_per_move(class: TimeClass) -> Duration {
    class.increment().min(Duration::from_millis(100))
}

/// Maximum credit for network lag per match: faked lag gains no more than this.
#[must_use]
pub fn credit_per_match(class: TimeClass) -> Duration {
    (class.bank() / 5).min(Duration::from_secs(2))
}

/// Maximum free waiting time per turn: after this the clock runs, whether the turn was fetched or not.
#[must_use]
pub fn free_wait_per_turn(class: TimeClass) -> Duration {
    (class.bank() / 40).min(Duration::from_millis(250))
}

/// Always free, on every turn: it may be the server's own delay, which is never charged.
#[must_use]
pub fn free_wait_always(class: TimeClass) -> Duration {
    (class.bank() / 400).min(Duration::from_millis(20))
}

/// Maximum free waiting time per match beyond that: a bot that learns of its turns by watching the
/// match gains little more than this. Not stored: a restart of the arena resets it.
#[must_use]
pub fn free_wait_per_match(class: TimeClass) -> Duration {
    credit_per_match(class)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    class: TimeClass,
    left: Duration,
    credit: Duration,
    free_wait: Duration,
}

impl Clock {
    #[must_use]
    pub fn new(class: TimeClass) -> Self {
        let (credit, free_wait) = (credit_per_match(class), free_wait_per_match(class));
        Self { class, left: class.bank(), credit, free_wait }
    }

    #[must_use]
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// How long a turn may wait to be fetched before it costs time.
    #[must_use]
    pub fn free_wait(&self) -> Duration {
        (self.free_wait + free_wait_always(self.class)).min(free_wait_per_turn(self.class))
    }

    /// Uses free waiting time for a turn that was fetched; returns how much of its wait is free.
    pub fn use_free_wait(&mut self, wait: Duration) -> Duration {
        let free = wait.min(self.free_wait());
        self.free_wait -= free.saturating_sub(free_wait_always(self.class));
        free
    }

    /// How long a turn may take in total, for a seat with this round trip.
    #[must_use]
    pub fn allowance(&self, round_trip: Duration) -> Duration {
        self.left + self.credit_for(round_trip)
    }

    /// Charges a turn and adds the increment; none if the bank was empty before the move arrived.
    pub fn charge(&mut self, measured: Duration, round_trip: Duration) -> Option<Receipt> {
        // Receipts are stored in microseconds: whole microseconds add up in the store too.
        let measured = whole_micros(measured);
        let credited = self.credit_for(round_trip).min(measured);
        let charged = measured.saturating_sub(credited);
        let rest = self.left.checked_sub(charged)?;
        let left = rest + self.class.increment();
        let receipt = Receipt { measured, credited, charged, left };
        self.apply_receipt(&receipt);
        Some(receipt)
    }

    /// Applies a stored receipt.
    pub fn apply_receipt(&mut self, receipt: &Receipt) {
        self.left = receipt.left;
        self.credit = self.credit.saturating_sub(receipt.credited);
    }

    fn credit_for(&self, round_trip: Duration) -> Duration {
        whole_micros(round_trip).min(credit_per_move(self.class)).min(self.credit)
    }
}

fn whole_micros(time: Duration) -> Duration {
    Duration::new(time.as_secs(), time.subsec_micros() * 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_turn_costs_what_it_took_less_the_round_trip_and_earns_the_increment() {
        let mut clock = Clock::new(TimeClass::Blitz);

        let receipt = clock.charge(ms(500), ms(40)).unwrap();

        assert_eq!(
            receipt,
            Receipt { measured: ms(500), credited: ms(40), charged: ms(460), left: ms(9_640) }
        );
        assert_eq!(clock.left(), ms(9_640));
    }

    #[test]
    fn a_receipt_adds_up_in_microseconds() {
        let mut clock = Clock::new(TimeClass::Blitz);
        let odd = Duration::from_nanos(123_456_789);

        let receipt = clock.charge(odd, Duration::from_nanos(1_999)).unwrap();

        let micros = |time: Duration| time.as_micros();
        assert_eq!(micros(receipt.charged), micros(receipt.measured) - micros(receipt.credited));
        assert_eq!(micros(receipt.left), 10_100_000 - micros(receipt.charged));
        assert_eq!(receipt.left.subsec_nanos() % 1_000, 0);
    }

    #[test]
    fn the_credit_of_a_move_is_capped() {
        let receipt = Clock::new(TimeClass::Blitz).charge(ms(500), ms(3_000)).unwrap();
        assert_eq!(receipt.credited, ms(100));
    }

    #[test]
    fn the_credit_is_never_more_than_the_turn_took() {
        let receipt = Clock::new(TimeClass::Blitz).charge(ms(10), ms(80)).unwrap();
        assert_eq!((receipt.credited, receipt.charged), (ms(10), ms(0)));
    }

    #[test]
    fn the_credit_of_a_match_is_capped() {
        let mut clock = Clock::new(TimeClass::Rapid);
        let credited: Duration =
            (0..50).map(|_| clock.charge(ms(200), ms(100)).unwrap().credited).sum();
        assert_eq!(credited, ms(2_000));
    }

    #[test]
    fn the_free_waiting_time_is_capped() {
        let mut clock = Clock::new(TimeClass::Blitz);
        assert_eq!(clock.use_free_wait(ms(900)), ms(250));
        let waited: Duration = (1..50).map(|_| clock.use_free_wait(ms(900))).sum();
        assert_eq!(ms(250) + waited, ms(2_000) + 50 * ms(20));
        assert_eq!(clock.free_wait(), ms(20));
    }

    #[test]
    fn a_delay_that_may_be_the_servers_own_is_never_charged() {
        let mut clock = Clock::new(TimeClass::Blitz);
        for _ in 0..1_000 {
            assert_eq!(clock.use_free_wait(ms(20)), ms(20));
        }
        assert_eq!(clock.free_wait(), ms(250));
    }

    #[test]
    fn what_late_pings_and_late_fetches_gain_is_in_proportion_to_the_time_of_the_class() {
        const TURNS: u32 = 40;
        for class in TimeClass::ALL {
            let mut clock = Clock::new(class);
            let mut gained = Duration::ZERO;
            for _ in 0..TURNS {
                gained += clock.use_free_wait(ms(900));
                gained += clock.charge(ms(100), ms(900)).map_or(ms(0), |receipt| receipt.credited);
            }
            let time = class.bank() + TURNS * class.increment();
            assert!(gained <= time.mul_f64(0.35), "{class:?}: {gained:?} of {time:?}");
        }
    }

    #[test]
    fn a_turn_that_takes_more_than_the_bank_is_out_of_time() {
        let mut clock = Clock::new(TimeClass::Bullet);
        assert_eq!(clock.charge(ms(2_001), ms(0)), None);
        assert!(clock.charge(ms(2_000), ms(0)).is_some(), "the last moment is in time");
    }

    #[test]
    fn the_credit_is_used_before_the_bank_is_empty() {
        let mut clock = Clock::new(TimeClass::Bullet);
        assert_eq!(clock.allowance(ms(30)), ms(2_030));
        assert!(clock.charge(ms(2_030), ms(30)).is_some());
    }
}
