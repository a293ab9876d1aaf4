use std::collections::BTreeSet;
use std::time::Duration;

use super::Command;
use crate::names::{BotId, MatchId};
use crate::state::{ArenaState, Refusal};
use crate::time::{Now, Time};

/// A round trip is believed up to this; no more is ever credited.
const LONGEST_ROUND_TRIP: Duration = Duration::from_secs(1);

/// A bot answers a ping. The reply is its round-trip time.
#[derive(Clone, Debug)]
pub struct Heartbeat {
    pub bot: BotId,
    pub ping: u64,
    /// Matches whose end the bot has received.
    pub ended: BTreeSet<MatchId>,
    /// When the call arrived.
    pub received: Time,
}

impl Command for Heartbeat {
    type Reply = Duration;

    fn run(self, arena: &mut ArenaState, _now: Now) -> Result<Duration, Refusal> {
        let Self { bot, ping, ended, received } = self;
        let mut round_trip = Duration::ZERO;
        if let Some(session) = arena.sessions.get_mut(&bot) {
            session.heard = session.heard.max(received);
            if session.ping.0 == ping && session.answered != ping {
                session.answered = ping;
                let round_trip = received.since(session.ping.1).min(LONGEST_ROUND_TRIP);
                session.round_trips.add(round_trip);
            }
            session.sent_ends.retain(|(_, id)| !ended.contains(id));
            round_trip = session.round_trips.shortest();
        }
        for id in &ended {
            arena.acknowledge_end(&bot, id);
        }
        Ok(round_trip)
    }
}
