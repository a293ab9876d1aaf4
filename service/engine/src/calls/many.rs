//! Calls that handle many positions.

use azulejo_wire::served::v1 as pb;
use azulejo_wire::{BadField, Problem};

use super::apply;
use crate::{EngineError, Table};

/// Maximum number of requests in a batch.
pub const MOST_IN_BATCH: usize = 1024;
/// A batch of at most this many takes well under a millisecond, less than waiting for a worker.
const SMALL_BATCH: usize = 16;
/// The same for batches that also list legal moves.
const SMALL_BATCH_WITH_MOVES: usize = 2;

/// Whether a batch is answered directly, without the worker pool.
#[must_use]
pub fn is_small(request: &pb::BatchApplyRequest) -> bool {
    let lists_moves = request.requests.iter().any(|each| each.include_legal_moves);
    request.requests.len() <= if lists_moves { SMALL_BATCH_WITH_MOVES } else { SMALL_BATCH }
}

pub fn expand(request: pb::ExpandRequest) -> Result<pb::ExpandResponse, EngineError> {
    let pb::ExpandRequest { state, view } = request;
    let table = Table::read(state)?;
    let view = pb::ExpandView::try_from(view).map_err(|_| {
        BadField::new("view", Problem::NoSuchValue { found: view, of: "ExpandView" })
    })?;
    let with_states = match view {
        pb::ExpandView::Unspecified | pb::ExpandView::States => true,
        pb::ExpandView::Scores => false,
    };
    let children = table.legal_moves().into_iter().map(|action| {
        let mut next = table;
        let played = next.play(action);
        played.map_err(|refusal| EngineError::IllegalMove { by: "state", refusal })?;
        Ok(pb::Child {
            r#move: Some(table.legal_move(action)),
            state: with_states.then(|| next.state()),
            score: Some(next.score_message()),
        })
    });
    Ok(pb::ExpandResponse { children: children.collect::<Result<_, EngineError>>()? })
}

/// Each request succeeds or fails independently.
pub fn batch_apply(request: pb::BatchApplyRequest) -> Result<pb::BatchApplyResponse, EngineError> {
    let pb::BatchApplyRequest { requests } = request;
    let (found, most) = (requests.len(), MOST_IN_BATCH);
    if found > most {
        return Err(BadField::new("requests", Problem::TooMany { found, most }).into());
    }
    let result = |request| pb::BatchApplyResult {
        result: Some(match apply(request) {
            Ok(response) => pb::batch_apply_result::Result::Response(response),
            Err(error) => pb::batch_apply_result::Result::Error(error.status()),
        }),
    };
    Ok(pb::BatchApplyResponse { results: requests.into_iter().map(result).collect() })
}
