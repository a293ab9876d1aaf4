//! Who is here. A bot has one session at a time; the newest wins.

use std::collections::BTreeMap;
use std::time::Duration;

use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;

use super::{Answer, BotState, Hall, Held, Hello, Note, Offer, Output, Refusal, is_recent};
use crate::match_run::{ABSENCE, Match, Presence};
use crate::moment::{Now, Time};
use crate::names::{BotId, MatchId, Player, Version};
use crate::record::{Bytes32, Seat};
use crate::store::Write;

/// How often a bot is asked for a sign of life.
const PING_EVERY: Duration = Duration::from_secs(5);
/// Who has not been heard of for longer gets no new matches.
const ATTENTIVE: Duration = Duration::from_secs(12);
/// A round trip is believed up to this; no more than this is ever credited.
const LONGEST_ROUND_TRIP: Duration = Duration::from_secs(1);

/// Both games are for 2 to 4 players.
const MOST_SEATS: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) number: u64,
    /// Of the token that opened it.
    pub(super) key: Bytes32,
    pub(super) version: Version,
    pub(super) offer: Offer,
    /// Whether a stream is open, or the bot polls.
    listening: bool,
    heard: Time,
    pub(super) round_trip: Duration,
    /// The last ping, and when it was sent. No other session has pings with these numbers.
    ping: (u64, Time),
    /// The last event.
    seq: u64,
    /// Ends that were told, and by which event.
    telling: Vec<(u64, MatchId)>,
    /// Since when it has had a free place.
    pub(super) free_since: Time,
}

impl Session {
    /// Whether it would take on a match now.
    pub(super) fn is_attentive(&self, now: Time) -> bool {
        self.listening && is_recent(self.heard, now, ATTENTIVE)
    }
}

impl Hall {
    /// A new session replaces any other of the bot.
    pub(super) fn open(
        &mut self,
        bot: &BotId,
        key: Bytes32,
        hello: Hello,
        now: Now,
    ) -> Result<Answer, Refusal> {
        if self.revoked.contains(&key) {
            return Err(Refusal::Revoked);
        }
        let Hello { version, offer } = hello;
        self.declare(bot, &version, now)?;
        let number = u64::from_le_bytes(self.random());
        let before = self.sessions.get(bot);
        let round_trip = before.map_or(Duration::ZERO, |session| session.round_trip);
        if let Some((number, seq)) = before.map(|session| (session.number, session.seq)) {
            self.leaving.insert(number, seq);
            self.say(bot, number, Told::Replaced(pb::Replaced {}));
            self.held.push(Held::Out(Output::Close { bot: bot.clone(), session: number }));
        }
        if self.matches.values().any(|run| run.seat_of(bot).is_some()) {
            self.note(Note::Resumed);
        }
        // Below 2^53: every language can count there.
        let first_ping = (number >> 12) + 1;
        let session = Session {
            number,
            key,
            version,
            offer,
            listening: true,
            heard: now.time,
            round_trip,
            ping: (first_ping, now.time),
            seq: 0,
            telling: Vec::new(),
            free_since: now.time,
        };
        self.sessions.insert(bot.clone(), session);
        self.held.push(Held::Snapshot { bot: bot.clone(), session: number });
        // At once, so that the first turns are credited their round trip too.
        self.say(bot, number, Told::Ping(pb::Ping { number: first_ping }));
        Ok(Answer::Opened { session: number })
    }

    /// A version that was never declared before starts with a rating of its own.
    fn declare(&mut self, bot: &BotId, version: &Version, now: Now) -> Result<(), Refusal> {
        let known = self.bots.get_mut(bot).ok_or_else(|| Refusal::NoSuchBot(bot.clone()))?;
        if !known.versions.contains(version) {
            known.versions.push(version.clone());
            let (bot, version) = (bot.clone(), version.clone());
            self.writes.push(Write::Version { bot, version, declared: now.wall });
        }
        Ok(())
    }

