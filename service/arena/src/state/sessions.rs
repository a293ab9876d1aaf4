//! Sessions of bots. A bot has one session at a time; the newest wins.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::{AfterCommit, ArenaState, Effect, Refusal, matches};
use crate::event::PlayEvent;
use crate::match_run::{ABSENCE, Match, Presence};
use crate::names::{BotId, MatchId, Player, Version};
use crate::pool::Pool;
use crate::record::{Bytes32, Seat};
use crate::store::Write;
use crate::time::{Now, Time};

/// How often a bot is pinged.
const PING_EVERY: Duration = Duration::from_secs(5);
/// A bot that was not heard from for longer gets no new matches.
const ATTENTIVE: Duration = Duration::from_secs(12);

/// Both games are for 2 to 4 players.
const MOST_SEATS: usize = 4;

/// The version of a bot, and what it wants to play.
#[derive(Clone, Debug)]
pub struct Hello {
    pub version: Version,
    pub offer: Offer,
}

/// What a bot wants to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub pools: Vec<Pool>,
    pub concurrent_matches: u32,
    pub accepts_challenges: bool,
    pub plays_ladder: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) number: u64,
    /// Hash of the token that opened it.
    pub(crate) key: Bytes32,
    pub(crate) version: Version,
    pub(crate) offer: Offer,
    /// Whether a stream is open, or the bot polls.
    pub(crate) listening: bool,
    pub(crate) heard: Time,
    /// The last round trips, the newest last.
    pub(crate) round_trips: RoundTrips,
    /// The last ping, and when it was sent. Ping numbers of two sessions never overlap.
    pub(crate) ping: (u64, Time),
    /// The last ping that was answered: each counts once.
    pub(crate) answered: u64,
    /// The number of the last event.
    pub(crate) seq: u64,
    /// Ends of matches that were sent, with the number of the event.
    pub(crate) sent_ends: Vec<(u64, MatchId)>,
    /// Since when it has had room for another match.
    pub(crate) free_since: Time,
}

/// Round trips that are remembered.
const ROUND_TRIPS: usize = 8;

/// The last round trips of a bot.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoundTrips(VecDeque<Duration>);

impl RoundTrips {
    pub(crate) fn add(&mut self, round_trip: Duration) {
        if self.0.len() == ROUND_TRIPS {
            self.0.pop_front();
        }
        self.0.push_back(round_trip);
    }

    /// The network cannot be faster than it is, but a bot can answer a ping late.
    pub(crate) fn shortest(&self) -> Duration {
        self.0.iter().min().copied().unwrap_or_default()
    }
}

impl Session {
    /// Whether it would accept a match now.
    pub(crate) fn is_attentive(&self, now: Time) -> bool {
        self.listening && now.since(self.heard) <= ATTENTIVE
    }
}

impl ArenaState {
    /// Begins a session, which replaces any other of the bot.
    pub(crate) fn begin_session(&mut self, bot: &BotId, session: Session) {
        let number = session.number;
        let before = self.sessions.get(bot).map(|before| (before.number, before.seq));
        if let Some((replaced, seq)) = before {
            self.leaving.insert(replaced, seq);
            self.send(bot, replaced, PlayEvent::Replaced);
            self.close_outbox(bot, replaced);
        }
        self.sessions.insert(bot.clone(), session);
        self.online.insert_mut(bot.clone());
        self.after_commit(AfterCommit::Snapshot { bot: bot.clone(), session: number });
    }

    /// Adds a version of a bot, if it is new.
    pub(crate) fn declare_version(
        &mut self,
        bot: &BotId,
        version: &Version,
        now: Now,
    ) -> Result<(), Refusal> {
        let known = self.bots.get(bot).ok_or_else(|| Refusal::NoSuchBot(bot.clone()))?;
        if known.versions.contains(version) {
            return Ok(());
        }
        // The first version is part of the registration.
        if !known.versions.is_empty()
            && let Err(retry_after) = self.versions.count(bot, now.time)
        {
            let (key, what) = ("versions-a-day", "new versions of a bot per day");
            return Err(Refusal::Quota { key, what, limit: self.versions.most, retry_after });
        }
        if let Some(known) = self.bots.get_mut(bot) {
            known.versions.push(version.clone());
        }
        let (bot, version) = (bot.clone(), version.clone());
        self.writes.push(Write::Version { bot, version, declared: now.wall });
        Ok(())
    }

    /// The stream of a session has ended.
    pub(crate) fn stop_listening(&mut self, bot: &BotId, number: u64) {
        if let Some(session) = self.sessions.get_mut(bot)
            && session.number == number
        {
            session.listening = false;
            self.online.remove_mut(bot);
        }
    }

