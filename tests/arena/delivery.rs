//! Delivers what an arena sends: answers, events, and the searches of house bots.

use crate::edge::{Answer, Output, Request, Ticket};
use azulejo_arena::names::MatchId;
use azulejo_arena::state::Refusal;
use azulejo_engine::HouseBot;
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;

use crate::bot::Kind;
use crate::character::Character;
use crate::world::{At, MS, Occurrence, World};

impl World {
    pub(crate) fn release(&mut self, server: usize) {
        let now = self.servers[server].now(self.now, self.wall);
        let outputs = self.servers[server].arena.as_mut().unwrap().release(now);
        if outputs.is_empty() {
            return;
        }
        self.trace(&outputs);
        self.check_outputs(server, &outputs);
        for output in &outputs {
            if let Output::Answer(Ticket(ticket), answer) = output
                && let Ok(Answer::Opened { session }) = **answer
            {
                let bot = self.calls[ticket].bot;
                self.servers[server].pipes.insert((bot, session), (*ticket, self.now));
            }
        }
        for output in outputs {
            self.carry_out(server, output);
        }
    }

    fn carry_out(&mut self, server: usize, output: Output) {
        match output {
            Output::Answer(Ticket(ticket), answer) => self.carry_answer(server, ticket, answer),
            Output::Tell { bot, session, event, ended } => {
                let bot = self.who[&bot];
                self.carry_event(server, (bot, session), event, ended);
            }
            Output::Close { bot, session } => {
                let bot = self.who[&bot];
                if let Some((connection, at)) = self.servers[server].pipes.remove(&(bot, session)) {
                    self.plan(at.max(self.now) + 1, Occurrence::Lost { bot, connection });
                }
            }
            Output::Think { id, turn, table, .. } => {
                self.tally.add("house: thought");
                let action = table.choose(HouseBot::Greedy, turn.into());
                let at = self.now + self.dice.between(MS, 300 * MS);
                let request = Request::Thought { id, turn, action };
                self.plan(at, Occurrence::Arrive { server, ticket: None, request });
            }
            Output::Watch { .. } | Output::Token => {}
        }
    }

    fn carry_answer(&mut self, server: usize, ticket: u64, answer: Box<Result<Answer, Refusal>>) {
        let call = &self.calls[&ticket];
        let (bot, opens) = (call.bot, call.kind == Kind::Open);
        let net = self.bots[bot].net.clone();
        let mut at = self.now + net.way(&mut self.dice);
        if let (true, Ok(Answer::Opened { session })) = (opens, &*answer) {
            // The answer arrives on the same stream as the events.
            let pipe = self.servers[server].pipes.get_mut(&(bot, *session));
            let Some((_, last)) = pipe else { return };
            at = at.max(*last + 1);
            *last = at;
        } else if self.dice.permille(net.loss) {
            return self.tally.add("net: answer lost");
        }
        self.plan(at, Occurrence::Answered { bot, ticket, answer });
    }

    fn carry_event(
        &mut self,
        server: usize,
        (bot, session): (usize, u64),
        event: Box<pb::PlayEvent>,
        ended: Vec<MatchId>,
    ) {
        if !self.servers[server].pipes.contains_key(&(bot, session)) {
            return;
        }
        let net = self.bots[bot].net.clone();
        let turns = turns_in(&event);
        let mut left = self.now;
        if !turns.is_empty() {
            left += self.dice.between(0, net.fetch);
            let reported =
                self.bots[bot].character != Character::SlowFetcher || !self.dice.permille(300);
            self.tally.add(match (reported, left - self.now) {
                (false, _) => "clock: never fetched",
                (true, wait) if wait > 250 * MS => "clock: fetched late",
                (true, _) => "clock: fetched",
            });
            for (id, turn) in turns.into_iter().filter(|_| reported) {
                let at = azulejo_arena::time::Time::default();
                let request = Request::Fetched { id, turn, at };
                self.plan(left, Occurrence::Arrive { server, ticket: None, request });
            }
        }
        if self.dice.permille(net.cut) {
            return self.cut(server, bot, session);
        }
        let at = left + net.way(&mut self.dice);
        let (connection, last) = self.servers[server].pipes.get_mut(&(bot, session)).unwrap();
        let (connection, at): (u64, At) = (*connection, at.max(*last + 1));
        *last = at;
        self.plan(at, Occurrence::Reach { bot, connection, event, ended });
    }

    /// A connection breaks: what is in transit is lost, and each side notices after a while.
    pub(crate) fn cut(&mut self, server: usize, bot: usize, session: u64) {
        self.tally.add("net: connection cut");
        let Some((connection, _)) = self.servers[server].pipes.remove(&(bot, session)) else {
            return;
        };
        if self.dice.permille(700) {
            let request = Request::Closed { bot: self.bots[bot].id.clone(), session };
            let at = self.now + self.dice.between(MS, 200 * MS);
            self.plan(at, Occurrence::Arrive { server, ticket: None, request });
        }
        let at = self.now + self.dice.between(MS, 300 * MS);
        self.plan(at, Occurrence::Lost { bot, connection });
    }
}

/// The turns in an event.
pub(crate) fn turns_in(event: &pb::PlayEvent) -> Vec<(MatchId, u32)> {
    let of = |turn: &pb::Turn| (turn.match_id.parse().unwrap(), turn.turn);
    match &event.event {
        Some(Told::Turn(turn)) => vec![of(turn)],
        Some(Told::Snapshot(snapshot)) => {
            snapshot.seatings.iter().filter_map(|seating| seating.turn.as_ref()).map(of).collect()
        }
        _ => Vec::new(),
    }
}
