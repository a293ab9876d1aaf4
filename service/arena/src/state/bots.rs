//! Registered bots and their owners.

use std::collections::BTreeMap;

use super::{ArenaState, BotState, Refusal};
use crate::names::{BotId, HOUSE, Owner};
use crate::record::Bytes32;
use crate::store::{Holder, SavedBot, Write};
use crate::time::Now;

/// Registrations by request id, from the stored bots.
pub(super) fn registrations(bots: &[SavedBot]) -> BTreeMap<Bytes32, (BotId, u32)> {
    bots.iter().filter_map(|saved| Some((saved.request?, (saved.bot.clone(), 0)))).collect()
}

impl ArenaState {
    pub(crate) fn add_owner(&mut self, owner: &Owner, now: Now) {
        if self.owners.insert(owner.clone()) {
            self.writes.push(Write::Owner { owner: owner.clone(), registered: now.wall });
        }
    }

    pub(crate) fn add_bot(&mut self, bot: &BotId, house: bool, request: Option<Bytes32>, now: Now) {
        let registered = now.wall;
        self.writes.push(Write::Bot { bot: bot.clone(), house, registered, request });
        if let Some(request) = request {
            self.registrations.insert(request, (bot.clone(), 0));
        }
        let (versions, recent) = (Vec::new(), Vec::new());
        let state = BotState { house, registered, versions, pause: None, recent };
        self.bots.insert_mut(bot.clone(), state);
    }

    /// A house bot, and a token for it that is not stored.
    pub fn add_house_bot(&mut self, name: &str, now: Now) -> Result<(BotId, String), Refusal> {
        let taken = || Refusal::NameTaken { field: "name" };
        let owner: Owner = HOUSE.parse().map_err(|_| taken())?;
        let bot = BotId::new(&owner, name).map_err(|_| taken())?;
        self.add_owner(&owner, now);
        if !self.bots.contains_key(&bot) {
            self.add_bot(&bot, true, None, now);
        }
        let (token, _) = self.random_token("azb", Holder::Bot(bot.clone()), now);
        Ok((bot, token))
    }

    /// Refuses unless the bot exists and belongs to this owner.
    pub(crate) fn check_owner(&self, by: &Owner, bot: &BotId) -> Result<(), Refusal> {
        if !self.bots.contains_key(bot) {
            return Err(Refusal::NoSuchBot(bot.clone()));
        }
        if bot.owner() == by { Ok(()) } else { Err(Refusal::OtherOwner) }
    }
}
