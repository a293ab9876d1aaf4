//! Pairs of bots that may collude: pure statistics over the rated results of a pool.
//!
//! Two questions are asked about every pair of bots of different owners that met often:
//!
//! - Did they meet far more often than the other meetings of both suggest?
//! - Does one of them win nearly all, although the results of both against others say otherwise? Their
//!   ratings cannot answer that, because they contain the results in question.

mod strengths;

use std::collections::{BTreeMap, VecDeque};

use crate::names::{BotId, Player};
use crate::record::SeatEnd;
use strengths::Strengths;

/// Results that are examined: the last ones of a pool.
pub const MOST_RESULTS: usize = 200_000;
/// Fewer meetings say too little.
const FEWEST_MEETINGS: u32 = 10;
/// A pair meets too often from this many times the expected meetings.
const TOO_OFTEN: f64 = 3.0;
/// One bot wins nearly all from this score.
const NEARLY_ALL: f64 = 0.9;
/// How many standard deviations are more than chance: many pairs are looked at.
const SIGNIFICANT: f64 = 3.5;
/// The opponents of a bot with which a pair is compared: those that it met most often.
const COMPARED: u32 = 5;
/// The weight of each comparison of two players, by the number of players in the match: as in the
/// official standings.
const COMPARISON_WEIGHTS: [f64; 5] = [0.0, 0.0, 1.0, 0.745, 0.597];

/// Two bots of different owners.
#[derive(Clone, Debug, PartialEq)]
pub struct SuspiciousPair {
    /// The bot that was ahead more often.
    pub bot: BotId,
    pub opponent: BotId,
    pub meetings: u32,
    pub expected_meetings: f64,
    /// The share of the meetings in which the bot was ahead.
    pub score: f64,
    pub expected_score: f64,
    pub met_too_often: bool,
    pub one_sided: bool,
}

/// The last results of a pool.
#[derive(Debug, Default)]
pub struct Meetings {
    bots: BTreeMap<BotId, usize>,
    /// Each with the bots by seat, and their placements.
    matches: VecDeque<Vec<(usize, u8)>>,
}

/// What two bots did when they met.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    meetings: u32,
    /// Of the first bot, in meetings.
    score: f64,
    /// The same, weighted by what a meeting says.
    weight: f64,
    weighted_score: f64,
}

/// For each bot its opponents.
type Opponents = Vec<BTreeMap<usize, Met>>;

impl Meetings {
    /// Adds a rated result; the oldest is forgotten if there are too many.
    pub fn add(&mut self, seats: &[(Player, SeatEnd)]) {
        let number = |(player, end): &(Player, SeatEnd)| {
            let next = self.bots.len();
            let known = self.bots.get(&player.bot).copied();
            (
                known.unwrap_or_else(|| *self.bots.entry(player.bot.clone()).or_insert(next)),
                end.placement,
            )
        };
        let seats = seats.iter().map(number).collect();
        if self.matches.len() == MOST_RESULTS {
            self.matches.pop_front();
        }
        self.matches.push_back(seats);
    }

    /// The number of results that are examined.
    #[must_use]
    pub fn matches(&self) -> usize {
        self.matches.len()
    }

    /// The pairs that may collude, the most conspicuous first, at most this many.
    #[must_use]
    pub fn suspicious(&self, most: usize) -> Vec<SuspiciousPair> {
        let opponents = self.opponents();
        let strengths = Strengths::of(&opponents);
        let seats: Vec<f64> = opponents.iter().map(all_meetings).collect();
        let pool = Pool { opponents: &opponents, all: seats.iter().sum(), seats };
        let names: BTreeMap<usize, &BotId> = self.bots.iter().map(|(bot, &of)| (of, bot)).collect();
        let mut found = Vec::new();
        for (&one, &bot) in &names {
            for (&two, met) in &opponents[one] {
                // Each pair once: first the bot that was ahead more often.
                let behind = met.score * 2.0 < f64::from(met.meetings);
                let level = met.score * 2.0 <= f64::from(met.meetings);
                let opponent = names[&two];
                let judged = met.meetings >= FEWEST_MEETINGS
                    && bot.owner() != opponent.owner()
                    && !(bot.is_house() || opponent.is_house());
                if judged && !behind && !(level && two < one) {
                    found.extend(judge((one, bot), (two, opponent), met, &pool, &strengths));
                }
            }
        }
        found.sort_by(|(one, _), (two, _)| two.total_cmp(one));
        found.into_iter().take(most).map(|(_, pair)| pair).collect()
    }

