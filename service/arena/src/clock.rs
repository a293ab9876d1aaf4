//! A seat's clock: a bank, an increment after each move, credit for the way through the network, and
//! patience with turns that wait to be fetched. It is told how long a turn took; it never looks
//! itself.

use std::time::Duration;

use crate::pool::TimeClass;
use crate::record::Receipt;

/// The most that is credited for one move.
pub const CREDIT_A_MOVE: Duration = Duration::from_millis(100);
/// The most that is credited in a match: faked lag buys no more than this.
pub const CREDIT_A_MATCH: Duration = Duration::from_secs(2);
/// A turn that waits to be fetched for longer has left the server all the same.
pub const PATIENCE_A_TURN: Duration = Duration::from_millis(250);
/// What every turn may wait: the server's own delay looks the same, and is never charged.
pub const PATIENCE_ALWAYS: Duration = Duration::from_millis(20);
/// All that turns may wait in a match beyond that: who can know of a turn without fetching it, as those
/// who watch do, gains little more than this. What is left of it is not written down: after a restart
/// it is whole again.
pub const PATIENCE_A_MATCH: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    class: TimeClass,
    left: Duration,
    credit: Duration,
    patience: Duration,
}

impl Clock {
    #[must_use]
    pub const fn new(class: TimeClass) -> Self {
        Self { class, left: class.bank(), credit: CREDIT_A_MATCH, patience: PATIENCE_A_MATCH }
    }

    #[must_use]
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// How long a turn may wait to be fetched before it costs time.
    #[must_use]
    pub fn patience(&self) -> Duration {
        (self.patience + PATIENCE_ALWAYS).min(PATIENCE_A_TURN)
    }

    /// A turn was fetched after so long: how much of that costs nothing.
    pub fn waited(&mut self, wait: Duration) -> Duration {
        let free = wait.min(self.patience());
        self.patience -= free.saturating_sub(PATIENCE_ALWAYS);
        free
    }

    /// How long a turn may take, all in all, for a seat with this round trip.
    #[must_use]
    pub fn allowance(&self, round_trip: Duration) -> Duration {
        self.left + self.credit_for(round_trip)
    }

    /// Takes a turn off the bank and adds the increment; none if the bank was empty before the
    /// answer came.
    pub fn charge(&mut self, measured: Duration, round_trip: Duration) -> Option<Receipt> {
        // Receipts are kept in microseconds: whole ones add up on paper too.
        let measured = whole_micros(measured);
        let credited = self.credit_for(round_trip).min(measured);
        let charged = measured.saturating_sub(credited);
        let rest = self.left.checked_sub(charged)?;
        let left = rest + self.class.increment();
        let receipt = Receipt { measured, credited, charged, left };
        self.punch(&receipt);
        Some(receipt)
    }

    /// Takes over a receipt that was written before.
    pub fn punch(&mut self, receipt: &Receipt) {
        self.left = receipt.left;
        self.credit = self.credit.saturating_sub(receipt.credited);
    }

    fn credit_for(&self, round_trip: Duration) -> Duration {
        whole_micros(round_trip).min(CREDIT_A_MOVE).min(self.credit)
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
        assert_eq!(receipt.credited, CREDIT_A_MOVE);
    }

    #[test]
    fn nobody_is_credited_more_than_the_turn_took() {
        let receipt = Clock::new(TimeClass::Blitz).charge(ms(10), ms(80)).unwrap();
        assert_eq!((receipt.credited, receipt.charged), (ms(10), ms(0)));
    }

    #[test]
    fn the_credit_of_a_match_is_capped() {
        let mut clock = Clock::new(TimeClass::Rapid);
        let credited: Duration =
            (0..50).map(|_| clock.charge(ms(200), ms(100)).unwrap().credited).sum();
        assert_eq!(credited, CREDIT_A_MATCH);
    }

    #[test]
    fn what_turns_may_wait_for_nothing_is_capped() {
        let mut clock = Clock::new(TimeClass::Bullet);
        assert_eq!(clock.waited(ms(900)), PATIENCE_A_TURN);
        let waited: Duration = (1..50).map(|_| clock.waited(ms(900))).sum();
        assert_eq!(PATIENCE_A_TURN + waited, PATIENCE_A_MATCH + 50 * PATIENCE_ALWAYS);
        assert_eq!(clock.patience(), PATIENCE_ALWAYS);
    }

    #[test]
    fn a_delay_that_may_be_the_servers_own_is_never_charged() {
        let mut clock = Clock::new(TimeClass::Bullet);
        for _ in 0..1_000 {
            assert_eq!(clock.waited(PATIENCE_ALWAYS), PATIENCE_ALWAYS);
        }
        assert_eq!(clock.patience(), PATIENCE_A_TURN);
    }

    #[test]
    fn an_empty_bank_is_the_end() {
        let mut clock = Clock::new(TimeClass::Bullet);
        assert_eq!(clock.charge(ms(2_001), ms(0)), None);
        assert!(clock.charge(ms(2_000), ms(0)).is_some(), "the last moment is in time");
    }

    #[test]
    fn the_credit_counts_before_the_bank_is_called_empty() {
        let mut clock = Clock::new(TimeClass::Bullet);
        assert_eq!(clock.allowance(ms(30)), ms(2_030));
        assert!(clock.charge(ms(2_030), ms(30)).is_some());
    }
}
