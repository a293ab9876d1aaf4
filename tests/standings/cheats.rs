//! What cheats gain: the same 200 bots play twice, once with a tenth of them cheating and once with
//! all of them honest, in the real matchmaking, with the real ratings.

use std::collections::BTreeMap;

use azulejo_arena::names::BotId;
use azulejo_arena::standings::{Line, Standings};

use crate::cheat::{Cheat, Role};
use crate::figures::{correlation, ranks};
use crate::ladder::{BOTS, Bot, Field, Simulation};

/// Pairs of ladders for each kind of cheat.
const SEEDS: [u64; 2] = [41, 42];
/// Games of every honest bot.
const ENOUGH: u32 = 100;

/// A ladder and its standings.
struct Ladder {
    simulation: Simulation,
    standings: Standings,
}

/// What one kind of cheat gained, over all ladders.
#[derive(Debug, Default)]
struct Gains {
    official: Vec<f64>,
    plus_minus: Vec<f64>,
    live: Vec<f64>,
    /// Of the honest bots' standings and strengths, by ladder.
    spearman: Vec<f64>,
}

impl Ladder {
    fn of(cheat: Option<Cheat>, bots: usize, seed: u64) -> Self {
        let field = Field { bots, players: 2, cheat, enough: ENOUGH, seed };
        let simulation = Simulation::of(&field);
        let standings = simulation.games.fit();
        Self { simulation, standings }
    }

    fn bot(&self, line: &Line) -> &Bot {
        &self.simulation.bots[&line.player]
    }

    /// Of the bots that are honest in `other`.
    fn mean(&self, other: &Self) -> f64 {
        let honest = self.standings.lines.iter().filter(|line| other.is_honest(line));
        let ratings: Vec<f64> = honest.map(|line| line.rating).collect();
        mean(&ratings)
    }

    fn is_honest(&self, line: &Line) -> bool {
        let bot = self.simulation.bots.get(&line.player);
        bot.is_some_and(|bot| !bot.house && bot.role.is_none())
    }

    /// The best line of each bot, whatever its version.
    fn best(&self) -> BTreeMap<&BotId, &Line> {
        let mut best: BTreeMap<&BotId, &Line> = BTreeMap::new();
        for line in self.standings.lines.iter().rev() {
            best.insert(&line.player.bot, line);
        }
        best
    }

    fn spearman(&self) -> f64 {
        let lines = || self.standings.lines.iter().filter(|line| self.is_honest(line));
        correlation(
            &ranks(lines().map(|line| line.rating)),
            &ranks(lines().map(|line| self.bot(line).strength)),
        )
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

impl Gains {
    fn add(&mut self, cheating: &Ladder, honest: &Ladder) {
        let (with, without) = (cheating.best(), honest.best());
        let (with_mean, without_mean) = (cheating.mean(cheating), honest.mean(cheating));
        for bot in cheating.simulation.bots.values() {
            // Losers do not do it for themselves; a bot with several versions counts once.
            let gains = bot.role.as_ref().is_some_and(|role| !matches!(role, Role::Loser { .. }));
            let Some(line) = with.get(&bot.player.bot).filter(|line| line.player == bot.player)
            else {
                continue;
            };
            if !gains {
                continue;
            }
            let before = without[&bot.player.bot];
            self.official.push(line.rating - with_mean - (before.rating - without_mean));
            self.plus_minus.push(line.plus_minus);
            let live = |ladder: &Ladder, line: &Line| {
                ladder.simulation.ladder.standing(ladder.simulation.pool, &line.player).shown()
            };
            self.live.push(live(cheating, line) - live(honest, before));
        }
        self.spearman.push(cheating.spearman());
    }
}

#[test]
fn no_kind_of_cheating_gains_more_than_the_uncertainty_of_the_rating() {
    let honest: Vec<Ladder> = SEEDS.iter().map(|seed| Ladder::of(None, BOTS, *seed)).collect();
    println!(
        "| cheats | gain in official rating | their own ± | gain in live rating | Spearman, honest bots |"
    );
    println!("|---|---|---|---|---|");
    let mut all = Vec::new();
    for cheat in Cheat::ALL {
        let mut gains = Gains::default();
        for (seed, honest) in SEEDS.iter().zip(&honest) {
            gains.add(&Ladder::of(Some(cheat), BOTS, *seed), honest);
        }
        let least = gains.spearman.iter().copied().fold(1.0, f64::min);
        println!(
            "| {} | {:+.0} | {:.0} | {:+.0} | {least:.3} |",
            cheat.name(),
            mean(&gains.official),
            mean(&gains.plus_minus),
            mean(&gains.live),
        );
        all.push((cheat, gains, least));
    }
    for (cheat, gains, least) in &all {
        let gain = mean(&gains.official);
        assert!(gain <= mean(&gains.plus_minus), "{cheat:?}: {gain}");
        assert!(*least >= 0.95, "{cheat:?}: {least}");
    }
}

#[test]
fn two_owners_alone_in_a_pool_gain_less_than_a_hundred_points() {
    let mut gains = Gains::default();
    for seed in 0..20 {
        let ladder = |cheat| Ladder::of(cheat, 3, seed);
        gains.add(&ladder(Some(Cheat::EmptyPool)), &ladder(None));
    }
    let (gain, plus_minus) = (mean(&gains.official), mean(&gains.plus_minus));
    let (name, live) = (Cheat::EmptyPool.name(), mean(&gains.live));
    println!("| {name} | {gain:+.0} | {plus_minus:.0} | {live:+.0} | |");
    // More than the uncertainty: every meeting counts in full there.
    assert!(gain < 100.0, "{gain}");
}
