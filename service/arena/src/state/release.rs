//! After the commit: what was held back becomes effects.

use super::{AfterCommit, ArenaState, Effect};
use crate::event::{MatchStarting, PlayEvent, Seating, Snapshot, Turn};
use crate::match_run::{Match, Phase};
use crate::names::{BotId, MatchId};
use crate::record::Seat;
use crate::time::{Now, Time};

/// Ends of matches in one snapshot.
const ENDS_PER_SNAPSHOT: usize = 20;

impl ArenaState {
    /// Everything is durable: returns the effects to carry out.
    #[must_use]
    pub fn release(&mut self, now: Now) -> Vec<Effect> {
        let held = std::mem::take(&mut self.after_commit);
        let mut effects = Vec::with_capacity(held.len());
        for held in held {
            match held {
                AfterCommit::Effect(effect) => effects.push(effect),
                AfterCommit::Send { bot, session, event } => {
                    self.send_event(&bot, session, event, &mut effects);
                }
                AfterCommit::Snapshot { bot, session } => {
                    self.send_snapshot(&bot, session, now.time, &mut effects);
                }
                AfterCommit::Call { id } => self.send_call(&id, now.time, &mut effects),
                AfterCommit::Turn { id, turn } => {
                    self.send_turn(&id, turn, now.time, &mut effects);
                }
            }
        }
        self.leaving.clear();
        effects
    }

    /// Sends an event. It gets its number here, in the order in which events leave.
    fn send_event(
        &mut self,
        bot: &BotId,
        number: u64,
        event: PlayEvent,
        effects: &mut Vec<Effect>,
    ) {
        let seq = if let Some(session) = self.sessions.get_mut(bot)
            && session.number == number
        {
            session.seq += 1;
            if let PlayEvent::MatchEnded { finished, .. } = &event {
                session.sent_ends.push((session.seq, finished.run.spec().id.clone()));
            }
            session.seq
        } else if let Some(seq) = self.leaving.get_mut(&number) {
            // A session that was replaced before its snapshot receives nothing but that news.
            if *seq == 0 && !matches!(event, PlayEvent::Replaced) {
                return;
            }
            *seq += 1;
            *seq
        } else {
            0
        };
        effects.push(Effect::Send { bot: bot.clone(), session: number, seq, event });
    }

    /// Sends the first event of a session.
    fn send_snapshot(&mut self, bot: &BotId, number: u64, now: Time, effects: &mut Vec<Effect>) {
        let Some(session) = self.sessions.get_mut(bot).filter(|found| found.number == number)
        else {
            return;
        };
        session.seq += 1;
        let (seq, version) = (session.seq, session.version.clone());
        let ended = self.undelivered_ends.get(bot).into_iter().flatten();
        let ended: Vec<MatchId> = ended.take(ENDS_PER_SNAPSHOT).cloned().collect();
        session.sent_ends.extend(ended.iter().map(|id| (seq, id.clone())));
        let own = self.matches.values().filter_map(|run| Some((run, run.seat_of(bot)?)));
        let seatings: Vec<Seating> = own
            .map(|(run, seat)| {
                let asked = matches!(run.phase(), Phase::Gathering { .. }) && !run.is_ready(seat);
                let turn = turn_of(run, seat, now).filter(|_| !run.is_house(seat));
                Seating {
                    seat,
                    run: std::sync::Arc::clone(run),
                    ready_timeout: asked.then(|| run.time_to_be_ready(now)),
                    turn: turn.map(Box::new),
                }
            })
            .collect();
        for Seating { turn, .. } in &seatings {
            // The turn leaves with the snapshot: its clock starts.
            if let Some(turn) = turn
                && let Some(run) = self.match_mut(&turn.match_id)
            {
                run.turn_sent(turn.turn, now);
            }
        }
        let pause = self.bots.get(bot).and_then(|known| known.pause.clone());
        let snapshot = Snapshot { bot: bot.clone(), version, seatings, ended, pause };
        let event = PlayEvent::Snapshot(Box::new(snapshot));
        effects.push(Effect::Send { bot: bot.clone(), session: number, seq, event });
    }

    /// Asks the seats whether they are ready: their time to answer starts.
    fn send_call(&mut self, id: &MatchId, now: Time, effects: &mut Vec<Effect>) {
        let Some(run) = self.match_mut(id) else { return };
        run.announced(now);
        let Some(run) = self.matches.get(id).cloned() else { return };
        for (seat, player) in run.spec().seats.iter().enumerate() {
            let Seat::Remote(player) = player else { continue };
            if let Some(session) = self.up_to_date(&player.bot) {
                let ready_timeout = run.time_to_be_ready(now);
                let run = std::sync::Arc::clone(&run);
                let starting = MatchStarting { run, seat, ready_timeout };
                self.send_event(&player.bot, session, PlayEvent::MatchStarting(starting), effects);
            }
        }
    }

    /// Sends a turn to its bot, or has a house bot search for a move.
    fn send_turn(&mut self, id: &MatchId, turn: u32, now: Time, effects: &mut Vec<Effect>) {
        let Some(run) = self.matches.get(id) else { return };
        let (Some(seat), true) = (run.due(), run.turn() == turn) else { return };
        if let (Some(bot), Some(&table)) = (run.searching_bot(), run.table()) {
            let owner = run.spec().challenger().map(|bot| bot.owner().clone());
            let (id, table) = (id.clone(), Box::new(table));
            effects.push(Effect::Search { id, turn, bot, table, owner });
            return;
        }
        let Some(bot) = run.spec().seats[seat].player().map(|player| player.bot.clone()) else {
            return;
        };
        // A bot that has not reconnected after a restart gets the turn with its snapshot; its clock
        // stands until then, or until it is counted as gone.
        let Some(session) = self.up_to_date(&bot) else { return };
        let Some(run) = self.match_mut(id) else { return };
        run.turn_sent(turn, now);
        let Some(turn) = turn_of(run, seat, now) else { return };
        self.send_event(&bot, session, PlayEvent::Turn(Box::new(turn)), effects);
    }
}

/// The turn that is due, if it is this seat's.
fn turn_of(run: &Match, seat: usize, now: Time) -> Option<Turn> {
    let table = *run.table()?;
    (run.due() == Some(seat)).then(|| Turn {
        match_id: run.spec().id.clone(),
        turn: run.turn(),
        seat,
        table,
        time_left: run.left(seat, now),
        previous_receipt: run.last_receipt(seat),
        illegal_tries: run.illegal_tries(),
        step: run.steps() + 1,
    })
}
