//! A simulated bot: it opens a session, receives events, and repeats its calls until they are
//! answered.

use std::collections::{BTreeMap, BTreeSet};

use crate::edge::{Answer, Request, Ticket};
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::record::Bytes32;
use azulejo_arena::state::{Hello, Offer, Refusal};

use crate::character::Character;
use crate::dice::Dice;
use crate::net::Net;
use crate::world::{MS, Occurrence, SECOND, World};

pub(crate) struct Bot {
    pub(crate) id: BotId,
    pub(crate) character: Character,
    pub(crate) offer: Offer,
    pub(crate) net: Net,
    pub(crate) dice: Dice,
    pub(crate) version: u32,
    pub(crate) link: Option<Link>,
    /// The last event of this session.
    pub(crate) seen: u64,
    pub(crate) away: bool,
    pub(crate) paused: bool,
    /// Matches whose end it has received.
    pub(crate) ends: BTreeSet<MatchId>,
    pub(crate) nonces: BTreeMap<MatchId, Bytes32>,
    /// The last turn of each match that it has decided.
    pub(crate) turns: BTreeMap<MatchId, u32>,
}

/// A session, as its bot knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) server: usize,
    /// The ticket of the call that opened it.
    pub(crate) connection: u64,
    pub(crate) session: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Open,
    /// A decision, and whether it is a legal move.
    Submit {
        legal: bool,
    },
    /// A call that is repeated until it is answered.
    Firm,
    /// A call that is not repeated.
    Loose,
}

pub(crate) struct Call {
    pub(crate) bot: usize,
    pub(crate) kind: Kind,
    pub(crate) request: Request,
    tries: u32,
    answered: bool,
}

pub(crate) enum Errand {
    /// Opens a session if there is none.
    Reopen,
    /// Opens a session even if there is one.
    Fresh,
    Say {
        request: Request,
        kind: Kind,
    },
    Retry(u64),
    Return,
    Act,
    Poll {
        connection: u64,
    },
}

impl Bot {
    pub(crate) const fn new(
        id: BotId,
        character: Character,
        offer: Offer,
        net: Net,
        dice: Dice,
    ) -> Self {
        Self {
            id,
            character,
            offer,
            net,
            dice,
            version: 1,
            link: None,
            seen: 0,
            away: false,
            paused: false,
            ends: BTreeSet::new(),
            nonces: BTreeMap::new(),
            turns: BTreeMap::new(),
        }
    }

    /// The nonce for a match: the same one every time.
    pub(crate) fn nonce(&mut self, id: &MatchId) -> Bytes32 {
        let dice = &mut self.dice;
        *self.nonces.entry(id.clone()).or_insert_with(|| Bytes32(dice.bytes()))
    }

    pub(crate) fn hello(&self) -> Hello {
        Hello { version: self.version.to_string().parse().unwrap(), offer: self.offer.clone() }
    }
}

impl World {
    pub(crate) fn wake(&mut self, bot: usize, errand: Errand) {
        match errand {
            Errand::Return => {
                self.bots[bot].away = false;
                self.open(bot);
            }
            Errand::Act => self.act(bot),
            _ if self.bots[bot].away => {}
            Errand::Reopen if self.bots[bot].link.is_some() => {}
            Errand::Reopen | Errand::Fresh => self.open(bot),
            Errand::Say { request, kind } => self.call(bot, request, kind),
            Errand::Retry(ticket) => self.send(ticket),
            Errand::Poll { connection } => self.poll(bot, connection),
        }
    }

    fn open(&mut self, bot: usize) {
        let Some(server) = self.newest() else {
            let at = self.now + self.dice.between(50 * MS, 200 * MS);
            return self.plan(at, Occurrence::Wake { bot, errand: Errand::Reopen });
        };
        let (id, hello) = (self.bots[bot].id.clone(), self.bots[bot].hello());
        let request = Request::Open { bot: id, key: Bytes32([1; 32]), hello };
        let connection = self.new_call(bot, request.clone(), Kind::Open);
        self.bots[bot].link = Some(Link { server, connection, session: None });
        let at = self.now + self.bots[bot].net.clone().way(&mut self.dice);
        let ticket = Some(Ticket(connection));
        self.plan(at, Occurrence::Arrive { server, ticket, request });
    }

    fn new_call(&mut self, bot: usize, request: Request, kind: Kind) -> u64 {
        self.tickets += 1;
        let call = Call { bot, kind, request, tries: 0, answered: false };
        self.calls.insert(self.tickets, call);
        self.tickets
    }

