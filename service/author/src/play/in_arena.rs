//! A game with bots of your own, played in a local arena and shown live.

use std::io::Write as _;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use azulejo_arena::arena_loop::Arena;
use azulejo_arena::match_record::Replayed;
use azulejo_arena::match_run::Match;
use azulejo_arena::names::MatchId;
use azulejo_arena::pool::Pool;
use azulejo_arena::record::Event;
use azulejo_arena::store::SavedMatch;
use azulejo_arena::time::Time;
use azulejo_engine::fairness;
use azulejo_rules::parts::{Seat, Seed};
use azulejo_terminal::output::{check_writable, create};
use azulejo_terminal::view::PictureFolder;

use super::{GameSession, Play};
use crate::seats::{PlayerSpec, names, own_bots};
use crate::{
    Journal, JournalEvent, Team, browser, challenge, match_end, run_until_signal, start_team,
    wait_for_end,
};

/// How often the store is read. The start of a match sends no event to watchers.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

impl Play {
    pub(super) fn run_in_arena(&self, players: Vec<PlayerSpec>) -> Result<()> {
        if self.seed.is_some() {
            bail!(
                "--seed has no effect on bots of your own: the arena chooses the deals; leave --seed out"
            );
        }
        self.record.as_deref().map_or(Ok(()), check_writable)?;
        run_until_signal(self.play_in_arena(players))
    }

    async fn play_in_arena(&self, players: Vec<PlayerSpec>) -> Result<()> {
        let names = names(&players);
        let players = if self.open { with_connected_bot(players)? } else { players };
        let Some((programs, seats)) = own_bots(&players, &names) else {
            bail!("a person can only play against house bots: `azulejo play human greedy`");
        };
        let pool = Pool {
            ruleset: self.rules.ruleset(players.len())?,
            time_class: self.bot_args.time_class(),
        };
        let mut team = start_team(&programs, &self.bot_args).await?;
        let arena = team.arena.arena.clone();
        let id = challenge(&arena, &team.ids(), &seats, pool).await?;
        let page = format!("{}/match/{}", team.arena.url(), id.as_str());
        let watching = async {
            if self.open {
                say!("{page}");
                browser::open(&page);
                wait_for_end(&arena, &id).await
            } else {
                say!("{}, time control {}", self.rules, time_control(pool));
                let session = self.session(players.clone(), Seed::new([0; 32]))?;
                self.watch(session, &arena, &id).await
            }
        };
        let saved = Team::fail_if_a_bot_exits(&mut team.bots, watching).await?;
        print_refusals(&team.arena.journal);
        let lines = match_end::describe_forfeits(&saved, &names);
        for line in &lines {
            say!("{line}");
        }
        if !lines.is_empty() {
            for bot in &team.bots {
                say!("{}. {}", bot.name, bot.process.last_output().await);
            }
        }
        if let Some(path) = &self.record {
            let record =
                Replayed::of(&saved)?.record(&saved).context("the match has no moves to record")?;
            writeln!(create(path)?, "{record}")?;
        }
        self.print_files();
        if self.open {
            say!("Press Enter to stop serving {page}");
            browser::until_enter().await;
        }
        team.shut_down().await;
        Ok(())
    }

    /// Prints the events of the match as they are stored.
    async fn watch(
        &self,
        mut session: GameSession,
        arena: &Arena,
        id: &MatchId,
    ) -> Result<SavedMatch> {
        let pictures = self.svg.as_deref().map(PictureFolder::new).transpose()?;
        session.save_picture(pictures.as_ref())?;
        let mut shown = 0;
        loop {
            let mut watched = arena.watch(id);
            let saved = arena.store().find(id).await?.context("the match is not in the store")?;
            for event in &saved.events[shown..] {
                session.apply_event(event, &saved)?;
                session.save_picture(pictures.as_ref())?;
            }
            shown = saved.events.len();
            if saved.ended.is_some() {
                if session.table.is_over() {
                    session.print_result();
                }
                return Ok(saved);
            }
            let _quiet = tokio::time::timeout(POLL_INTERVAL, watched.recv()).await;
        }
    }
}

impl GameSession {
    /// Applies a stored event, and the deals that follow from it.
    fn apply_event(&mut self, event: &Event, saved: &SavedMatch) -> Result<()> {
        match event {
            Event::Started { .. } => {
                let run = Match::replay(saved, Time::default())?;
                self.seed = fairness::seed(saved.spec.id.as_str(), &saved.secret, &run.nonces());
            }
            Event::Moved { seat, action, .. } => {
                let action = self.table.read_move(action)?;
                let seat = Seat::at(*seat).context("no such seat")?;
                self.play(seat, action)?;
            }
            Event::Forfeited { .. }
            | Event::Refused(_)
            | Event::Ready { .. }
            | Event::Ended { .. }
            | Event::Voided { .. } => return Ok(()),
        }
        while self.table.awaits_deal() {
            self.deal();
        }
        Ok(())
    }
}

/// A match in the arena needs a connected bot: if there is none, the first house bot runs as one.
fn with_connected_bot(players: Vec<PlayerSpec>) -> Result<Vec<PlayerSpec>> {
    if players.iter().any(|player| matches!(player, PlayerSpec::Own(_))) {
        return Ok(players);
    }
    let program = std::env::current_exe().context("cannot locate the running executable")?;
    let mut players = players;
    if let Some(PlayerSpec::House(bot)) = players.first() {
        let command = format!("'{}' bot {bot}", program.display());
        players[0] = PlayerSpec::Own(command.parse().map_err(anyhow::Error::msg)?);
    }
    Ok(players)
}

fn time_control(pool: Pool) -> String {
    let class = pool.time_class;
    format!("{} s + {} s per move", class.bank().as_secs(), class.increment().as_secs_f64())
}

/// Prints the answers that the arena refused, for the author of the bot.
fn print_refusals(journal: &Journal) {
    for entry in journal.since(0) {
        if let JournalEvent::AnswerRefused { turn, reason, message } = &entry.event {
            say!(
                "The arena refused the answer of {} to turn {turn}: {message} ({reason})",
                entry.bot
            );
        }
    }
}
