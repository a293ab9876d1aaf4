//! A model of a store, as simple as possible: lists in memory, copied for each batch.

use std::collections::{BTreeMap, BTreeSet};

use azulejo_arena::names::{BotId, MatchId, Owner, Player};
use azulejo_arena::pool::Pool;
use azulejo_arena::rating::LiveRating;
use azulejo_arena::record::{Bytes32, EndReason, Origin, Seat, SeatEnd, Spec};
use azulejo_arena::store::{
    AuditEntry, Ended, Holder, Pause, ResultVoided, SavedBot, SavedMatch, Token, Write,
};
use azulejo_arena::time::Wall;

#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) owners: Vec<Owner>,
    /// The banned owners, with the organiser's notes.
    bans: BTreeMap<Owner, String>,
    pub(crate) audit: Vec<AuditEntry>,
    pub(crate) bots: Vec<SavedBot>,
    /// Each with whether it is valid.
    tokens: Vec<(Token, bool)>,
    /// Each with whether it was used.
    invitations: Vec<(Bytes32, bool)>,
    pub(crate) standings: Vec<(Pool, Player, LiveRating)>,
    pub(crate) rating_formula: u32,
    /// In the order in which they were called.
    pub(crate) matches: Vec<SavedMatch>,
    /// In the order in which they ended: which match, and how.
    pub(crate) ends: Vec<(usize, Vec<SeatEnd>)>,
    untold: BTreeSet<(usize, BotId)>,
}

/// A conflict.
pub(crate) struct Refused;

fn check(holds: bool) -> Result<(), Refused> {
    if holds { Ok(()) } else { Err(Refused) }
}

impl Model {
    #[expect(clippy::too_many_lines, reason = "one kind of write after the other")]
    pub(crate) fn apply(&mut self, write: &Write) -> Result<(), Refused> {
        match write.clone() {
            Write::Owner { owner, .. } => {
                check(!self.owners.contains(&owner))?;
                self.owners.push(owner);
            }
            Write::Bot { bot, house, registered, request } => {
                check(self.owners.contains(bot.owner()) && self.bot(&bot).is_err())?;
                self.bots.push(new_bot(bot, house, registered, request));
            }
            Write::Version { bot, version, .. } => {
                let bot = self.bot(&bot)?;
                check(!bot.versions.contains(&version))?;
                bot.versions.push(version);
            }
            Write::Token(token) => self.token(token)?,
            Write::Revoked { public } => {
                let revoked = self.tokens.iter_mut().filter(|(token, _)| token.public == public);
                revoked.for_each(|(_, valid)| *valid = false);
            }
            Write::Invitation { hash, .. } => {
                check(self.invitations.iter().all(|(other, _)| *other != hash))?;
                self.invitations.push((hash, false));
            }
            Write::Invited { hash } => {
                let mut all = self.invitations.iter_mut();
                all.find(|invitation| **invitation == (hash, false)).ok_or(Refused)?.1 = true;
            }
            Write::Pause { bot, pause } => self.pause(&bot, pause)?,
            Write::Ban { owner, note } => {
                check(self.owners.contains(&owner))?;
                self.bans.remove(&owner);
                self.bans.extend(note.map(|note| (owner, note)));
            }
            Write::Audit(entry) => self.audit.push(entry),
            Write::ResultVoided(voided) => self.void(voided)?,
            Write::LiveRatingRemoved { pool, player } => {
                self.standings.retain(|(other, of, _)| (*other, of) != (pool, &player));
            }
            Write::Match { spec, secret } => self.call(spec, secret)?,
            Write::Event { id, seq, event } => {
                let place = self.place(&id)?;
                let saved = &mut self.matches[place];
                check(saved.ended.is_none() && saved.events.len() == seq as usize)?;
                saved.events.push(event);
            }
            Write::Ended(end) => self.end(end)?,
            Write::RatingFormula(formula) => self.rating_formula = formula,
            Write::LiveRating { pool, player, standing } => {
                check(self.knows(&player))?;
                self.standings.retain(|(other, of, _)| (*other, of) != (pool, &player));
                self.standings.push((pool, player, standing));
            }
            Write::EndDelivered { id, bot } => {
                let _ = self.place(&id).map(|place| self.untold.remove(&(place, bot)));
            }
        }
        Ok(())
    }

    fn call(&mut self, spec: Spec, secret: Bytes32) -> Result<(), Refused> {
        check(self.place(&spec.id).is_err())?;
        check(players(&spec.seats).all(|player| self.knows(player)))?;
        self.matches.push(SavedMatch {
            spec,
            secret,
            events: vec![],
            ended: None,
            rated: false,
            summary: None,
        });
        Ok(())
    }

    fn bot(&mut self, name: &BotId) -> Result<&mut SavedBot, Refused> {
        self.bots.iter_mut().find(|bot| bot.bot == *name).ok_or(Refused)
    }

    fn knows(&self, player: &Player) -> bool {
        let mut bots = self.bots.iter();
        bots.any(|bot| bot.bot == player.bot && bot.versions.contains(&player.version))
    }

    fn place(&self, id: &MatchId) -> Result<usize, Refused> {
        self.matches.iter().position(|saved| saved.spec.id == *id).ok_or(Refused)
    }

