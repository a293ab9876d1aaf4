//! An arena with a store and a few bots, without faults.

use crate::edge::{Answer, Edge, Output, Request, Ticket};
use azulejo_arena::match_run::Match;
use azulejo_arena::names::{BotId, MatchId, Owner};
use azulejo_arena::record::Bytes32;
use azulejo_arena::state::{Hello, Offer, Refusal, Settings};
use azulejo_arena::store::{Epoch, Write};
use azulejo_arena::time::Time;
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;

use super::one_match::at;
use crate::dice::Dice;
use crate::store::SimStore;

/// The hash of the token that bots connect with.
pub(crate) const SOME_TOKEN: Bytes32 = Bytes32([1; 32]);

pub(crate) struct TestArena {
    pub(crate) edge: Edge,
    pub(crate) store: SimStore,
    epoch: Epoch,
    pub(crate) now: u64,
    pub(crate) writes: Vec<Write>,
}

pub(crate) fn bot(name: &str) -> BotId {
    format!("{name}/bot").parse().unwrap()
}

pub(crate) fn hello(pool: &str, concurrent_matches: u32) -> Hello {
    let pools = vec![pool.parse().unwrap()];
    let offer = Offer { pools, concurrent_matches, accepts_challenges: true, plays_ladder: true };
    Hello { version: "1".parse().unwrap(), offer }
}

impl TestArena {
    /// Bots of these owners are registered.
    pub(crate) fn of(owners: &[&str]) -> Self {
        let mut store = SimStore::default();
        let epoch = store.take_over();
        let entropy = Box::new(Dice::new(1));
        let edge = Edge::new(store.load(), Settings::default(), entropy, at(0));
        let mut arena = Self { edge, store, epoch, now: 0, writes: Vec::new() };
        for owner in owners {
            let owner = owner.parse().unwrap();
            let request = register(owner, "bot", None);
            arena.ask(request).unwrap();
        }
        arena
    }

    pub(crate) fn hand_in(&mut self, request: Request) {
        self.edge.handle(Some(Ticket(1)), request, at(self.now));
    }

    /// Makes everything durable, which takes this long. Returns what the arena sends.
    pub(crate) fn commit(&mut self, took: u64) -> Vec<Output> {
        self.writes = self.edge.take_writes();
        self.store.commit(self.epoch, &self.writes).unwrap();
        self.now += took;
        self.edge.release(at(self.now))
    }

    pub(crate) fn ask(&mut self, request: Request) -> Result<Answer, Refusal> {
        self.hand_in(request);
        let mut answers = self.commit(0).into_iter().filter_map(|output| match output {
            Output::Answer(_, answer) => Some(*answer),
            _ => None,
        });
        answers.next_back().unwrap()
    }

    /// Opens a session and answers its first ping: its number, and its snapshot.
    pub(crate) fn open(&mut self, bot: &BotId, hello: Hello) -> (u64, pb::Snapshot, Vec<Output>) {
        let opened = self.open_silently(bot, hello);
        let first_ping =
            told(&opened.2, bot).into_iter().find_map(|(_, event)| match &event.event {
                Some(Told::Ping(ping)) => Some(ping.number),
                _ => None,
            });
        let (bot, ping, received) = (bot.clone(), first_ping.unwrap(), at(self.now).time);
        self.ask(Request::Heartbeat { bot, ping, ended: Vec::new(), received }).unwrap();
        opened
    }

    /// Opens a session: its number, and its snapshot.
    pub(crate) fn open_silently(
        &mut self,
        bot: &BotId,
        hello: Hello,
    ) -> (u64, pb::Snapshot, Vec<Output>) {
        self.hand_in(Request::Open { bot: bot.clone(), key: SOME_TOKEN, hello });
        let outputs = self.commit(0);
        let told = outputs.iter().find_map(|output| match output {
            Output::Tell { session, event, .. } => match &event.event {
                Some(Told::Snapshot(snapshot)) => Some((*session, snapshot.clone())),
                _ => None,
            },
            _ => None,
        });
        let (session, snapshot) = told.unwrap();
        (session, snapshot, outputs)
    }

    /// Time passes, and the arena ticks.
    pub(crate) fn wait(&mut self, millis: u64) -> Vec<Output> {
        self.now += millis;
        self.edge.tick(at(self.now));
        self.commit(0)
    }

    /// The arena starts again, from what is durable.
    pub(crate) fn restart(&mut self) {
        self.epoch = self.store.take_over();
        let entropy = Box::new(Dice::new(2));
        self.edge = Edge::new(self.store.load(), Settings::default(), entropy, at(self.now));
        let _no_bot_is_connected = self.commit(0);
    }

    /// These bots connect, are paired and are ready. Returns the match.
    pub(crate) fn begun(&mut self, bots: &[BotId], pool: &str) -> MatchId {
        for bot in bots {
            self.open(bot, hello(pool, 1));
        }
        self.wait(50);
        let id = self.store.rows.matches.keys().next_back().unwrap().clone();
        for bot in bots {
            self.ready(bot, &id).unwrap();
        }
        id
    }

    fn run(&self, id: &MatchId) -> Match {
        Match::replay(&self.store.rows.matches[id].saved(), Time::default()).unwrap()
    }

    /// The bot whose decision is due.
    pub(crate) fn due(&self, id: &MatchId) -> BotId {
        let run = self.run(id);
        run.spec().seats[run.due().unwrap()].player().unwrap().bot.clone()
    }

    /// Action ids of all legal moves.
    pub(crate) fn legal(&self, id: &MatchId) -> Vec<u32> {
        let table = *self.run(id).table().unwrap();
        table.legal_move_messages().iter().map(|legal| legal.action_id).collect()
    }

    pub(crate) fn ready(&mut self, bot: &BotId, id: &MatchId) -> Result<Answer, Refusal> {
        let (bot, id, nonce) = (bot.clone(), id.clone(), super::one_match::nonce(3));
        self.ask(Request::Ready { bot, id, nonce })
    }
}

/// The events that are sent to a bot, with their sessions.
pub(crate) fn told<'a>(outputs: &'a [Output], to: &BotId) -> Vec<(u64, &'a pb::PlayEvent)> {
    let tell = |output: &'a Output| match output {
        Output::Tell { bot, session, event, .. } if bot == to => Some((*session, &**event)),
        _ => None,
    };
    outputs.iter().filter_map(tell).collect()
}

/// A registration of a new owner.
pub(crate) fn register(owner: Owner, name: &str, request: Option<Bytes32>) -> Request {
    Request::Register { by: None, owner, name: name.to_owned(), invitation: None, request }
}
