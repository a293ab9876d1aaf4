//! The check that the deals were not chosen: commitment, own nonce, seed, and every deal and move
//! against what was seen live.

use azulejo_engine::fairness::{self, Bytes32};
use azulejo_engine::{Ruleset, Table};
use azulejo_wire::arena::v1 as pb;
use azulejo_wire::game::v1 as game;
use thiserror::Error;

/// What was seen of a match from its beginning.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    id: String,
    ruleset: Option<game::Ruleset>,
    seat: usize,
    commitment: Vec<u8>,
    nonce: [u8; 32],
    first: Option<game::GameState>,
    moves: Vec<pb::MoveMade>,
}

/// What is wrong with the deals of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unfair {
    #[error("the secret is not the one that the arena had committed to")]
    Commitment,
    #[error("the nonce of this seat is not the one that it gave")]
    Nonce,
    #[error("the first deal is not the one that the seed makes")]
    FirstDeal,
    #[error("decision {turn} or the deals after it are not those that were seen")]
    Move { turn: u32 },
    #[error("the final score is not that of the game")]
    Score,
}

impl Seen {
    pub(crate) fn new(starting: &pb::MatchStarting, nonce: [u8; 32]) -> Option<Self> {
        let called = starting.r#match.as_ref()?;
        Some(Self {
            id: called.id.clone(),
            ruleset: called.pool.as_ref()?.ruleset,
            seat: usize::try_from(starting.seat).ok()?,
            commitment: called.commitment.clone(),
            nonce,
            first: None,
            moves: Vec::new(),
        })
    }

    pub(crate) const fn nonce(&self) -> [u8; 32] {
        self.nonce
    }

    pub(crate) fn started(&mut self, started: &pb::MatchStarted) {
        self.first.clone_from(&started.state);
    }

    pub(crate) fn moved(&mut self, made: &pb::MoveMade) {
        self.moves.push(made.clone());
    }

    /// None if something was missed, for example while the connection was down.
    pub(crate) fn check(&self, ended: &pb::MatchEnded) -> Option<Result<(), Unfair>> {
        let reveal = ended.reveal.as_ref()?;
        let secret = Bytes32(reveal.secret.as_slice().try_into().ok()?);
        if fairness::commitment(&self.id, &secret).0.as_slice() != self.commitment {
            return Some(Err(Unfair::Commitment));
        }
        if reveal.nonces.get(self.seat).is_some_and(|nonce| nonce.as_slice() != self.nonce) {
            return Some(Err(Unfair::Nonce));
        }
        let complete = (0..).zip(&self.moves).all(|(turn, made): (u32, _)| made.turn == turn);
        let turns = ended.r#match.as_ref()?.turns;
        if !complete || self.moves.len() != turns as usize {
            return None;
        }
        let nonces: Vec<Option<Bytes32>> = reveal
            .nonces
            .iter()
            .map(|nonce| nonce.as_slice().try_into().ok().map(Bytes32))
            .collect();
        let first = self.first.clone()?;
        Some(self.replay(&secret, &nonces, first, ended))
    }

    fn replay(
        &self,
        secret: &Bytes32,
        nonces: &[Option<Bytes32>],
        first: game::GameState,
        ended: &pb::MatchEnded,
    ) -> Result<(), Unfair> {
        let seed = fairness::seed(&self.id, secret, nonces);
        let ruleset = Ruleset::read(self.ruleset).map_err(|_| Unfair::FirstDeal)?;
        let mut table = Table::start(ruleset);
        while table.awaits_deal() {
            table.deal(&seed);
        }
        if Table::read(Some(first)).ok() != Some(table) {
            return Err(Unfair::FirstDeal);
        }
        for made in &self.moves {
            let unfair = Unfair::Move { turn: made.turn };
            let action = made.r#move.as_ref().ok_or(unfair)?;
            let action = table.action(action.action_id).map_err(|_| unfair)?;
            let mut events = table.play(action).map_err(|_| unfair)?;
            while table.awaits_deal() {
                events.extend(table.deal(&seed));
            }
            let events: Vec<game::Event> =
                events.into_iter().map(azulejo_engine::Event::message).collect();
            if events != made.events {
                return Err(unfair);
            }
        }
        let score = ended.r#match.as_ref().and_then(|ended| ended.result.as_ref()?.score.as_ref());
        match score {
            Some(score) if *score != table.score_message() => Err(Unfair::Score),
            Some(_) | None => Ok(()),
        }
    }
}