    /// The bot has shown that it is alive.
    pub(crate) fn heard(&mut self, bot: &BotId, now: Time) {
        if let Some(session) = self.sessions.get_mut(bot) {
            session.heard = session.heard.max(now);
        }
    }

    /// The bot has acknowledged the end of a match. Matches of other bots are ignored.
    pub(crate) fn acknowledge_end(&mut self, bot: &BotId, id: &MatchId) {
        if let Some(undelivered) = self.undelivered_ends.get_mut(bot)
            && undelivered.remove(id)
        {
            self.writes.push(Write::EndDelivered { id: id.clone(), bot: bot.clone() });
        }
    }

    /// Sends an event to a session as soon as everything before it is durable.
    pub(crate) fn send(&mut self, bot: &BotId, session: u64, event: PlayEvent) {
        self.after_commit(AfterCommit::Send { bot: bot.clone(), session, event });
    }

    /// Sends an event to a bot, if it has a session.
    pub(crate) fn send_to(&mut self, bot: &BotId, event: PlayEvent) {
        if let Some(number) = self.sessions.get(bot).map(|session| session.number) {
            self.send(bot, number, event);
        }
    }

    pub(crate) fn close_outbox(&mut self, bot: &BotId, session: u64) {
        let bot = bot.clone();
        self.after_commit(AfterCommit::Effect(Effect::CloseSession { bot, session }));
    }

    /// The bot's session, if its snapshot was sent: that contains everything before it.
    pub(super) fn up_to_date(&self, bot: &BotId) -> Option<u64> {
        self.sessions.get(bot).filter(|session| session.seq > 0).map(|session| session.number)
    }

    /// Pings bots, and drops sessions that were silent for too long.
    pub(super) fn ping(&mut self, now: Time) {
        let mut pings = Vec::new();
        let mut gone = Vec::new();
        let began = self.began;
        for (bot, session) in &mut self.sessions {
            if session.is_attentive(now) != self.online.contains(bot) {
                set_online(&mut self.online, bot, session.is_attentive(now));
            }
            if now.since(session.ping.1) >= PING_EVERY && session.listening {
                session.ping = (session.ping.0 + 1, now);
                pings.push((bot.clone(), session.number, session.ping.0));
            }
            if now.since(session.heard.max(began)) > 2 * ABSENCE {
                gone.push(bot.clone());
            }
        }
        for (bot, session, number) in pings {
            self.send(&bot, session, PlayEvent::Ping { number });
        }
        for bot in gone {
            self.end_session(&bot);
        }
    }

    /// Ends the session of a bot, if it has one.
    pub(super) fn end_session(&mut self, bot: &BotId) {
        let Some(Session { number, seq, .. }) = self.sessions.remove(bot) else { return };
        self.online.remove_mut(bot);
        self.leaving.insert(number, seq);
        self.close_outbox(bot, number);
    }

    /// Whether the bot gets no matches: it is paused, or its owner is banned.
    pub(crate) fn is_paused(&self, bot: &BotId) -> bool {
        self.bots.get(bot).is_none_or(|known| known.pause.is_some())
            || self.banned.contains_key(bot.owner())
    }
}

impl ArenaState {
    /// Notes in the presence of the bots of a match whether others were heard from after they fell
    /// silent, and the arena itself did not stand still meanwhile.
    pub(super) fn note_others(&self, run: &Match, presence: &mut [Presence]) {
        let owners = || matches::bots(run).map(BotId::owner);
        let is_witness = |(bot, session): (&BotId, &Session)| {
            let other = !bot.is_house() && owners().all(|owner| owner != bot.owner());
            (other && session.listening).then_some(session.heard)
        };
        let Some(witnessed) = self.sessions.iter().filter_map(is_witness).max() else { return };
        for known in presence {
            let since = known.heard.after(PING_EVERY);
            known.others_heard = known.heard > self.began && witnessed > since;
        }
    }
}

fn set_online(online: &mut rpds::RedBlackTreeSetSync<BotId>, bot: &BotId, attentive: bool) {
    if attentive {
        online.insert_mut(bot.clone());
    } else {
        online.remove_mut(bot);
    }
}

/// What is known about the bots of a match. A bot without a session counts as last heard from when
/// the arena began.
pub(super) fn presence(
    sessions: &BTreeMap<BotId, Session>,
    began: Time,
    run: &Match,
) -> [Presence; MOST_SEATS] {
    let absent = Presence { heard: began, ..Presence::default() };
    let mut presence = [Presence::default(); MOST_SEATS];
    for (known, seat) in presence.iter_mut().zip(&run.spec().seats) {
        if let Seat::Remote(Player { bot, .. }) = seat {
            *known = sessions.get(bot).map_or(absent, |session| Presence {
                heard: session.heard.max(began),
                round_trip: session.round_trips.shortest(),
                others_heard: false,
            });
        }
    }
    presence
}
