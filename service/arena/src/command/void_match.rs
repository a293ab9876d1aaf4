use std::sync::Arc;

use super::Command;
use crate::match_run::Match;
use crate::names::MatchId;
use crate::record::EndReason;
use crate::state::{ArenaState, Refusal};
use crate::time::{Now, Wall};

/// An organiser voids a running match. The reply is the match, and when it was voided.
#[derive(Clone, Debug)]
pub struct VoidMatch {
    pub id: MatchId,
    pub note: String,
}

impl Command for VoidMatch {
    type Reply = (Arc<Match>, Wall);

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<Self::Reply, Refusal> {
        let Self { id, note } = self;
        let run = arena.match_mut(&id).ok_or(Refusal::NoSuchMatch)?;
        let changes = run.void(EndReason::CalledOff, &note, now);
        let voided = Arc::new(run.clone());
        arena.apply_changes(&id, changes, now);
        Ok((voided, now.wall))
    }
}
