//! The order in which a batch is written. Every statement is a round trip to the writer's thread, so
//! events are written together, and so are deliveries, where that does not change the outcome.

use std::collections::HashSet;

use crate::names::{BotId, MatchId, Player};
use crate::pool::Pool;
use crate::rating::LiveRating;
use crate::record::{Bytes32, Event, Spec};
use crate::store::sorted::{MatchWrite, Sorted, sorted};
use crate::store::statement::Statement;
use crate::store::{Ended, StoreError, Write};

/// A part of a batch that takes one or two statements.
#[derive(Debug)]
pub(super) enum Step<'a> {
    Account(Statement),
    Created { spec: &'a Spec, secret: &'a Bytes32 },
    Events(Vec<NewEvent<'a>>),
    Ended(&'a Ended),
    LiveRating { pool: Pool, player: &'a Player, standing: &'a LiveRating },
    EndsDelivered(Vec<(&'a MatchId, &'a BotId)>),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NewEvent<'a> {
    pub(super) id: &'a MatchId,
    pub(super) seq: u32,
    pub(super) event: &'a Event,
}

/// Writes that are grouped: events first, then ends, then deliveries.
#[derive(Default)]
struct Group<'a> {
    events: Vec<NewEvent<'a>>,
    ends: Vec<&'a Ended>,
    delivered: Vec<(&'a MatchId, &'a BotId)>,
    /// Matches among `ends`.
    ended: HashSet<&'a MatchId>,
    /// Matches among `delivered`.
    acknowledged: HashSet<&'a MatchId>,
}

/// All writes, in an order that has the same outcome.
pub(super) fn steps(writes: &[Write]) -> Result<Vec<Step<'_>>, StoreError> {
    let (mut steps, mut group) = (Vec::new(), Group::default());
    for write in writes {
        let ungrouped = match sorted(write)? {
            // An event after the end of its match must be refused, so it cannot move before the end.
            Sorted::Match(MatchWrite::Event { id, seq, event }) => {
                if group.ended.contains(id) {
                    group.flush(&mut steps);
                }
                group.events.push(NewEvent { id, seq, event });
                continue;
            }
            // A delivery before this end must not acknowledge it.
            Sorted::Match(MatchWrite::Ended(end)) => {
                if group.acknowledged.contains(&end.id) {
                    group.flush(&mut steps);
                }
                group.ended.insert(&end.id);
                group.ends.push(end);
                continue;
            }
            Sorted::Match(MatchWrite::EndDelivered { id, bot }) => {
                group.acknowledged.insert(id);
                group.delivered.push((id, bot));
                continue;
            }
            Sorted::Match(MatchWrite::Created { spec, secret }) => Step::Created { spec, secret },
            Sorted::Match(MatchWrite::LiveRating { pool, player, standing }) => {
                Step::LiveRating { pool, player, standing }
            }
            Sorted::Account(statements) => {
                group.flush(&mut steps);
                steps.extend(statements.into_iter().map(Step::Account));
                continue;
            }
        };
        group.flush(&mut steps);
        steps.push(ungrouped);
    }
    group.flush(&mut steps);
    Ok(steps)
}

impl<'a> Group<'a> {
    /// Turns the group into steps, and empties it.
    fn flush(&mut self, steps: &mut Vec<Step<'a>>) {
        let Self { events, ends, delivered, .. } = std::mem::take(self);
        if !events.is_empty() {
            steps.push(Step::Events(events));
        }
        steps.extend(ends.into_iter().map(Step::Ended));
        if !delivered.is_empty() {
            steps.push(Step::EndsDelivered(delivered));
        }
    }
}
