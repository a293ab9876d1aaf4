//! The bots of one run: started, connected, and seated in unrated matches.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use azulejo_arena::desk::{Arena, Unanswered};
use azulejo_arena::hall::{Answer, Opponent, Refusal, Request};
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::pool::Pool;
use azulejo_arena::store::SavedMatch;
use azulejo_bots::HouseBot;
use azulejo_wire::served::arena as pb;
use pb::watch_match_response::Event as Watched;
use tokio::process::Command;

use super::{BotProcess, LocalArena, Noted, Program, Shown};

/// How long a bot that is asked to stop may take, at the end of a run.
const GOODBYE: Duration = Duration::from_secs(3);

/// How often seats are called: a bot that comes back this very moment is there again soon.
const TRIES: u32 = 100;

/// Who sits on a seat: the house, or the bot of the team with this number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sitting {
    House(HouseBot),
    Own(usize),
}

/// A bot of the team.
#[derive(Debug)]
pub(crate) struct OwnBot {
    pub(crate) id: BotId,
    pub(crate) name: String,
    pub(crate) process: BotProcess,
    /// What it said it would like to play.
    pub(crate) offer: pb::Offer,
    token: String,
    program: Program,
}

/// An arena, and bots that are connected to it.
#[derive(Debug)]
pub(crate) struct Team {
    pub(crate) arena: LocalArena,
    pub(crate) bots: Vec<OwnBot>,
    shown: Shown,
    patience: Duration,
}

impl Team {
    pub(crate) const fn new(arena: LocalArena, shown: Shown, patience: Duration) -> Self {
        Self { arena, bots: Vec::new(), shown, patience }
    }

    /// Starts a bot that finds the arena at this address, and waits until it is there.
    pub(crate) async fn enlist(
        &mut self,
        program: &Program,
        name: &str,
        server: &str,
    ) -> Result<()> {
        let (id, token) = self.arena.register(name, self.bots.is_empty()).await?;
        let process = start(program, name, server, &token, &self.shown)?;
        let bot = OwnBot {
            id,
            name: name.to_owned(),
            process,
            offer: pb::Offer::default(),
            token,
            program: program.clone(),
        };
        self.bots.push(bot);
        self.connected(self.bots.len() - 1, 0).await
    }

    /// Starts a bot once more, as the same bot, and waits until it is there again.
    pub(crate) async fn again(&mut self, index: usize, server: &str) -> Result<()> {
        let from = self.arena.journal.length();
        let bot = &mut self.bots[index];
        bot.process.kill().await;
        bot.process = start(&bot.program, &bot.name, server, &bot.token, &self.shown)?;
        self.connected(index, from).await
    }

    /// Waits until a bot is there, or says why it will not be.
    async fn connected(&mut self, index: usize, from: usize) -> Result<()> {
        let bot = &mut self.bots[index];
        let hello = |entry: &super::Entry| {
            let Noted::Hello(offer) = &entry.what else { return None };
            (entry.bot == bot.id).then(|| offer.clone())
        };
        let offer = tokio::select! {
            offer = self.arena.journal.find(from, self.patience, hello) => offer,
            ended = bot.process.end() => {
                let (ended, words) = (ended?, bot.process.last_words().await);
                bail!("{} ended before it connected ({ended}). {words}", bot.name);
            }
        };
        let Some(offer) = offer else {
            let words = bot.process.last_words().await;
            bail!(
                "{} did not connect within {} seconds: a bot plays at AZULEJO_SERVER with \
                 AZULEJO_TOKEN, both from its environment. {words}",
                bot.name,
                self.patience.as_secs()
            );
        };
        bot.offer = offer;
        Ok(())
    }

    /// How many matches all of them play at the same time.
    pub(crate) fn at_once(&self) -> usize {
        let offered = self.bots.iter().map(|bot| bot.offer.max_concurrent_matches);
        offered.min().unwrap_or(1).max(1) as usize
    }

    pub(crate) fn ids(&self) -> Vec<BotId> {
        self.bots.iter().map(|bot| bot.id.clone()).collect()
    }

