//! A run from the first registration to the last verdict.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use azulejo_arena::pool::TimeClass;
use azulejo_arena::store::Address;
use azulejo_sdk::{Options, arena, register};
use indicatif::ProgressBar;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::LoadLadder;
use super::bad::{self, Manners};
use super::check::{self, Verdict};
use super::grounds::{Grounds, journal_of};
use super::journal::{Journal, MemberName};
use super::member::Member;
use super::report::{Measured, Report};
use super::swarm::{Habits, Swarm};
use crate::load::server;
use crate::output::progress;

/// Registrations at the same time.
const AT_ONCE: usize = 32;
/// Between the first connections of two bots, so that they do not knock all at once.
const APART: Duration = Duration::from_millis(2);
/// For everyone to be connected.
const GATHERING: Duration = Duration::from_mins(1);
/// For the matches that run to end: an absence takes 30 s, a bank longer.
const DRAIN: Duration = Duration::from_mins(3);
/// For the last ends to be confirmed: the answer to a ping does, and pings come every 5 s.
const CONFIRMATION: Duration = Duration::from_secs(20);

/// A bot of the swarm with what it needs to play.
pub(super) struct Player {
    pub(super) member: Member,
    pub(super) manners: Manners,
    pub(super) options: Options,
}

pub(super) async fn run(load: &LoadLadder) -> Result<Report> {
    let bar = progress(load.seconds, "playing");
    let mut grounds = Grounds::open(load, &bar).await?;
    let tokens = sign_up(load, &grounds.url, &bar).await?;
    let names = tokens.iter().zip(manners(load));
    let names =
        names.map(|((bot, _), manners)| MemberName { bot: bot.clone(), bad: manners.is_bad() });
    let habits = Habits { seed: load.seed, think: load.think, jitter: load.jitter };
    let swarm = Arc::new(Swarm::new(habits, names.collect())?);
    let players = players(load, &grounds.url, tokens, &swarm);
    let mut tasks = enter(&players).await;
    gather(&players, &swarm).await?;
    bar.println(format!("{} bots are connected", players.len()));
    grounds.measure();
    let measured = play(load, &mut grounds, &swarm, &bar).await?;
    bar.println("no new matches; waiting until those that run are over");
    let leave = CancellationToken::new();
    stay(&players, &leave, &mut tasks).await;
    drain(&players, &swarm).await;
    confirm(grounds.store.as_ref(), &swarm).await?;
    let swarm_memory_kib = server::memory_kib("self");
    leave.cancel();
    while tasks.join_next().await.is_some() {}
    drop(players);
    let used = grounds.close().await?;
    bar.finish_and_clear();
    let notes = swarm.take_notes();
    let verdicts = verdicts(grounds.store.as_ref(), &notes.journal).await?;
    keep(load, grounds, &notes.journal)?;
    Report::of(load, &notes, &measured, swarm_memory_kib, used, verdicts)
}

/// Who behaves how: the bad ones are spread over the swarm, of each kind as many.
fn manners(load: &LoadLadder) -> impl Iterator<Item = Manners> {
    let bad = load.bad;
    let before = move |number: u32| (f64::from(number) * bad) as usize;
    (0..load.bots).map(move |number| match before(number + 1) - before(number) {
        0 => Manners::Good,
        _ => Manners::BAD[before(number) % Manners::BAD.len()],
    })
}

/// Registers every bot, as anybody would: each with an owner of its own, as two bots of one owner
/// never meet.
async fn sign_up(load: &LoadLadder, url: &str, bar: &ProgressBar) -> Result<Vec<(String, String)>> {
    let mut letters = [0; 4];
    getrandom::fill(&mut letters).context("the operating system gave no random bytes")?;
    let run = u32::from_le_bytes(letters);
    let begun = Instant::now();
    let mut registered = vec![(String::new(), String::new()); load.bots as usize];
    let mut calls = JoinSet::new();
    for number in 0..load.bots as usize {
        if calls.len() >= AT_ONCE {
            take(&mut calls, &mut registered).await?;
        }
        let (url, owner) = (url.to_owned(), format!("load-{run:08x}-{number}"));
        calls.spawn(async move {
            let answer = register(&url, &owner, "bot", "").await;
            let answer = answer.context("a bot cannot be registered; is registration open?")?;
            anyhow::Ok((number, (format!("{owner}/bot"), answer.token)))
        });
    }
    while !calls.is_empty() {
        take(&mut calls, &mut registered).await?;
    }
    bar.println(format!("registered {} bots in {:.1?}", load.bots, begun.elapsed()));
    Ok(registered)
}

type Registered = (usize, (String, String));

async fn take(
    calls: &mut JoinSet<Result<Registered>>,
    registered: &mut [(String, String)],
) -> Result<()> {
    if let Some(answer) = calls.join_next().await {
        let (number, token) = answer??;
        registered[number] = token;
    }
    Ok(())
}