    fn token(&mut self, token: Token) -> Result<(), Refused> {
        let same = |other: &Token| other.public == token.public || other.hash == token.hash;
        check(!self.tokens.iter().any(|(other, _)| same(other)))?;
        match &token.holder {
            Holder::Admin => {}
            Holder::Owner(owner) => check(self.owners.contains(owner))?,
            Holder::Bot(bot) => self.bot(bot).map(|_| ())?,
        }
        self.tokens.push((token, true));
        Ok(())
    }

    fn pause(&mut self, bot: &BotId, pause: Option<Pause>) -> Result<(), Refused> {
        if let Some(id) = pause.as_ref().and_then(|pause| pause.trigger_match.as_ref()) {
            self.place(id)?;
        }
        self.bot(bot)?.pause = pause;
        Ok(())
    }

    fn end(&mut self, end: Ended) -> Result<(), Refused> {
        let place = self.place(&end.id)?;
        let saved = &self.matches[place];
        let (pool, seats) = (saved.spec.pool, saved.spec.seats.clone());
        check(saved.ended.is_none() && seats.len() == end.seats.len())?;
        check(!end.rated || players(&seats).count() == seats.len())?;
        check(end.standings.iter().all(|(player, _)| self.knows(player)))?;
        self.matches[place].ended = Some(end.at);
        self.matches[place].rated = end.rated;
        self.untold.extend(players(&seats).map(|player| (place, player.bot.clone())));
        for (player, standing) in end.standings {
            self.standings.retain(|(other, of, _)| (*other, of) != (pool, &player));
            self.standings.push((pool, player, standing));
        }
        if self.matches[place].spec.origin == Origin::Ladder {
            for (seat, end) in seats.iter().zip(&end.seats) {
                let Seat::Remote(player) = seat else { continue };
                self.bot(&player.bot)?.recent.push(end.reason.is_failure());
            }
        }
        self.ends.push((place, end.seats));
        Ok(())
    }

    fn void(&mut self, voided: ResultVoided) -> Result<(), Refused> {
        let place = self.place(&voided.id)?;
        let saved = &mut self.matches[place];
        check(saved.ended.is_some() && saved.events.len() == voided.seq as usize)?;
        saved.events.push(voided.event);
        saved.rated = false;
        saved.summary = voided.summary;
        let called_off = SeatEnd { placement: 0, reason: EndReason::CalledOff, total: 0 };
        for (_, seats) in self.ends.iter_mut().filter(|(ended, _)| *ended == place) {
            seats.fill(called_off);
        }
        if saved.spec.origin == Origin::Ladder {
            let bots: Vec<BotId> =
                players(&saved.spec.seats).map(|player| player.bot.clone()).collect();
            for bot in bots {
                self.judge_again(&bot)?;
            }
        }
        Ok(())
    }

    /// Whether the bot failed, for each of its ladder matches.
    fn judge_again(&mut self, bot: &BotId) -> Result<(), Refused> {
        let mut recent = Vec::new();
        for (place, ends) in &self.ends {
            let spec = &self.matches[*place].spec;
            for (seat, end) in spec.seats.iter().zip(ends) {
                let is_bot = seat.player().is_some_and(|player| player.bot == *bot);
                if spec.origin == Origin::Ladder && is_bot {
                    recent.push(end.reason.is_failure());
                }
            }
        }
        self.bot(bot)?.recent = recent;
        Ok(())
    }

    pub(crate) fn bans(&self) -> Vec<(Owner, String)> {
        let banned = |owner: &Owner| self.bans.get(owner).map(|note| (owner.clone(), note.clone()));
        self.owners.iter().filter_map(banned).collect()
    }

    /// The number of the next event of match `n`.
    pub(crate) fn next_event(&self, n: u64) -> u32 {
        let found = self.matches.iter().find(|saved| saved.spec.id == crate::fixtures::id(n));
        found.map_or(0, |saved| u32::try_from(saved.events.len()).unwrap())
    }

    pub(crate) fn valid_tokens(&self) -> Vec<Token> {
        let valid = self.tokens.iter().filter(|(_, valid)| *valid);
        valid.map(|(token, _)| token.clone()).collect()
    }

    pub(crate) fn open_invitations(&self) -> Vec<Bytes32> {
        self.invitations.iter().filter(|(_, used)| !used).map(|(hash, _)| *hash).collect()
    }

    pub(crate) fn untold(&self) -> Vec<(MatchId, BotId)> {
        let name =
            |(place, bot): &(usize, BotId)| (self.matches[*place].spec.id.clone(), bot.clone());
        self.untold.iter().map(name).collect()
    }
}

fn players(seats: &[Seat]) -> impl Iterator<Item = &Player> {
    seats.iter().filter_map(|seat| match seat {
        Seat::Remote(player) => Some(player),
        Seat::House(_) => None,
    })
}

fn new_bot(bot: BotId, house: bool, registered: Wall, request: Option<Bytes32>) -> SavedBot {
    let (versions, recent) = (Vec::new(), Vec::new());
    SavedBot { bot, house, registered, versions, pause: None, recent, request }
}
