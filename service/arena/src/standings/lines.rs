//! The lines of the official standings.

use serde::Serialize;

use super::bootstrap::{TOGETHER, replicates};
use super::fit::Model;
use super::games::Sorted;
use super::groups::groups;
use super::hessian::{Lanes, add};
use super::leverage::inflation_factors;
use super::{
    ANCHOR, ANCHOR_RATING, ELO, FEWEST_GAMES, GAMES_ENOUGH, NARROW_ENOUGH, REPLICATES, Z_95,
};
use crate::names::Player;

/// A difference that needs more games than this counts as not distinguishable.
const MAX_GAMES_TO_SEPARATE: f64 = 100_000.0;

/// The official standings of a pool.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Standings {
    /// Number of fitted results.
    pub games: usize,
    /// The advantage of each seat in Elo points; they sum to 0.
    pub seat_points: Vec<f64>,
    /// The established lines, then the provisional ones. Both group by group, the best first.
    pub lines: Vec<Line>,
}

/// A line of the standings. Ratings are rounded to a tenth, probabilities to a thousandth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// From 1, among the established lines; none if it is provisional.
    pub rank: Option<u32>,
    pub player: Player,
    pub rating: f64,
    /// Half the width of the 95 % confidence interval, relative to the mean of the group.
    pub plus_minus: f64,
    /// Whether too little is known for a rank: the interval is still wide, or the player shares no
    /// opponent with the largest group.
    pub provisional: bool,
    pub games: u32,
    /// The probability that it is stronger than the next line; none in the last line of a group, and
    /// in its last established line.
    pub better_than_next: Option<f64>,
    /// About how many more games both need for a significant difference to the next line; none if
    /// that is too many, and where there is no probability.
    pub games_to_separate: Option<u32>,
    /// From 1. Ratings of different groups cannot be compared.
    pub group: u32,
}

impl Line {
    /// Whether the difference to the next line is significant, or how many games that needs; empty in
    /// the last line of a group.
    #[must_use]
    pub fn apart(&self) -> String {
        match (self.games_to_separate, self.better_than_next) {
            (Some(0), _) => "significant".to_owned(),
            (Some(more), _) => format!("about {more} more games"),
            (None, Some(_)) => "not distinguishable".to_owned(),
            (None, None) => String::new(),
        }
    }
}

pub(super) fn standings(sorted: &Sorted) -> Standings {
    let model = Model::of(sorted);
    let fit = model.maximum();
    let field = Field::of(sorted);
    let mut replicates = replicates(&model, sorted, &fit);
    for batch in &mut replicates {
        field.center(batch);
    }
    let mut strengths: Lanes<1> = fit.parameters.iter().map(|&parameter| [parameter]).collect();
    field.center(&mut strengths);
    let ratings = field.anchored(sorted, &strengths);
    let plus_minus: Vec<f64> = (0..ratings.len())
        .map(|player| {
            let spread = deviation(&replicates, |batch, lane| batch[player][lane]);
            round(ELO * Z_95 * field.inflation[player] * spread, 10.0)
        })
        .collect();
    let provisional: Vec<bool> =
        (0..ratings.len()).map(|player| field.is_provisional(player, plus_minus[player])).collect();
    let order = field.order(&ratings, &provisional);
    let line = |place: usize| {
        let player = order[place];
        let class = |player: usize| (provisional[player], field.groups[player]);
        let next = order.get(place + 1).copied();
        let next = next.filter(|&next| class(next) == class(player));
        let lead = next.map(|next| Lead {
            strength: (ratings[player] - ratings[next]) / ELO,
            deviation: f64::midpoint(field.inflation[player], field.inflation[next])
                * deviation(&replicates, |batch, lane| batch[player][lane] - batch[next][lane]),
            games: f64::midpoint(field.games[player].into(), field.games[next].into()),
        });
        Line {
            // The established lines are the first ones.
            rank: u32::try_from(place + 1).ok().filter(|_| !provisional[player]),
            player: sorted.players[player].clone(),
            rating: round(ratings[player], 10.0),
            plus_minus: plus_minus[player],
            provisional: provisional[player],
            games: field.games[player],
            better_than_next: lead.as_ref().map(Lead::probability),
            games_to_separate: lead.as_ref().and_then(Lead::games_to_separate),
            group: field.groups[player] + 1,
        }
    };
    let seats = &fit.parameters[sorted.players.len()..];
    let mean = seats.iter().sum::<f64>() / count(seats.len().max(1));
    Standings {
        games: sorted.games.len(),
        seat_points: seats.iter().map(|seat| round(ELO * (seat - mean), 10.0)).collect(),
        lines: (0..order.len()).map(line).collect(),
    }
}

