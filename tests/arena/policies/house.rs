//! An arena with a store and a few bots, and nothing that goes wrong by itself.

use azulejo_arena::hall::{Answer, Hall, Hello, Offer, Output, Refusal, Request, Settings, Ticket};
use azulejo_arena::match_run::Match;
use azulejo_arena::moment::Time;
use azulejo_arena::names::{BotId, MatchId, Owner};
use azulejo_arena::record::Bytes32;
use azulejo_arena::store::{Epoch, Write};
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;

use super::table::at;
use crate::dice::Dice;
use crate::store::SimStore;

/// The hash of the token that bots come with.
pub(crate) const SOME_TOKEN: Bytes32 = Bytes32([1; 32]);

pub(crate) struct House {
    pub(crate) hall: Hall,
    pub(crate) store: SimStore,
    epoch: Epoch,
    pub(crate) now: u64,
    pub(crate) writes: Vec<Write>,
}

pub(crate) fn bot(name: &str) -> BotId {
    format!("{name}/bot").parse().unwrap()
}

pub(crate) fn hello(pool: &str, at_once: u32) -> Hello {
    let pools = vec![pool.parse().unwrap()];
    let offer = Offer { pools, at_once, accepts_challenges: true, plays_ladder: true };
    Hello { version: "1".parse().unwrap(), offer }
}

impl House {
    /// Bots of these owners are registered.
    pub(crate) fn of(owners: &[&str]) -> Self {
        let mut store = SimStore::default();
        let epoch = store.take_over();
        let entropy = Box::new(Dice::new(1));
        let hall = Hall::new(store.load(), Settings::default(), entropy, at(0));
        let mut house = Self { hall, store, epoch, now: 0, writes: Vec::new() };
        for owner in owners {
            let owner = owner.parse().unwrap();
            let request = register(owner, "bot", None);
            house.ask(request).unwrap();
        }
        house
    }

    pub(crate) fn hand_in(&mut self, request: Request) {
        self.hall.handle(Some(Ticket(1)), request, at(self.now));
    }

    /// Makes everything durable, which takes so long, and says what follows.
    pub(crate) fn commit(&mut self, took: u64) -> Vec<Output> {
        self.writes = self.hall.take_writes();
        self.store.commit(self.epoch, &self.writes).unwrap();
        self.now += took;
        self.hall.release(at(self.now))
    }

    pub(crate) fn ask(&mut self, request: Request) -> Result<Answer, Refusal> {
        self.hand_in(request);
        let mut answers = self.commit(0).into_iter().filter_map(|output| match output {
            Output::Answer(_, answer) => Some(*answer),
            _ => None,
        });
        answers.next_back().unwrap()
    }

    /// Opens a session: its number, and its snapshot.
    pub(crate) fn open(&mut self, bot: &BotId, hello: Hello) -> (u64, pb::Snapshot, Vec<Output>) {
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

    /// Time passes, and everyone is heard of.
    pub(crate) fn wait(&mut self, millis: u64) -> Vec<Output> {
        self.now += millis;
        self.hall.tick(at(self.now));
        self.commit(0)
    }

    /// The arena starts again, from what is durable.
    pub(crate) fn restart(&mut self) {
        self.epoch = self.store.take_over();
        let entropy = Box::new(Dice::new(2));
        self.hall = Hall::new(self.store.load(), Settings::default(), entropy, at(self.now));
        let _nobody_is_here = self.commit(0);
    }

    /// These bots come, are called to a table and are ready: the match.
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
        let (bot, id, nonce) = (bot.clone(), id.clone(), super::table::nonce(3));
        self.ask(Request::Ready { bot, id, nonce })
    }
}

/// The events that go to a bot, with their numbers.
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
