//! Page sizes and page tokens of lists.

use tonic::Status;

use super::status;
use crate::cursor::Cursor;

/// Default entries per page.
const USUAL: u32 = 50;
/// Most entries per page.
const MOST: u32 = 200;

pub(super) fn size(asked: u32) -> u32 {
    if asked == 0 { USUAL } else { asked.min(MOST) }
}

/// The last entry of the page before.
pub(super) fn cursor(token: &str) -> Result<Option<Cursor>, Status> {
    if token.is_empty() {
        return Ok(None);
    }
    token.parse().map(Some).map_err(|_| bad_token())
}

fn bad_token() -> Status {
    let problem = "use the next_page_token of the previous response";
    status::bad_field("BAD_PAGE_TOKEN", "page_token", problem)
}

/// A token that is a number, as this server made it.
pub(super) fn number(token: &str) -> Result<Option<i64>, Status> {
    if token.is_empty() {
        return Ok(None);
    }
    let number = token.parse().ok().filter(|number| *number >= 0);
    number.map(Some).ok_or_else(bad_token)
}
