//! Field paths as JSON spells them. Services name a field as the proto files do
//! (`state.summer_pavilion`); callers who speak JSON know it as `state.summerPavilion`.

mod within;

use prost::Message;
use tonic::Status;
use tonic_types::pb::{BadRequest, Status as Rich};

pub(crate) use within::ErrorHolders;

const BAD_REQUEST: &str = "google.rpc.BadRequest";

/// The same error with the paths of its field violations in JSON spelling, in the details and
/// where the message repeats them.
pub(super) fn for_json(status: Status) -> Status {
    if status.details().is_empty() {
        return status;
    }
    let Ok(mut rich) = Rich::decode(status.details()) else { return status };
    status.message().clone_into(&mut rich.message);
    if !respell_rich(&mut rich) {
        return status;
    }
    let (details, metadata) = (rich.encode_to_vec().into(), status.metadata().clone());
    Status::with_details_and_metadata(status.code(), rich.message, details, metadata)
}

/// Changes the spelling in a message; false if there was nothing to change.
fn respell_rich(status: &mut Rich) -> bool {
    let mut is_changed = false;
    for any in status.details.iter_mut().filter(|any| any.type_url.ends_with(BAD_REQUEST)) {
        let Ok(mut bad) = BadRequest::decode(&*any.value) else { continue };
        for violation in &mut bad.field_violations {
            let spelled = camel_case(&violation.field);
            if spelled != violation.field {
                violation.description = respell(&violation.description, &violation.field, &spelled);
                status.message = respell(&status.message, &violation.field, &spelled);
                violation.field = spelled;
                is_changed = true;
            }
        }
        any.value = bad.encode_to_vec();
    }
    is_changed
}

/// The lowerCamelCase of each segment, as the JSON mapping of protobuf defines it. Indexes and keys
/// in brackets stay as they are.
fn camel_case(path: &str) -> String {
    let mut spelled = String::with_capacity(path.len());
    let (mut in_brackets, mut after_underscore) = (false, false);
    for character in path.chars() {
        match character {
            '[' => in_brackets = true,
            ']' => in_brackets = false,
            '_' if !in_brackets => {
                after_underscore = true;
                continue;
            }
            _ => {}
        }
        let next = if after_underscore { character.to_ascii_uppercase() } else { character };
        spelled.push(next);
        after_underscore = false;
    }
    spelled
}

/// Replaces `path` where the text has exactly this path, not a longer one that contains it.
fn respell(text: &str, path: &str, spelled: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(path) {
        let (before, after) = (&rest[..at], &rest[at + path.len()..]);
        result.push_str(before);
        let is_whole = !ends_within_path(&result) && !begins_within_path(after);
        result.push_str(if is_whole { spelled } else { path });
        rest = after;
    }
    result + rest
}

fn ends_within_path(before: &str) -> bool {
    before.ends_with(|last: char| last.is_ascii_alphanumeric() || "_.]".contains(last))
}

fn begins_within_path(after: &str) -> bool {
    // A period that ends a sentence is not part of a path.
    let after = after.strip_prefix('.').unwrap_or(after);
    after.starts_with(|next: char| next.is_ascii_alphanumeric() || "_[".contains(next))
}

#[cfg(test)]
mod tests;
