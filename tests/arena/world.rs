//! One run: a small world of bots, a network, a store and arenas. The seed determines everything
//! that happens in it.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::edge::{Answer, Request, Ticket};
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::pool::Pool;
use azulejo_arena::state::Refusal;
use azulejo_arena::store::Write;
use azulejo_wire::served::arena as pb;

use crate::bot::{Bot, Call, Errand};
use crate::checker::Checker;
use crate::dice::Dice;
use crate::server::{Fate, Server};
use crate::store::SimStore;
use crate::tally::Tally;

/// Microseconds since the world began.
pub(crate) type At = u64;
pub(crate) const MS: At = 1_000;
pub(crate) const SECOND: At = 1_000_000;

/// The longest run, and the time without faults after it.
const LONGEST: At = 240 * SECOND;
const CALM: At = 25 * SECOND;

pub(crate) enum Occurrence {
    /// A request reaches a server.
    Arrive {
        server: usize,
        ticket: Option<Ticket>,
        request: Request,
    },
    Tick {
        server: usize,
    },
    /// A commit has succeeded or failed.
    Committed {
        server: usize,
        writes: Vec<Write>,
        fate: Fate,
    },
    /// An event reaches a bot.
    Reach {
        bot: usize,
        connection: u64,
        event: Box<pb::PlayEvent>,
        ended: Vec<MatchId>,
    },
    Answered {
        bot: usize,
        ticket: u64,
        answer: Box<Result<Answer, Refusal>>,
    },
    /// A bot notices that its connection is gone.
    Lost {
        bot: usize,
        connection: u64,
    },
    Wake {
        bot: usize,
        errand: Errand,
    },
    /// An arena starts, unless one runs.
    Boot,
    /// An arena dies between two commits.
    Crash,
    /// A second arena starts while the first still runs.
    TakeOver,
    WallJump,
    Organise,
}

pub(crate) struct World {
    pub(crate) now: At,
    /// Milliseconds since 1970 at the beginning.
    pub(crate) wall: u64,
    pub(crate) dice: Dice,
    agenda: BTreeMap<(At, u64), Occurrence>,
    planned: u64,
    pub(crate) store: SimStore,
    pub(crate) servers: Vec<Server>,
    pub(crate) bots: Vec<Bot>,
    pub(crate) who: BTreeMap<BotId, usize>,
    pub(crate) pools: Vec<Pool>,
    pub(crate) calls: BTreeMap<u64, Call>,
    pub(crate) tickets: u64,
    pub(crate) checker: Checker,
    pub(crate) tally: Tally,
    /// No more faults: all bots reconnect and finish their matches.
    pub(crate) calm: bool,
    /// A hash of every write and every output, if the test asks for it.
    trace: Option<DefaultHasher>,
}

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let pools = crate::setup::pools(&mut dice);
        let mut world = Self {
            now: 0,
            wall: 1_800_000_000_000,
            agenda: BTreeMap::new(),
            planned: 0,
            store: SimStore::default(),
            servers: Vec::new(),
            bots: Vec::new(),
            who: BTreeMap::new(),
            pools,
            calls: BTreeMap::new(),
            tickets: 0,
            checker: Checker::default(),
            tally: Tally::default(),
            calm: false,
            trace: None,
            dice,
        };
        world.set_up();
        world
    }

    /// Runs to the end. Returns the counts.
    pub(crate) fn run(mut self) -> Tally {
        self.play_out();
        self.tally
    }

    /// Runs to the end. Returns a hash of all writes and outputs.
    pub(crate) fn traced(mut self) -> u64 {
        self.trace = Some(DefaultHasher::new());
        self.play_out();
        self.trace.map(|trace| trace.finish()).unwrap()
    }

    fn play_out(&mut self) {
        let enough = 4 + self.dice.below(10);
        while self.now < LONGEST && self.store.rows.ended.len() < enough {
            self.step();
        }
        self.calm_down();
        let end = self.now + CALM;
        while self.now < end {
            self.step();
        }
        self.check_the_end();
    }

    fn step(&mut self) {
        let ((at, _), occurrence) = self.agenda.pop_first().expect("a tick is always planned");
        self.now = at;
        match occurrence {
            Occurrence::Arrive { server, ticket, request } => self.arrive(server, ticket, request),
            Occurrence::Tick { server } => self.tick(server),
            Occurrence::Committed { server, writes, fate } => self.committed(server, &writes, fate),
            Occurrence::Reach { bot, connection, event, ended } => {
                self.reach(bot, connection, *event, ended);
            }
            Occurrence::Answered { bot, ticket, answer } => self.answered(bot, ticket, *answer),
            Occurrence::Lost { bot, connection } => self.lost(bot, connection),
            Occurrence::Wake { bot, errand } => self.wake(bot, errand),
            Occurrence::Boot => self.boot(),
            Occurrence::Crash => self.crash(),
            Occurrence::TakeOver => self.second_arena(),
            Occurrence::WallJump => self.jump(),
            Occurrence::Organise => self.organise(),
        }
    }

    pub(crate) fn plan(&mut self, at: At, occurrence: Occurrence) {
        self.planned += 1;
        self.agenda.insert((at, self.planned), occurrence);
    }

    /// Adds a write or an output to the hash.
    pub(crate) fn trace(&mut self, what: &impl std::fmt::Debug) {
        if let Some(trace) = &mut self.trace {
            (self.now, format!("{what:?}")).hash(trace);
        }
    }
}
