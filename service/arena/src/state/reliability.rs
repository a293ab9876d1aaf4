//! Who can be relied on to begin a match. A bot that does not begin its matches waits before it gets
//! another, longer each time, and its owner's other bots wait too. Bots that were let down meet only
//! proven opponents for a while.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::{ArenaState, BotState};
use crate::match_run::Match;
use crate::names::{BotId, Owner, Player};
use crate::record::{EndReason, Origin, Seat, SeatEnd};
use crate::time::Time;

/// The first wait of a bot that did not begin a match; each further one is twice as long.
const BOT_WAIT: Duration = Duration::from_secs(30);
const LONGEST_BOT_WAIT: Duration = Duration::from_hours(1);
/// The same for all bots of its owner.
const OWNER_WAIT: Duration = Duration::from_secs(5);
const LONGEST_OWNER_WAIT: Duration = Duration::from_mins(10);
/// Matches played to the end that make up for one that was not begun.
const MATCHES_PER_NO_SHOW: u32 = 5;
/// How long a bot that was let down meets only proven opponents.
const CAREFUL: Duration = Duration::from_mins(10);

/// Groups of bots whose joint absences are counted.
const MOST_LOST_TOGETHER: usize = 1_000;

/// Who began its matches. Not stored: a restart of the arena forgives.
#[derive(Clone, Debug, Default)]
pub struct Reliability {
    bots: BTreeMap<BotId, Record>,
    owners: BTreeMap<Owner, Record>,
    /// Bots that were ready for their last match.
    ready: BTreeSet<BotId>,
    /// Until when bots meet only proven opponents.
    careful: BTreeMap<BotId, Time>,
    /// How often contact with these bots was lost at the same moment.
    lost_together: BTreeMap<Vec<BotId>, u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Record {
    no_shows: u32,
    /// Matches played to the end since the last one that was made up for.
    finished: u32,
    /// No new match before this.
    until: Time,
}

impl Record {
    fn no_show(&mut self, now: Time, first: Duration, longest: Duration) {
        let wait = first.saturating_mul(1 << self.no_shows.min(16)).min(longest);
        self.no_shows += 1;
        self.finished = 0;
        self.until = self.until.max(now.after(wait));
    }

    fn finished(&mut self) {
        self.finished += 1;
        if self.finished >= MATCHES_PER_NO_SHOW {
            self.finished = 0;
            self.no_shows = self.no_shows.saturating_sub(1);
        }
    }
}

impl Reliability {
    /// Whether the bot may get a match.
    #[must_use]
    pub fn may_play(&self, bot: &BotId, now: Time) -> bool {
        let is_over = |record: Option<&Record>| record.is_none_or(|record| now >= record.until);
        is_over(self.bots.get(bot)) && is_over(self.owners.get(bot.owner()))
    }

    /// Whether the bot meets only proven opponents.
    pub(super) fn is_careful(&self, bot: &BotId, now: Time) -> bool {
        self.careful.get(bot).is_some_and(|until| now < *until)
    }

    /// The bot did not begin a match.
    pub fn no_show(&mut self, bot: &BotId, now: Time) {
        self.ready.remove(bot);
        let record = self.bots.entry(bot.clone()).or_default();
        record.no_show(now, BOT_WAIT, LONGEST_BOT_WAIT);
        let record = self.owners.entry(bot.owner().clone()).or_default();
        record.no_show(now, OWNER_WAIT, LONGEST_OWNER_WAIT);
    }

    /// The bot played a match to the end.
    pub fn finished(&mut self, bot: &BotId) {
        if let Some(record) = self.bots.get_mut(bot) {
            record.finished();
        }
        if let Some(record) = self.owners.get_mut(bot.owner()) {
            record.finished();
        }
    }

    /// Contact with these bots was lost at the same moment. Returns how often that has happened.
    pub(super) fn lost_together(&mut self, mut bots: Vec<BotId>) -> u32 {
        bots.sort_unstable();
        if self.lost_together.len() >= MOST_LOST_TOGETHER {
            self.lost_together.clear();
        }
        let times = self.lost_together.entry(bots).or_default();
        *times += 1;
        *times
    }

