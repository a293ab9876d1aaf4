//! Applies committed writes to the shadow matches, and counts them.

use azulejo_arena::names::MatchId;
use azulejo_arena::pool::TimeClass;
use azulejo_arena::record::{EndReason, Event, Origin};
use azulejo_arena::store::{Ended, Write};
use azulejo_engine::Ruleset;

use crate::character::Character;
use crate::shadow::Shadow;
use crate::world::World;

impl World {
    pub(crate) fn durable(&mut self, server: usize, writes: &[Write]) {
        for write in writes {
            match write {
                Write::Match { spec, secret } => {
                    let shadow = Shadow::new(spec, secret);
                    self.count_table(&shadow);
                    self.checker.observed[server].asked.insert(spec.id.clone(), self.now);
                    self.checker.shadows.insert(spec.id.clone(), shadow);
                }
                Write::Event { id, event, .. } => {
                    if let Event::Moved { turn, receipt: Some(_), .. } = event {
                        self.checker.observed[server].decided.insert((id.clone(), *turn));
                    }
                    self.take_in(id, event);
                }
                Write::Ended(ended) => self.count_end(ended),
                Write::EndDelivered { id, bot } => {
                    let bot = &self.bots[self.who[bot]];
                    assert!(bot.ends.contains(id), "{} never received the end of {id}", bot.id);
                }
                Write::Pause { pause: Some(_), .. } => self.tally.add("bot: paused"),
                _ => {}
            }
        }
        for write in writes {
            if let Write::Event { id, .. } = write {
                self.is_settled(id);
            }
        }
    }

    fn take_in(&mut self, id: &MatchId, event: &Event) {
        self.checker.shadows.get_mut(id).unwrap().fold(event);
        let shadow = &self.checker.shadows[id];
        if shadow.over.is_some() {
            self.checker.over.insert(id.clone(), self.now);
        }
        match event {
            Event::Forfeited { seat, reason, .. } => {
                let bot = &self.bots[self.who[shadow.bot(*seat).unwrap()]];
                let fault = bot.character != Character::Prompt;
                assert!(fault, "{} always answers at once, but: {reason:?}", bot.id);
                self.tally.add(match (shadow.out.len(), shadow.stays()) {
                    (2, _) => "forfeit: 2 seats, the end",
                    (_, 1) => "forfeit: the last one left wins",
                    _ => "forfeit: 3-4 seats, the house plays on",
                });
            }
            Event::Voided { seats, .. } => {
                for (seat, reason) in seats.iter().enumerate() {
                    let bot = shadow.bot(seat).map(|bot| &self.bots[self.who[bot]]);
                    let late = *reason == EndReason::NoShow;
                    let prompt = bot.is_some_and(|bot| bot.character == Character::Prompt);
                    assert!(!(late && prompt), "{} is always ready", bot.unwrap().id);
                }
                self.tally.add("match: voided");
            }
            Event::Ready { .. }
            | Event::Started { .. }
            | Event::Moved { .. }
            | Event::Refused(_)
            | Event::Ended { .. } => {}
        }
    }

    /// Between two batches a match is over and has an end, or a decision is due.
    fn is_settled(&self, id: &MatchId) {
        let (shadow, row) = (&self.checker.shadows[id], &self.store.rows.matches[id]);
        assert_eq!(shadow.over.is_some(), row.end.is_some(), "an event and an end, or neither");
        if shadow.is_playing() {
            let due = shadow.due().expect("a game that is over has an end");
            assert!(shadow.stays() >= 2, "the last one left has won");
            assert!(shadow.plays(due) || shadow.is_house(due), "the house plays on at once");
        }
        if let (Some(over), Some(end)) = (&shadow.over, &row.end) {
            let ladder = shadow.spec.origin == Origin::Ladder;
            let has_result = over.iter().all(|seat| seat.placement > 0);
            assert_eq!(*over, end.seats);
            assert_eq!(end.rated, ladder && has_result, "a voided match is not rated");
            assert_eq!(end.standings.is_empty(), !end.rated);
        }
    }

    fn count_table(&mut self, shadow: &Shadow) {
        let spec = &shadow.spec;
        self.tally.add(&format!("table of {}", spec.seats.len()));
        self.tally.add(match spec.pool.ruleset {
            Ruleset::Azul(_) => "game: azul",
            Ruleset::SummerPavilion(_) => "game: summer pavilion",
        });
        self.tally.add(match spec.pool.time_class {
            TimeClass::Bullet => "clock: bullet",
            TimeClass::Blitz => "clock: blitz",
            TimeClass::Rapid => "clock: rapid",
        });
        if spec.block != spec.id {
            self.tally.add("match: rotation");
        }
        if spec.origin == Origin::Challenge {
            self.tally.add("match: challenge");
        }
    }

    fn count_end(&mut self, ended: &Ended) {
        for seat in &ended.seats {
            self.tally.add(match seat.reason {
                EndReason::Finished => "end: finished",
                EndReason::Resigned => "end: resigned",
                EndReason::OutOfTime => "end: out of time",
                EndReason::IllegalMoves => "end: illegal moves",
                EndReason::Gone => "end: gone",
                EndReason::NoShow => "end: no show",
                EndReason::CalledOff => "end: called off",
                EndReason::ServerError => "end: server error",
            });
        }
        let winners = ended.seats.iter().filter(|seat| seat.placement == 1).count();
        if winners > 1 {
            self.tally.add("match: tie");
        }
        if ended.rated {
            self.tally.add("match: rated");
        }
    }
}
