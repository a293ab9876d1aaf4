//! Verifies that the deals were fair: commitment, own nonce, seed, and every deal and move as it
//! was seen live.

use azulejo_engine::fairness::{self, Bytes32};
use azulejo_engine::{Ruleset, Table};
use azulejo_wire::arena::v1 as pb;
use azulejo_wire::game::v1 as game;
use thiserror::Error;

/// What the bot has seen of a match since its beginning.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    id: String,
    ruleset: Option<game::Ruleset>,
    seat: usize,
    commitment: Vec<u8>,
    nonce: [u8; 32],
    first: Option<game::GameState>,
    /// Nonces of all seats at the start of the match.
    nonces: Vec<Vec<u8>>,
    moves: Vec<pb::MoveMade>,
}

/// What is wrong with the deals of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unfair {
    #[error("the secret does not match the arena's commitment")]
    Commitment,
    #[error("the nonce of this seat was changed")]
    Nonce,
    #[error("the nonces differ from those at the start of the match")]
    Nonces,
    #[error("the first deal does not follow from the seed")]
    FirstDeal,
    #[error("decision {turn} or the deals after it differ from those seen live")]
    Move { turn: u32 },
    #[error("the final score does not follow from the moves")]
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
            nonces: Vec::new(),
            moves: Vec::new(),
        })
    }

    pub(crate) const fn nonce(&self) -> [u8; 32] {
        self.nonce
    }

    pub(crate) fn started(&mut self, started: &pb::MatchStarted) {
        self.first.clone_from(&started.state);
        self.nonces.clone_from(&started.nonces);
    }

    pub(crate) fn moved(&mut self, made: &pb::MoveMade) {
        self.moves.push(made.clone());
    }

    /// `None` if something was missed, for example while the connection was down.
    pub(crate) fn check(&self, ended: &pb::MatchEnded) -> Option<Result<(), Unfair>> {
        let reveal = ended.reveal.as_ref()?;
        let secret = Bytes32(reveal.secret.as_slice().try_into().ok()?);
        if fairness::commitment(&self.id, &secret).0.as_slice() != self.commitment {
            return Some(Err(Unfair::Commitment));
        }
        // A match that was called off before this seat was ready has none of this.
        let own = reveal.nonces.get(self.seat).filter(|nonce| !nonce.is_empty());
        if own.is_some_and(|nonce| nonce.as_slice() != self.nonce) {
            return Some(Err(Unfair::Nonce));
        }
        if self.first.is_some() && (own.is_none() || reveal.nonces != self.nonces) {
            return Some(Err(Unfair::Nonces));
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

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: Bytes32 = Bytes32([7; 32]);
    const OWN: [u8; 32] = [1; 32];
    const OTHER: [u8; 32] = [2; 32];

    fn seen() -> Seen {
        let called = pb::Match {
            id: "aaaaaaaaaaaaaaaa".to_owned(),
            pool: Some(pb::Pool::default()),
            commitment: fairness::commitment("aaaaaaaaaaaaaaaa", &SECRET).0.to_vec(),
            ..pb::Match::default()
        };
        let starting = pb::MatchStarting { r#match: Some(called), seat: 0, ready_timeout: None };
        Seen::new(&starting, OWN).unwrap()
    }

    fn started(nonces: [[u8; 32]; 2]) -> pb::MatchStarted {
        let nonces = nonces.map(Vec::from).to_vec();
        pb::MatchStarted { state: Some(game::GameState::default()), nonces, ..Default::default() }
    }

    fn ended(nonces: [&[u8]; 2]) -> pb::MatchEnded {
        let nonces = nonces.map(<[u8]>::to_vec).to_vec();
        let reveal = pb::Reveal { secret: SECRET.0.to_vec(), nonces };
        pb::MatchEnded { r#match: Some(pb::Match::default()), seat: 0, reveal: Some(reveal) }
    }

    #[test]
    fn a_match_that_was_called_off_before_the_seat_was_ready_is_not_unfair() {
        assert_eq!(seen().check(&ended([&[], &OTHER])), None);
    }

    #[test]
    fn a_changed_nonce_of_the_bot_is_unfair() {
        assert_eq!(seen().check(&ended([&OTHER, &OTHER])), Some(Err(Unfair::Nonce)));
    }

    #[test]
    fn changed_nonces_of_other_seats_are_unfair() {
        let mut seen = seen();
        seen.started(&started([OWN, OTHER]));
        assert_eq!(seen.check(&ended([&OWN, &OWN])), Some(Err(Unfair::Nonces)));
        assert_eq!(seen.check(&ended([&[], &OTHER])), Some(Err(Unfair::Nonces)));
    }
}
