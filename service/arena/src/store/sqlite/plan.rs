//! In which order a batch is written. Every statement is a way to the writer's thread and back, so
//! events go together, and so do ends that were told, as far as nobody can tell the difference.

use std::collections::HashSet;

use crate::names::{BotId, MatchId};
use crate::store::Write;

/// What is written with one or two statements, or one write of any kind.
#[derive(Debug)]
pub(super) enum Step<'a> {
    One(&'a Write),
    Events(Vec<&'a Write>),
    Told(Vec<(&'a MatchId, &'a BotId)>),
}

/// Writes that were put together: events first, then ends, then what was told.
#[derive(Default)]
struct Together<'a> {
    events: Vec<&'a Write>,
    ends: Vec<&'a Write>,
    told: Vec<(&'a MatchId, &'a BotId)>,
    /// Matches that end here, and those of which somebody was told.
    ended: HashSet<&'a MatchId>,
    heard: HashSet<&'a MatchId>,
}

/// All of them, in an order that has the same outcome.
pub(super) fn steps(writes: &[Write]) -> Vec<Step<'_>> {
    let (mut steps, mut together) = (Vec::new(), Together::default());
    for write in writes {
        match write {
            // After the end of its match it must be refused.
            Write::Event { id, .. } => {
                if together.ended.contains(id) {
                    together.take(&mut steps);
                }
                together.events.push(write);
            }
            // What was told before an end was not that end.
            Write::Ended(end) => {
                if together.heard.contains(&end.id) {
                    together.take(&mut steps);
                }
                together.ended.insert(&end.id);
                together.ends.push(write);
            }
            Write::Told { id, bot } => {
                together.heard.insert(id);
                together.told.push((id, bot));
            }
            Write::Owner { .. }
            | Write::Bot { .. }
            | Write::Version { .. }
            | Write::Token(_)
            | Write::Revoked { .. }
            | Write::Invitation { .. }
            | Write::Invited { .. }
            | Write::Pause { .. }
            | Write::Match { .. }
            | Write::Standing { .. } => {
                together.take(&mut steps);
                steps.push(Step::One(write));
            }
        }
    }
    together.take(&mut steps);
    steps
}

impl<'a> Together<'a> {
    fn take(&mut self, steps: &mut Vec<Step<'a>>) {
        let Self { events, ends, told, .. } = std::mem::take(self);
        if !events.is_empty() {
            steps.push(Step::Events(events));
        }
        steps.extend(ends.into_iter().map(Step::One));
        if !told.is_empty() {
            steps.push(Step::Told(told));
        }
    }
}
