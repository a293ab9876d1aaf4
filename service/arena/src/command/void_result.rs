use std::sync::Arc;

use super::{Command, Organiser, VoidedMatch};
use crate::match_run::Match;
use crate::state::{ArenaState, RatingBasis, RecomputedRatings, Refusal};
use crate::store::Act;
use crate::time::{Now, Wall};

/// An organiser voids the result of a finished match, which was read from the store. The reply is none
/// if the ratings are out of date: then the match has to be read again.
#[derive(Debug)]
pub struct VoidResult {
    pub by: Organiser,
    pub run: Box<Match>,
    pub ended: Wall,
    pub note: String,
    /// The ratings of its pool without it; none if it was not rated.
    pub recomputed: Option<RecomputedRatings>,
    pub(crate) basis: RatingBasis,
}

impl Command for VoidResult {
    type Reply = Option<VoidedMatch>;

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<Self::Reply, Refusal> {
        let Self { by, mut run, ended, note, recomputed, basis } = self;
        if basis != arena.recent_results.basis {
            return Ok(None);
        }
        if !arena.void_result(&mut run, &note, recomputed, now)? {
            return Ok(None);
        }
        arena.audit(by, Act::Void, run.spec().id.to_string(), note, now);
        Ok(Some(VoidedMatch { run: Arc::new(*run), ended }))
    }
}