    pub(super) fn poll(
        &mut self,
        bot: &BotId,
        number: u64,
        seen: u64,
        hello: Option<Hello>,
        now: Now,
    ) -> Result<Answer, Refusal> {
        let session = self.sessions.get_mut(bot).ok_or(Refusal::SessionEnded)?;
        if session.number != number {
            return Err(Refusal::Replaced);
        }
        (session.heard, session.listening) = (now.time, true);
        if let Some(hello) = hello {
            session.offer = hello.offer;
        }
        self.seen(bot, seen);
        Ok(Answer::Polled)
    }

    pub(super) fn closed(&mut self, bot: &BotId, number: u64) {
        if let Some(session) = self.sessions.get_mut(bot)
            && session.number == number
        {
            session.listening = false;
        }
    }

    pub(super) fn heartbeat(
        &mut self,
        bot: &BotId,
        ping: u64,
        ended: &[MatchId],
        received: Time,
    ) -> Answer {
        let mut round_trip = Duration::ZERO;
        if let Some(session) = self.sessions.get_mut(bot) {
            session.heard = session.heard.max(received);
            if session.ping.0 == ping {
                let measured = received.since(session.ping.1).min(LONGEST_ROUND_TRIP);
                session.round_trip = measured;
            }
            session.telling.retain(|(_, id)| !ended.contains(id));
            round_trip = session.round_trip;
        }
        for id in ended {
            self.acknowledge(bot, id);
        }
        let round_trip_time = Some(super::messages::duration(round_trip));
        Answer::Heartbeat(pb::HeartbeatResponse { round_trip_time })
    }

    /// A sign of life.
    pub(super) fn heard(&mut self, bot: &BotId, now: Time) {
        if let Some(session) = self.sessions.get_mut(bot) {
            session.heard = session.heard.max(now);
        }
    }

    /// The bot has seen its events up to this one: whatever end they told of is told.
    fn seen(&mut self, bot: &BotId, seq: u64) {
        let Some(session) = self.sessions.get_mut(bot) else { return };
        let (told, rest) = std::mem::take(&mut session.telling)
            .into_iter()
            .partition(|(telling, _)| *telling <= seq);
        session.telling = rest;
        for (_, id) in told {
            self.acknowledge(bot, &id);
        }
    }

    /// The bot has received the end of a match. An end that is not its own changes nothing.
    fn acknowledge(&mut self, bot: &BotId, id: &MatchId) {
        if let Some(untold) = self.untold.get_mut(bot)
            && untold.remove(id)
        {
            self.writes.push(Write::Told { id: id.clone(), bot: bot.clone() });
        }
    }

    /// Says something to a session as soon as everything before it is durable.
    pub(super) fn say(&mut self, bot: &BotId, session: u64, event: Told) {
        let event = Box::new(pb::PlayEvent { seq: 0, event: Some(event) });
        let bot = bot.clone();
        self.held.push(Held::Out(Output::Tell { bot, session, event, ended: Vec::new() }));
    }

    /// The bot's session, if it has heard its snapshot: what happened before is in there.
    pub(super) fn up_to_date(&self, bot: &BotId) -> Option<u64> {
        self.sessions.get(bot).filter(|session| session.seq > 0).map(|session| session.number)
    }

    /// Says something to a bot, if it is here.
    pub(super) fn say_to(&mut self, bot: &BotId, event: Told) {
        if let Some(number) = self.sessions.get(bot).map(|session| session.number) {
            self.say(bot, number, event);
        }
    }

