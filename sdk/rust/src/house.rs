//! The built-in bots, as bots of this SDK.

use azulejo_engine::{HouseBot, Table};
use azulejo_wire::arena::v1 as pb;

use crate::Bot;

/// A built-in bot that plays over the network.
#[derive(Clone, Copy, Debug)]
pub struct House(pub HouseBot);

impl Bot for House {
    fn choose(&self, turn: &pb::Turn) -> u32 {
        let chosen = Table::read(turn.state.clone()).ok().and_then(|table| {
            let mut seed = [0; 8];
            let _no_dice = getrandom::fill(&mut seed);
            let action = table.choose(self.0, u64::from_le_bytes(seed))?;
            table.action_id(action)
        });
        let first = turn.legal_moves.first().map(|first| first.action_id);
        chosen.map(u32::from).or(first).unwrap_or_default()
    }
}