    pub(crate) fn call(&mut self, bot: usize, request: Request, kind: Kind) {
        let ticket = self.new_call(bot, request, kind);
        self.send(ticket);
    }

    pub(crate) fn say_at(
        &mut self,
        at: crate::world::At,
        bot: usize,
        request: Request,
        kind: Kind,
    ) {
        self.plan(at, Occurrence::Wake { bot, errand: Errand::Say { request, kind } });
    }

    /// Sends a request. It may be lost, or arrive twice.
    fn send(&mut self, ticket: u64) {
        let call = self.calls.get_mut(&ticket).unwrap();
        if call.answered || call.tries >= 6 {
            return;
        }
        call.tries += 1;
        let (bot, kind, request) = (call.bot, call.kind, call.request.clone());
        let net = self.bots[bot].net.clone();
        if kind != Kind::Loose {
            let at = self.now + 500 * MS + self.dice.between(0, 300 * MS);
            self.plan(at, Occurrence::Wake { bot, errand: Errand::Retry(ticket) });
        }
        let linked = self.bots[bot].link.map(|link| link.server);
        let linked = linked.filter(|&server| self.servers[server].arena.is_some());
        let Some(server) = linked.or_else(|| self.newest()) else { return };
        if self.dice.permille(net.loss) {
            return self.tally.add("net: request lost");
        }
        let copies = if self.dice.permille(net.doubled) { 2 } else { 1 };
        for copy in 0..copies {
            let late = if copy == 1 { self.dice.between(0, SECOND) } else { 0 };
            let at = self.now + late + net.way(&mut self.dice);
            let (ticket, request) = (Some(Ticket(ticket)), request.clone());
            self.plan(at, Occurrence::Arrive { server, ticket, request });
        }
        self.tally.add_many("net: request doubled", copies - 1);
    }

    pub(crate) fn answered(&mut self, bot: usize, ticket: u64, answer: Result<Answer, Refusal>) {
        let call = self.calls.get_mut(&ticket).unwrap();
        call.answered = true;
        if self.bots[bot].away || call.kind != Kind::Open {
            return;
        }
        if let Some(link) = self.bots[bot].link.as_mut().filter(|link| link.connection == ticket) {
            match answer {
                Ok(Answer::Opened { session }) => link.session = Some(session),
                other => panic!("a session was refused: {other:?}"),
            }
            if self.bots[bot].character == Character::Poller {
                let errand = Errand::Poll { connection: ticket };
                self.plan(self.now + SECOND, Occurrence::Wake { bot, errand });
            }
        }
    }

    fn poll(&mut self, bot: usize, connection: u64) {
        let link = self.bots[bot].link.filter(|link| link.connection == connection);
        let Some(Link { session: Some(session), .. }) = link else { return };
        let (id, seen) = (self.bots[bot].id.clone(), self.bots[bot].seen);
        self.call(bot, Request::Poll { bot: id, session, seen, hello: None }, Kind::Loose);
        let at = self.now + self.dice.between(300 * MS, 2 * SECOND);
        self.plan(at, Occurrence::Wake { bot, errand: Errand::Poll { connection } });
    }

    /// The bot notices that its connection is gone, and opens another.
    pub(crate) fn lost(&mut self, bot: usize, connection: u64) {
        if self.bots[bot].link.is_some_and(|link| link.connection == connection) {
            self.bots[bot].link = None;
            let at = self.now + self.dice.between(5 * MS, 150 * MS);
            self.plan(at, Occurrence::Wake { bot, errand: Errand::Reopen });
        }
    }

    /// An arena crashed: a bot connected to it notices after a while.
    pub(crate) fn server_gone(&mut self, bot: usize, server: usize) {
        let link = self.bots[bot].link.filter(|link| link.server == server);
        if let Some(Link { connection, .. }) = link {
            let at = self.now + self.dice.between(MS, 200 * MS);
            self.plan(at, Occurrence::Lost { bot, connection });
        }
    }

    /// The bot disconnects for a while.
    pub(crate) fn vanish(&mut self, bot: usize) {
        self.tally.add("bot: vanished");
        let link = self.bots[bot].link.take();
        self.bots[bot].away = true;
        if let Some(Link { server, session: Some(session), .. }) = link {
            self.cut(server, bot, session);
        }
        let (least, most) = *self.dice.pick(&[(1, 3), (3, 20), (32, 60)]);
        let at = self.now + self.dice.between(least * SECOND, most * SECOND);
        self.plan(at, Occurrence::Wake { bot, errand: Errand::Return });
    }
}
