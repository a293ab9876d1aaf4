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

/// A page of a list that is ordered by the numbers of its entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ascending {
    /// The number of the last entry of the page before.
    pub(super) after: i64,
    most: u32,
}

impl Ascending {
    pub(super) fn of(asked: u32, token: &str) -> Result<Self, Status> {
        Ok(Self { after: number(token)?.unwrap_or_default(), most: size(asked) })
    }

    /// How many entries to read: one more than the page holds shows whether there are more.
    pub(super) const fn query(self) -> u32 {
        self.most + 1
    }

    /// The page, and the token of the next one.
    pub(super) fn split<T>(
        self,
        mut found: Vec<T>,
        number: impl Fn(&T) -> i64,
    ) -> (Vec<T>, String) {
        let more = found.len() > self.most as usize;
        found.truncate(self.most as usize);
        let next = found.last().filter(|_| more).map(|last| number(last).to_string());
        (found, next.unwrap_or_default())
    }
}
