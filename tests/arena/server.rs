//! A simulated server: the loop around the arena, and its crashes. All requests that have arrived are
//! handled before the clock ticks, so that an answer that arrived in time counts as in time.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use crate::edge::{Edge, Request, Ticket};
use azulejo_arena::state::Settings;
use azulejo_arena::store::{Epoch, StoreError, Write};
use azulejo_arena::time::{Now, Time, Wall};

use crate::observed::Observed;
use crate::world::{At, MS, Occurrence, SECOND, World};

const TICK: At = 50 * MS;
/// How often a server checks that it still owns the store.
const RENEWAL: At = 2 * SECOND;

/// The outcome of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Written,
    CrashBefore,
    CrashAfter,
    /// The store failed, and the server does not know whether it has written.
    Unknown {
        written: bool,
    },
}

pub(crate) struct Server {
    /// None after a crash.
    pub(crate) arena: Option<Edge>,
    pub(crate) epoch: Epoch,
    pub(crate) born: At,
    /// Where its monotonic clock started.
    offset: At,
    /// What arrived and when, in order.
    inbox: VecDeque<(At, Option<Ticket>, Request)>,
    committing: bool,
    last_tick: At,
    last_renewal: At,
    /// By bot and session: the connection, and when its last event arrives.
    pub(crate) pipes: BTreeMap<(usize, u64), (u64, At)>,
}

impl Server {
    pub(crate) fn now(&self, now: At, wall: u64) -> Now {
        let time = Time(Duration::from_micros(now - self.born + self.offset));
        Now { time, wall: Wall(wall + now / 1_000) }
    }
}

impl World {
    /// A new arena takes over the store.
    pub(crate) fn start_arena(&mut self) {
        let epoch = self.store.take_over();
        let offset = self.dice.between(0, 1_000_000 * SECOND);
        let mut server = Server {
            arena: None,
            epoch,
            born: self.now,
            offset,
            inbox: VecDeque::new(),
            committing: false,
            last_tick: self.now,
            last_renewal: self.now,
            pipes: BTreeMap::new(),
        };
        let saved = self.store.load();
        let now = server.now(self.now, self.wall);
        if !saved.running.is_empty() {
            self.tally.add_many("match: went on after a restart", saved.running.len() as u64);
        }
        let entropy = Box::new(self.dice.fork());
        server.arena = Some(Edge::new(saved, Settings::default(), entropy, now));
        self.servers.push(server);
        self.checker.observed.push(Observed::new(self.now));
        let server = self.servers.len() - 1;
        self.work(server);
        self.plan(self.now + TICK, Occurrence::Tick { server });
    }

    /// The newest arena that has not crashed.
    pub(crate) fn newest(&self) -> Option<usize> {
        self.servers.iter().rposition(|server| server.arena.is_some())
    }

    pub(crate) fn holds(&self, server: usize) -> bool {
        self.store.renew(self.servers[server].epoch).is_ok()
    }

    pub(crate) fn boot(&mut self) {
        let alive = self.newest().is_some_and(|server| self.holds(server));
        if !alive {
            self.start_arena();
        }
    }

    pub(crate) fn crash(&mut self) {
        if let Some(server) = self.newest()
            && !self.calm
        {
            self.tally.add("fault: crash in between");
            self.die(server);
        }
    }

    pub(crate) fn second_arena(&mut self) {
        if !self.calm {
            self.tally.add("fault: taken over");
            self.start_arena();
        }
    }

    pub(crate) fn die(&mut self, server: usize) {
        self.servers[server].arena = None;
        self.servers[server].pipes.clear();
        for bot in 0..self.bots.len() {
            self.server_gone(bot, server);
        }
        let wait = if self.dice.permille(100) { 8 * SECOND } else { SECOND };
        let at = self.now + self.dice.between(50 * MS, wait);
        self.plan(at, Occurrence::Boot);
    }

    pub(crate) fn arrive(&mut self, server: usize, ticket: Option<Ticket>, mut request: Request) {
        if self.servers[server].arena.is_none() {
            return;
        }
        let Now { time, .. } = self.servers[server].now(self.now, self.wall);
        if let Request::Submit { received, .. }
        | Request::Heartbeat { received, .. }
        | Request::Fetched { at: received, .. } = &mut request
        {
            *received = time;
        }
        self.servers[server].inbox.push_back((self.now, ticket, request));
        self.work(server);
    }