    /// What comes of the work, unless a bot ends in the middle of it.
    pub(crate) async fn unless_one_ends<T>(
        bots: &mut [OwnBot],
        work: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let ends = bots.iter_mut().map(|bot| {
            Box::pin(async {
                let ended = bot.process.end().await;
                (bot.name.clone(), ended, bot.process.last_words().await)
            })
        });
        tokio::select! {
            done = work => done,
            ((name, ended, words), ..) = futures_util::future::select_all(ends) => {
                Err(anyhow!("{name} ended in the middle of a game ({}). {words}", ended?))
            }
        }
    }

    /// Sends everybody home: by a word, and by force where that does not help.
    pub(crate) async fn disband(mut self) {
        for bot in &mut self.bots {
            bot.process.stop(GOODBYE).await;
        }
        self.arena.stop().await;
    }
}

/// Makes a bot ready to run, if it has to be made.
pub(crate) async fn build(program: &Program) -> Result<()> {
    let Some(build) = &program.build else { return Ok(()) };
    let mut command = Command::new(build);
    command.kill_on_drop(true);
    if let Some(folder) = &program.folder {
        command.current_dir(folder);
    }
    let built = command.output().await;
    let built = built.with_context(|| format!("cannot start {}", build.display()))?;
    if built.status.success() {
        return Ok(());
    }
    let (out, err) =
        (String::from_utf8_lossy(&built.stdout), String::from_utf8_lossy(&built.stderr));
    bail!("{} failed ({}):\n{out}{err}", build.display(), built.status)
}

fn start(
    program: &Program,
    name: &str,
    server: &str,
    token: &str,
    shown: &Shown,
) -> Result<BotProcess> {
    let environment = [("AZULEJO_SERVER", server), ("AZULEJO_TOKEN", token)];
    BotProcess::start(program, name, &environment, shown)
}

/// Calls the seats of a match. One of them at least has to be a bot of the team.
pub(crate) async fn challenge(
    arena: &Arena,
    ids: &[BotId],
    seats: &[Sitting],
    pool: Pool,
) -> Result<MatchId> {
    let own = |seat: &Sitting| match seat {
        Sitting::Own(index) => ids.get(*index).cloned(),
        Sitting::House(_) => None,
    };
    let seat = seats.iter().position(|seat| own(seat).is_some());
    let seat = seat.context("a match in the arena needs a bot that is connected")?;
    let by = seats.get(seat).and_then(own).context("no such bot")?;
    let others = seats.iter().enumerate().filter(|(index, _)| *index != seat);
    let opponents: Option<Vec<Opponent>> = others
        .map(|(_, sitting)| match sitting {
            Sitting::House(bot) => Some(Opponent::House(*bot)),
            Sitting::Own(_) => own(sitting).map(Opponent::Bot),
        })
        .collect();
    let opponents = opponents.context("no such bot")?;
    let Pool { ruleset, time_class } = pool;
    for _ in 0..TRIES {
        let opponents = opponents.clone();
        let request = Request::Challenge {
            by: by.clone(),
            ruleset,
            time_class,
            opponents,
            seat,
            request: None,
        };
        match arena.ask(request).await {
            Ok(Answer::Challenged(called)) => return Ok(called.id.parse()?),
            Ok(_) => bail!("the arena answered something else"),
            Err(Unanswered::Refused(Refusal::NotThere(_))) => {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            Err(refused) => return Err(refused.into()),
        }
    }
    bail!("a bot is not connected any more")
}

/// Waits for the end of a match.
pub(crate) async fn ended(arena: &Arena, id: &MatchId) -> Result<SavedMatch> {
    loop {
        let mut watched = arena.watch(id);
        let saved = arena.store().find(id).await?.context("the match is not in the store")?;
        if saved.ended.is_some() {
            return Ok(saved);
        }
        while let Some(event) = watched.recv().await {
            if matches!(event, Watched::MatchEnded(_)) {
                break;
            }
        }
    }
}
