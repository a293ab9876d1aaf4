//! One bot of the swarm. When it answers is drawn when the turn arrives, whatever the server does
//! meanwhile: a slow server is not asked less.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use azulejo_arena::pool::Pool;
use azulejo_bots::Dice;
use azulejo_sdk::arena::{EndReason, MatchEnded, MatchStarting, Snapshot};
use azulejo_sdk::{Accepted, Bot, Turn, Unfair};

use super::journal::Promise;
use super::swarm::{Counts, Swarm};

/// A bank with no more than this beyond the next thought is nearly empty.
const SHORT: Duration = Duration::from_secs(1);
/// A bot that thought for so much less than it had was not slow itself.
const CLEARLY: Duration = Duration::from_millis(100);

/// An answer that got no receipt for so long was refused.
const FORGOTTEN: Duration = Duration::from_mins(2);

/// How a bot answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    /// As it should, after its time to think.
    Well,
    Never,
    Illegally,
}

#[derive(Clone, Debug)]
pub(super) struct Member(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    number: u32,
    answers: Answers,
    bad: bool,
    swarm: Arc<Swarm>,
    connections: AtomicU32,
    open: Mutex<Open>,
}

/// What is not over yet.
#[derive(Debug, Default)]
struct Open {
    seats: HashMap<String, Seat>,
    /// By match and turn: those whose receipts have not come. One may come after the next turn, or
    /// after the end of its match.
    dues: HashMap<(String, u32), Due>,
}

/// A match in which the bot sits.
#[derive(Debug)]
struct Seat {
    bank: Duration,
    increment: Duration,
    /// In all turns with a receipt.
    thought: Duration,
    turns: u32,
}

/// A turn that is due, or answered without a receipt so far.
#[derive(Clone, Copy, Debug)]
struct Due {
    word: u32,
    first_seen: Instant,
    seen: Instant,
    decided: Option<Instant>,
}

impl Member {
    pub(super) fn new(number: u32, answers: Answers, bad: bool, swarm: Arc<Swarm>) -> Self {
        let (connections, open) = (AtomicU32::new(0), Mutex::default());
        Self(Arc::new(Inner { number, answers, bad, swarm, connections, open }))
    }

    pub(super) fn is_connected(&self) -> bool {
        self.0.connections.load(Ordering::Relaxed) > 0
    }

    /// Whether it sits in no match that goes on, as far as it knows.
    pub(super) fn is_idle(&self) -> bool {
        self.0.open().seats.is_empty()
    }
}

impl Inner {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same turn always gets the same answer, after the same time: it may be told again.
    fn dice(&self, turn: &Turn) -> Dice {
        let start = self.swarm.habits.seed ^ u64::from(turn.turn) << 32;
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Dice::new(turn.match_id.bytes().fold(start, hash))
    }

    /// When to answer.
    fn patience(&self, turn: &Turn, dice: &mut Dice) -> Duration {
        let habits = self.swarm.habits;
        let spread = 1.0 + habits.jitter * (2.0 * f64::from(dice.share()) - 1.0);
        let think = habits.think.mul_f64(spread);
        let left = turn.time_left.and_then(|left| left.try_into().ok()).unwrap_or(Duration::MAX);
        if think.saturating_add(SHORT) <= left {
            return think;
        }
        self.swarm.notes().counts.hurried += 1;
        think.min(left / 8)
    }

    /// Notes a turn down; the same one may be told again.
    fn see(&self, turn: &Turn, word: &str, arrived: Instant) {
        let word = self.swarm.notes().journal.words.number(word);
        let fresh = Due { word, first_seen: arrived, seen: arrived, decided: None };
        let mut open = self.open();
        let due = open.dues.entry((turn.match_id.clone(), turn.turn)).or_insert(fresh);
        *due = Due { first_seen: due.first_seen, ..fresh };
    }

    fn decided(&self, turn: &Turn) {
        if let Some(due) = self.open().dues.get_mut(&(turn.match_id.clone(), turn.turn)) {
            due.decided = Some(Instant::now());
        }
    }

    /// Whether the time that the seat had was clearly not used up by the bot.
    fn had_time(&self, id: &str, seat: &Seat) -> bool {
        let open = self.open();
        let last =
            open.dues.iter().filter(|((at, _), _)| at == id).max_by_key(|((_, turn), _)| turn);
        let last = last.map_or(Duration::ZERO, |(_, due)| {
            due.decided.unwrap_or_else(Instant::now).saturating_duration_since(due.seen)
        });
        seat.thought + last + CLEARLY < seat.bank + seat.increment * seat.turns
    }

