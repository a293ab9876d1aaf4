//! What is stored of a finished match besides its events, so that lists need not replay it.

use azulejo_engine::Seed;

use super::{Game, Match, Phase, TurnClock};
use crate::record::{MatchEnd, Summary};
use crate::store::SavedMatch;
use crate::time::Time;

impl Match {
    /// The summary of a match that is over.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        let end = match &self.phase {
            Phase::Gathering { .. } | Phase::Playing => return None,
            Phase::Ended(seats) => MatchEnd::Ended { seats: seats.clone() },
            Phase::Voided { reasons, why } => {
                MatchEnd::Voided { seats: reasons.clone(), why: why.clone() }
            }
        };
        Some(Summary {
            turns: self.turn(),
            steps: self.steps(),
            position: self.table().map(ToString::to_string),
            out: self.seats.iter().map(|seat| seat.out).collect(),
            end,
        })
    }

    /// A finished match as its summary describes it: what lists show is there, nonces, clocks and
    /// refused moves are not. None if there is no summary, or it does not fit the match.
    #[must_use]
    pub fn summarised(saved: &SavedMatch) -> Option<Self> {
        let Summary { turns, steps, position, out, end } = saved.summary.clone()?;
        let mut run = Self::call(saved.spec.clone(), saved.secret, Time::default());
        if out.len() != run.seats.len() {
            return None;
        }
        for (seat, out) in run.seats.iter_mut().zip(out) {
            seat.out = out;
        }
        run.phase = match end {
            MatchEnd::Ended { seats } => Phase::Ended(seats),
            MatchEnd::Voided { seats, why } => Phase::Voided { reasons: seats, why },
        };
        if let Some(position) = position {
            run.game = Some(Game {
                // Nothing is dealt any more.
                seed: Seed::new([0; 32]),
                table: position.parse().ok()?,
                turn: turns,
                clock: TurnClock::Waiting,
                steps,
                illegal_tries: 0,
                known: None,
            });
        }
        Some(run)
    }
}
