//! How bots respond to events.

use crate::edge::{Action, Request};
use azulejo_arena::names::MatchId;
use azulejo_arena::record::Bytes32;
use azulejo_arena::time::Time;
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;

use crate::bot::Kind;
use crate::character::Character;
use crate::world::{At, MS, SECOND, World};

impl World {
    /// An event reaches a bot.
    pub(crate) fn reach(
        &mut self,
        bot: usize,
        connection: u64,
        event: pb::PlayEvent,
        ended: Vec<MatchId>,
    ) {
        let own = self.bots[bot].link.is_some_and(|link| link.connection == connection);
        if self.bots[bot].away || !own {
            return;
        }
        self.bots[bot].seen = event.seq;
        self.bots[bot].ends.extend(ended);
        match event.event.unwrap() {
            Told::Snapshot(snapshot) => self.resume(bot, snapshot),
            Told::MatchStarting(starting) => self.be_ready(bot, &starting),
            Told::Turn(turn) => self.think(bot, &turn, false),
            Told::MatchEnded(ended) => {
                self.bots[bot].ends.insert(ended.r#match.unwrap().id.parse().unwrap());
            }
            Told::Ping(_) if self.is_silent(bot) => {}
            Told::Ping(pb::Ping { number }) => {
                let (id, received) = (self.bots[bot].id.clone(), Time::default());
                let ended = self.bots[bot].ends.iter().cloned().collect();
                let request = Request::Heartbeat { bot: id, ping: number, ended, received };
                self.call(bot, request, Kind::Loose);
            }
            Told::Replaced(_) => self.lost(bot, connection),
            Told::Paused(_) => self.bots[bot].paused = true,
            Told::MatchStarted(_) | Told::MoveMade(_) | Told::GoingAway(_) => {}
        }
    }

    /// At the end of a run even silent bots answer.
    fn is_silent(&self, bot: usize) -> bool {
        self.bots[bot].character == Character::Silent && !self.calm
    }

    fn resume(&mut self, bot: usize, snapshot: pb::Snapshot) {
        self.bots[bot].paused = snapshot.paused.is_some();
        for seating in snapshot.seatings {
            if let Some(starting) = &seating.starting {
                self.be_ready(bot, starting);
            }
            if let Some(turn) = &seating.turn {
                self.think(bot, turn, true);
            }
        }
    }

    fn be_ready(&mut self, bot: usize, starting: &pb::MatchStarting) {
        let id: MatchId = starting.r#match.as_ref().unwrap().id.parse().unwrap();
        let character = self.bots[bot].character;
        if character == Character::NeverReady && self.dice.permille(600) {
            return;
        }
        let name = self.bots[bot].id.clone();
        if character == Character::Resigner && self.dice.permille(100) {
            return self.call(bot, Request::Resign { bot: name, id }, Kind::Firm);
        }
        let nonce = self.bots[bot].nonce(&id);
        let request = Request::Ready { bot: name.clone(), id: id.clone(), nonce };
        let slowest = if character == Character::Prompt { 20 * MS } else { 2 * SECOND };
        let at = self.now + self.dice.between(0, slowest);
        self.say_at(at, bot, request, Kind::Firm);
        if character == Character::TwoNonces {
            let nonce = Bytes32(self.dice.bytes());
            let at = at + SECOND;
            self.say_at(at, bot, Request::Ready { bot: name, id, nonce }, Kind::Loose);
        }
    }

    /// Decides. A turn in a snapshot is answered again: the first answer may be lost.
    fn think(&mut self, bot: usize, turn: &pb::Turn, again: bool) {
        let id: MatchId = turn.match_id.parse().unwrap();
        let before = self.bots[bot].turns.insert(id.clone(), turn.turn);
        if before == Some(turn.turn) && !again {
            return;
        }
        let character = self.bots[bot].character;
        let left = turn.time_left.as_ref().unwrap();
        let left = At::try_from(left.seconds * 1_000_000 + i64::from(left.nanos / 1_000)).unwrap();
        let dice = &mut self.bots[bot].dice;
        let time = match character {
            Character::Prompt => dice.between(MS, 20 * MS),
            Character::Slow => dice.between(50 * MS, 500 * MS),
            Character::Mute | Character::Silent => return,
            // Just too late, or much too late.
            Character::Late if dice.permille(60) => {
                let late = *dice.pick(&[5 * MS, 30 * MS, 90 * MS, 400 * MS]);
                left + dice.between(0, late)
            }
            _ => dice.between(5 * MS, 80 * MS),
        };
        let chosen = dice.pick(&turn.legal_moves).clone();
        let action = match dice.below(3) {
            0 => Action::Id(chosen.action_id),
            1 => Action::Notation(chosen.notation),
            _ => Action::Typed(chosen.r#move.unwrap()),
        };
        let at = self.now + time;
        if character == Character::Resigner && self.dice.permille(40) {
            let name = self.bots[bot].id.clone();
            return self.say_at(at, bot, Request::Resign { bot: name, id }, Kind::Firm);
        }
        self.misbehave(bot, turn, at);
        let request = self.submit(bot, &id, turn.turn, action.clone());
        self.say_at(at, bot, request.clone(), Kind::Submit { legal: true });
        if character == Character::Twice {
            let again = at + self.dice.between(0, 300 * MS);
            self.say_at(again, bot, request, Kind::Submit { legal: true });
        }
    }

    /// Wrong answers that some bots send before their decision.
    fn misbehave(&mut self, bot: usize, turn: &pb::Turn, at: At) {
        let id: MatchId = turn.match_id.parse().unwrap();
        match self.bots[bot].character {
            Character::Illegal(tries) if self.dice.permille(80) => {
                let offered: Vec<u32> =
                    turn.legal_moves.iter().map(|each| each.action_id).collect();
                for _ in 0..tries {
                    let wrong = (0..10_000).find(|id| !offered.contains(id)).unwrap();
                    let action = match self.dice.below(3) {
                        0 => Action::Id(wrong),
                        1 => Action::Notation("no such move".to_owned()),
                        _ => Action::Id(u32::MAX),
                    };
                    let request = self.submit(bot, &id, turn.turn, action);
                    self.say_at(self.now, bot, request, Kind::Submit { legal: false });
                }
            }
            Character::Stale => {
                let other = match self.dice.below(3) {
                    // So far ahead that it cannot become due before this arrives.
                    0 => turn.turn + 50,
                    1 => turn.turn.saturating_sub(1),
                    _ => turn.turn.saturating_sub(3),
                };
                if other != turn.turn {
                    let request = self.submit(bot, &id, other, Action::Id(0));
                    self.say_at(at, bot, request, Kind::Loose);
                }
            }
            _ => {}
        }
    }

    pub(crate) fn submit(&self, bot: usize, id: &MatchId, turn: u32, action: Action) -> Request {
        let (bot, id) = (self.bots[bot].id.clone(), id.clone());
        Request::Submit { bot, id, turn, action, received: Time::default() }
    }
}
