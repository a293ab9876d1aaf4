//! Options that several commands share.

use std::fmt;

use anyhow::{Context, Result};
use azulejo_engine::Ruleset;
use azulejo_rules::parts::{PlayerCount, Side};
use azulejo_rules::{azul, pavilion};
use clap::{Args, ValueEnum};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Game {
    Azul,
    SummerPavilion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Board {
    Colored,
    Gray,
}

impl From<Board> for Side {
    fn from(board: Board) -> Self {
        match board {
            Board::Colored => Self::Colored,
            Board::Gray => Self::Gray,
        }
    }
}

/// The time control of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Clock {
    /// 2 s, plus 0.05 s per move.
    Bullet,
    /// 10 s, plus 0.1 s per move.
    Blitz,
    /// 120 s, plus 2 s per move.
    Rapid,
}

/// The game and the side of its boards.
#[derive(Clone, Copy, Debug, Args)]
pub struct Rules {
    /// Game to play.
    #[arg(long, value_enum, default_value = "azul")]
    pub game: Game,
    /// Side of the player boards.
    #[arg(long, value_enum, default_value = "colored")]
    pub board: Board,
}

impl Rules {
    pub fn ruleset(self, players: usize) -> Result<Ruleset> {
        let players = u32::try_from(players).ok().and_then(PlayerCount::of);
        let players = players.context("both games require 2 to 4 players")?;
        let side = self.board.into();
        Ok(match self.game {
            Game::Azul => Ruleset::Azul(azul::Rules::new(side, players)),
            Game::SummerPavilion => Ruleset::SummerPavilion(pavilion::Rules::new(side, players)),
        })
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = match self.game {
            Game::Azul => "Azul",
            Game::SummerPavilion => "Summer Pavilion",
        };
        write!(f, "{game}, {} side", Side::from(self.board))
    }
}

/// The game and the number of players.
#[derive(Clone, Copy, Debug, Args)]
pub struct Table {
    #[command(flatten)]
    pub rules: Rules,
    /// Number of players.
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u32).range(2..=4))]
    players: u32,
}

impl Table {
    pub fn ruleset(self) -> Result<Ruleset> {
        self.rules.ruleset(self.players()?.seats())
    }

    pub fn players(self) -> Result<PlayerCount> {
        PlayerCount::of(self.players).context("both games require 2 to 4 players")
    }
}
