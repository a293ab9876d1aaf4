use std::sync::Arc;

use super::{Command, Organiser};
use crate::match_run::Match;
use crate::names::MatchId;
use crate::record::EndReason;
use crate::state::{ArenaState, Refusal};
use crate::store::Act;
use crate::time::{Now, Wall};

/// An organiser voids a running match.
#[derive(Clone, Debug)]
pub struct VoidMatch {
    pub by: Organiser,
    pub id: MatchId,
    pub note: String,
}

/// A match that was voided, and when it ended.
#[derive(Clone, Debug)]
pub struct VoidedMatch {
    pub run: Arc<Match>,
    pub ended: Wall,
}

impl Command for VoidMatch {
    type Reply = VoidedMatch;

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<Self::Reply, Refusal> {
        let Self { by, id, note } = self;
        let run = arena.match_mut(&id).ok_or(Refusal::NoSuchMatch)?;
        let changes = run.void(EndReason::CalledOff, &note, now);
        let run = Arc::new(run.clone());
        arena.apply_changes(&id, changes, now);
        arena.audit(by, Act::Void, id.to_string(), note, now);
        Ok(VoidedMatch { run, ended: now.wall })
    }
}
