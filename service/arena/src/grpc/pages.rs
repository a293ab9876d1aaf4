//! Long lists come in pages.

use tonic::Status;

use super::status;

/// Entries of a page, unless told otherwise.
const USUAL: u32 = 50;
/// The most that one page may have.
const MOST: u32 = 200;

pub(super) fn size(asked: u32) -> u32 {
    if asked == 0 { USUAL } else { asked.min(MOST) }
}

/// A token that is a number, as this server made it.
pub(super) fn number(token: &str) -> Result<Option<i64>, Status> {
    if token.is_empty() {
        return Ok(None);
    }
    let number = token.parse().ok().filter(|number| *number >= 0);
    let problem = "take it from the response before";
    number.map(Some).ok_or_else(|| status::bad_field("BAD_PAGE_TOKEN", "page_token", problem))
}