    /// Forgets what has no effect any more.
    pub(super) fn clean_up(&mut self, now: Time) {
        let counts = |record: &Record| record.no_shows > 0 || now < record.until;
        self.bots.retain(|_, record| counts(record));
        self.owners.retain(|_, record| counts(record));
        self.careful.retain(|_, until| now < *until);
    }
}

impl ArenaState {
    /// Remembers who began a match of the ladder, and who did not.
    pub(super) fn judge_reliability(&mut self, run: &Match, ends: &[SeatEnd], now: Time) {
        if run.spec().origin != Origin::Ladder {
            return;
        }
        let let_down = ends.iter().any(|end| end.reason == EndReason::NoShow);
        for (seat, end) in run.spec().seats.iter().zip(ends) {
            let Seat::Remote(Player { bot, .. }) = seat else { continue };
            if self.bots.get(bot).is_none_or(|known| known.house) {
                continue;
            }
            match end.reason {
                EndReason::NoShow => self.reliability.no_show(bot, now),
                // All of them were: they wait as if they had not begun the match.
                EndReason::Gone if end.placement == 0 => self.reliability.no_show(bot, now),
                EndReason::Finished => self.reliability.finished(bot),
                EndReason::CalledOff if let_down => {
                    self.reliability.careful.insert(bot.clone(), now.after(CAREFUL));
                }
                EndReason::CalledOff
                | EndReason::ServerError
                | EndReason::Resigned
                | EndReason::OutOfTime
                | EndReason::IllegalMoves
                | EndReason::Gone => {}
            }
        }
    }

    /// A bot was ready for a match.
    pub(crate) fn was_ready(&mut self, bot: &BotId) {
        if !self.reliability.ready.contains(bot) {
            self.reliability.ready.insert(bot.clone());
        }
    }

    /// Whether a bot has begun a match, or played one to its end.
    pub(super) fn is_proven(&self, bot: &BotId) -> bool {
        let played = |known: &BotState| known.house || known.recent.contains(&false);
        self.reliability.ready.contains(bot) || self.bots.get(bot).is_some_and(played)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Time {
        Time(Duration::from_secs(seconds))
    }

    #[test]
    fn a_bot_that_does_not_begin_waits_twice_as_long_each_time() {
        let mut known = Reliability::default();
        let bot: BotId = "ann/a".parse().unwrap();
        assert!(known.may_play(&bot, at(0)));
        known.no_show(&bot, at(0));
        assert!(!known.may_play(&bot, at(29)) && known.may_play(&bot, at(30)));
        known.no_show(&bot, at(30));
        assert!(!known.may_play(&bot, at(89)) && known.may_play(&bot, at(90)));
        for _ in 0..20 {
            known.no_show(&bot, at(100));
        }
        assert!(!known.may_play(&bot, at(3_699)) && known.may_play(&bot, at(3_700)));
    }

    #[test]
    fn the_other_bots_of_an_owner_wait_too() {
        let mut known = Reliability::default();
        for number in 0..4 {
            known.no_show(&format!("ann/{number}").parse().unwrap(), at(0));
        }
        let (other, stranger) = ("ann/other".parse().unwrap(), "bob/b".parse().unwrap());
        assert!(!known.may_play(&other, at(39)) && known.may_play(&other, at(40)));
        assert!(known.may_play(&stranger, at(0)));
    }

    #[test]
    fn five_finished_matches_make_up_for_one_that_was_not_begun() {
        let mut known = Reliability::default();
        let bot: BotId = "ann/a".parse().unwrap();
        known.no_show(&bot, at(0));
        known.no_show(&bot, at(0));
        for _ in 0..4 {
            known.finished(&bot);
        }
        known.no_show(&bot, at(100));
        assert!(!known.may_play(&bot, at(219)), "the third wait is 120 s");
        for _ in 0..15 {
            known.finished(&bot);
        }
        known.clean_up(at(10_000));
        assert!(known.bots.is_empty(), "{known:?}");
    }
}