    /// The event gets its number now: in the order in which events go out.
    pub(super) fn tell(
        &mut self,
        bot: &BotId,
        number: u64,
        mut event: pb::PlayEvent,
        outputs: &mut Vec<Output>,
    ) {
        if let Some(session) = self.sessions.get_mut(bot)
            && session.number == number
        {
            session.seq += 1;
            event.seq = session.seq;
            if let Some(Told::MatchEnded(ended)) = &event.event
                && let Some(id) = ended.r#match.as_ref().and_then(|ended| ended.id.parse().ok())
            {
                session.telling.push((session.seq, id));
            }
        } else if let Some(seq) = self.leaving.get_mut(&number) {
            // One that was replaced before its snapshot went out hears of nothing else.
            if *seq == 0 && !matches!(event.event, Some(Told::Replaced(_))) {
                return;
            }
            *seq += 1;
            event.seq = *seq;
        }
        let (bot, event) = (bot.clone(), Box::new(event));
        outputs.push(Output::Tell { bot, session: number, event, ended: Vec::new() });
    }

    /// The first event of a session: how things stand.
    pub(super) fn snapshot(&mut self, bot: &BotId, number: u64, now: Time) -> Vec<Output> {
        if self.sessions.get(bot).is_none_or(|session| session.number != number) {
            return Vec::new();
        }
        let seatings: Vec<(MatchId, usize)> = self
            .matches
            .iter()
            .filter_map(|(id, run)| Some((id.clone(), run.seat_of(bot)?)))
            .collect();
        let message = self.snapshot_of(bot, &seatings, now);
        for (id, seat) in &seatings {
            // The turn goes out with the snapshot: from here on it costs time.
            if let Some(run) = self.matches.get_mut(id)
                && run.due() == Some(*seat)
            {
                let turn = run.turn();
                run.told(turn, now);
            }
        }
        let Some(session) = self.sessions.get_mut(bot) else { return Vec::new() };
        session.seq += 1;
        let seq = session.seq;
        let ended: Vec<MatchId> =
            self.untold.get(bot).into_iter().flatten().take(100).cloned().collect();
        session.telling.extend(ended.iter().map(|id| (seq, id.clone())));
        let event = Box::new(pb::PlayEvent { seq, event: Some(Told::Snapshot(message)) });
        vec![Output::Tell { bot: bot.clone(), session: number, event, ended }]
    }

    /// Asks those who have not been asked for a while for a sign of life, and forgets sessions of
    /// which nothing was heard for long.
    pub(super) fn ping(&mut self, now: Time) {
        let mut pings = Vec::new();
        for (bot, session) in &mut self.sessions {
            if now.since(session.ping.1) >= PING_EVERY && session.listening {
                session.ping = (session.ping.0 + 1, now);
                pings.push((bot.clone(), session.number, session.ping.0));
            }
        }
        for (bot, session, number) in pings {
            self.say(&bot, session, Told::Ping(pb::Ping { number }));
        }
        let began = self.began;
        let gone = |session: &Session| now.since(session.heard.max(began)) > 2 * ABSENCE;
        let gone: Vec<_> = self
            .sessions
            .iter()
            .filter(|(_, session)| gone(session))
            .map(|(bot, session)| (bot.clone(), session.number))
            .collect();
        for (bot, session) in gone {
            let last = self.sessions.remove(&bot).map_or(0, |session| session.seq);
            self.leaving.insert(session, last);
            self.held.push(Held::Out(Output::Close { bot, session }));
        }
    }

    pub(super) fn is_paused(&self, bot: &BotId) -> bool {
        self.bots.get(bot).is_none_or(|BotState { pause, .. }| pause.is_some())
    }
}

/// What is known of the bots of a match. One without a session was last heard of never, which after
/// a restart means when the arena began.
pub(super) fn presence(
    sessions: &BTreeMap<BotId, Session>,
    began: Time,
    run: &Match,
) -> [Presence; MOST_SEATS] {
    let absent = Presence { heard: began, round_trip: Duration::ZERO };
    let mut presence = [Presence::default(); MOST_SEATS];
    for (known, seat) in presence.iter_mut().zip(&run.spec().seats) {
        if let Seat::Remote(Player { bot, .. }) = seat {
            *known = sessions.get(bot).map_or(absent, |session| Presence {
                heard: session.heard.max(began),
                round_trip: session.round_trip,
            });
        }
    }
    presence
}
