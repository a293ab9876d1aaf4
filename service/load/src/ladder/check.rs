//! Compares everything in a store with what the swarm received.

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
pub(super) use times::ChargedTimes;

/// Rows per query.
const PAGE: u32 = 200;

/// Whether something holds. `None`: it could not be checked.
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
    /// It holds if there are no problems; otherwise the first one is named.
    pub(super) fn on(
        item: &'static str,
        good: String,
        problems: &Problems,
        next: &'static str,
    ) -> Self {
        let holds = Some(problems.count == 0);
        let says = match &problems.first {
            None => good,
            Some(first) => format!("{} wrong; the first: {first}", problems.count),
        };
        Self { item, holds, says, next }
    }

    pub(super) const fn unknown(item: &'static str, says: String, next: &'static str) -> Self {
        Self { item, holds: None, says, next }
    }
}

/// How many problems were found, and the first of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Problems {
    count: u64,
    first: Option<String>,
}

impl Problems {
    pub(super) fn add(&mut self, what: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(what);
    }
}

/// Reads the whole store. Each item is checked separately, so that one defect does not hide another.
pub(super) async fn check(store: &dyn Store, journal: &Journal) -> Result<Vec<Verdict>> {
    let matches = matches::read(store, journal).await;
    let mut verdicts = match matches {
        Ok(matches) => {
            let results = results(store, &matches).await?;
            let received = received(store, journal, &matches).await?;
            let Matches { moves, receipts, records, ended, .. } = matches;
            vec![moves, receipts, results, ended, received, records]
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
    let (mut problems, mut after, mut seen) = (Problems::default(), 0, HashSet::new());
    loop {
        let page = store.ended(after, PAGE).await?;
        let Some((last, _)) = page.last() else { break };
        after = *last;
        for (_, saved) in page {
            let id = saved.spec.id.to_string();
            if !matches.over.contains(&id) {
                problems.add(|| format!("match {id} has a result but no end"));
            }
            if !seen.insert(id.clone()) {
                problems.add(|| format!("match {id} has two results"));
            }
        }
    }
    for id in matches.over.iter().filter(|id| !seen.contains(*id)) {
        problems.add(|| format!("match {id} is over, but has no result"));
    }
    for Outcome { id, seats, .. } in outcomes(store).await? {
        let ends: Vec<_> = seats.into_iter().map(|(_, end)| end).collect();
        if matches.ends.get(id.as_str()) != Some(&ends) {
            problems.add(|| format!("the result of match {id} is not the one that it ended with"));
        }
    }
    let good = format!("{} results", seen.len());
    let next = "inspect `results` and `seats` of that match: a result was lost or changed";
    Ok(Verdict::on("results", good, &problems, next))
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

/// The stored ratings match a recomputation from the results, bit for bit.
async fn ratings(store: &dyn Store) -> Result<Verdict> {
    let outcomes = outcomes(store).await?;
    let folded = Ladder::fold(&outcomes);
    let mut stored = Ladder::default();
    let standings = store.load().await?.standings;
    let count = standings.len();
    for (pool, player, standing) in standings {
        stored.set(pool, player, standing);
    }
    let mut problems = Problems::default();
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
        problems.add(|| format!("{player} in {pool}"));
    }
    let good = format!(
        "{count} matchmaking ratings match a recomputation from {} results",
        outcomes.len()
    );
    Ok(Verdict::on("ratings", good, &problems, "`azulejo admin rebuild` recomputes them"))
}

/// Every seat of the swarm has received the end of its match and acknowledged it.
async fn received(store: &dyn Store, journal: &Journal, matches: &Matches) -> Result<Verdict> {
    let mut problems = Problems::default();
    let received: HashSet<(u32, u32)> = journal.ends.iter().copied().collect();
    for (id, bot) in &matches.expected_ends {
        let at = journal.matches.find(id);
        if at.is_none_or(|at| !received.contains(&(at, *bot))) {
            let bot = &journal.bots[*bot as usize].bot;
            problems.add(|| format!("{bot} never received the end of match {id}"));
        }
    }
    let good: HashSet<&str> =
        journal.bots.iter().filter(|bot| !bot.bad).map(|bot| &*bot.bot).collect();
    for (id, bot) in store.load().await?.untold {
        if good.contains(bot.as_str()) {
            problems.add(|| format!("{bot} has not acknowledged the end of match {id}"));
        }
    }
    let good = format!("{} ends, all received and acknowledged", matches.expected_ends.len());
    let next =
        "check whether the bot was connected; `untold` lists the ends that it has not acknowledged";
    Ok(Verdict::on("received", good, &problems, next))
}

/// Ends that well-behaved bots have not acknowledged.
pub(super) async fn unacknowledged(store: &dyn Store, journal: &Journal) -> Result<usize> {
    let good: HashSet<&str> =
        journal.bots.iter().filter(|bot| !bot.bad).map(|bot| &*bot.bot).collect();
    let untold = store.load().await?.untold;
    Ok(untold.iter().filter(|(_, bot)| good.contains(bot.as_str())).count())
}
