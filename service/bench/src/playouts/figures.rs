//! Figures of many games.

use std::fmt;

use azulejo_play::Statistics;
use azulejo_terminal::interval::{Z, wilson};
use serde::Serialize;

/// Figures of many games.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    games: usize,
    pub(super) seats: Vec<SeatFigures>,
    pub(super) mean_length: f64,
    pub(super) shortest: u32,
    pub(super) longest: u32,
    pub(super) mean_rounds: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct SeatFigures {
    pub(super) bot: String,
    /// The share of games that it has won, and its 95 % confidence interval.
    pub(super) wins: f64,
    pub(super) win_interval: [f64; 2],
    pub(super) mean_score: f64,
    pub(super) mean_score_interval: f64,
    /// The scores below which 5, 50 and 95 % are.
    pub(super) percentiles: [u16; 3],
}

#[expect(clippy::cast_precision_loss, reason = "figures to print")]
fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

#[expect(clippy::cast_precision_loss, reason = "figures to print")]
fn interval(values: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let (count, middle) = (values.len() as f64, mean(values.clone()));
    let variance = mean(values.map(|value| (value - middle).powi(2)));
    Z * (variance / count).sqrt()
}

impl Figures {
    pub(super) fn of<'a>(played: &Statistics, bots: impl Iterator<Item = &'a str>) -> Self {
        let lengths = played.lengths.iter();
        Self {
            games: played.lengths.len(),
            seats: bots.enumerate().map(|(seat, bot)| SeatFigures::of(played, seat, bot)).collect(),
            mean_length: mean(lengths.clone().map(|&length| f64::from(length))),
            shortest: lengths.clone().copied().min().unwrap_or_default(),
            longest: lengths.copied().max().unwrap_or_default(),
            mean_rounds: mean(played.rounds.iter().map(|&rounds| f64::from(rounds))),
        }
    }
}

impl SeatFigures {
    #[expect(clippy::cast_precision_loss, reason = "figures to print")]
    fn of(played: &Statistics, seat: usize, bot: &str) -> Self {
        let games = played.lengths.len();
        let share = mean(played.ranks.chunks(played.seats).map(|ranks| won(ranks, seat)));
        let mut scores: Vec<u16> = scores(played, seat).collect();
        scores.sort_unstable();
        let points = scores.iter().map(|&score| f64::from(score));
        Self {
            bot: bot.to_owned(),
            wins: share,
            win_interval: wilson(share, games as f64),
            mean_score: mean(points.clone()),
            mean_score_interval: interval(points),
            percentiles: [5, 50, 95].map(|percent| scores[(games - 1) * percent / 100]),
        }
    }
}

/// What the seat has won: one, or its part of a shared first rank.
#[expect(clippy::cast_precision_loss, reason = "at most four seats")]
fn won(ranks: &[u8], seat: usize) -> f64 {
    let winners = ranks.iter().map(|&rank| usize::from(rank == 1)).sum::<usize>();
    if ranks[seat] == 1 { 1.0 / winners as f64 } else { 0.0 }
}

fn scores(played: &Statistics, seat: usize) -> impl Iterator<Item = u16> {
    played.scores.iter().copied().skip(seat).step_by(played.seats)
}

/// The scores of all seats as bars.
pub(super) struct Histogram {
    /// The least score of each bar, and how many scores it counts.
    bars: Vec<(u16, usize)>,
}

impl Histogram {
    const BARS: u16 = 16;

    pub(super) fn of(played: &Statistics) -> Self {
        let scores = || played.scores.iter().copied();
        let (least, most) = (scores().min().unwrap_or(0), scores().max().unwrap_or(0));
        let width = ((most - least) / Self::BARS + 1).max(1);
        let mut bars: Vec<(u16, usize)> =
            (0..=(most - least) / width).map(|bar| (least + bar * width, 0)).collect();
        for score in scores() {
            bars[usize::from((score - least) / width)].1 += 1;
        }
        Self { bars }
    }
}

impl fmt::Display for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WIDTH: usize = 50;
        let most = self.bars.iter().map(|&(_, count)| count).max().unwrap_or(1).max(1);
        let all: usize = self.bars.iter().map(|&(_, count)| count).sum();
        write!(f, "scores of all seats")?;
        for &(least, count) in &self.bars {
            let bar = "█".repeat(count * WIDTH / most);
            let tenths = count * 1_000 / all.max(1);
            write!(f, "\n{least:>5} {bar:<WIDTH$} {:>3}.{} %", tenths / 10, tenths % 10)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played() -> Statistics {
        Statistics {
            seats: 2,
            scores: vec![10, 20, 30, 30],
            ranks: vec![2, 1, 1, 1],
            lengths: vec![50, 60],
            rounds: vec![5, 6],
        }
    }

    #[test]
    fn a_shared_win_counts_half_for_each() {
        let figures = Figures::of(&played(), ["a", "b"].into_iter());
        let wins: Vec<f64> = figures.seats.iter().map(|seat| seat.wins).collect();
        assert_eq!(wins, [0.25, 0.75]);
        assert!((figures.seats[1].mean_score - 25.0).abs() < 1e-9);
        assert_eq!((figures.shortest, figures.longest), (50, 60));
    }

    #[test]
    fn the_interval_of_a_bot_that_won_every_game_is_not_empty() {
        let games = Statistics { ranks: vec![1, 2, 1, 2], ..played() };
        let figures = Figures::of(&games, ["a", "b"].into_iter());
        let [low, high] = figures.seats[0].win_interval;
        assert!(low < 0.5 && high > 0.999, "{low} {high}");
    }

    #[test]
    fn every_score_is_in_one_bar() {
        let bars = Histogram::of(&played()).bars;
        assert_eq!(bars.iter().map(|&(_, count)| count).sum::<usize>(), 4);
        assert_eq!(bars[0], (10, 1));
    }
}