    pub(crate) fn tick(&mut self, server: usize) {
        if self.servers[server].arena.is_none() {
            return;
        }
        if self.now - self.servers[server].last_renewal >= RENEWAL {
            self.servers[server].last_renewal = self.now;
            if !self.holds(server) {
                self.tally.add("fault: fenced at a renewal");
                return self.die(server);
            }
        }
        self.work(server);
        self.plan(self.now + TICK, Occurrence::Tick { server });
    }

    /// One turn of the loop.
    pub(crate) fn work(&mut self, index: usize) {
        let server = &mut self.servers[index];
        if server.arena.is_none() || server.committing {
            return;
        }
        let now = server.now(self.now, self.wall);
        while let Some((received, ticket, request)) = self.servers[index].inbox.pop_front() {
            let call = ticket.and_then(|Ticket(ticket)| self.calls.get(&ticket));
            self.checker.observed[index].handled(&request, call, received, self.now);
            let arena = self.servers[index].arena.as_mut().unwrap();
            arena.handle(ticket, request, now);
        }
        let server = &mut self.servers[index];
        let arena = server.arena.as_mut().unwrap();
        let ticks = self.now - server.last_tick >= TICK;
        if ticks {
            let stalled = self.now - server.last_tick;
            server.last_tick = self.now;
            self.checker.observed[index].ticks(self.now, stalled);
            arena.tick(now);
        }
        let writes = arena.take_writes();
        if self.holds(index) {
            self.checker.proposed(index, &writes, ticks, self.now, &self.store);
        }
        if writes.is_empty() {
            return self.release(index);
        }
        self.trace(&writes);
        self.servers[index].committing = true;
        let (fate, took) = self.fate();
        self.plan(self.now + took, Occurrence::Committed { server: index, writes, fate });
    }

    fn fate(&mut self) -> (Fate, At) {
        if self.calm {
            return (Fate::Written, MS);
        }
        let took = match self.dice.below(2_000) {
            0 => {
                self.tally.add("fault: very slow commit");
                self.dice.between(10 * SECOND, 45 * SECOND)
            }
            1..=20 => {
                self.tally.add("fault: slow commit");
                self.dice.between(100 * MS, 3 * SECOND)
            }
            _ => self.dice.between(100, 8 * MS),
        };
        let fate = match self.dice.below(2_000) {
            0 => Fate::CrashBefore,
            1 => Fate::CrashAfter,
            2 => Fate::Unknown { written: true },
            3 => Fate::Unknown { written: false },
            _ => Fate::Written,
        };
        (fate, took)
    }

    pub(crate) fn committed(&mut self, server: usize, writes: &[Write], fate: Fate) {
        if self.servers[server].arena.is_none() {
            return;
        }
        self.servers[server].committing = false;
        self.tally.add(match fate {
            Fate::Written => "commit",
            Fate::CrashBefore => "fault: crash before the write",
            Fate::CrashAfter => "fault: crash after the write",
            Fate::Unknown { written: true } => "fault: unknown, written",
            Fate::Unknown { written: false } => "fault: unknown, not written",
        });
        if matches!(fate, Fate::CrashBefore | Fate::Unknown { written: false }) {
            return self.die(server);
        }
        let held = self.holds(server);
        match self.store.commit(self.servers[server].epoch, writes) {
            Ok(()) => {
                assert!(held, "a fenced arena has written");
                self.durable(server, writes);
            }
            Err(StoreError::Fenced) => {
                self.tally.add("fault: fenced at a commit");
                return self.die(server);
            }
            Err(problem) => panic!("{problem}"),
        }
        if fate == Fate::Written {
            self.release(server);
            self.work(server);
        } else {
            self.die(server);
        }
    }

    pub(crate) fn jump(&mut self) {
        if self.calm {
            return;
        }
        let forward = self.dice.permille(500);
        let by = self.dice.between(1_000, 90_000_000);
        self.wall = if forward { self.wall + by } else { self.wall - by };
        self.tally.add(if forward {
            "fault: wall clock forward"
        } else {
            "fault: wall clock back"
        });
    }

    /// An organiser voids a match.
    pub(crate) fn organise(&mut self) {
        let running: Vec<_> = self.checker.running().cloned().collect();
        if let (Some(server), false, false) = (self.newest(), running.is_empty(), self.calm) {
            let id = self.dice.pick(&running).clone();
            let request = Request::Void { id, note: "the organiser said so".to_owned() };
            self.tally.add("organiser: voided");
            self.arrive(server, None, request);
        }
    }
}