fn players(
    load: &LoadLadder,
    url: &str,
    tokens: Vec<(String, String)>,
    swarm: &Arc<Swarm>,
) -> Vec<Player> {
    let mut players = Vec::with_capacity(tokens.len());
    let habits = manners(load).zip(load.pools.iter().cycle());
    for ((number, (_, token)), (manners, pool)) in (0..).zip(tokens).zip(habits) {
        let member = Member::new(number, manners.answers(), manners.is_bad(), Arc::clone(swarm));
        let class = match pool.time_class {
            TimeClass::Bullet => arena::TimeClass::Bullet,
            TimeClass::Blitz => arena::TimeClass::Blitz,
            TimeClass::Rapid => arena::TimeClass::Rapid,
        };
        let options = Options {
            rulesets: vec![pool.ruleset.message()],
            time_classes: vec![class],
            max_concurrent_matches: load.games_at_once,
            accepts_challenges: false,
            ..Options::new(url, &token)
        };
        players.push(Player { member, manners, options });
    }
    players
}

/// Everyone connects and plays.
async fn enter(players: &[Player]) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    for player in players {
        let options = player.options.clone();
        bad::enter(player.manners, player.member.clone(), options, &mut tasks);
        tokio::time::sleep(APART).await;
    }
    tasks
}

/// Those who behave badly leave. The others come again at once, and play to its end what they have
/// begun.
async fn stay(players: &[Player], leave: &CancellationToken, tasks: &mut JoinSet<()>) {
    for player in players {
        player.options.stop.cancel();
        if !player.manners.is_bad() {
            let options = Options {
                stop: leave.clone(),
                max_concurrent_matches: 0,
                ..player.options.clone()
            };
            bad::enter(Manners::Good, player.member.clone(), options, tasks);
            tokio::time::sleep(APART).await;
        }
    }
}

async fn gather(players: &[Player], swarm: &Swarm) -> Result<()> {
    let until = Instant::now() + GATHERING;
    let missing = || {
        let here = |player: &&Player| !player.manners.is_bad() && !player.member.is_connected();
        players.iter().filter(here).count()
    };
    while missing() > 0 {
        if Instant::now() > until {
            let (missing, moves) = (missing(), swarm.moves());
            anyhow::bail!("{missing} bots are not connected after {GATHERING:?} ({moves} moves)");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

/// The time that counts.
async fn play(
    load: &LoadLadder,
    grounds: &mut Grounds,
    swarm: &Swarm,
    bar: &ProgressBar,
) -> Result<Measured> {
    let (begun, moves) = (Instant::now(), swarm.moves());
    let cpu = server::cpu_seconds("self");
    let mut next_kill = load.kill_every.map(|every| (every, begun + Duration::from_secs(every)));
    for second in 0..load.seconds {
        tokio::time::sleep_until((begun + Duration::from_secs(second + 1)).into()).await;
        // Not in the last moment: the end is for what was promised before.
        if let Some((every, at)) = &mut next_kill
            && Instant::now() >= *at
            && second + 2 < load.seconds
        {
            *at += Duration::from_secs(*every);
            grounds.kill().await?;
        }
        grounds.look();
        bar.set_position(second + 1);
        bar.set_message(format!("playing, {} moves", swarm.moves() - moves));
    }
    let cpu_seconds = server::cpu_seconds("self").zip(cpu).map(|(end, begin)| end - begin);
    let seconds = begun.elapsed().as_secs_f64();
    let resumes = swarm.notes().counts.resumes;
    let moves = (swarm.moves() - moves) as u64;
    Ok(Measured { seconds, moves, resumes, swarm_cpu_seconds: cpu_seconds })
}

/// Until nobody sits in a match, or for so long.
async fn drain(players: &[Player], swarm: &Swarm) {
    let until = Instant::now() + DRAIN;
    let busy = |player: &&Player| !player.manners.is_bad() && !player.member.is_idle();
    while players.iter().filter(busy).count() > 0 && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let seated = swarm.notes().counts.seated;
    tracing::debug!(seated, "drained");
}

/// Until the arena knows that every end was heard, or for so long.
async fn confirm(store: Option<&Address>, swarm: &Swarm) -> Result<()> {
    let Some(store) = store else {
        tokio::time::sleep(CONFIRMATION / 2).await;
        return Ok(());
    };
    let store = store.open().await?;
    let members = swarm.notes().journal.members.clone();
    let journal = Journal { members, ..Journal::default() };
    let until = Instant::now() + CONFIRMATION;
    while check::unconfirmed(&*store, &journal).await? > 0 && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    Ok(())
}

async fn verdicts(store: Option<&Address>, journal: &Journal) -> Result<Vec<Verdict>> {
    let Some(store) = store else {
        let says = "no store to look at".to_owned();
        return Ok(vec![Verdict::unknown("moves", says, "name the arena's store with --store")]);
    };
    check::check(&*store.open().await?, journal).await
}

fn keep(load: &LoadLadder, grounds: Grounds, journal: &Journal) -> Result<()> {
    let Grounds { store: Some(store), folder, .. } = grounds else { return Ok(()) };
    if load.keep {
        let path = journal_of(&store);
        journal.write(&path)?;
        // From here on nobody removes it.
        drop(folder.map(tempfile::TempDir::keep));
        let path = path.display();
        eprintln!("kept: azulejo load check --store {store} --journal {path}");
    }
    Ok(())
}