    fn opponents(&self) -> Opponents {
        let mut opponents: Opponents = vec![BTreeMap::new(); self.bots.len()];
        for seats in &self.matches {
            let weight = COMPARISON_WEIGHTS.get(seats.len()).copied().unwrap_or_default();
            for &(one, placement) in seats {
                for &(two, other) in seats.iter().filter(|(two, _)| *two != one) {
                    let score = match placement.cmp(&other) {
                        std::cmp::Ordering::Less => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Greater => 0.0,
                    };
                    let met = opponents[one].entry(two).or_default();
                    met.meetings += 1;
                    met.score += score;
                    met.weight += weight;
                    met.weighted_score += weight * score;
                }
            }
        }
        opponents
    }
}

/// All bots of the pool.
struct Pool<'a> {
    opponents: &'a Opponents,
    /// How many opponents each bot met, each counted as often as they met.
    seats: Vec<f64>,
    /// The sum of these.
    all: f64,
}

fn all_meetings(met: &BTreeMap<usize, Met>) -> f64 {
    met.values().map(|met| f64::from(met.meetings)).sum()
}

/// A pair, if it is suspicious, with how conspicuous it is.
fn judge(
    (one, bot): (usize, &BotId),
    (two, opponent): (usize, &BotId),
    met: &Met,
    pool: &Pool<'_>,
    strengths: &Strengths,
) -> Option<(f64, SuspiciousPair)> {
    let meetings = f64::from(met.meetings);
    let expected_meetings = expected_meetings(one, two, pool);
    // The matches of a table, with all seat rotations, are played together: four at most.
    let excess = (meetings - expected_meetings) / (4.0 * expected_meetings).max(1.0).sqrt();
    let met_too_often = meetings >= TOO_OFTEN * expected_meetings && excess >= SIGNIFICANT;

    let score = met.score / meetings;
    let (expected_score, variance) = strengths.expected_score(one, two, pool.opponents);
    let deviation = (variance + expected_score * (1.0 - expected_score) / met.weight).sqrt();
    let surplus = (score - expected_score) / deviation;
    let one_sided = score >= NEARLY_ALL && surplus >= SIGNIFICANT;
    let pair = SuspiciousPair {
        bot: bot.clone(),
        opponent: opponent.clone(),
        meetings: met.meetings,
        expected_meetings,
        score,
        expected_score,
        met_too_often,
        one_sided,
    };
    let conspicuous =
        f64::max(if met_too_often { excess } else { 0.0 }, if one_sided { surplus } else { 0.0 });
    (met_too_often || one_sided).then_some((conspicuous, pair))
}

/// How many meetings the other meetings of both bots suggest: as many as if opponents were drawn at
/// random, each as often as it plays, or as many as with the opponents that either met most often, such
/// as those of similar strength.
fn expected_meetings(one: usize, two: usize, pool: &Pool<'_>) -> f64 {
    let Pool { opponents, seats, all } = pool;
    let (of_one, of_two) = (seats[one], seats[two]);
    let random = of_one * of_two / 2.0 * (1.0 / (all - of_one) + 1.0 / (all - of_two));
    let most_met = |bot: usize, except: usize| -> f64 {
        let others = opponents[bot].iter().filter(|(other, _)| **other != except);
        let mut met: Vec<u32> = others.map(|(_, met)| met.meetings).collect();
        met.sort_unstable_by(|one, two| two.cmp(one));
        let most_met = met.into_iter().take(COMPARED as usize).map(f64::from);
        most_met.sum::<f64>() / f64::from(COMPARED)
    };
    random.max(most_met(one, two)).max(most_met(two, one))
}

#[cfg(test)]
mod tests;
