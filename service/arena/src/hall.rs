//! The whole arena as a state machine: who is here, who plays whom, and what became of it. It does
//! no input and no output and never looks at a clock: it is told what came and when. The loop around
//! it is always the same: hand in what came ([`Hall::handle`], [`Hall::tick`]), make the writes
//! durable ([`Hall::take_writes`]), and only then carry out what follows ([`Hall::release`]). So
//! nothing is ever announced that could be lost.

mod accounts;
mod matchmaking;
mod messages;
mod notes;
mod outcome;
mod play;
mod reads;
mod refusal;
mod request;
mod sessions;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::match_run::{Corrupt, Happening, Match};
use crate::moment::{Now, Time};
use crate::names::{BotId, MatchId, Owner, Version};
use crate::pairing::Matchmaker;
use crate::rating::Ladder;
use crate::record::{Bytes32, EndReason, Event, Seat};
use crate::store::{Ended, Pause, Saved, SavedBot, SavedMatch, Token, Write};

pub use messages::match_of;
pub(crate) use messages::{accepted_before, duration, ended, refused_move, timestamp};
pub use notes::{By, Census, How, Note};
pub use refusal::Refusal;
pub use request::{Action, Answer, Hello, Offer, Opponent, Output, Request, Ticket};

/// Between two ticks: the arena itself was not there, because its store or its machine was not.
const STANDSTILL: Duration = Duration::from_secs(1);

/// So long a call about a match that is over may still be on its way, or be made again.
const REPEATS: Duration = Duration::from_mins(1);

/// How long a request with the same id gets the same answer.
pub(crate) const REQUEST_REPEATS: Duration = Duration::from_hours(1);

/// How an arena behaves.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Whether owners need an invitation.
    pub invited_only: bool,
    /// Bots of one owner.
    pub bots_an_owner: usize,
    /// Challenges of one owner that run at the same time.
    pub challenges_at_once: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { invited_only: false, bots_an_owner: 20, challenges_at_once: 8 }
    }
}

/// Randomness, as it is given to the arena: real in service, repeatable in a simulation.
pub trait Entropy: Send + Sync {
    fn fill(&mut self, bytes: &mut [u8]);
}

/// The arena.
pub struct Hall {
    settings: Settings,
    entropy: Box<dyn Entropy>,
    /// When it began, or went on after a standstill: nobody can be missed from before.
    began: Time,
    ticked: Time,
    owners: BTreeSet<Owner>,
    bots: BTreeMap<BotId, BotState>,
    tokens: BTreeMap<String, Token>,
    /// Of tokens that were revoked while it runs: whoever came in with one may still be on the way.
    revoked: BTreeSet<Bytes32>,
    invitations: BTreeSet<Bytes32>,
    ladder: Ladder,
    sessions: BTreeMap<BotId, sessions::Session>,
    /// The last events of sessions that are over but have yet to hear what was said to them.
    leaving: BTreeMap<u64, u64>,
    matches: BTreeMap<MatchId, Match>,
    /// Matches that are just over, and since when: their last decisions may be said again.
    finished: BTreeMap<MatchId, (Match, Time)>,
    /// Who asked for the challenges that run; those from before a restart are nobody's.
    challengers: BTreeMap<MatchId, Owner>,
    /// Challenges by bot and request id: a repeated one gets the same match.
    challenge_requests: BTreeMap<(BotId, Bytes32), matchmaking::Challenged>,
    /// Registrations by request id, and how often each was repeated.
    registrations: BTreeMap<Bytes32, (BotId, u32)>,
    matchmaker: Matchmaker,
    /// Ends that a bot has not heard of.
    untold: BTreeMap<BotId, BTreeSet<MatchId>>,
    /// To be made durable.
    writes: Vec<Write>,
    /// To be carried out then.
    held: Vec<Held>,
    /// To be counted.
    notes: Vec<Note>,
}

#[derive(Clone, Debug)]
struct BotState {
    house: bool,
    registered: crate::moment::Wall,
    versions: Vec<Version>,
    pause: Option<Pause>,
    /// Whether it failed, for each of its last matches.
    recent: Vec<bool>,
}

/// Something to be carried out as soon as everything before it is durable. What it says is worked
/// out then, so that it is never out of date.
#[derive(Debug)]
enum Held {
    Out(Output),
    /// The first event of a session.
    Snapshot {
        bot: BotId,
        session: u64,
    },
    /// The seats of a match are called.
    Call {
        id: MatchId,
    },
    /// A decision is due.
    Turn {
        id: MatchId,
        turn: u32,
    },
}

impl std::fmt::Debug for Hall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hall").field("matches", &self.matches.len()).finish_non_exhaustive()
    }
}

impl Hall {
    /// An arena that goes on where the store left off.
    #[must_use]
    pub fn new(saved: Saved, settings: Settings, entropy: Box<dyn Entropy>, now: Now) -> Self {
        let Saved { owners, bots, tokens, invitations, standings, running, untold } = saved;
        let registrations = accounts::registrations(&bots);
        let mut ladder = Ladder::default();
        for (pool, player, standing) in standings {
            ladder.set(pool, player, standing);
        }
        let mut hall = Self {
            settings,
            entropy,
            began: now.time,
            ticked: now.time,
            owners: owners.into_iter().collect(),
            bots: bots.into_iter().map(known).collect(),
            revoked: BTreeSet::new(),
            tokens: tokens.into_iter().map(|token| (token.public.clone(), token)).collect(),
            invitations: invitations.into_iter().collect(),
            ladder,
            sessions: BTreeMap::new(),
            leaving: BTreeMap::new(),
            matches: BTreeMap::new(),
            finished: BTreeMap::new(),
            challengers: BTreeMap::new(),
            challenge_requests: BTreeMap::new(),
            registrations,
            matchmaker: Matchmaker::default(),
            untold: BTreeMap::new(),
            writes: Vec::new(),
            held: Vec::new(),
            notes: Vec::new(),
        };
        for (id, bot) in untold {
            hall.untold.entry(bot).or_default().insert(id);
        }
        for saved in running {
            hall.go_on_with(&saved, now);
        }
        hall
    }

