//! The lines of the official standings.

use serde::Serialize;

use super::bootstrap::replicates;
use super::fit::{FitInput, Model, Tolerance};
use super::games::Sorted;
use super::groups::groups;
use super::leverage::inflation_factors;
use super::{ANCHOR, ANCHOR_RATING, ELO, REPLICATES, Z_95};
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
    /// The best first, group by group.
    pub lines: Vec<Line>,
}

/// A line of the standings. Ratings are rounded to a tenth, probabilities to a thousandth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    pub player: Player,
    pub rating: f64,
    /// Half the width of the 95 % confidence interval, relative to the mean of the group.
    pub plus_minus: f64,
    pub games: u32,
    /// The probability that it is stronger than the next line; none in the last line of a group.
    pub better_than_next: Option<f64>,
    /// About how many more games both need for a significant difference to the next line; none if
    /// that is too many, and in the last line of a group.
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
    let zeros = vec![0.0; model.parameter_count()];
    let equal_weights = vec![1.0; model.blocks.len()];
    let input = FitInput { weights: &equal_weights, prior_means: &zeros, start: &zeros };
    let best = model.solve(&input, Tolerance::EXACT);
    let field = Field::of(sorted);
    let replicates: Vec<Vec<f64>> = replicates(&model, sorted, &best)
        .into_iter()
        .map(|replicate| field.centered(&replicate))
        .collect();
    let ratings = field.anchored(sorted, &field.centered(&best));
    let order = field.order(&ratings);
    let line = |place: usize| {
        let player = order[place];
        let next = order.get(place + 1).copied();
        let next = next.filter(|&next| field.groups[next] == field.groups[player]);
        let lead = next.map(|next| Lead {
            strength: (ratings[player] - ratings[next]) / ELO,
            deviation: f64::midpoint(field.inflation[player], field.inflation[next])
                * deviation(replicates.iter().map(|fitted| fitted[player] - fitted[next])),
            games: f64::midpoint(field.games[player].into(), field.games[next].into()),
        });
        Line {
            player: sorted.players[player].clone(),
            rating: round(ratings[player], 10.0),
            plus_minus: round(
                ELO * Z_95
                    * field.inflation[player]
                    * deviation(replicates.iter().map(|fitted| fitted[player])),
                10.0,
            ),
            games: field.games[player],
            better_than_next: lead.as_ref().map(Lead::probability),
            games_to_separate: lead.as_ref().and_then(Lead::games_to_separate),
            group: field.groups[player] + 1,
        }
    };
    let seats = &best[sorted.players.len()..];
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

    /// Strengths relative to the mean of the group, weighted by games.
    fn centered(&self, parameters: &[f64]) -> Vec<f64> {
        let mut sums: Vec<(f64, f64)> = vec![(0.0, 0.0); self.groups.len()];
        for (player, &group) in self.groups.iter().enumerate() {
            let (sum, games) = &mut sums[group as usize];
            *sum += parameters[player] * f64::from(self.games[player]);
            *games += f64::from(self.games[player]);
        }
        let mean = |group: u32| sums[group as usize].0 / sums[group as usize].1;
        let centered = |(player, &group): (usize, &u32)| parameters[player] - mean(group);
        self.groups.iter().enumerate().map(centered).collect()
    }

    /// Ratings in Elo points. The anchor has its fixed rating in its group; in groups without it, the
    /// mean has.
    fn anchored(&self, sorted: &Sorted, strengths: &[f64]) -> Vec<f64> {
        let anchor = |group: u32| {
            let mut sum = (0.0, 0.0);
            for (player, &other) in self.groups.iter().enumerate() {
                if other == group && sorted.players[player].bot.as_str() == ANCHOR {
                    let games = f64::from(self.games[player]);
                    sum = (sum.0 + strengths[player] * games, sum.1 + games);
                }
            }
            if sum.1 > 0.0 { sum.0 / sum.1 } else { 0.0 }
        };
        let groups = self.groups.iter().max().map_or(0, |last| last + 1);
        let anchors: Vec<f64> = (0..groups).map(anchor).collect();
        let points = |(strength, &group): (&f64, &u32)| {
            ANCHOR_RATING + ELO * (strength - anchors[group as usize])
        };
        strengths.iter().zip(&self.groups).map(points).collect()
    }

    /// Group by group, the best first; equal ratings by name.
    fn order(&self, ratings: &[f64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..ratings.len()).collect();
        order.sort_by(|&a, &b| {
            self.groups[a].cmp(&self.groups[b]).then(ratings[b].total_cmp(&ratings[a]))
        });
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

/// The standard deviation of a value over all replicates.
fn deviation(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let mean = values.clone().sum::<f64>() / f64::from(REPLICATES);
    let squares = values.map(|value| (value - mean) * (value - mean)).sum::<f64>();
    libm::sqrt(squares / f64::from(REPLICATES - 1))
}

#[expect(clippy::cast_precision_loss, reason = "a handful")]
const fn count(number: usize) -> f64 {
    number as f64
}

/// Rounded to fractions of `1 / parts`, and never -0.0.
fn round(value: f64, parts: f64) -> f64 {
    libm::round(value * parts) / parts + 0.0
}
