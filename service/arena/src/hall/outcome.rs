//! What becomes of a match that is over: ratings, health, and everyone is told.

use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;
use pb::watch_match_response::Event as Watched;

use super::{Answer, Hall, Held, Note, Output, Refusal, messages, notes};
use crate::match_run::Match;
use crate::moment::{Now, Wall};
use crate::names::{BotId, MatchId, Player};
use crate::rating::Standing;
use crate::record::{EndReason, Origin, Seat, SeatEnd};
use crate::store::{Ended, Pause, Write};

/// Matches that a bot's health is judged by.
const REMEMBERED: usize = 50;
/// Failures among them that are too many.
const TOO_MANY: usize = 6;
/// Failures in a row that are too many.
const IN_A_ROW: usize = 5;

impl Hall {
    pub(super) fn finish(&mut self, id: &MatchId, now: Now) {
        let Some(run) = self.matches.remove(id) else { return };
        self.challengers.remove(id);
        let rated = run.unrated_reason().is_none();
        let players: Vec<Player> = run
            .spec()
            .seats
            .iter()
            .filter_map(|seat| match seat {
                Seat::Remote(player) => Some(player.clone()),
                Seat::House(_) => None,
            })
            .collect();
        let ends = run.ends();
        let pool = run.spec().pool;
        let before: Vec<Standing> =
            players.iter().map(|player| self.ladder.standing(pool, player)).collect();
        let standings = if rated { self.ladder.after(pool, &players, &ends) } else { Vec::new() };
        for (player, standing) in &standings {
            self.ladder.set(pool, player.clone(), *standing);
        }
        let after: Vec<Standing> = standings.iter().map(|(_, standing)| *standing).collect();
        self.writes.push(Write::Ended(Ended {
            id: id.clone(),
            at: now.wall,
            seats: ends.clone(),
            rated,
            standings,
        }));
        self.note(Note::Ended { pool, how: notes::how(&ends) });
        let ratings = rated.then_some((before.as_slice(), after.as_slice()));
        self.tell_the_end(&run, now.wall, ratings);
        for player in &players {
            if let Some(session) = self.sessions.get_mut(&player.bot) {
                session.free_since = now.time;
            }
        }
        if run.spec().origin == Origin::Ladder {
            self.judge(&run, &ends);
        }
        self.finished.insert(id.clone(), (run, now.time));
    }

    fn tell_the_end(&mut self, run: &Match, at: Wall, ratings: Option<(&[Standing], &[Standing])>) {
        let id = run.spec().id.clone();
        let ended = messages::ended(run, at, ratings);
        let pb::MatchEnded { r#match, reveal, .. } = ended.clone();
        let event = Box::new(Watched::MatchEnded(pb::WatchedEnd { r#match, reveal }));
        self.held.push(Held::Out(Output::Watch { id: id.clone(), event }));
        for (seat, player) in run.spec().seats.iter().enumerate() {
            let Seat::Remote(Player { bot, .. }) = player else { continue };
            self.untold.entry(bot.clone()).or_default().insert(id.clone());
            let seat = u32::try_from(seat).unwrap_or_default();
            self.say_to(bot, Told::MatchEnded(pb::MatchEnded { seat, ..ended.clone() }));
        }
    }

    /// Whoever fails too often is paused, and told why.
    fn judge(&mut self, run: &Match, ends: &[SeatEnd]) {
        let id = &run.spec().id;
        for (seat, SeatEnd { reason, .. }) in run.spec().seats.iter().zip(ends) {
            let Seat::Remote(Player { bot, .. }) = seat else { continue };
            if matches!(reason, EndReason::CalledOff | EndReason::ServerError) {
                continue;
            }
            let Some(known) = self.bots.get_mut(bot) else { continue };
            known.recent.push(reason.is_failure());
            let surplus = known.recent.len().saturating_sub(REMEMBERED);
            known.recent.drain(..surplus);
            // The house's own bots are for their organiser to watch: without them nobody has an
            // opponent, and a slow machine would take them all away.
            if known.house {
                continue;
            }
            if reason.is_failure()
                && known.pause.is_none()
                && let Some(problem) = too_often(&known.recent)
            {
                let pause = Pause { reason: problem, last_straw: Some(id.clone()) };
                self.pause(&bot.clone(), pause);
            }
        }
    }

    /// Gives a bot no more matches.
    pub(super) fn pause(&mut self, bot: &BotId, pause: Pause) {
        if let Some(known) = self.bots.get_mut(bot) {
            known.pause = Some(pause.clone());
            self.say_to(bot, Told::Paused(messages::paused(&pause)));
            self.writes.push(Write::Pause { bot: bot.clone(), pause: Some(pause) });
        }
    }

    /// An organiser calls a match off.
    pub(super) fn void(&mut self, id: &MatchId, why: &str, now: Now) -> Result<Answer, Refusal> {
        let run = self.matches.get_mut(id).ok_or(Refusal::NoSuchMatch)?;
        let happenings = run.void(EndReason::CalledOff, why, now);
        let mut message = messages::match_message(run);
        message.end_time = Some(messages::timestamp(now.wall));
        self.happened(id, happenings, now);
        Ok(Answer::Voided(message))
    }
}

fn too_often(recent: &[bool]) -> Option<String> {
    let failures = recent.iter().filter(|failed| **failed).count();
    let in_a_row = recent.iter().rev().take_while(|failed| **failed).count();
    if in_a_row >= IN_A_ROW {
        return Some(format!("{in_a_row} matches in a row were forfeited or not begun"));
    }
    (failures >= TOO_MANY)
        .then(|| format!("{failures} of the last {} matches were forfeited", recent.len()))
}
