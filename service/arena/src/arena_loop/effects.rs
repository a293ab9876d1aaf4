//! Carrying out the effects of the core.

use std::sync::{Arc, PoisonError, Weak};

use azulejo_engine::{HouseBot, Table};
use tokio::sync::Semaphore;

use super::{Arena, Outbox, Shared};
use crate::command::HouseMove;
use crate::event::PlayEvent;
use crate::names::{BotId, MatchId, Owner};
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
            Effect::Search { id, turn, bot, table, owner } => {
                self.search(Search { id, turn, bot, table }, owner.as_ref());
            }
            Effect::AddToken { hash, holder } => {
                self.shared.tokens().insert(hash, holder);
            }
            Effect::RemoveToken { hash } => {
                self.shared.tokens().remove(&hash);
            }
            Effect::ResultVoided => self.shared.standings.read_again(),
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

    /// Has a house bot search for a move, off the loop and at low priority. An owner's searches run
    /// one after the other, so that challenges cannot occupy all processors.
    fn search(&self, search: Search, owner: Option<&Owner>) {
        let (arena, searches) = (self.clone(), Arc::clone(&self.shared.searches));
        let own = self.shared.searches_of(owner);
        self.shared.runtime.spawn(async move {
            let _own_permit = own.acquire_owned().await;
            let _permit = searches.acquire_owned().await;
            let Search { id, turn, bot, table } = search;
            // It may have ended while the search waited.
            if arena.view().running(&id).is_none_or(|run| run.turn() != turn) {
                return;
            }
            let found =
                azulejo_runtime::at_low_priority(move || table.choose(bot, u64::from(turn)));
            let action = found.await.ok().flatten();
            // A house seat has no clock: without its move the match would stand still.
            arena.deliver(HouseMove { id, turn, action }).await;
        });
    }
}

/// A search for the move of a house bot.
struct Search {
    id: MatchId,
    turn: u32,
    bot: HouseBot,
    table: Box<Table>,
}

impl Shared {
    /// The place of an owner's searches: one at a time.
    fn searches_of(&self, owner: Option<&Owner>) -> Arc<Semaphore> {
        let mut owners = self.owners_searching.lock().unwrap_or_else(PoisonError::into_inner);
        owners.retain(|_, searching| searching.strong_count() > 0);
        if let Some(searching) = owners.get(&owner.cloned()).and_then(Weak::upgrade) {
            return searching;
        }
        let searching = Arc::new(Semaphore::new(1));
        owners.insert(owner.cloned(), Arc::downgrade(&searching));
        searching
    }
}
