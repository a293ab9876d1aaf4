//! One bot of the swarm. Its think time is drawn when the turn arrives and does not depend on the
//! server: a slow server does not get less load.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use azulejo_arena::pool::Pool;
use azulejo_bots::Dice;
use azulejo_sdk::arena::{EndReason, MatchEnded, MatchStarted, MatchStarting, MoveMade, Snapshot};
use azulejo_sdk::{Accepted, Bot, Turn, Unfair};

use super::journal::AckedMove;
use super::swarm::{Counts, Swarm};

/// A bank with less than this beyond the next think time is nearly empty.
const SHORT: Duration = Duration::from_secs(1);
/// A bot that thought for this much less than it had was not slow itself.
const CLEARLY: Duration = Duration::from_millis(100);

/// An answer without a receipt after this time was refused.
const REFUSED_AFTER: Duration = Duration::from_mins(2);

/// How a bot answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    /// With a legal move, after its think time.
    Well,
    Never,
    Illegally,
}

#[derive(Clone, Debug)]
pub(super) struct SwarmBot(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    number: u32,
    answers: Answers,
    bad: bool,
    swarm: Arc<Swarm>,
    connections: AtomicU32,
    unfinished: Mutex<Unfinished>,
}

/// Matches and turns that are not over yet.
#[derive(Debug, Default)]
struct Unfinished {
    seats: HashMap<String, OpenSeat>,
    /// Turns without a receipt, by match and turn. A receipt may arrive after the next turn, or after
    /// the end of the match.
    turns: HashMap<(String, u32), PendingTurn>,
}

/// A seat in a match that is not over.
#[derive(Debug)]
struct OpenSeat {
    bank: Duration,
    increment: Duration,
    /// Total of the turns with a receipt.
    thought: Duration,
    turns: u32,
}

/// A turn that was received and has no receipt yet.
#[derive(Clone, Copy, Debug)]
struct PendingTurn {
    notation: u32,
    first_seen: Instant,
    seen: Instant,
    decided: Option<Instant>,
}

impl SwarmBot {
    pub(super) fn new(number: u32, answers: Answers, bad: bool, swarm: Arc<Swarm>) -> Self {
        let (connections, unfinished) = (AtomicU32::new(0), Mutex::default());
        Self(Arc::new(Inner { number, answers, bad, swarm, connections, unfinished }))
    }

    pub(super) fn is_connected(&self) -> bool {
        self.0.connections.load(Ordering::Relaxed) > 0
    }

    /// Whether it has no seat in a running match, as far as it knows.
    pub(super) fn is_idle(&self) -> bool {
        self.0.unfinished().seats.is_empty()
    }
}

impl Inner {
    fn unfinished(&self) -> MutexGuard<'_, Unfinished> {
        self.unfinished.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A repeated turn gets the same answer after the same time.
    fn dice(&self, turn: &Turn) -> Dice {
        let start = self.swarm.think_time.seed ^ u64::from(turn.turn) << 32;
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Dice::new(turn.match_id.bytes().fold(start, hash))
    }

    /// How long to think about a turn.
    fn think_time(&self, turn: &Turn, dice: &mut Dice) -> Duration {
        let settings = self.swarm.think_time;
        let spread = 1.0 + settings.jitter * (2.0 * f64::from(dice.share()) - 1.0);
        let think = settings.think.mul_f64(spread);
        let left = turn.time_left.and_then(|left| left.try_into().ok()).unwrap_or(Duration::MAX);
        if think.saturating_add(SHORT) <= left {
            return think;
        }
        self.swarm.observed().counts.hurried += 1;
        think.min(left / 8)
    }

    /// Records a turn; it may be a repeated one.
    fn record_turn(&self, turn: &Turn, notation: &str, arrived: Instant) {
        let mut unfinished = self.unfinished();
        let notation = {
            let mut observed = self.swarm.observed();
            observed.traffic.turn(turn);
            observed.journal.notations.number(notation)
        };
        let fresh = PendingTurn { notation, first_seen: arrived, seen: arrived, decided: None };
        let key = (turn.match_id.clone(), turn.turn);
        let pending = unfinished.turns.entry(key).or_insert(fresh);
        *pending = PendingTurn { first_seen: pending.first_seen, ..fresh };
    }

    fn decided(&self, turn: &Turn) {
        let key = (turn.match_id.clone(), turn.turn);
        if let Some(pending) = self.unfinished().turns.get_mut(&key) {
            pending.decided = Some(Instant::now());
        }
    }

    /// Whether the bot has clearly used less time than its seat had.
    fn had_time(&self, id: &str, seat: &OpenSeat) -> bool {
        let unfinished = self.unfinished();
        let turns = unfinished.turns.iter().filter(|((at, _), _)| at == id);
        let last = turns.max_by_key(|((_, turn), _)| turn);
        let last = last.map_or(Duration::ZERO, |(_, pending)| {
            pending.decided.unwrap_or_else(Instant::now).saturating_duration_since(pending.seen)
        });
        seat.thought + last + CLEARLY < seat.bank + seat.increment * seat.turns
    }

