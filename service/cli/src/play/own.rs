//! A game with bots of one's own: played in an arena inside this process, watched as it happens.

use std::io::Write as _;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use azulejo_arena::desk::Arena;
use azulejo_arena::document;
use azulejo_arena::match_run::Match;
use azulejo_arena::moment::Time;
use azulejo_arena::names::MatchId;
use azulejo_arena::pool::Pool;
use azulejo_arena::record::Event;
use azulejo_arena::store::SavedMatch;
use azulejo_engine::fairness;
use azulejo_rules::parts::{Seat, Seed};

use super::{Play, Session};
use crate::author::{Journal, Noted, Team, browser, challenge, gather, run_until_told, verdict};
use crate::output::{check_writable, create};
use crate::seats::{Player, names, own_bots};
use crate::view::Album;

const SOON: Duration = Duration::from_millis(200);

impl Play {
    pub(super) fn run_in_arena(&self, players: Vec<Player>) -> Result<()> {
        if self.seed.is_some() {
            bail!("in an arena nobody chooses the deals: leave --seed out");
        }
        self.record.as_deref().map_or(Ok(()), check_writable)?;
        run_until_told(self.play_in_arena(players))
    }

    async fn play_in_arena(&self, players: Vec<Player>) -> Result<()> {
        let names = names(&players);
        let players = if self.open { connected(players)? } else { players };
        let Some((programs, seats)) = own_bots(&players, &names) else {
            bail!("a person plays against house bots: `azulejo play human greedy`");
        };
        let pool = Pool {
            ruleset: self.rules.ruleset(players.len())?,
            time_class: self.running.time.into(),
        };
        let mut team = gather(&programs, &self.running).await?;
        let arena = team.arena.arena.clone();
        let id = challenge(&arena, &team.ids(), &seats, pool).await?;
        let page = format!("{}/match/{}", team.arena.url(), id.as_str());
        let watching = async {
            if self.open {
                say!("{page}");
                browser::open(&page);
                crate::author::ended(&arena, &id).await
            } else {
                say!("{}, in an arena, by the clock {}", self.rules, pool_clock(pool));
                let session = self.session(players.clone(), Seed::new([0; 32]))?;
                self.watch(session, &arena, &id).await
            }
        };
        let saved = Team::unless_one_ends(&mut team.bots, watching).await?;
        tell_refusals(&team.arena.journal);
        let lines = verdict::lines(&saved, &names);
        for line in &lines {
            say!("{line}");
        }
        if !lines.is_empty() {
            for bot in &team.bots {
                say!("{}. {}", bot.name, bot.process.last_words().await);
            }
        }
        if let Some(path) = &self.record {
            let run = Match::replay(&saved, Time::default())?;
            let record = document::of(&saved, &run).context("nothing was played")?;
            writeln!(create(path)?, "{record}")?;
        }
        self.tell_files();
        if self.open {
            say!("The page stays until you press Enter: {page}");
            browser::until_enter().await;
        }
        team.disband().await;
        Ok(())
    }

    /// Shows what is written down of the match, as it is written down.
    async fn watch(&self, mut session: Session, arena: &Arena, id: &MatchId) -> Result<SavedMatch> {
        let album = self.svg.as_deref().map(Album::new).transpose()?;
        session.picture(album.as_ref())?;
        let mut shown = 0;
        loop {
            let mut watched = arena.watch(id);
            let saved = arena.store().find(id).await?.context("the match is not in the store")?;
            for event in &saved.events[shown..] {
                session.follow(event, &saved)?;
                session.picture(album.as_ref())?;
            }
            shown = saved.events.len();
            if saved.ended.is_some() {
                if session.table.is_over() {
                    session.print_result();
                }
                return Ok(saved);
            }
            // A match that begins is no event for those who watch: look again soon.
            let _quiet = tokio::time::timeout(SOON, watched.recv()).await;
        }
    }
}

impl Session {
    /// The next thing that happened.
    fn follow(&mut self, event: &Event, saved: &SavedMatch) -> Result<()> {
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

/// In an arena somebody has to be connected: if nobody is, the first house bot connects itself.
fn connected(players: Vec<Player>) -> Result<Vec<Player>> {
    if players.iter().any(|player| matches!(player, Player::Own(_))) {
        return Ok(players);
    }
    let this = std::env::current_exe().context("this program does not know its file")?;
    let mut players = players;
    if let Some(Player::House(bot)) = players.first() {
        let command = format!("'{}' bot {bot}", this.display());
        players[0] = Player::Own(command.parse().map_err(anyhow::Error::msg)?);
    }
    Ok(players)
}

fn pool_clock(pool: Pool) -> String {
    let class = pool.time_class;
    format!("{} s + {} s a move", class.bank().as_secs(), class.increment().as_secs_f64())
}

/// Whoever writes a bot wants to know which of its answers were no good.
fn tell_refusals(journal: &Journal) {
    for entry in journal.since(0) {
        if let Noted::Refused { turn, reason, message } = &entry.what {
            say!("The arena refused an answer of {}, turn {turn}: {message} ({reason})", entry.bot);
        }
    }
}
