//! What bots do without an event: disconnect, flood, challenge, change their offer.

use crate::edge::{Action, Request};
use azulejo_arena::command::Opponent;
use azulejo_arena::names::MatchId;
use azulejo_arena::record::Bytes32;

use crate::bot::{Errand, Kind};
use crate::character::Character;
use crate::world::{MS, Occurrence, SECOND, World};

impl World {
    pub(crate) fn act(&mut self, bot: usize) {
        if self.calm {
            return;
        }
        let at = self.now + self.dice.between(SECOND, 6 * SECOND);
        self.plan(at, Occurrence::Wake { bot, errand: Errand::Act });
        if self.bots[bot].away {
            return;
        }
        if self.bots[bot].paused && self.dice.permille(400) {
            let (name, by) = (self.bots[bot].id.clone(), self.bots[bot].id.owner().clone());
            self.bots[bot].paused = false;
            self.tally.add("bot: resumed");
            self.call(bot, Request::Resume { by, bot: name }, Kind::Firm);
        }
        match self.bots[bot].character {
            Character::Vanisher if self.dice.permille(300) => self.vanish(bot),
            Character::TwoSessions if self.dice.permille(500) => self.open_second_session(bot),
            Character::Flooder => self.flood(bot),
            Character::Challenger => self.challenge(bot),
            Character::Fickle if self.dice.permille(400) => self.change(bot),
            Character::Resigner if self.dice.permille(100) => {
                let known = self.bots[bot].turns.keys().cloned().collect::<Vec<_>>();
                if !known.is_empty() {
                    let id = self.dice.pick(&known).clone();
                    let name = self.bots[bot].id.clone();
                    self.call(bot, Request::Resign { bot: name, id }, Kind::Firm);
                }
            }
            _ => {}
        }
    }

    /// Opens a second session, while the first one still polls.
    fn open_second_session(&mut self, bot: usize) {
        let before = self.bots[bot].link;
        self.wake(bot, Errand::Fresh);
        if let Some(session) = before.and_then(|link| link.session) {
            let name = self.bots[bot].id.clone();
            let request = Request::Poll { bot: name, session, seen: 1_000, hello: None };
            self.say_at(self.now + 200 * MS, bot, request, Kind::Loose);
        }
    }

    /// Sends requests of all kinds, most of them invalid.
    fn flood(&mut self, bot: usize) {
        let running: Vec<MatchId> = self.checker.running().cloned().collect();
        for _ in 0..self.dice.between(3, 15) {
            let id = if running.is_empty() || self.dice.permille(200) {
                MatchId::from_random(self.dice.bytes())
            } else {
                self.dice.pick(&running).clone()
            };
            let name = self.bots[bot].id.clone();
            let own = self.checker.seat_of(&id, &name).is_some();
            let request = match self.dice.below(4) {
                0 => Request::Ready { bot: name, id, nonce: Bytes32(self.dice.bytes()) },
                1 if own => {
                    // It may or may not be its turn when this arrives.
                    let turn = self.checker.shadows[&id].turn();
                    let request = self.submit(bot, &id, turn, Action::Id(u32::MAX));
                    self.say_at(self.now, bot, request, Kind::Submit { legal: false });
                    continue;
                }
                1 => self.submit(bot, &id, 0, Action::Id(0)),
                2 if !own => Request::Resign { bot: name, id },
                _ => Request::Heartbeat {
                    bot: name,
                    ping: self.dice.between(0, 3),
                    ended: Vec::new(),
                    received: azulejo_arena::time::Time::default(),
                },
            };
            let at = self.now + self.dice.between(0, SECOND);
            self.say_at(at, bot, request, Kind::Loose);
        }
    }

    fn challenge(&mut self, bot: usize) {
        let pool = *self.dice.pick(&self.pools);
        let mut opponents = Vec::new();
        for _ in 1..pool.players() {
            let other = self.dice.below(self.bots.len());
            opponents.push(match self.dice.below(5) {
                0 => Opponent::House("random".parse().unwrap()),
                1 => Opponent::House("greedy".parse().unwrap()),
                2 => Opponent::House("strong".parse().unwrap()),
                _ => Opponent::Bot(self.bots[other].id.clone()),
            });
        }
        let request = Request::Challenge {
            by: self.bots[bot].id.clone(),
            ruleset: pool.ruleset,
            time_class: pool.time_class,
            opponents,
            seat: self.dice.below(pool.players()),
            request: None,
        };
        self.call(bot, request, Kind::Loose);
    }

    /// Another version, or another offer.
    fn change(&mut self, bot: usize) {
        if self.dice.permille(300) {
            self.bots[bot].version += 1;
            self.tally.add("bot: new version");
        } else {
            let pool = *self.dice.pick(&self.pools);
            self.bots[bot].offer.pools = vec![pool];
            self.bots[bot].offer.plays_ladder = !self.dice.permille(300);
            self.bots[bot].offer.concurrent_matches =
                u32::try_from(self.dice.between(0, 3)).unwrap();
        }
        self.wake(bot, Errand::Fresh);
    }
}
