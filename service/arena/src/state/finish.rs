//! When a match is over: ratings, the bots' health, and the news for everyone.

use std::sync::Arc;

use super::recent_results::RatedResult;
use super::{ArenaState, Metric, gauges};
use crate::event::{FinishedMatch, PlayEvent, WatchEvent};
use crate::match_run::{Match, VoidReason};
use crate::names::{BotId, MatchId, Player};
use crate::record::{EndReason, Origin, Seat, SeatEnd};
use crate::standings::OfficialRating;
use crate::store::{Ended, Pause, Write};
use crate::time::Now;

/// Matches that a bot's health is judged by.
const REMEMBERED: usize = 50;
/// Failures among them that pause the bot.
const MOST_FAILURES: usize = 6;
/// Failures in a row that pause the bot.
const MOST_IN_A_ROW: usize = 5;

impl ArenaState {
    pub(super) fn finish(&mut self, id: &MatchId, now: Now) {
        let Some(run) = self.matches.get(id).cloned() else { return };
        self.matches.remove_mut(id);
        self.published.changed(id);
        self.challengers.remove(id);
        let ends = run.ends();
        let ratings = self.store_end(&run, &ends, now);
        self.count(Metric::Ended { pool: run.spec().pool, outcome: gauges::outcome(&ends) });
        let finished = FinishedMatch { run: Arc::clone(&run), at: now.wall, ratings };
        self.announce_end(&Arc::new(finished));
        for player in run.spec().seats.iter().filter_map(Seat::player) {
            if let Some(session) = self.sessions.get_mut(&player.bot) {
                session.free_since = now.time;
            }
        }
        if run.spec().origin == Origin::Ladder {
            self.judge_health(&run, &ends);
        }
        if matches!(run.void_reason(), Some(VoidReason::AllGone | VoidReason::ServerError)) {
            self.report_lost_together(&run);
        }
        self.judge_reliability(&run, &ends, now.time);
        self.finished.insert(id.clone(), (run, now.time));
    }

    /// Rates the match for matchmaking and stores its end. Returns the official ratings by seat, if it
    /// counts.
    fn store_end(
        &mut self,
        run: &Match,
        ends: &[SeatEnd],
        now: Now,
    ) -> Vec<Option<OfficialRating>> {
        let (pool, rated) = (run.spec().pool, run.unrated_reason().is_none());
        let players = run.spec().seats.iter().filter_map(Seat::player);
        let players: Vec<Player> = players.cloned().collect();
        let standings = if rated { self.ladder.add(pool, &players, ends) } else { Vec::new() };
        if rated {
            let seats = players.iter().cloned().zip(ends.iter().copied()).collect();
            let id = run.spec().id.clone();
            self.recent_results.add(RatedResult { id, pool, seats });
        }
        self.writes.push(Write::Ended(Ended {
            id: run.spec().id.clone(),
            at: now.wall,
            seats: ends.to_vec(),
            rated,
            standings,
            summary: run.summary(),
        }));
        let official = players.iter().map(|player| self.official.rating(pool, player));
        if rated { official.collect() } else { Vec::new() }
    }

    fn announce_end(&mut self, finished: &Arc<FinishedMatch>) {
        let spec = finished.run.spec();
        let id = spec.id.clone();
        self.published.tell(&id, WatchEvent::MatchEnded(Arc::clone(finished)));
        for (seat, player) in spec.seats.iter().enumerate() {
            let Seat::Remote(Player { bot, .. }) = player else { continue };
            self.undelivered_ends.entry(bot.clone()).or_default().insert(id.clone());
            self.send_to(bot, PlayEvent::MatchEnded { seat, finished: Arc::clone(finished) });
        }
    }

    /// Pauses bots that fail too often.
    fn judge_health(&mut self, run: &Match, ends: &[SeatEnd]) {
        for (seat, SeatEnd { reason, .. }) in run.spec().seats.iter().zip(ends) {
            let Seat::Remote(Player { bot, .. }) = seat else { continue };
            if matches!(reason, EndReason::CalledOff | EndReason::ServerError) {
                continue;
            }
            let Some(known) = self.bots.get_mut(bot) else { continue };
            known.recent.push(reason.is_failure());
            let surplus = known.recent.len().saturating_sub(REMEMBERED);
            known.recent.drain(..surplus);
            // House bots are never paused: without them bots would have no opponents, and a slow
            // machine would pause them all.
            if known.house {
                continue;
            }
            if reason.is_failure()
                && known.pause.is_none()
                && let Some(problem) = too_often(&known.recent)
            {
                let trigger = Some(run.spec().id.clone());
                let pause = Pause { reason: problem, trigger_match: trigger, by_organiser: false };
                self.pause(bot, pause);
            }
        }
    }

    /// Two bots that often fall silent together may do it to avoid results.
    fn report_lost_together(&mut self, run: &Match) {
        let bots: Vec<BotId> = super::matches::bots(run).cloned().collect();
        let names: Vec<&str> = bots.iter().map(BotId::as_str).collect();
        let names = names.join(", ");
        let times = self.reliability.lost_together(bots);
        tracing::warn!(
            match_id = %run.spec().id,
            bots = names,
            times,
            "contact with all bots of a match was lost at the same moment"
        );
        self.count(Metric::LostTogether);
    }

    /// Gives a bot no more matches.
    pub(crate) fn pause(&mut self, bot: &BotId, pause: Pause) {
        if let Some(known) = self.bots.get_mut(bot) {
            known.pause = Some(pause.clone());
            self.send_to(bot, PlayEvent::Paused(pause.clone()));
            self.writes.push(Write::Pause { bot: bot.clone(), pause: Some(pause) });
        }
    }
}

fn too_often(recent: &[bool]) -> Option<String> {
    let failures = recent.iter().filter(|failed| **failed).count();
    let in_a_row = recent.iter().rev().take_while(|failed| **failed).count();
    if in_a_row >= MOST_IN_A_ROW {
        return Some(format!("{in_a_row} matches in a row were forfeited or not begun"));
    }
    (failures >= MOST_FAILURES)
        .then(|| format!("{failures} of the last {} matches were forfeited", recent.len()))
}
