//! Registration and connection of the bots.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use azulejo_arena::pool::TimeClass;
use azulejo_sdk::{Options, arena, register};
use indicatif::ProgressBar;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::LoadLadder;
use super::behaviour::{self, Behaviour};
use super::journal::BotName;
use super::swarm::{Swarm, ThinkTime};
use super::swarm_bot::SwarmBot;

/// Registrations at the same time.
const CONCURRENT_REGISTRATIONS: usize = 32;
/// Between the connections of two bots, so that they do not all connect at once.
const CONNECT_INTERVAL: Duration = Duration::from_millis(2);
/// For all bots to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_mins(1);

/// A bot of the swarm with what it needs to play.
pub(super) struct SwarmPlayer {
    pub(super) bot: SwarmBot,
    pub(super) behaviour: Behaviour,
    pub(super) options: Options,
}

/// A registered bot.
#[derive(Clone, Default)]
pub(super) struct Registered {
    /// `owner/name`.
    bot: String,
    pub(super) token: String,
}

/// The behaviour of each bot: bad ones are distributed over the swarm, each kind equally often.
fn behaviours(load: &LoadLadder) -> impl Iterator<Item = Behaviour> {
    let bad = load.bad;
    let before = move |number: u32| (f64::from(number) * bad) as usize;
    (0..load.bots).map(move |number| match before(number + 1) - before(number) {
        0 => Behaviour::Good,
        _ => Behaviour::BAD[before(number) % Behaviour::BAD.len()],
    })
}

/// Registers every bot with its own owner, as two bots of one owner never meet.
pub(super) async fn register_bots(
    load: &LoadLadder,
    url: &str,
    bar: &ProgressBar,
) -> Result<Vec<Registered>> {
    let mut random = [0; 4];
    getrandom::fill(&mut random).context("the operating system gave no random bytes")?;
    let run = u32::from_le_bytes(random);
    let begun = Instant::now();
    let mut registered = vec![Registered::default(); load.bots as usize];
    let mut calls = JoinSet::new();
    for number in 0..load.bots as usize {
        if calls.len() >= CONCURRENT_REGISTRATIONS {
            finish_one(&mut calls, &mut registered).await?;
        }
        let (url, owner) = (url.to_owned(), format!("load-{run:08x}-{number}"));
        calls.spawn(async move {
            let answer = register(&url, &owner, "bot", "").await;
            let answer = answer.context("cannot register a bot; is registration open?")?;
            anyhow::Ok((number, Registered { bot: format!("{owner}/bot"), token: answer.token }))
        });
    }
    while !calls.is_empty() {
        finish_one(&mut calls, &mut registered).await?;
    }
    bar.println(format!("registered {} bots in {:.1?}", load.bots, begun.elapsed()));
    Ok(registered)
}

async fn finish_one(
    calls: &mut JoinSet<Result<(usize, Registered)>>,
    registered: &mut [Registered],
) -> Result<()> {
    if let Some(answer) = calls.join_next().await {
        let (number, bot) = answer??;
        registered[number] = bot;
    }
    Ok(())
}

pub(super) fn swarm(load: &LoadLadder, registered: &[Registered]) -> Result<Arc<Swarm>> {
    let think_time = ThinkTime { seed: load.seed, think: load.think, jitter: load.jitter };
    let bots = registered.iter().zip(behaviours(load));
    let bots =
        bots.map(|(bot, behaviour)| BotName { bot: bot.bot.clone(), bad: behaviour.is_bad() });
    Ok(Arc::new(Swarm::new(think_time, bots.collect())?))
}

pub(super) fn players(
    load: &LoadLadder,
    url: &str,
    registered: Vec<Registered>,
    swarm: &Arc<Swarm>,
) -> Vec<SwarmPlayer> {
    let mut players = Vec::with_capacity(registered.len());
    let settings = behaviours(load).zip(load.pools.iter().cycle());
    for ((number, Registered { token, .. }), (behaviour, pool)) in
        (0..).zip(registered).zip(settings)
    {
        let (answers, is_bad) = (behaviour.answers(), behaviour.is_bad());
        let bot = SwarmBot::new(number, answers, is_bad, Arc::clone(swarm));
        let class = match pool.time_class {
            TimeClass::Bullet => arena::TimeClass::Bullet,
            TimeClass::Blitz => arena::TimeClass::Blitz,
            TimeClass::Rapid => arena::TimeClass::Rapid,
        };
        let options = Options {
            rulesets: vec![pool.ruleset.message()],
            time_classes: vec![class],
            max_concurrent_matches: load.concurrent_matches,
            accepts_challenges: false,
            ..Options::new(url, &token)
        };
        players.push(SwarmPlayer { bot, behaviour, options });
    }
    players
}

/// Starts all bots, one after the other.
pub(super) async fn start(players: &[SwarmPlayer]) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    for player in players {
        let options = player.options.clone();
        behaviour::start(player.behaviour, player.bot.clone(), options, &mut tasks);
        tokio::time::sleep(CONNECT_INTERVAL).await;
    }
    tasks
}

pub(super) async fn wait_connected(players: &[SwarmPlayer], swarm: &Swarm) -> Result<()> {
    let until = Instant::now() + CONNECT_TIMEOUT;
    let missing = || {
        let waits =
            |player: &&SwarmPlayer| !player.behaviour.is_bad() && !player.bot.is_connected();
        players.iter().filter(waits).count()
    };
    while missing() > 0 {
        if Instant::now() > until {
            let (missing, moves) = (missing(), swarm.moves());
            bail!("{missing} bots are not connected after {CONNECT_TIMEOUT:?} ({moves} moves)");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

/// Misbehaving bots leave. The others reconnect at once, finish their matches and get no new ones.
pub(super) async fn finish_matches(
    players: &[SwarmPlayer],
    leave: &CancellationToken,
    tasks: &mut JoinSet<()>,
) {
    for player in players {
        player.options.stop.cancel();
        if !player.behaviour.is_bad() {
            let options = Options {
                stop: leave.clone(),
                max_concurrent_matches: 0,
                ..player.options.clone()
            };
            behaviour::start(Behaviour::Good, player.bot.clone(), options, tasks);
            tokio::time::sleep(CONNECT_INTERVAL).await;
        }
    }
}
