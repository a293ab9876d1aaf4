use super::Command;
use crate::names::{BotId, MatchId};
use crate::state::{ArenaState, Hello, Refusal};
use crate::time::Now;

/// A bot polls for events: it is alive, and has received its events so far.
#[derive(Clone, Debug)]
pub struct PollEvents {
    pub bot: BotId,
    pub session: u64,
    /// The last event that it has received.
    pub seen: u64,
    /// Changes what the bot offers to play, if set.
    pub hello: Option<Hello>,
}

impl Command for PollEvents {
    type Reply = ();

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<(), Refusal> {
        let Self { bot, session: number, seen, hello } = self;
        let session = arena.sessions.get_mut(&bot).ok_or(Refusal::SessionEnded)?;
        if session.number != number {
            return Err(Refusal::Replaced);
        }
        (session.heard, session.listening) = (now.time, true);
        if let Some(hello) = hello {
            session.offer = hello.offer;
        }
        let (received, rest): (Vec<_>, Vec<_>) =
            std::mem::take(&mut session.sent_ends).into_iter().partition(|(seq, _)| *seq <= seen);
        session.sent_ends = rest;
        arena.online.insert_mut(bot.clone());
        let received: Vec<MatchId> = received.into_iter().map(|(_, id)| id).collect();
        for id in received {
            arena.acknowledge_end(&bot, &id);
        }
        Ok(())
    }
}
