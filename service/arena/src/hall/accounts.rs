//! Owners, bots, tokens and invitations.

use std::collections::BTreeMap;
use std::time::Duration;

use azulejo_wire::served::arena as pb;

use super::{Answer, BotState, Hall, Held, Output, REQUEST_REPEATS, Refusal, Request};
use crate::moment::Now;
use crate::names::{BotId, HOUSE, Owner, letters, public_part};
use crate::record::Bytes32;
use crate::store::{Holder, Pause, SavedBot, Token, Write};

/// How often one registration may be repeated: each repeat creates a token.
const MOST_REPEATS: usize = 10;

/// Registrations by request id, from the stored bots.
pub(super) fn registrations(bots: &[SavedBot]) -> BTreeMap<Bytes32, (BotId, u32)> {
    bots.iter().filter_map(|saved| Some((saved.request?, (saved.bot.clone(), 0)))).collect()
}

impl Hall {
    pub(super) fn account(&mut self, request: Request, now: Now) -> Result<Answer, Refusal> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the other requests are not ours")]
        match request {
            Request::Register { by, owner, name, invitation, request } => {
                let bot = BotId::new(&owner, &name);
                let bot = bot.map_err(|_| Refusal::NameTaken { field: "name" })?;
                match self.registered_before(&bot, by.as_ref(), request, now)? {
                    Some(repeated) => Ok(Answer::Registered(repeated)),
                    None => self.register(by.as_ref(), &bot, invitation, request, now),
                }
            }
            Request::CreateToken { by, bot } => {
                self.check_owner(&by, &bot)?;
                Ok(Answer::Token(self.make_token("azb", Holder::Bot(bot))))
            }
            Request::Revoke { by, public } => self.revoke(by.as_ref(), &public),
            Request::Resume { by, bot } => {
                self.check_owner(&by, &bot)?;
                if let Some(known) = self.bots.get_mut(&bot) {
                    known.pause = None;
                    known.recent.clear();
                    self.writes.push(Write::Pause { bot: bot.clone(), pause: None });
                }
                Ok(Answer::Bot(self.bot_message(&bot, now.time)?))
            }
            Request::Invite => {
                let code = format!("azi_{}", letters(&self.random::<16>()));
                let hash = Bytes32::hash_of(code.as_bytes());
                self.invitations.insert(hash);
                self.writes.push(Write::Invitation { hash });
                Ok(Answer::Invitation(code))
            }
            Request::Pause { bot, note } => {
                if !self.bots.contains_key(&bot) {
                    return Err(Refusal::NoSuchBot(bot));
                }
                self.pause(&bot, Pause { reason: note, last_straw: None });
                Ok(Answer::Bot(self.bot_message(&bot, now.time)?))
            }
            _ => Err(Refusal::NoSuchMatch),
        }
    }

    /// The answer to a registration that is repeated because its response was lost: the same bot with
    /// a new token, since only hashes of tokens are stored.
    fn registered_before(
        &mut self,
        bot: &BotId,
        by: Option<&Owner>,
        request: Option<Bytes32>,
        now: Now,
    ) -> Result<Option<pb::RegisterBotResponse>, Refusal> {
        let Some(request) = request else { return Ok(None) };
        let Some((known, repeats)) = self.registrations.get_mut(&request) else { return Ok(None) };
        let registered = self.bots.get(known).map_or(0, |state| state.registered.0);
        let age = Duration::from_millis(now.wall.0.saturating_sub(registered));
        if known != bot || by.is_some_and(|by| by != bot.owner()) || age > REQUEST_REPEATS {
            return Err(Refusal::RequestIdReused);
        }
        let limit = MOST_REPEATS;
        if *repeats as usize >= limit {
            let (key, what) = ("registration-repeats", "repeats of one registration");
            return Err(Refusal::Quota { key, what, limit, retry_after: Duration::ZERO });
        }
        *repeats += 1;
        let token = self.make_token("azb", Holder::Bot(bot.clone()));
        // Without an owner's token, the first request was the one that created the owner.
        let owner = bot.owner().clone();
        let owner_token =
            if by.is_none() { self.make_token("azo", Holder::Owner(owner)) } else { String::new() };
        let bot = Some(self.bot_message(bot, now.time)?);
        Ok(Some(pb::RegisterBotResponse { bot, token, owner_token }))
    }

    fn register(
        &mut self,
        by: Option<&Owner>,
        bot: &BotId,
        invitation: Option<Bytes32>,
        request: Option<Bytes32>,
        now: Now,
    ) -> Result<Answer, Refusal> {
        let owner = bot.owner();
        if by.is_some_and(|by| by != owner) {
            return Err(Refusal::OtherOwner);
        }
        let is_new = !self.owners.contains(owner);
        if by.is_none() && !is_new {
            return Err(Refusal::OwnerTaken(owner.clone()));
        }
        if self.bots.contains_key(bot) {
            return Err(Refusal::NameTaken { field: "name" });
        }
        let limit = self.settings.bots_an_owner;
        if self.bots.keys().filter(|bot| bot.owner() == owner).count() >= limit {
            let (key, what) = ("bots-an-owner", "bots of one owner");
            return Err(Refusal::Quota { key, what, limit, retry_after: Duration::ZERO });
        }
        let owner_token =
            if is_new { self.new_owner(owner, invitation, now)? } else { String::new() };
        self.add_bot(bot, false, request, now);
        let token = self.make_token("azb", Holder::Bot(bot.clone()));
        let bot = Some(self.bot_message(bot, now.time)?);
        Ok(Answer::Registered(pb::RegisterBotResponse { bot, token, owner_token }))
    }

    fn new_owner(
        &mut self,
        owner: &Owner,
        invitation: Option<Bytes32>,
        now: Now,
    ) -> Result<String, Refusal> {
        if owner.as_str() == HOUSE || owner.as_str() == "server" {
            return Err(Refusal::OwnerTaken(owner.clone()));
        }
        match invitation {
            Some(hash) if self.invitations.remove(&hash) => {
                self.writes.push(Write::Invited { hash });
            }
            Some(_) if self.settings.invited_only => return Err(Refusal::BadInvitation),
            None if self.settings.invited_only => return Err(Refusal::InvitationNeeded),
            Some(_) | None => {}
        }
        self.owners.insert(owner.clone());
        self.writes.push(Write::Owner { owner: owner.clone(), registered: now.wall });
        Ok(self.make_token("azo", Holder::Owner(owner.clone())))
    }

    fn add_bot(&mut self, bot: &BotId, house: bool, request: Option<Bytes32>, now: Now) {
        let registered = now.wall;
        self.writes.push(Write::Bot { bot: bot.clone(), house, registered, request });
        if let Some(request) = request {
            self.registrations.insert(request, (bot.clone(), 0));
        }
        let state =
            BotState { house, registered, versions: Vec::new(), pause: None, recent: Vec::new() };
        self.bots.insert(bot.clone(), state);
    }

    /// A bot of the house, and a token for it, which is not kept.
    pub fn house_bot(&mut self, name: &str, now: Now) -> Result<(BotId, String), Refusal> {
        let taken = || Refusal::NameTaken { field: "name" };
        let owner: Owner = HOUSE.parse().map_err(|_| taken())?;
        let bot = BotId::new(&owner, name).map_err(|_| taken())?;
        if self.owners.insert(owner.clone()) {
            self.writes.push(Write::Owner { owner, registered: now.wall });
        }
        if !self.bots.contains_key(&bot) {
            self.add_bot(&bot, true, None, now);
        }
        let (token, _) = self.fresh_token("azb", Holder::Bot(bot.clone()));
        Ok((bot, token))
    }

    /// A new token of an organiser.
    pub fn admin_token(&mut self) -> String {
        self.make_token("aza", Holder::Admin)
    }

    /// Whether an organiser's token exists.
    #[must_use]
    pub fn has_admin(&self) -> bool {
        self.tokens.values().any(|token| token.holder == Holder::Admin)
    }

    fn make_token(&mut self, prefix: &str, holder: Holder) -> String {
        let (token, kept) = self.fresh_token(prefix, holder);
        let Token { public, hash, holder } = kept.clone();
        self.tokens.insert(public, kept.clone());
        self.writes.push(Write::Token(kept));
        self.held.push(Held::Out(Output::Key { hash, holder }));
        token
    }

    /// A token nobody has, and what is kept of it.
    fn fresh_token(&mut self, prefix: &str, holder: Holder) -> (String, Token) {
        let public = format!("{prefix}_{}", letters(&self.random::<8>()));
        let token = format!("{public}_{}", letters(&self.random::<32>()));
        let hash = Bytes32::hash_of(token.as_bytes());
        (token, Token { public, hash, holder })
    }

    /// By the owner whose it is, or by an organiser (none), who ends any.
    fn revoke(&mut self, by: Option<&Owner>, token: &str) -> Result<Answer, Refusal> {
        let public = public_part(token);
        let found = self.tokens.get(public).ok_or(Refusal::NoSuchToken)?;
        let own = match &found.holder {
            Holder::Bot(bot) => by.is_none_or(|by| bot.owner() == by),
            Holder::Owner(owner) => by.is_none_or(|by| owner == by),
            Holder::Admin => by.is_none(),
        };
        if !own {
            return Err(Refusal::NoSuchToken);
        }
        self.end_token(public);
        Ok(Answer::Revoked)
    }

    /// Every organiser's token that is kept.
    pub fn revoke_admins(&mut self) {
        let admins = self.tokens.values().filter(|token| token.holder == Holder::Admin);
        let admins: Vec<String> = admins.map(|token| token.public.clone()).collect();
        for public in admins {
            self.end_token(&public);
        }
    }

    fn end_token(&mut self, public: &str) {
        let Some(Token { public, hash, holder }) = self.tokens.remove(public) else { return };
        self.writes.push(Write::Revoked { public });
        self.held.push(Held::Out(Output::KeyGone { hash }));
        self.revoked.insert(hash);
        if let Holder::Bot(bot) = holder
            && let Some(opened) = self.sessions.get(&bot).filter(|session| session.key == hash)
        {
            let session = opened.number;
            self.closed(&bot, session);
            self.held.push(Held::Out(Output::Close { bot, session }));
        }
    }

    /// Tokens that are valid now.
    #[must_use]
    pub fn keys(&self) -> Vec<(Bytes32, Holder)> {
        self.tokens.values().map(|token| (token.hash, token.holder.clone())).collect()
    }

    fn check_owner(&self, by: &Owner, bot: &BotId) -> Result<(), Refusal> {
        if !self.bots.contains_key(bot) {
            return Err(Refusal::NoSuchBot(bot.clone()));
        }
        if bot.owner() == by { Ok(()) } else { Err(Refusal::OtherOwner) }
    }
}
