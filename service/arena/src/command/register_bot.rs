use std::time::Duration;

use super::Command;
use crate::names::{BotId, Owner};
use crate::record::Bytes32;
use crate::state::{ArenaState, REQUEST_REPEATS, Refusal};
use crate::store::{Holder, Write};
use crate::time::Now;
use crate::view::BotView;

/// How often one registration may be repeated: each repeat creates a token.
const MOST_REPEATS: usize = 10;

/// Registers a bot of an owner, who may be new.
#[derive(Clone, Debug)]
pub struct RegisterBot {
    /// The owner whose token came with the call, if one did.
    pub by: Option<Owner>,
    pub bot: BotId,
    /// Hash of the invitation.
    pub invitation: Option<Bytes32>,
    /// Hash of the request id.
    pub request: Option<Bytes32>,
}

#[derive(Clone, Debug)]
pub struct RegisteredBot {
    pub bot: BotView,
    pub token: String,
    /// Only for a new owner.
    pub owner_token: Option<String>,
}

impl Command for RegisterBot {
    type Reply = RegisteredBot;

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<RegisteredBot, Refusal> {
        // Others do not learn of a ban.
        if let Some(by) = &self.by {
            arena.check_banned(by)?;
        }
        if self.check_repeated(arena, now)? {
            arena.check_banned(self.bot.owner())?;
            // A repeated request creates new tokens: only hashes of tokens are stored. Without an
            // owner's token, the first request was the one that created the owner.
            let is_new = self.by.is_none();
            return self.registered(arena, is_new, now);
        }
        let is_new = self.check(arena)?;
        if is_new {
            self.use_invitation(arena)?;
            arena.add_owner(self.bot.owner(), now);
        }
        arena.add_bot(&self.bot, false, self.request, now);
        self.registered(arena, is_new, now)
    }
}

impl RegisterBot {
    fn registered(
        self,
        arena: &mut ArenaState,
        is_new: bool,
        now: Now,
    ) -> Result<RegisteredBot, Refusal> {
        let Self { bot, .. } = self;
        let owner = Holder::Owner(bot.owner().clone());
        let owner_token = is_new.then(|| arena.create_token("azo", owner, now));
        let token = arena.create_token("azb", Holder::Bot(bot.clone()), now);
        let view = arena.view().bot(&bot).ok_or(Refusal::NoSuchBot(bot))?;
        Ok(RegisteredBot { bot: view, token, owner_token })
    }

    /// Whether the same registration was made before, and its response was lost.
    fn check_repeated(&self, arena: &mut ArenaState, now: Now) -> Result<bool, Refusal> {
        let Some(request) = self.request else { return Ok(false) };
        let Some((known, repeats)) = arena.registrations.get_mut(&request) else {
            return Ok(false);
        };
        let registered = arena.bots.get(known).map_or(0, |state| state.registered.0);
        let age = Duration::from_millis(now.wall.0.saturating_sub(registered));
        let other_owner = self.by.as_ref().is_some_and(|by| by != self.bot.owner());
        if *known != self.bot || other_owner || age > REQUEST_REPEATS {
            return Err(Refusal::RequestIdReused);
        }
        let limit = MOST_REPEATS;
        if *repeats as usize >= limit {
            let (key, what) = ("registration-repeats", "repeats of one registration");
            return Err(Refusal::Quota { key, what, limit, retry_after: Duration::ZERO });
        }
        *repeats += 1;
        Ok(true)
    }

    /// Whether the owner is new; refuses what is not allowed.
    fn check(&self, arena: &ArenaState) -> Result<bool, Refusal> {
        let owner = self.bot.owner();
        if self.by.as_ref().is_some_and(|by| by != owner) {
            return Err(Refusal::OtherOwner);
        }
        let is_new = !arena.owners.contains(owner);
        if self.by.is_none() && !is_new {
            return Err(Refusal::OwnerTaken(owner.clone()));
        }
        if arena.bots.contains_key(&self.bot) {
            return Err(Refusal::NameTaken { field: "name" });
        }
        let limit = arena.settings.bots_per_owner;
        if self.bots_of_owner(arena) >= limit {
            let (key, what) = ("bots-an-owner", "bots of one owner");
            return Err(Refusal::Quota { key, what, limit, retry_after: Duration::ZERO });
        }
        if is_new && owner.is_reserved() {
            return Err(Refusal::Reserved(owner.clone()));
        }
        Ok(is_new)
    }

    /// The bots of an owner are next to each other, where the new one will be.
    fn bots_of_owner(&self, arena: &ArenaState) -> usize {
        let owner = self.bot.owner();
        let is_own = |(bot, _): &(&BotId, _)| bot.owner() == owner;
        let earlier = arena.bots.range(..&self.bot).rev().take_while(is_own);
        let later = arena.bots.range(&self.bot..).take_while(is_own);
        earlier.count() + later.count()
    }

    fn use_invitation(&self, arena: &mut ArenaState) -> Result<(), Refusal> {
        match self.invitation {
            Some(hash) if arena.invitations.remove(&hash) => {
                arena.writes.push(Write::Invited { hash });
            }
            Some(_) if arena.settings.invited_only => return Err(Refusal::BadInvitation),
            None if arena.settings.invited_only => return Err(Refusal::InvitationNeeded),
            Some(_) | None => {}
        }
        Ok(())
    }
}