/// All players of a pool, by index.
struct Field {
    groups: Vec<u32>,
    games: Vec<u32>,
    /// Factors for the bootstrap deviations.
    inflation: Vec<f64>,
}

impl Field {
    fn of(sorted: &Sorted) -> Self {
        let mut games = vec![0; sorted.players.len()];
        for (player, _) in sorted.games.iter().flat_map(|game| &game.seats) {
            games[*player as usize] += 1;
        }
        Self { groups: groups(sorted), games, inflation: inflation_factors(sorted) }
    }

    /// Makes strengths relative to the mean of the group, weighted by games.
    fn center<const L: usize>(&self, strengths: &mut Lanes<L>) {
        let groups = self.groups.iter().max().map_or(0, |last| last + 1);
        let mut sums = vec![[0.0; L]; groups as usize];
        let mut games = vec![0.0; groups as usize];
        for (player, &group) in self.groups.iter().enumerate() {
            let weight = f64::from(self.games[player]);
            games[group as usize] += weight;
            add(&mut sums[group as usize], weight, &strengths[player]);
        }
        for (strength, &group) in strengths.iter_mut().zip(&self.groups) {
            add(strength, -1.0 / games[group as usize], &sums[group as usize]);
        }
    }

    /// Ratings in Elo points. The anchor has its fixed rating in its group; in groups without it, the
    /// mean has.
    fn anchored(&self, sorted: &Sorted, strengths: &Lanes<1>) -> Vec<f64> {
        let anchor = |group: u32| {
            let mut sum = (0.0, 0.0);
            for (player, &other) in self.groups.iter().enumerate() {
                if other == group && sorted.players[player].bot.as_str() == ANCHOR {
                    let games = f64::from(self.games[player]);
                    sum = (sum.0 + strengths[player][0] * games, sum.1 + games);
                }
            }
            if sum.1 > 0.0 { sum.0 / sum.1 } else { 0.0 }
        };
        let groups = self.groups.iter().max().map_or(0, |last| last + 1);
        let anchors: Vec<f64> = (0..groups).map(anchor).collect();
        let points = |([strength], &group): (&[f64; 1], &u32)| {
            ANCHOR_RATING + ELO * (strength - anchors[group as usize])
        };
        strengths.iter().zip(&self.groups).map(points).collect()
    }

    fn is_provisional(&self, player: usize, plus_minus: f64) -> bool {
        let wide = plus_minus > NARROW_ENOUGH && self.games[player] < GAMES_ENOUGH;
        wide || self.games[player] < FEWEST_GAMES || self.groups[player] > 0
    }

    /// The established players, then the provisional ones. Both group by group, the best first; equal
    /// ratings by name.
    fn order(&self, ratings: &[f64], provisional: &[bool]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..ratings.len()).collect();
        let class = |player: usize| (provisional[player], self.groups[player]);
        order.sort_by(|&a, &b| class(a).cmp(&class(b)).then(ratings[b].total_cmp(&ratings[a])));
        order
    }
}

/// The lead of a line over the next one.
struct Lead {
    strength: f64,
    deviation: f64,
    games: f64,
}

impl Lead {
    /// The probability that the lead is real.
    fn probability(&self) -> f64 {
        let distance = self.strength / self.deviation / std::f64::consts::SQRT_2;
        round(0.5 * libm::erfc(-distance), 1_000.0)
    }

    /// The deviation shrinks with the square root of the number of games.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded")]
    fn games_to_separate(&self) -> Option<u32> {
        let short = Z_95 * self.deviation / self.strength;
        let more = (self.games * (short * short - 1.0)).max(0.0).ceil();
        (more <= MAX_GAMES_TO_SEPARATE).then_some(more as u32)
    }
}

/// The standard deviation of a value over all replicates. Its mean is 0: they are as likely above the
/// fit as below.
fn deviation(
    replicates: &[Lanes<TOGETHER>],
    value: impl Fn(&Lanes<TOGETHER>, usize) -> f64,
) -> f64 {
    let squares =
        |batch| (0..TOGETHER).map(|lane| value(batch, lane)).map(|of| of * of).sum::<f64>();
    libm::sqrt(replicates.iter().map(squares).sum::<f64>() / f64::from(REPLICATES))
}

#[expect(clippy::cast_precision_loss, reason = "a handful")]
const fn count(number: usize) -> f64 {
    number as f64
}

/// Rounded to fractions of `1 / parts`, and never -0.0.
fn round(value: f64, parts: f64) -> f64 {
    libm::round(value * parts) / parts + 0.0
}
