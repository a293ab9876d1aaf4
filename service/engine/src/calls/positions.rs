//! States as one line of text, and back.

use azulejo_wire::served::v1 as pb;
use azulejo_wire::{BadField, Problem};

use crate::{BadTable, EngineError, Table};

/// The longest text that is parsed, in characters. Real positions have fewer than 1,000.
const MOST_CHARACTERS: usize = 4096;

pub fn format_position(
    request: pb::FormatPositionRequest,
) -> Result<pb::FormatPositionResponse, EngineError> {
    let pb::FormatPositionRequest { state } = request;
    Ok(pb::FormatPositionResponse { position: Table::read(state)?.to_string() })
}

pub fn parse_position(
    request: pb::ParsePositionRequest,
) -> Result<pb::ParsePositionResponse, EngineError> {
    let pb::ParsePositionRequest { position } = request;
    if position.is_empty() {
        return Err(BadField::missing("position").into());
    }
    let (found, most) = (position.chars().count(), MOST_CHARACTERS);
    if found > most {
        return Err(BadField::new("position", Problem::TooManyCharacters { found, most }).into());
    }
    let table: Table =
        position.parse().map_err(|bad: BadTable| EngineError::BadPositionText(bad))?;
    Ok(pb::ParsePositionResponse { state: Some(table.state()), due: Some(table.due()) })
}
