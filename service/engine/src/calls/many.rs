//! Calls that answer for many positions at once.

use std::collections::HashMap;

use azulejo_wire::served::v1 as pb;
use azulejo_wire::{BadField, Problem};

use super::apply;
use crate::{EngineError, Table};

/// The most requests of one batch.
pub const MOST_IN_BATCH: usize = 1024;

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

/// Each request answers for itself: one that is wrong spoils no other.
pub fn batch_apply(request: pb::BatchApplyRequest) -> Result<pb::BatchApplyResponse, EngineError> {
    let pb::BatchApplyRequest { requests } = request;
    let (found, most) = (requests.len(), MOST_IN_BATCH);
    if found > most {
        return Err(BadField::new("requests", Problem::TooMany { found, most }).into());
    }
    let result = |request| pb::BatchApplyResult {
        result: Some(match apply(request) {
            Ok(response) => pb::batch_apply_result::Result::Response(response),
            Err(error) => pb::batch_apply_result::Result::Error(told(&error)),
        }),
    };
    Ok(pb::BatchApplyResponse { results: requests.into_iter().map(result).collect() })
}

fn told(error: &EngineError) -> pb::BatchError {
    let rule = error.rule().map(|rule| ("rule".to_owned(), rule.to_owned()));
    pb::BatchError {
        reason: error.reason().to_owned(),
        message: error.to_string(),
        field: error.field(),
        metadata: rule.into_iter().collect::<HashMap<_, _>>(),
    }
}
