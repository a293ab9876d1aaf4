//! How accurate the standings of a simulation are.

use std::fmt;

use azulejo_arena::names::Player;
use azulejo_arena::standings::Standings;
use serde_json::json;

use crate::ladder::{Bot, Simulation};

#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// Of standings and truth.
    pub(crate) spearman: f64,
    /// Bots whose strength is in their interval.
    pub(crate) covered: usize,
    /// How far they are off, in deviations: 1 if the intervals are right.
    off: f64,
    pub(crate) wait_95: f64,
    pub(crate) longest_wait: f64,
    /// The largest share of games that a bot had more at a seat than at an even spread.
    pub(crate) seat_excess: f64,
    /// Share of the tables of others at which the house sits too.
    pub(crate) anchored: f64,
    games: (u32, u32),
}

impl Figures {
    pub(crate) fn of(simulation: &Simulation, standings: &Standings) -> Self {
        let bots = || simulation.bots.values().filter(|bot| !bot.house);
        let rows = compared(simulation, standings);
        let mut waits = simulation.waits.clone();
        waits.sort_by(f64::total_cmp);
        let excess = bots().map(|bot| {
            let most = f64::from(*bot.seats.iter().max().unwrap());
            most / f64::from(bot.games()) - 1.0 / bot.seats.len() as f64
        });
        let guests = || simulation.tables.iter().filter(|table| !table.iter().all(is_house));
        let with_house = guests().filter(|table| table.iter().any(is_house));
        Self {
            spearman: correlation(
                &ranks(rows.iter().map(|row| row.fitted)),
                &ranks(rows.iter().map(|row| row.strength)),
            ),
            off: (rows.iter().map(Row::off).map(|off| off * off).sum::<f64>() / rows.len() as f64)
                .sqrt(),
            covered: rows.iter().filter(|row| row.is_covered()).count(),
            wait_95: waits[waits.len() * 95 / 100],
            longest_wait: *waits.last().unwrap(),
            seat_excess: excess.fold(0.0, f64::max),
            anchored: with_house.count() as f64 / guests().count() as f64,
            games: (bots().map(Bot::games).min().unwrap(), bots().map(Bot::games).max().unwrap()),
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Spearman {:.3}, {} of 200 covered, {:.3} deviations off, waits 95 % {:.1} s, longest {:.1} s, \
             seat excess {:.3}, {:.0} % of the tables with a house bot, {} to {} games",
            self.spearman,
            self.covered,
            self.off,
            self.wait_95,
            self.longest_wait,
            self.seat_excess,
            100.0 * self.anchored,
            self.games.0,
            self.games.1,
        )
    }
}

fn is_house(player: &Player) -> bool {
    player.bot.owner().as_str() == "house"
}

/// A bot's true strength and its line, both compared with the field.
struct Row {
    strength: f64,
    fitted: f64,
    plus_minus: f64,
}

impl Row {
    fn is_covered(&self) -> bool {
        (self.strength - self.fitted).abs() <= self.plus_minus
    }

    fn off(&self) -> f64 {
        (self.strength - self.fitted) / self.plus_minus * 1.96
    }
}

fn compared(simulation: &Simulation, standings: &Standings) -> Vec<Row> {
    let lines = || standings.lines.iter().map(|line| (line, &simulation.bots[&line.player]));
    let games: f64 = lines().map(|(line, _)| f64::from(line.games)).sum();
    let fitted = lines().map(|(line, _)| line.rating * f64::from(line.games)).sum::<f64>() / games;
    let truth =
        lines().map(|(line, bot)| bot.strength * f64::from(line.games)).sum::<f64>() / games;
    lines()
        .filter(|(_, bot)| !bot.house)
        .map(|(line, bot)| Row {
            strength: bot.strength - truth,
            fitted: line.rating - fitted,
            plus_minus: line.plus_minus,
        })
        .collect()
}

pub(crate) fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<f64> = values.collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    for (rank, index) in order.into_iter().enumerate() {
        ranks[index] = rank as f64;
    }
    ranks
}

pub(crate) fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (a_mean, b_mean) = (mean(a), mean(b));
    let sum = |x: &[f64], x_mean: f64, y: &[f64], y_mean: f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - x_mean) * (y - y_mean)).sum()
    };
    sum(a, a_mean, b, b_mean) / (sum(a, a_mean, a, a_mean) * sum(b, b_mean, b, b_mean)).sqrt()
}

/// For the plot.
pub(crate) fn write(players: usize, simulation: &Simulation, standings: &Standings) {
    let rows: Vec<_> = compared(simulation, standings)
        .iter()
        .map(|row| json!([row.strength, row.fitted, row.plus_minus]))
        .collect();
    let figures = Figures::of(simulation, standings);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tests");
    std::fs::create_dir_all(&folder).unwrap();
    let document = json!({
        "players": players,
        "rows": rows,
        "spearman": figures.spearman,
        "covered": figures.covered,
        "wait_95": figures.wait_95,
    });
    std::fs::write(folder.join(format!("truth-{players}.json")), document.to_string()).unwrap();
}
