//! Running matches: finding them, and what follows from their changes.

use std::sync::Arc;

use super::{AfterCommit, ArenaState, gauges, sessions};
use crate::event::{MatchStarted, MoveMade, PlayEvent, WatchEvent};
use crate::match_run::{Change, Detail, Match};
use crate::names::{BotId, MatchId};
use crate::record::{Event, Seat};
use crate::state::Refusal;
use crate::store::Write;
use crate::time::Now;

/// The bots of a match.
pub(super) fn bots(run: &Match) -> impl Iterator<Item = &BotId> {
    run.spec().seats.iter().filter_map(Seat::player).map(|player| &player.bot)
}

impl ArenaState {
    pub(crate) fn match_mut(&mut self, id: &MatchId) -> Option<&mut Match> {
        let run = self.matches.get_mut(id)?;
        self.published.changed(id);
        Some(Arc::make_mut(run))
    }

    /// The match and the seat of the bot in it, also shortly after its end.
    pub(crate) fn seated(
        &mut self,
        bot: &BotId,
        id: &MatchId,
    ) -> Result<(&mut Match, usize), Refusal> {
        let over = self.finished.get_mut(id).map(|(run, _)| run);
        let run = self.matches.get_mut(id).or(over).ok_or(Refusal::NoSuchMatch)?;
        let seat = run.seat_of(bot).ok_or(Refusal::NotSeated)?;
        self.published.changed(id);
        Ok((Arc::make_mut(run), seat))
    }

    pub(super) fn tick_matches(&mut self, now: Now) {
        let due: Vec<MatchId> = self
            .matches
            .iter()
            .filter(|(_, run)| {
                run.needs_tick(now.time, &sessions::presence(&self.sessions, self.began, run))
            })
            .map(|(id, _)| id.clone())
            .collect();
        for id in due {
            let Some(run) = self.matches.get(&id) else { continue };
            let mut presence = sessions::presence(&self.sessions, self.began, run);
            self.note_others(run, &mut presence);
            let Some(run) = self.match_mut(&id) else { continue };
            let changes = run.tick(now, &presence);
            self.apply_changes(&id, changes, now);
        }
    }

    /// Stores the changes of a match, and announces them once they are durable.
    pub(crate) fn apply_changes(&mut self, id: &MatchId, changes: Vec<Change>, now: Now) {
        if changes.is_empty() {
            return;
        }
        let Some(run) = self.matches.get(id).cloned() else { return };
        for change in changes {
            self.announce(&run, &change);
            self.metrics.extend(gauges::metric_of(&run, &change.event));
            self.writes.push(Write::Event { id: id.clone(), seq: change.seq, event: change.event });
        }
        if run.is_over() {
            self.finish(id, now);
        } else if run.due().is_some() {
            self.after_commit(AfterCommit::Turn { id: id.clone(), turn: run.turn() });
        }
    }

    /// Sends a change to the seats and the watchers.
    fn announce(&mut self, run: &Arc<Match>, change: &Change) {
        let match_id = run.spec().id.clone();
        let (play, watch) = match (&change.event, &change.detail) {
            (Event::Started { deals }, Detail::Started(table)) => {
                let nonces = run.nonces();
                let (id, run) = (match_id.clone(), Arc::clone(run));
                let steps = u32::try_from(deals.len()).unwrap_or(u32::MAX);
                let started = MatchStarted { match_id: id, run, steps, table: **table, nonces };
                let started = Arc::new(started);
                let play = PlayEvent::MatchStarted(Arc::clone(&started));
                (Some(play), WatchEvent::MatchStarted(started))
            }
            (Event::Moved { .. }, Detail::Moved(played)) => {
                let made = MoveMade { match_id: match_id.clone(), played: Arc::clone(played) };
                (Some(PlayEvent::MoveMade(made.clone())), WatchEvent::MoveMade(made))
            }
            (Event::Refused(refused), _) => {
                (None, WatchEvent::MoveRefused(Arc::new(refused.clone())))
            }
            (&Event::Forfeited { seat, turn, reason }, _) => {
                (None, WatchEvent::SeatForfeited { seat, turn, reason })
            }
            (
                Event::Started { .. }
                | Event::Moved { .. }
                | Event::Ready { .. }
                | Event::Ended { .. }
                | Event::Voided { .. },
                _,
            ) => return,
        };
        self.published.tell(&match_id, watch);
        if let Some(event) = play {
            for bot in bots(run) {
                self.send_to(bot, event.clone());
            }
        }
    }
}
