//! Carrying out the effects of the core.

use std::sync::Arc;

use azulejo_engine::{HouseBot, Table};

use super::{Arena, Outbox};
use crate::command::HouseMove;
use crate::event::PlayEvent;
use crate::names::{BotId, MatchId};
use crate::state::Effect;

impl Arena {
    pub(super) fn carry_out(&self, effect: Effect) {
        match effect {
            Effect::Send { bot, session, seq, event } => self.send(&bot, session, seq, event),
            Effect::CloseSession { bot, session } => {
                if let Some(outbox) = self.outbox(&bot, session) {
                    outbox.close();
                }
            }
            Effect::Watch { id, event } => self.shared.watchers.send(&id, &event),
            Effect::Search { id, turn, bot, table } => self.search(id, turn, bot, table),
            Effect::AddToken { hash, holder } => {
                self.shared.tokens().insert(hash, holder);
            }
            Effect::RemoveToken { hash } => {
                self.shared.tokens().remove(&hash);
            }
        }
    }

    fn send(&self, bot: &BotId, session: u64, seq: u64, event: PlayEvent) {
        let is_first = matches!(event, PlayEvent::Snapshot(_));
        let outbox = {
            let mut outboxes = self.shared.outboxes();
            let newest = outboxes.get(bot).filter(|outbox| outbox.session() == session);
            match newest {
                Some(outbox) => Arc::clone(outbox),
                None if is_first => {
                    let outbox = Arc::new(Outbox::new(session));
                    outboxes.insert(bot.clone(), Arc::clone(&outbox));
                    outbox
                }
                None => return,
            }
        };
        outbox.push(seq, event);
    }

    /// Has a house bot search for a move, off the loop.
    fn search(&self, id: MatchId, turn: u32, bot: HouseBot, table: Box<Table>) {
        let (arena, searches) = (self.clone(), Arc::clone(&self.shared.searches));
        self.shared.runtime.spawn(async move {
            let _permit = searches.acquire_owned().await;
            let seed = u64::from(turn);
            let found = tokio::task::spawn_blocking(move || table.choose(bot, seed));
            let action = found.await.ok().flatten();
            // A house seat has no clock: without its move the match would stand still.
            arena.deliver(HouseMove { id, turn, action }).await;
        });
    }
}
