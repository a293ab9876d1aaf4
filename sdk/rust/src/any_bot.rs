//! A bot without its type: the player is compiled once, in this crate, and not with each bot.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use azulejo_wire::arena::v1 as pb;

use crate::{Accepted, Bot, Unfair};

type Decision = Pin<Box<dyn Future<Output = Option<u32>> + Send>>;

/// The methods of [`Bot`], without generics.
pub(crate) trait AnyBot: Send + Sync {
    fn decide(self: Arc<Self>, turn: pb::Turn, arrived: Instant) -> Decision;
    fn connected(&self, snapshot: &pb::Snapshot);
    fn match_starting(&self, starting: &pb::MatchStarting);
    fn match_started(&self, started: &pb::MatchStarted);
    fn accepted(&self, accepted: &Accepted);
    fn move_made(&self, made: &pb::MoveMade);
    fn match_ended(&self, ended: &pb::MatchEnded, fair: Option<&Result<(), Unfair>>);
}

impl<B: Bot> AnyBot for B {
    fn decide(self: Arc<Self>, turn: pb::Turn, arrived: Instant) -> Decision {
        Box::pin(Bot::decide(self, turn, arrived))
    }

    fn connected(&self, snapshot: &pb::Snapshot) {
        Bot::connected(self, snapshot);
    }

    fn match_starting(&self, starting: &pb::MatchStarting) {
        Bot::match_starting(self, starting);
    }

    fn match_started(&self, started: &pb::MatchStarted) {
        Bot::match_started(self, started);
    }

    fn accepted(&self, accepted: &Accepted) {
        Bot::accepted(self, accepted);
    }

    fn move_made(&self, made: &pb::MoveMade) {
        Bot::move_made(self, made);
    }

    fn match_ended(&self, ended: &pb::MatchEnded, fair: Option<&Result<(), Unfair>>) {
        Bot::match_ended(self, ended, fair);
    }
}
