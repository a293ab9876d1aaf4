//! The result of many games, with confidence intervals.

#![allow(clippy::cast_precision_loss, reason = "numbers of games, far below 2^52")]

use std::collections::BTreeMap;

use azulejo_rules::parts::Seed;
use azulejo_terminal::interval::{Z, wilson};
use azulejo_terminal::options::Rules;
use azulejo_terminal::output::print_table;
use serde::Serialize;

use super::local::PlayedGame;
use crate::match_end;

#[derive(Debug, Serialize)]
pub(crate) struct MatchReport {
    games: u64,
    /// `None` if the games were played in an arena, which chooses the deals.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    bots: Vec<BotResult>,
}

#[derive(Debug, Serialize)]
struct BotResult {
    name: String,
    /// A tie for first place is divided between the winners.
    wins: f64,
    win_rate: f64,
    /// 95 % confidence interval.
    win_interval: [f64; 2],
    mean_score: f64,
    /// Mean lead over the best opponent.
    margin: f64,
    /// 95 % confidence interval; `None` for a single game.
    margin_interval: Option<[f64; 2]>,
    /// Forfeited games, by reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    forfeits: BTreeMap<&'static str, u64>,
}

impl MatchReport {
    pub(crate) fn of(names: &[String], seed: Option<&Seed>, played: &[PlayedGame]) -> Self {
        let bots = names.iter().enumerate();
        let bots = bots.map(|(bot, name)| BotResult::of(bot, name, played)).collect();
        Self { games: played.len() as u64, seed: seed.map(Seed::to_hex), bots }
    }

    pub(crate) fn print(&self, rules: Rules) {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let rows = self.bots.iter().map(|bot| {
            vec![
                bot.name.clone(),
                format!("{:.1}", bot.wins),
                percent(bot.win_rate),
                format!("{} … {}", percent(bot.win_interval[0]), percent(bot.win_interval[1])),
                format!("{:.1}", bot.mean_score),
                format!("{:+.1}", bot.margin),
                bot.margin_interval.map_or_else(
                    || "unknown".to_owned(),
                    |[low, high]| format!("{low:+.1} … {high:+.1}"),
                ),
            ]
        });
        let deals = self.seed.as_ref().map_or_else(String::new, |seed| format!(", seed {seed}"));
        say!("{rules}, {} games{deals}", self.games);
        print_table(&["bot", "wins", "rate", "95 %", "score", "margin", "95 %"], rows);
        for bot in &self.bots {
            for (reason, games) in &bot.forfeits {
                say!("{} forfeited {games} of {} games: {reason}.", bot.name, self.games);
            }
        }
    }
}

impl BotResult {
    fn of(bot: usize, name: &str, played: &[PlayedGame]) -> Self {
        let wins: Vec<f64> = played.iter().map(|game| share_of_win(game, bot)).collect();
        let margins: Vec<f64> = played.iter().map(|game| margin(game, bot)).collect();
        let scores: Vec<f64> = played.iter().map(|game| f64::from(game.totals[bot])).collect();
        let (win_rate, games) = (mean(&wins), wins.len() as f64);
        let margin = mean(&margins);
        let mut forfeits = BTreeMap::new();
        for reason in played.iter().filter_map(|game| game.forfeits[bot]) {
            *forfeits.entry(match_end::describe(reason)).or_default() += 1;
        }
        Self {
            name: name.to_owned(),
            wins: wins.iter().sum(),
            win_rate,
            win_interval: wilson(win_rate, games),
            mean_score: mean(&scores),
            margin,
            margin_interval: standard_error(&margins)
                .map(|error| [margin - Z * error, margin + Z * error]),
            forfeits,
        }
    }
}

/// 1 for a win, divided between the winners of a tie.
fn share_of_win(game: &PlayedGame, bot: usize) -> f64 {
    if game.ranks[bot] == 1 { 1.0 / game.winners as f64 } else { 0.0 }
}

fn margin(game: &PlayedGame, bot: usize) -> f64 {
    let others = game.totals.iter().enumerate().filter(|&(other, _)| other != bot);
    let best = others.map(|(_, &total)| total).max().unwrap_or(0);
    f64::from(game.totals[bot]) - f64::from(best)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// `None` for fewer than two values.
fn standard_error(values: &[f64]) -> Option<f64> {
    let (mean, count) = (mean(values), values.len() as f64);
    let spread = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (count > 1.0).then(|| (spread / (count - 1.0) / count).sqrt())
}
