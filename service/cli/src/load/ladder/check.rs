//! Whether a store keeps what its arena promised: everything in it is read, and held against what
//! the swarm was told.

mod matches;
mod times;

use std::collections::{BTreeSet, HashSet};

use anyhow::Result;
use azulejo_arena::names::Player;
use azulejo_arena::rating::Ladder;
use azulejo_arena::store::{Outcome, Store};
use serde::Serialize;

use super::journal::Journal;
use matches::Matches;
pub(super) use times::Times;

/// Rows that are read at once.
const PAGE: u32 = 200;

/// Whether something holds; none: it could not be looked at.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Verdict {
    pub(super) item: &'static str,
    pub(super) holds: Option<bool>,
    pub(super) says: String,
    /// What to do if it does not hold.
    #[serde(skip)]
    pub(super) next: &'static str,
}

impl Verdict {
    /// It holds if nothing is wrong; the first thing that is wrong is told.
    pub(super) fn on(item: &'static str, good: String, wrong: &Wrong, next: &'static str) -> Self {
        let holds = Some(wrong.count == 0);
        let says = match &wrong.first {
            None => good,
            Some(first) => format!("{} wrong; the first: {first}", wrong.count),
        };
        Self { item, holds, says, next }
    }

    pub(super) const fn unknown(item: &'static str, says: String, next: &'static str) -> Self {
        Self { item, holds: None, says, next }
    }
}

/// Things that are not as they should be.
#[derive(Clone, Debug, Default)]
pub(super) struct Wrong {
    count: u64,
    first: Option<String>,
}

impl Wrong {
    pub(super) fn is(&mut self, what: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(what);
    }
}

/// Reads the whole store. Each item is judged by itself, so that one defect does not hide another.
pub(super) async fn check(store: &dyn Store, journal: &Journal) -> Result<Vec<Verdict>> {
    let matches = matches::read(store, journal).await;
    let mut verdicts = match matches {
        Ok(matches) => {
            let results = results(store, &matches).await?;
            let told = told(store, journal, &matches).await?;
            let Matches { moves, receipts, records, ended, .. } = matches;
            vec![moves, receipts, results, ended, told, records]
        }
        Err(unreadable) => vec![Verdict {
            item: "moves",
            holds: Some(false),
            says: format!("the matches cannot be read: {unreadable:#}"),
            next: matches::LOST,
        }],
    };
    verdicts.insert(verdicts.len().min(3), ratings(store).await?);
    Ok(verdicts)
}

/// Each match that is over has one result, with the places that it ended with.
async fn results(store: &dyn Store, matches: &Matches) -> Result<Verdict> {
    let (mut wrong, mut after, mut seen) = (Wrong::default(), 0, HashSet::new());
    loop {
        let page = store.ended(after, PAGE).await?;
        let Some((last, _)) = page.last() else { break };
        after = *last;
        for (_, saved) in page {
            let id = saved.spec.id.to_string();
            if !matches.over.contains(&id) {
                wrong.is(|| format!("match {id} has a result but no end"));
            }
            if !seen.insert(id.clone()) {
                wrong.is(|| format!("match {id} has two results"));
            }
        }
    }
    for id in matches.over.iter().filter(|id| !seen.contains(*id)) {
        wrong.is(|| format!("match {id} is over, but has no result"));
    }
    for Outcome { id, seats, .. } in outcomes(store).await? {
        let ends: Vec<_> = seats.into_iter().map(|(_, end)| end).collect();
        if matches.ends.get(id.as_str()) != Some(&ends) {
            wrong.is(|| format!("the result of match {id} is not the one that it ended with"));
        }
    }
    let good = format!("{} results", seen.len());
    let next = "look at `results` and `seats` of that match: a result was lost or changed";
    Ok(Verdict::on("results", good, &wrong, next))
}

async fn outcomes(store: &dyn Store) -> Result<Vec<Outcome>> {
    let mut all: Vec<Outcome> = Vec::new();
    loop {
        let page = store.outcomes(all.last().map_or(0, |last| last.seq), PAGE).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

/// The ratings are the fold of the results, bit for bit.
async fn ratings(store: &dyn Store) -> Result<Verdict> {
    let outcomes = outcomes(store).await?;
    let folded = Ladder::fold(&outcomes);
    let mut stored = Ladder::default();
    let standings = store.load().await?.standings;
    let count = standings.len();
    for (pool, player, standing) in standings {
        stored.set(pool, player, standing);
    }
    let mut wrong = Wrong::default();
    let (folded, stored) = (&folded, &stored);
    let rated = [folded, stored].into_iter().flat_map(Ladder::pools);
    let rated: BTreeSet<(String, &Player)> = rated
        .flat_map(|(pool, table)| {
            let differs = move |player: &&Player| {
                folded.standing(pool, player) != stored.standing(pool, player)
            };
            table.keys().filter(differs).map(move |player| (pool.to_string(), player))
        })
        .collect();
    for (pool, player) in rated {
        wrong.is(|| format!("{player} in {pool}"));
    }
    let good = format!("{count} ratings, the fold of {} results", outcomes.len());
    Ok(Verdict::on("ratings", good, &wrong, "`azulejo admin rebuild` computes them again"))
}

/// Every seat of the swarm heard of the end of its match, and the arena knows that it did.
async fn told(store: &dyn Store, journal: &Journal, matches: &Matches) -> Result<Verdict> {
    let mut wrong = Wrong::default();
    let heard: HashSet<(u32, u32)> = journal.ends.iter().copied().collect();
    for (id, member) in &matches.to_be_told {
        let at = journal.matches.find(id);
        if at.is_none_or(|at| !heard.contains(&(at, *member))) {
            let bot = &journal.members[*member as usize].bot;
            wrong.is(|| format!("{bot} never heard of the end of match {id}"));
        }
    }
    let good: HashSet<&str> =
        journal.members.iter().filter(|member| !member.bad).map(|member| &*member.bot).collect();
    for (id, bot) in store.load().await?.untold {
        if good.contains(bot.as_str()) {
            wrong.is(|| format!("the arena does not know that {bot} heard of match {id}"));
        }
    }
    let good = format!("{} ends, each told and confirmed", matches.to_be_told.len());
    let next = "look whether the bot was connected; `untold` lists what it has yet to hear";
    Ok(Verdict::on("told", good, &wrong, next))
}

/// Ends that bots who behave well have not confirmed.
pub(super) async fn unconfirmed(store: &dyn Store, journal: &Journal) -> Result<usize> {
    let good: HashSet<&str> =
        journal.members.iter().filter(|member| !member.bad).map(|member| &*member.bot).collect();
    let untold = store.load().await?.untold;
    Ok(untold.iter().filter(|(_, bot)| good.contains(bot.as_str())).count())
}
