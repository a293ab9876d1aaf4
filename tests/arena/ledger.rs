//! What one arena was told and what it said, as an onlooker writes it down: the evidence by which
//! its decisions are judged.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use azulejo_arena::hall::{Offer, Request};
use azulejo_arena::names::{BotId, MatchId, Version};

use crate::bot::{Call, Kind};
use crate::world::{At, MS, SECOND};

/// A turn that waits to be fetched costs time after this all the same.
const PATIENCE_A_TURN: At = 250 * MS;
/// Of which so much does not count.
const PATIENCE_ALWAYS: At = 20 * MS;
/// All that turns may wait in a match.
const PATIENCE_A_MATCH: At = 2 * SECOND;

#[derive(Clone, Debug)]
pub(crate) struct Announced {
    bot: BotId,
    told: At,
    /// From here on it costs time, fetched or not.
    latest: At,
    /// Requests that were handled before.
    pub(crate) after: u64,
    fetched: Option<At>,
}

impl Announced {
    /// From here on the turn costs time.
    pub(crate) fn began(&self) -> At {
        self.fetched.map_or(self.latest, |fetched| fetched.clamp(self.told, self.latest))
    }
}

/// An answer to a turn.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) bot: BotId,
    /// Requests that were handled before.
    pub(crate) after: u64,
    pub(crate) received: At,
    pub(crate) legal: bool,
}

pub(crate) struct Ledger {
    /// Requests that were handled.
    handled: u64,
    /// Nobody can be missed from before this.
    pub(crate) floor: At,
    /// Who has, or had, a session here.
    opened: BTreeSet<BotId>,
    /// When a bot was heard of: surely, and at the most.
    pub(crate) heard: BTreeMap<BotId, (At, At)>,
    pub(crate) offers: BTreeMap<BotId, (Version, Offer)>,
    /// Turns that were told to somebody.
    pub(crate) turns: BTreeMap<(MatchId, u32), Announced>,
    /// What turns may still wait.
    patience: BTreeMap<(MatchId, BotId), At>,
    pub(crate) said: BTreeMap<(MatchId, u32), Vec<Said>>,
    pub(crate) resigned: BTreeSet<(MatchId, BotId)>,
    pub(crate) ready: BTreeSet<(MatchId, BotId)>,
    pub(crate) voided: BTreeSet<MatchId>,
    /// When the seats of the matches that it called were asked.
    pub(crate) asked: BTreeMap<MatchId, At>,
    pub(crate) born: At,
    /// The round trip that it last reckoned with.
    pub(crate) round_trips: BTreeMap<BotId, Duration>,
    /// Decisions that it accepted.
    pub(crate) decided: BTreeSet<(MatchId, u32)>,
    /// Decisions whose acceptance was answered.
    pub(crate) accepted: BTreeSet<(MatchId, u32)>,
}

impl Ledger {
    pub(crate) const fn new(born: At) -> Self {
        Self {
            handled: 0,
            floor: born,
            opened: BTreeSet::new(),
            heard: BTreeMap::new(),
            offers: BTreeMap::new(),
            turns: BTreeMap::new(),
            patience: BTreeMap::new(),
            said: BTreeMap::new(),
            resigned: BTreeSet::new(),
            ready: BTreeSet::new(),
            voided: BTreeSet::new(),
            asked: BTreeMap::new(),
            born,
            round_trips: BTreeMap::new(),
            decided: BTreeSet::new(),
            accepted: BTreeSet::new(),
        }
    }

    /// After the arena itself was away, nobody can be missed from before.
    pub(crate) const fn ticks(&mut self, now: At, since_the_last: At) {
        if since_the_last > SECOND {
            self.floor = now;
        }
    }

    /// When the seats of a match were asked; those of older matches when the arena began.
    pub(crate) fn asked(&self, id: &MatchId) -> At {
        self.asked.get(id).copied().unwrap_or(self.born)
    }

    /// A request is handed to the arena.
    pub(crate) fn handled(
        &mut self,
        request: &Request,
        call: Option<&Call>,
        received: At,
        now: At,
    ) {
        self.handled += 1;
        match request {
            Request::Open { bot, hello, .. } => {
                self.opened.insert(bot.clone());
                let offer = (hello.version.clone(), hello.offer.clone());
                self.offers.insert(bot.clone(), offer);
                self.hear(bot, received, now);
            }
            Request::Poll { bot, .. } => self.hear(bot, 0, now),
            Request::Heartbeat { bot, .. } => self.hear(bot, received, now),
            Request::Ready { bot, id, .. } => {
                self.ready.insert((id.clone(), bot.clone()));
                self.hear(bot, received, now);
            }
            Request::Resign { bot, id } => {
                self.resigned.insert((id.clone(), bot.clone()));
                self.hear(bot, received, now);
            }
            Request::Submit { bot, id, turn, .. } => {
                self.hear(bot, received, now);
                self.fetches(id, *turn, Some(bot), received);
                if let Some(Call { kind: Kind::Submit { legal }, .. }) = call {
                    let (bot, after, legal) = (bot.clone(), self.handled, *legal);
                    let said = Said { bot, after, received, legal };
                    self.said.entry((id.clone(), *turn)).or_default().push(said);
                }
            }
            Request::Fetched { id, turn, .. } => {
                self.fetches(id, *turn, None, received);
            }
            Request::Void { id, .. } => {
                self.voided.insert(id.clone());
            }
            _ => {}
        }
    }

    fn hear(&mut self, bot: &BotId, surely: At, at_most: At) {
        if self.opened.contains(bot) {
            let heard = self.heard.entry(bot.clone()).or_default();
            *heard = (heard.0.max(surely), heard.1.max(at_most));
        }
    }

    /// A turn has left, or the bot whose turn it is has answered it without waiting for that.
    fn fetches(&mut self, id: &MatchId, turn: u32, by: Option<&BotId>, at: At) {
        if let Some(announced) = self.turns.get_mut(&(id.clone(), turn))
            && announced.fetched.is_none()
            && by.is_none_or(|bot| *bot == announced.bot)
        {
            announced.fetched = Some(at);
            let waited = announced.began() - announced.told;
            let key = (id.clone(), announced.bot.clone());
            let left = self.patience.entry(key).or_insert(PATIENCE_A_MATCH);
            *left -= waited.saturating_sub(PATIENCE_ALWAYS);
        }
    }

    /// A turn goes out to a session.
    pub(crate) fn tells(&mut self, id: &MatchId, turn: u32, bot: &BotId, now: At) {
        let patience = self.patience.get(&(id.clone(), bot.clone()));
        let left = patience.map_or(PATIENCE_A_MATCH, |left| *left);
        let latest = now + PATIENCE_A_TURN.min(left + PATIENCE_ALWAYS);
        let (bot, after) = (bot.clone(), self.handled);
        let announced = Announced { bot, told: now, latest, after, fetched: None };
        self.turns.entry((id.clone(), turn)).or_insert(announced);
    }
}