    /// Goes on with a match; one whose events make no sense is called off, and nobody loses by it.
    fn go_on_with(&mut self, saved: &SavedMatch, now: Now) {
        let id = saved.spec.id.clone();
        match Match::replay(saved, now.time) {
            Ok(run) => {
                // A house bot thinks again; the others are told when they come back, and their
                // clocks stand until then.
                if run.thinker().is_some() {
                    self.held.push(Held::Turn { id: id.clone(), turn: run.turn() });
                }
                self.remember_challenge(run.spec(), now.time);
                self.matches.insert(id, run);
            }
            Err(corrupt) => self.call_off(saved, &corrupt, now),
        }
    }

    fn call_off(&mut self, saved: &SavedMatch, corrupt: &Corrupt, now: Now) {
        tracing::error!(%corrupt, "a match cannot be gone on with: it is called off");
        let reasons = vec![EndReason::ServerError; saved.spec.seats.len()];
        let why = "the server could not go on".to_owned();
        let event = Event::Voided { at: now.wall, seats: reasons.clone(), why };
        let seq = u32::try_from(saved.events.len()).unwrap_or(u32::MAX);
        let id = saved.spec.id.clone();
        for seat in &saved.spec.seats {
            if let Seat::Remote(player) = seat {
                self.untold.entry(player.bot.clone()).or_default().insert(id.clone());
            }
        }
        self.writes.push(Write::Event { id: id.clone(), seq, event });
        let seats = reasons
            .into_iter()
            .map(|reason| crate::record::SeatEnd { placement: 0, reason, total: 0 })
            .collect();
        let ended = Ended { id, at: now.wall, seats, rated: false, standings: Vec::new() };
        self.writes.push(Write::Ended(ended));
    }

    /// Time has passed: clocks, absences, and new tables.
    pub fn tick(&mut self, now: Now) {
        if now.time.since(self.ticked) > STANDSTILL {
            self.began = now.time;
        }
        self.ticked = now.time;
        self.finished.retain(|_, (_, since)| now.time.since(*since) <= REPEATS);
        self.ping(now.time);
        // Hundreds of matches are looked at here all the time, and nearly always nothing happens.
        let mut happened = Vec::new();
        for (id, run) in &mut self.matches {
            let presence = sessions::presence(&self.sessions, self.began, run);
            let happenings = run.tick(now, &presence);
            if !happenings.is_empty() {
                happened.push((id.clone(), happenings));
            }
        }
        for (id, happenings) in happened {
            self.happened(&id, happenings, now);
        }
        self.make_tables(now);
    }

    /// What is to be made durable before anything else happens.
    #[must_use]
    pub fn take_writes(&mut self) -> Vec<Write> {
        std::mem::take(&mut self.writes)
    }

    /// Everything is durable: what follows from it.
    #[must_use]
    pub fn release(&mut self, now: Now) -> Vec<Output> {
        let held = std::mem::take(&mut self.held);
        let mut outputs = Vec::new();
        for held in held {
            match held {
                Held::Out(Output::Tell { bot, session, event, .. }) => {
                    self.tell(&bot, session, *event, &mut outputs);
                }
                Held::Out(output) => outputs.push(output),
                Held::Snapshot { bot, session } => {
                    outputs.extend(self.snapshot(&bot, session, now.time));
                }
                Held::Call { id } => self.announce_call(&id, now.time, &mut outputs),
                Held::Turn { id, turn } => self.announce_turn(&id, turn, now.time, &mut outputs),
            }
        }
        self.leaving.clear();
        outputs
    }

    /// Writes down what happened in a match, and lets everyone know once it is durable.
    fn happened(&mut self, id: &MatchId, happenings: Vec<Happening>, now: Now) {
        if happenings.is_empty() {
            return;
        }
        for Happening { seq, event, played } in happenings {
            self.announce(id, &event, played.as_ref());
            let note = self.matches.get(id).and_then(|run| notes::of_event(run, &event));
            self.notes.extend(note);
            self.writes.push(Write::Event { id: id.clone(), seq, event });
        }
        let Some(run) = self.matches.get(id) else { return };
        if run.is_over() {
            self.finish(id, now);
        } else if run.due().is_some() {
            let turn = run.turn();
            self.held.push(Held::Turn { id: id.clone(), turn });
        }
    }

    /// What is still to happen is at most this far away.
    #[must_use]
    pub const fn tick_every() -> Duration {
        Duration::from_millis(50)
    }

    fn random<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.entropy.fill(&mut bytes);
        bytes
    }
}

fn known(saved: SavedBot) -> (BotId, BotState) {
    let SavedBot { bot, house, registered, versions, pause, recent, request: _ } = saved;
    (bot, BotState { house, registered, versions, pause, recent })
}

/// The time of the last sign of life that a bot must give to count as there.
fn is_recent(heard: Time, now: Time, within: Duration) -> bool {
    now.since(heard) <= within
}
