//! The standings, line by line.

use serde::Serialize;

use super::fit::{Asked, Precision, Problem};
use super::games::Sorted;
use super::groups::groups;
use super::pull::stretches;
use super::replicas::replicas;
use super::{ANCHOR, ELO, MIDDLE, REPLICAS, TWO_SIDED};
use crate::names::Player;

/// More games than this are not worth telling.
const TOO_MANY: f64 = 100_000.0;

/// The official standings of a pool.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Standings {
    /// Results that were fitted.
    pub games: usize,
    /// What sitting there is worth in points, by seat; they sum up to 0.
    pub seat_points: Vec<f64>,
    /// The best first, group by group.
    pub lines: Vec<Line>,
}

/// A line of the standings. Points are rounded to a tenth, chances to a thousandth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    pub player: Player,
    pub rating: f64,
    /// The rating is this near with a chance of 95 %, compared with the field.
    pub plus_minus: f64,
    pub games: u32,
    /// The chance that it is better than the next line; none in the last line of a group.
    pub better_than_next: Option<f64>,
    /// About so many more games of both tell it from the next line: none if it would take too many,
    /// and in the last line of a group.
    pub games_to_separate: Option<u32>,
    /// From 1. Ratings of different groups cannot be compared.
    pub group: u32,
}

impl Line {
    /// How far it is from being told from the next line, in words; nothing in the last of a group.
    #[must_use]
    pub fn apart(&self) -> String {
        match (self.games_to_separate, self.better_than_next) {
            (Some(0), _) => "told apart".to_owned(),
            (Some(more), _) => format!("about {more} more games"),
            (None, Some(_)) => "too many games".to_owned(),
            (None, None) => String::new(),
        }
    }
}

pub(super) fn standings(sorted: &Sorted) -> Standings {
    let problem = Problem::of(sorted);
    let nothing = vec![0.0; problem.unknowns()];
    let evenly = vec![1.0; problem.blocks.len()];
    let asked = Asked { weights: &evenly, belief: &nothing, start: &nothing };
    let best = problem.solve(&asked, Precision::EXACT);
    let field = Field::of(sorted);
    let replicas: Vec<Vec<f64>> = replicas(&problem, sorted, &best)
        .into_iter()
        .map(|replica| field.compared(&replica))
        .collect();
    let ratings = field.anchored(sorted, &field.compared(&best));
    let order = field.order(&ratings);
    let line = |place: usize| {
        let player = order[place];
        let next = order.get(place + 1).copied();
        let next = next.filter(|&next| field.groups[next] == field.groups[player]);
        let ahead = next.map(|next| Ahead {
            by: (ratings[player] - ratings[next]) / ELO,
            deviation: f64::midpoint(field.stretches[player], field.stretches[next])
                * deviation(replicas.iter().map(|replica| replica[player] - replica[next])),
            games: f64::midpoint(field.games[player].into(), field.games[next].into()),
        });
        Line {
            player: sorted.players[player].clone(),
            rating: round(ratings[player], 10.0),
            plus_minus: round(
                ELO * TWO_SIDED
                    * field.stretches[player]
                    * deviation(replicas.iter().map(|replica| replica[player])),
                10.0,
            ),
            games: field.games[player],
            better_than_next: ahead.as_ref().map(Ahead::chance),
            games_to_separate: ahead.as_ref().and_then(Ahead::games_to_separate),
            group: field.groups[player] + 1,
        }
    };
    let seats = &best[sorted.players.len()..];
    let middle = seats.iter().sum::<f64>() / count(seats.len().max(1));
    Standings {
        games: sorted.games.len(),
        seat_points: seats.iter().map(|seat| round(ELO * (seat - middle), 10.0)).collect(),
        lines: (0..order.len()).map(line).collect(),
    }
}

/// Who plays, how often, and who can be compared.
struct Field {
    groups: Vec<u32>,
    games: Vec<u32>,
    stretches: Vec<f64>,
}

impl Field {
    fn of(sorted: &Sorted) -> Self {
        let mut games = vec![0; sorted.players.len()];
        for (player, _) in sorted.games.iter().flat_map(|game| &game.seats) {
            games[*player as usize] += 1;
        }
        Self { groups: groups(sorted), games, stretches: stretches(sorted) }
    }

    /// Strengths compared with the mean of the group, in which who plays more counts more.
    fn compared(&self, parameters: &[f64]) -> Vec<f64> {
        let mut sums: Vec<(f64, f64)> = vec![(0.0, 0.0); self.groups.len()];
        for (player, &group) in self.groups.iter().enumerate() {
            let (sum, games) = &mut sums[group as usize];
            *sum += parameters[player] * f64::from(self.games[player]);
            *games += f64::from(self.games[player]);
        }
        let mean = |group: u32| sums[group as usize].0 / sums[group as usize].1;
        let compared = |(player, &group): (usize, &u32)| parameters[player] - mean(group);
        self.groups.iter().enumerate().map(compared).collect()
    }

    /// Points, such that the anchor has its own in its group, and the field in the others.
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
        let most = self.groups.iter().max().map_or(0, |most| most + 1);
        let anchors: Vec<f64> = (0..most).map(anchor).collect();
        let points =
            |(strength, &group): (&f64, &u32)| MIDDLE + ELO * (strength - anchors[group as usize]);
        strengths.iter().zip(&self.groups).map(points).collect()
    }

    /// Group by group, the best first; equal ones by name.
    fn order(&self, ratings: &[f64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..ratings.len()).collect();
        order.sort_by(|&a, &b| {
            self.groups[a].cmp(&self.groups[b]).then(ratings[b].total_cmp(&ratings[a]))
        });
        order
    }
}

/// One line against the next.
struct Ahead {
    by: f64,
    deviation: f64,
    games: f64,
}

impl Ahead {
    fn chance(&self) -> f64 {
        let distance = self.by / self.deviation / std::f64::consts::SQRT_2;
        round(0.5 * libm::erfc(-distance), 1_000.0)
    }

    /// The deviation shrinks with the root of the games.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded")]
    fn games_to_separate(&self) -> Option<u32> {
        let short = TWO_SIDED * self.deviation / self.by;
        let more = (self.games * (short * short - 1.0)).max(0.0).ceil();
        (more <= TOO_MANY).then_some(more as u32)
    }
}

fn deviation(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let mean = values.clone().sum::<f64>() / f64::from(REPLICAS);
    let squares = values.map(|value| (value - mean) * (value - mean)).sum::<f64>();
    libm::sqrt(squares / f64::from(REPLICAS - 1))
}

#[expect(clippy::cast_precision_loss, reason = "a handful")]
const fn count(number: usize) -> f64 {
    number as f64
}

/// Rounded, and never a minus zero.
fn round(value: f64, parts: f64) -> f64 {
    libm::round(value * parts) / parts + 0.0
}
