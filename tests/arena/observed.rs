//! What one arena received and sent, as observed from outside. Its decisions are checked against
//! this.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::edge::Request;
use azulejo_arena::names::{BotId, MatchId, Version};
use azulejo_arena::pool::TimeClass;
use azulejo_arena::state::Offer;

use crate::bot::{Call, Kind};
use crate::world::{At, MS, SECOND};

/// How long turns wait for free to be fetched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// A turn that is not fetched starts the clock after this time.
    a_turn: At,
    /// Waiting up to this long does not count against the match.
    always: At,
    /// The longest total wait of the turns of a match.
    a_match: At,
}

impl Patience {
    pub(crate) const fn of(class: TimeClass) -> Self {
        match class {
            TimeClass::Bullet => Self { a_turn: 50 * MS, always: 5 * MS, a_match: 400 * MS },
            TimeClass::Blitz | TimeClass::Rapid => {
                Self { a_turn: 250 * MS, always: 20 * MS, a_match: 2 * SECOND }
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Announced {
    bot: BotId,
    sent: At,
    /// The clock starts at this time at the latest, fetched or not.
    latest: At,
    patience: Patience,
    /// Requests that were handled before.
    pub(crate) after: u64,
    fetched: Option<At>,
}

impl Announced {
    /// When the clock of the turn started.
    pub(crate) fn began(&self) -> At {
        self.fetched.map_or(self.latest, |fetched| fetched.clamp(self.sent, self.latest))
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

pub(crate) struct Observed {
    /// Requests that were handled.
    handled: u64,
    /// The absence of a bot counts from here at the earliest.
    pub(crate) floor: At,
    /// Bots that have or had a session here.
    opened: BTreeSet<BotId>,
    /// When a bot last sent something: at least, and at most.
    pub(crate) heard: BTreeMap<BotId, (At, At)>,
    pub(crate) offers: BTreeMap<BotId, (Version, Offer)>,
    /// Turns that were announced to a bot.
    pub(crate) turns: BTreeMap<(MatchId, u32), Announced>,
    /// How long turns may still wait.
    patience: BTreeMap<(MatchId, BotId), At>,
    pub(crate) said: BTreeMap<(MatchId, u32), Vec<Said>>,
    pub(crate) resigned: BTreeSet<(MatchId, BotId)>,
    pub(crate) ready: BTreeSet<(MatchId, BotId)>,
    pub(crate) voided: BTreeSet<MatchId>,
    /// When the bots of the matches that it created were asked to be ready.
    pub(crate) asked: BTreeMap<MatchId, At>,
    pub(crate) born: At,
    /// The last measured round trip.
    pub(crate) round_trips: BTreeMap<BotId, Duration>,
    /// Decisions that it accepted.
    pub(crate) decided: BTreeSet<(MatchId, u32)>,
    /// Decisions whose acceptance was answered.
    pub(crate) accepted: BTreeSet<(MatchId, u32)>,
}

impl Observed {
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

    /// After the arena itself was stalled, absences before that do not count.
    pub(crate) const fn ticks(&mut self, now: At, since_the_last: At) {
        if since_the_last > SECOND {
            self.floor = now;
        }
    }

    /// When the bots of a match were asked to be ready; for older matches, when the arena started.
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

    /// A turn was fetched, or its bot has answered before it was fetched.
    fn fetches(&mut self, id: &MatchId, turn: u32, by: Option<&BotId>, at: At) {
        if let Some(announced) = self.turns.get_mut(&(id.clone(), turn))
            && announced.fetched.is_none()
            && by.is_none_or(|bot| *bot == announced.bot)
        {
            announced.fetched = Some(at);
            let waited = announced.began() - announced.sent;
            let key = (id.clone(), announced.bot.clone());
            let left = self.patience.entry(key).or_insert(announced.patience.a_match);
            *left -= waited.saturating_sub(announced.patience.always);
        }
    }

    /// A turn is sent to a session.
    pub(crate) fn announce(
        &mut self,
        (id, turn): (&MatchId, u32),
        bot: &BotId,
        patience: Patience,
        now: At,
    ) {
        let left = self.patience.get(&(id.clone(), bot.clone()));
        let left = left.map_or(patience.a_match, |left| *left);
        let latest = now + patience.a_turn.min(left + patience.always);
        let (bot, after) = (bot.clone(), self.handled);
        let announced = Announced { bot, sent: now, latest, patience, after, fetched: None };
        self.turns.entry((id.clone(), turn)).or_insert(announced);
    }
}
