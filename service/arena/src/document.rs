//! Finished matches as documents that anybody can verify.

use crate::match_run::Match;
use crate::store::SavedMatch;

/// The record of a match, one line of JSON; none if nothing was ever dealt.
#[must_use]
pub fn of(_saved: &SavedMatch, _run: &Match) -> Option<String> {
    None
}