    fn count_end(&self, id: &str, seat: &Seat, reason: EndReason, counts: &mut Counts) {
        match reason {
            EndReason::Finished => counts.seats_finished += 1,
            EndReason::CalledOff | EndReason::Unspecified => counts.seats_called_off += 1,
            EndReason::ServerError => counts.seats_server_error += 1,
            EndReason::OutOfTime => {
                counts.time_outs += 1;
                counts.time_outs_by_the_server += u64::from(self.had_time(id, seat));
                counts.seats_failed += 1;
            }
            EndReason::Resigned | EndReason::IllegalMoves | EndReason::Gone | EndReason::NoShow => {
                counts.seats_failed += 1;
            }
        }
        counts.seated = counts.seated.saturating_sub(1);
        tracing::debug!(member = self.number, ?reason, "a match is over");
    }
}

impl Bot for Member {
    fn choose(&self, turn: &Turn) -> u32 {
        let chosen = self.0.dice(turn).below(turn.legal_moves.len());
        turn.legal_moves.get(chosen).map_or(0, |chosen| chosen.action_id)
    }

    async fn decide(self: Arc<Self>, turn: Turn, arrived: Instant) -> Option<u32> {
        let mut dice = self.0.dice(&turn);
        let chosen = turn.legal_moves.get(dice.below(turn.legal_moves.len()))?;
        self.0.see(&turn, &chosen.notation, arrived);
        let patience = self.0.patience(&turn, &mut dice);
        let action_id = match self.0.answers {
            Answers::Well => chosen.action_id,
            Answers::Illegally => u32::MAX,
            Answers::Never => return None,
        };
        tokio::time::sleep_until((arrived + patience).into()).await;
        self.0.decided(&turn);
        Some(action_id)
    }

    fn connected(&self, snapshot: &Snapshot) {
        let again = self.0.connections.fetch_add(1, Ordering::Relaxed) > 0;
        let mut notes = self.0.swarm.notes();
        notes.counts.resumes += u64::from(again && !self.0.bad);
        notes.counts.paused += u64::from(snapshot.paused.is_some() && !self.0.bad);
    }

    fn match_starting(&self, starting: &MatchStarting) {
        let Some(called) = &starting.r#match else { return };
        let pool = called.pool.as_ref().and_then(|pool| pool.name.parse().ok());
        let Some(Pool { time_class, .. }) = pool else { return };
        let mut open = self.0.open();
        open.dues.retain(|_, due| due.first_seen.elapsed() < FORGOTTEN);
        if let Entry::Vacant(place) = open.seats.entry(called.id.clone()) {
            let (bank, increment) = (time_class.bank(), time_class.increment());
            place.insert(Seat { bank, increment, thought: Duration::ZERO, turns: 0 });
            let mut notes = self.0.swarm.notes();
            notes.journal.matches.number(&called.id);
            notes.counts.seated += u64::from(!self.0.bad);
        }
    }

    fn accepted(&self, accepted: &Accepted) {
        let mut open = self.0.open();
        // The same answer, said twice, has the same receipt.
        let due = open.dues.remove(&(accepted.match_id.clone(), accepted.turn));
        let Some(due) = due else { return };
        let decided = due.decided.unwrap_or_else(Instant::now);
        if let Some(seat) = open.seats.get_mut(&accepted.match_id) {
            seat.thought += decided.saturating_duration_since(due.seen);
            seat.turns += 1;
        }
        drop(open);
        let again = due.first_seen != due.seen;
        let since_first = decided.saturating_duration_since(due.first_seen);
        let thought = if again { since_first } else { accepted.thought };
        let charged = accepted.receipt.charged_time.and_then(|charged| charged.try_into().ok());
        let mut notes = self.0.swarm.notes();
        let promise = Promise {
            at: notes.journal.matches.number(&accepted.match_id),
            turn: accepted.turn,
            word: due.word,
            charged: micros(charged.unwrap_or_default()),
            thought: (!self.0.bad).then(|| micros(thought)),
            again,
        };
        notes.journal.promises.push(promise);
        notes.round_trips.saturating_record(accepted.answered_in.as_micros() as u64);
    }

    fn match_ended(&self, ended: &MatchEnded, fair: Option<&Result<(), Unfair>>) {
        let Some(played) = &ended.r#match else { return };
        let seat = self.0.open().seats.remove(&played.id);
        let mut notes = self.0.swarm.notes();
        let at = notes.journal.matches.number(&played.id);
        notes.journal.ends.push((at, self.0.number));
        if self.0.bad {
            return;
        }
        notes.counts.deals_checked += u64::from(fair.is_some());
        notes.counts.deals_unfair += u64::from(matches!(fair, Some(Err(_))));
        let result = played.result.as_ref().and_then(|end| end.seats.get(ended.seat as usize));
        // Told again after an interruption: it is counted once.
        if let (Some(seat), Some(result)) = (seat, result) {
            self.0.count_end(&played.id, &seat, result.end_reason(), &mut notes.counts);
        }
    }
}

fn micros(time: Duration) -> u32 {
    u32::try_from(time.as_micros()).unwrap_or(u32::MAX)
}
