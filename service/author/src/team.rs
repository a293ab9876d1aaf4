//! The bots of one run: starts them, waits until they are connected, and starts unrated matches.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use azulejo_arena::arena_loop::{Arena, CommandError};
use azulejo_arena::command::{CreateChallenge, CreatedChallenge, Opponent};
use azulejo_arena::event::WatchEvent;
use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::pool::Pool;
use azulejo_arena::state::Refusal;
use azulejo_arena::store::SavedMatch;
use azulejo_bots::HouseBot;
use azulejo_wire::served::arena as pb;
use tokio::process::Command;

use super::{BotOutput, BotProcess, JournalEvent, LocalArena, Program};

/// How long a bot may take to exit at the end of a run.
const STOP_TIMEOUT: Duration = Duration::from_secs(3);

/// Attempts to start a match, with a delay of [`RETRY_DELAY`]: a bot may be reconnecting.
const CHALLENGE_ATTEMPTS: u32 = 100;
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// Who plays a seat: a house bot, or the bot of the team with this index.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Participant {
    House(HouseBot),
    Own(usize),
}

/// A bot of the team.
#[derive(Debug)]
pub(crate) struct OwnBot {
    pub(crate) id: BotId,
    pub(crate) name: String,
    pub(crate) process: BotProcess,
    /// The rulesets and time classes that it offers to play.
    pub(crate) offer: pb::Offer,
    token: String,
    program: Program,
}

/// An arena and the bots that are connected to it.
#[derive(Debug)]
pub(crate) struct Team {
    pub(crate) arena: LocalArena,
    pub(crate) bots: Vec<OwnBot>,
    output: BotOutput,
    connect_timeout: Duration,
}

impl Team {
    pub(crate) const fn new(
        arena: LocalArena,
        output: BotOutput,
        connect_timeout: Duration,
    ) -> Self {
        Self { arena, bots: Vec::new(), output, connect_timeout }
    }

    /// Starts a bot that connects to this address, and waits until it is connected.
    pub(crate) async fn add_bot(
        &mut self,
        program: &Program,
        name: &str,
        server: &str,
    ) -> Result<()> {
        let (id, token) = self.arena.register(name, self.bots.is_empty()).await?;
        let process = start(program, name, server, &token, &self.output)?;
        let bot = OwnBot {
            id,
            name: name.to_owned(),
            process,
            offer: pb::Offer::default(),
            token,
            program: program.clone(),
        };
        self.bots.push(bot);
        self.wait_until_connected(self.bots.len() - 1, 0).await
    }

    /// Kills a bot, starts it again with the same token, and waits until it is connected.
    pub(crate) async fn restart_bot(&mut self, index: usize, server: &str) -> Result<()> {
        let from = self.arena.journal.length();
        let bot = &mut self.bots[index];
        bot.process.kill().await;
        bot.process = start(&bot.program, &bot.name, server, &bot.token, &self.output)?;
        self.wait_until_connected(index, from).await
    }

    /// Waits until a bot is connected. `from` is the length of the journal before it was started.
    async fn wait_until_connected(&mut self, index: usize, from: usize) -> Result<()> {
        let bot = &mut self.bots[index];
        let hello = |entry: &super::Entry| {
            let JournalEvent::Connected(offer) = &entry.event else { return None };
            (entry.bot == bot.id).then(|| offer.clone())
        };
        let offer = tokio::select! {
            offer = self.arena.journal.find(from, self.connect_timeout, hello) => offer,
            status = bot.process.wait() => {
                let (status, output) = (status?, bot.process.last_output().await);
                bail!("{} exited before it connected ({status}). {output}", bot.name);
            }
        };
        let Some(offer) = offer else {
            let output = bot.process.last_output().await;
            bail!(
                "{} did not connect within {} seconds. A bot must connect to the address in the \
                 environment variable AZULEJO_SERVER with the token in AZULEJO_TOKEN; \
                 --connect-within gives it more time. {output}",
                bot.name,
                self.connect_timeout.as_secs()
            );
        };
        bot.offer = offer;
        Ok(())
    }

    /// The number of concurrent matches that all bots accept.
    pub(crate) fn concurrent_matches(&self) -> usize {
        let offered = self.bots.iter().map(|bot| bot.offer.max_concurrent_matches);
        offered.min().unwrap_or(1).max(1) as usize
    }

    pub(crate) fn ids(&self) -> Vec<BotId> {
        self.bots.iter().map(|bot| bot.id.clone()).collect()
    }

    /// Does the work; fails if a bot exits before it is done.
    pub(crate) async fn fail_if_a_bot_exits<T>(
        bots: &mut [OwnBot],
        work: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let exits = bots.iter_mut().map(|bot| {
            Box::pin(async {
                let status = bot.process.wait().await;
                (bot.name.clone(), status, bot.process.last_output().await)
            })
        });
        tokio::select! {
            done = work => done,
            ((name, status, output), ..) = futures_util::future::select_all(exits) => {
                Err(anyhow!("{name} exited during a game ({}). {output}", status?))
            }
        }
    }

    /// Stops all bots, then the arena.
    pub(crate) async fn shut_down(mut self) {
        for bot in &mut self.bots {
            bot.process.stop(STOP_TIMEOUT).await;
        }
        self.arena.stop().await;
    }
}

/// Runs the build script of a bot, if it has one.
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
    output: &BotOutput,
) -> Result<BotProcess> {
    let environment = [("AZULEJO_SERVER", server), ("AZULEJO_TOKEN", token)];
    BotProcess::start(program, name, &environment, output)
}

/// Starts a match. At least one seat must be a bot of the team.
pub(crate) async fn challenge(
    arena: &Arena,
    ids: &[BotId],
    seats: &[Participant],
    pool: Pool,
) -> Result<MatchId> {
    let own = |seat: &Participant| match seat {
        Participant::Own(index) => ids.get(*index).cloned(),
        Participant::House(_) => None,
    };
    let seat = seats.iter().position(|seat| own(seat).is_some());
    let seat = seat.context("a match in the arena needs at least one connected bot")?;
    let by = seats.get(seat).and_then(own).context("no such bot")?;
    let others = seats.iter().enumerate().filter(|(index, _)| *index != seat);
    let opponents: Option<Vec<Opponent>> = others
        .map(|(_, participant)| match participant {
            Participant::House(bot) => Some(Opponent::House(*bot)),
            Participant::Own(_) => own(participant).map(Opponent::Bot),
        })
        .collect();
    let opponents = opponents.context("no such bot")?;
    for _ in 0..CHALLENGE_ATTEMPTS {
        let (by, opponents) = (by.clone(), opponents.clone());
        let challenge = CreateChallenge { by, pool, opponents, seat, request: None };
        match arena.call(challenge).await {
            Ok(CreatedChallenge::Running(run)) => return Ok(run.spec().id.clone()),
            Ok(CreatedChallenge::Finished(id)) => return Ok(id),
            Err(CommandError::Refused(Refusal::NotThere(_))) => {
                tokio::time::sleep(RETRY_DELAY).await;
            }
            Err(refused) => return Err(refused.into()),
        }
    }
    bail!("a bot has disconnected")
}

/// Waits for the end of a match.
pub(crate) async fn wait_for_end(arena: &Arena, id: &MatchId) -> Result<SavedMatch> {
    loop {
        let mut watched = arena.watch(id);
        let saved = arena.store().find(id).await?.context("the match is not in the store")?;
        if saved.ended.is_some() {
            return Ok(saved);
        }
        while let Some(event) = watched.recv().await {
            if matches!(event, WatchEvent::MatchEnded(_)) {
                break;
            }
        }
    }
}