    fn count_end(&self, had_time: bool, reason: EndReason, counts: &mut Counts) {
        match reason {
            EndReason::Finished => counts.seats_finished += 1,
            EndReason::CalledOff | EndReason::Unspecified => counts.seats_called_off += 1,
            EndReason::ServerError => counts.seats_server_error += 1,
            EndReason::OutOfTime => {
                counts.time_outs += 1;
                counts.time_outs_by_the_server += u64::from(had_time);
                counts.seats_failed += 1;
            }
            EndReason::Resigned | EndReason::IllegalMoves | EndReason::Gone | EndReason::NoShow => {
                counts.seats_failed += 1;
            }
        }
        counts.seated = counts.seated.saturating_sub(1);
        tracing::debug!(bot = self.number, ?reason, "a match is over");
    }
}

impl Bot for SwarmBot {
    fn choose(&self, turn: &Turn) -> u32 {
        let chosen = self.0.dice(turn).below(turn.legal_moves.len());
        turn.legal_moves.get(chosen).map_or(0, |chosen| chosen.action_id)
    }

    async fn decide(self: Arc<Self>, turn: Turn, arrived: Instant) -> Option<u32> {
        let mut dice = self.0.dice(&turn);
        let chosen = turn.legal_moves.get(dice.below(turn.legal_moves.len()))?;
        self.0.record_turn(&turn, &chosen.notation, arrived);
        let think = self.0.think_time(&turn, &mut dice);
        let action_id = match self.0.answers {
            Answers::Well => chosen.action_id,
            Answers::Illegally => u32::MAX,
            Answers::Never => return None,
        };
        tokio::time::sleep_until((arrived + think).into()).await;
        self.0.decided(&turn);
        Some(action_id)
    }

    fn connected(&self, snapshot: &Snapshot) {
        let again = self.0.connections.fetch_add(1, Ordering::Relaxed) > 0;
        let mut observed = self.0.swarm.observed();
        observed.counts.resumes += u64::from(again && !self.0.bad);
        observed.counts.paused += u64::from(snapshot.paused.is_some() && !self.0.bad);
    }

    fn match_starting(&self, starting: &MatchStarting) {
        let Some(called) = &starting.r#match else { return };
        self.0.swarm.observed().traffic.match_starting(starting);
        let pool = called.pool.as_ref().and_then(|pool| pool.name.parse().ok());
        let Some(Pool { time_class, .. }) = pool else { return };
        let mut unfinished = self.0.unfinished();
        unfinished.turns.retain(|_, pending| pending.first_seen.elapsed() < REFUSED_AFTER);
        if let Entry::Vacant(place) = unfinished.seats.entry(called.id.clone()) {
            place.insert(OpenSeat {
                bank: time_class.bank(),
                increment: time_class.increment(),
                thought: Duration::ZERO,
                turns: 0,
            });
            let mut observed = self.0.swarm.observed();
            observed.journal.matches.number(&called.id);
            observed.counts.seated += u64::from(!self.0.bad);
        }
    }

    fn match_started(&self, started: &MatchStarted) {
        self.0.swarm.observed().traffic.match_started(started);
    }

    fn accepted(&self, accepted: &Accepted) {
        let mut unfinished = self.0.unfinished();
        // An answer that was sent twice has one receipt.
        let pending = unfinished.turns.remove(&(accepted.match_id.clone(), accepted.turn));
        let Some(pending) = pending else { return };
        let decided = pending.decided.unwrap_or_else(Instant::now);
        if let Some(seat) = unfinished.seats.get_mut(&accepted.match_id) {
            seat.thought += decided.saturating_duration_since(pending.seen);
            seat.turns += 1;
        }
        drop(unfinished);
        let repeated = pending.first_seen != pending.seen;
        let since_first = decided.saturating_duration_since(pending.first_seen);
        let thought = if repeated { since_first } else { accepted.thought };
        let charged = accepted.receipt.charged_time.and_then(|charged| charged.try_into().ok());
        let mut observed = self.0.swarm.observed();
        let acked = AckedMove {
            at: observed.journal.matches.number(&accepted.match_id),
            turn: accepted.turn,
            notation: pending.notation,
            charged: micros(charged.unwrap_or_default()),
            thought: (!self.0.bad).then(|| micros(thought)),
            repeated,
        };
        observed.record(acked, accepted.answered_in);
        observed.traffic.accepted(accepted);
    }

    fn move_made(&self, made: &MoveMade) {
        self.0.swarm.observed().traffic.move_made(made);
    }

    fn match_ended(&self, ended: &MatchEnded, fair: Option<&Result<(), Unfair>>) {
        let Some(played) = &ended.r#match else { return };
        let seat = self.0.unfinished().seats.remove(&played.id);
        // Before the swarm is locked: elsewhere it is locked after the bot.
        let had_time = seat.map(|seat| self.0.had_time(&played.id, &seat));
        let mut observed = self.0.swarm.observed();
        let at = observed.journal.matches.number(&played.id);
        observed.journal.ends.push((at, self.0.number));
        observed.traffic.match_ended(ended);
        if self.0.bad {
            return;
        }
        observed.counts.deals_checked += u64::from(fair.is_some());
        observed.counts.deals_unfair += u64::from(matches!(fair, Some(Err(_))));
        let result = played.result.as_ref().and_then(|end| end.seats.get(ended.seat as usize));
        // A repeated end counts once.
        if let (Some(had_time), Some(result)) = (had_time, result) {
            self.0.count_end(had_time, result.end_reason(), &mut observed.counts);
        }
    }
}

fn micros(time: Duration) -> u32 {
    u32::try_from(time.as_micros()).unwrap_or(u32::MAX)
}
