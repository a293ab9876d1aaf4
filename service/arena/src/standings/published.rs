//! The official standings of all pools, as last computed.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Line, Standings, Z_95};
use crate::names::Player;
use crate::pool::Pool;
use crate::time::Wall;

/// The standings of all pools. A copy is cheap.
#[derive(Clone, Debug, Default)]
pub struct Published {
    /// By name.
    pools: Vec<(Pool, Fitted)>,
}

/// The standings of a pool, and when they were computed.
#[derive(Clone, Debug)]
pub struct Fitted {
    pub standings: Arc<Standings>,
    pub at: Wall,
    /// The place of each player in the lines.
    places: Arc<HashMap<Player, usize>>,
}

/// The official rating of a version in a pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfficialRating {
    pub rating: f64,
    /// Half the width of the 95 % confidence interval.
    pub plus_minus: f64,
    pub games: u32,
    pub provisional: bool,
}

impl Published {
    #[must_use]
    pub fn of(&self, pool: Pool) -> Option<&Fitted> {
        self.pools.iter().find(|(other, _)| *other == pool).map(|(_, fitted)| fitted)
    }

    /// The rating of a player; none before its first result is in the standings.
    #[must_use]
    pub fn rating(&self, pool: Pool, player: &Player) -> Option<OfficialRating> {
        self.of(pool)?.line(player).map(OfficialRating::of)
    }

    /// The ratings of a player in all pools, by the name of the pool.
    #[must_use]
    pub fn ratings(&self, player: &Player) -> Vec<(Pool, OfficialRating)> {
        let of_pool = |(pool, fitted): &(Pool, Fitted)| {
            Some((*pool, OfficialRating::of(fitted.line(player)?)))
        };
        self.pools.iter().filter_map(of_pool).collect()
    }

    pub fn pools(&self) -> impl Iterator<Item = Pool> {
        self.pools.iter().map(|(pool, _)| *pool)
    }

    /// The same with new standings of a pool.
    #[must_use]
    pub fn with(mut self, pool: Pool, fitted: Fitted) -> Self {
        self.pools.retain(|(other, _)| *other != pool);
        self.pools.push((pool, fitted));
        self.pools.sort_by_key(|(pool, _)| pool.to_string());
        self
    }
}

impl Fitted {
    #[must_use]
    pub fn new(standings: Standings, at: Wall) -> Self {
        let place = |(place, line): (usize, &Line)| (line.player.clone(), place);
        let places = Arc::new(standings.lines.iter().enumerate().map(place).collect());
        Self { standings: Arc::new(standings), at, places }
    }

    /// The place of a player in the lines, from 0.
    #[must_use]
    pub fn place(&self, player: &Player) -> Option<usize> {
        self.places.get(player).copied()
    }

    fn line(&self, player: &Player) -> Option<&Line> {
        self.standings.lines.get(self.place(player)?)
    }
}

impl OfficialRating {
    #[must_use]
    pub fn of(line: &Line) -> Self {
        let Line { rating, plus_minus, games, provisional, .. } = *line;
        Self { rating, plus_minus, games, provisional }
    }

    /// The standard deviation of the rating.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.plus_minus / Z_95
    }
}
