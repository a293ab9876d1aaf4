//! Matches that can be read. A damaged one is left out of lists and exports, and logged once: it must
//! not keep readers from the others.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::rows::NumberedMatch;
use super::{SavedMatch, StoreError};

/// Damaged matches that are logged. More mean that the whole store is damaged.
const MOST_LOGGED: usize = 1_000;

/// Logs that a match cannot be read, once per process.
pub(super) fn log_damage(id: &str, damage: &StoreError) {
    static LOGGED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut logged = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    if logged.len() < MOST_LOGGED && logged.insert(id.to_owned()) {
        tracing::error!(match_id = id, %damage, "a match cannot be read and is left out");
    }
}

/// A page of matches that can be read. It is as long as there are such matches: callers take a short
/// page for the last one.
pub(super) struct ReadablePage {
    most: u32,
    found: Vec<(i64, SavedMatch)>,
}

impl ReadablePage {
    pub(super) const fn of(most: u32) -> Self {
        Self { most, found: Vec::new() }
    }

    /// The number of matches that are missing.
    pub(super) fn missing(&self) -> u32 {
        self.most.saturating_sub(u32::try_from(self.found.len()).unwrap_or(u32::MAX))
    }

    /// Adds the result of a query for the missing matches, each with the number that `number` gives it.
    /// Returns the last number, if there may be more matches after it that are still missing.
    pub(super) fn add(
        &mut self,
        queried: Vec<NumberedMatch>,
        number: impl Fn(&NumberedMatch) -> Option<i64>,
    ) -> Option<i64> {
        let is_last = queried.len() < self.missing() as usize;
        let last = queried.last().and_then(&number);
        for queried in queried {
            let Some(number) = number(&queried) else { continue };
            match queried.saved {
                Ok(saved) => self.found.push((number, saved)),
                Err(damage) => log_damage(&queried.id, &damage),
            }
        }
        last.filter(|_| !is_last && self.missing() > 0)
    }

    pub(super) fn into_found(self) -> Vec<(i64, SavedMatch)> {
        self.found
    }
}
