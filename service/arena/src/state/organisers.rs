//! What organisers decide: bans, voided results, and the log of their acts.

use super::{AfterCommit, ArenaState, Effect, Refusal};
use crate::command::Organiser;
use crate::match_run::Match;
use crate::names::{BotId, MatchId, Owner};
use crate::rating::Ladder;
use crate::store::{Act, AuditEntry, ResultVoided, Write};
use crate::time::Now;

/// The ratings of a pool without a voided result, recomputed from the store.
#[derive(Clone, Debug)]
pub struct RecomputedRatings {
    pub(crate) ladder: Ladder,
    /// The last result that the store had.
    pub(crate) last: Option<MatchId>,
}

impl ArenaState {
    /// Logs an act of an organiser, in the same batch as what it changes.
    pub(crate) fn audit(
        &mut self,
        Organiser(organiser): Organiser,
        act: Act,
        subject: String,
        note: String,
        now: Now,
    ) {
        let entry = AuditEntry { at: now.wall, organiser, act, subject, note };
        self.writes.push(Write::Audit(entry));
    }

    /// Refuses what a banned owner may not do.
    pub(crate) fn check_banned(&self, owner: &Owner) -> Result<(), Refusal> {
        let banned = |note: &String| Refusal::Banned { owner: owner.clone(), note: note.clone() };
        self.banned.get(owner).map(banned).map_or(Ok(()), Err)
    }

    /// Ends what the bots of a banned owner do: they resign their matches, and their sessions are over.
    pub(crate) fn stop_bots(&mut self, owner: &Owner, now: Now) {
        let bots: Vec<BotId> =
            self.bots.keys().filter(|bot| bot.owner() == owner).cloned().collect();
        for bot in bots {
            let plays = self.matches.iter().filter(|(_, run)| run.seat_of(&bot).is_some());
            let ids: Vec<MatchId> = plays.map(|(id, _)| id.clone()).collect();
            for id in ids {
                // It may have ended by the resignation of another bot of the owner.
                let Some(run) = self.match_mut(&id) else { continue };
                let Some(seat) = run.seat_of(&bot) else { continue };
                let changes = run.resign(seat, now).unwrap_or_default();
                self.apply_changes(&id, changes, now);
            }
            self.end_session(&bot);
        }
    }

    /// Voids the result of a match, which has ended. Its pool gets these ratings, brought up to date
    /// with the results since. False if that is impossible: they have to be recomputed.
    pub(crate) fn void_result(
        &mut self,
        run: &mut Match,
        note: &str,
        recomputed: Option<RecomputedRatings>,
        now: Now,
    ) -> Result<bool, Refusal> {
        let (id, pool) = (run.spec().id.clone(), run.spec().pool);
        let mut ladder = None;
        if let Some(RecomputedRatings { ladder: mut up_to_date, last }) = recomputed {
            let Some(later) = self.recent_results.after(pool, last.as_ref()) else {
                return Ok(false);
            };
            for result in later.into_iter().filter(|result| result.id != id) {
                up_to_date.add_result(pool, &result.seats);
            }
            ladder = Some(up_to_date);
        }
        let change = run.void_result(note, now).ok_or(Refusal::AlreadyVoided)?;
        let (seq, event, summary) = (change.seq, change.event, run.summary());
        self.writes.push(Write::ResultVoided(ResultVoided { id: id.clone(), seq, event, summary }));
        self.recent_results.void(&id);
        self.finished.remove(&id);
        if let Some(ladder) = ladder {
            for (player, standing) in self.ladder.replace(pool, &ladder) {
                self.writes.push(match standing {
                    Some(standing) => Write::LiveRating { pool, player, standing },
                    None => Write::LiveRatingRemoved { pool, player },
                });
            }
            self.after_commit(AfterCommit::Effect(Effect::ResultVoided));
        }
        Ok(true)
    }
}
