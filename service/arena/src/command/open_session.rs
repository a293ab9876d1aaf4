use super::Command;
use crate::event::PlayEvent;
use crate::names::BotId;
use crate::record::Bytes32;
use crate::state::{ArenaState, Hello, Metric, Refusal, Session};
use crate::time::Now;

/// Opens a session of a bot, which replaces any other. The reply is its number.
#[derive(Clone, Debug)]
pub struct OpenSession {
    pub bot: BotId,
    /// Hash of the token that opens it.
    pub key: Bytes32,
    pub hello: Hello,
}

impl Command for OpenSession {
    type Reply = u64;

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<u64, Refusal> {
        let Self { bot, key, hello: Hello { version, offer } } = self;
        if arena.revoked.contains(&key) {
            return Err(Refusal::Revoked);
        }
        arena.check_banned(bot.owner())?;
        arena.declare_version(&bot, &version, now)?;
        let number = u64::from_le_bytes(arena.random());
        let before = arena.sessions.get(&bot);
        let round_trips = before.map(|session| session.round_trips.clone()).unwrap_or_default();
        // Below 2^53: every language can count there.
        let first_ping = (number >> 12) + 1;
        let session = Session {
            number,
            key,
            version,
            offer,
            listening: true,
            heard: now.time,
            round_trips,
            ping: (first_ping, now.time),
            answered: 0,
            seq: 0,
            sent_ends: Vec::new(),
            free_since: now.time,
        };
        arena.begin_session(&bot, session);
        if arena.matches.values().any(|run| run.seat_of(&bot).is_some()) {
            arena.count(Metric::Resumed);
        }
        // At once, so that the first turns are credited their round trip too.
        arena.send(&bot, number, PlayEvent::Ping { number: first_ping });
        Ok(number)
    }
}
