//! Looks one move ahead: asks the engine what every move leads to, and takes the one after which its
//! lead is largest.

mod shared;

use std::sync::Arc;
use std::time::Instant;

use azulejo_sdk::calls::{Child, ExpandRequest, ExpandView};
use azulejo_sdk::game::Score;
use azulejo_sdk::{Bot, Ended, EngineClient, Options, Turn, engine_client};

struct OnePly {
    engine: EngineClient,
}

impl Bot for OnePly {
    /// It waits for the engine rather than computes.
    async fn decide(self: Arc<Self>, turn: Turn, _arrived: Instant) -> Option<u32> {
        let view = ExpandView::Scores.into();
        let request = ExpandRequest { state: turn.state.clone(), view };
        let expanded = self.engine.clone().expand(request).await;
        let children = expanded.map(|expanded| expanded.into_inner().children).unwrap_or_default();
        let best = children.iter().max_by_key(|child| lead(child, turn.seat as usize));
        // Without the engine, any move: the clock runs.
        let best = best.and_then(|child| child.r#move.as_ref());
        best.or(turn.legal_moves.first()).map(|legal| legal.action_id)
    }

    fn choose(&self, turn: &Turn) -> u32 {
        turn.legal_moves[0].action_id
    }
}

/// How far a seat is ahead of the best of the others.
fn lead(child: &Child, seat: usize) -> i64 {
    let Some(Score { seats, .. }) = &child.score else { return i64::MIN };
    let others = seats.iter().enumerate().filter(|(place, _)| *place != seat);
    let best = others.map(|(_, other)| i64::from(other.total)).max();
    seats.get(seat).map_or(0, |own| i64::from(own.total)) - best.unwrap_or_default()
}

#[tokio::main]
async fn main() -> Result<(), Ended> {
    let engine = engine_client(&Options::from_env().server)?;
    shared::play(OnePly { engine }).await
}
