//! Options that several verbs share.

use std::fmt;

use anyhow::{Context, Result};
use azulejo_engine::Ruleset;
use azulejo_rules::parts::{PlayerCount, Side};
use azulejo_rules::{azul, pavilion};
use clap::{Args, ValueEnum};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Game {
    Azul,
    SummerPavilion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Board {
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

/// Which clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Class {
    /// 2 s and 0.05 s a move.
    Bullet,
    /// 10 s and 0.1 s a move.
    Blitz,
    /// 120 s and 2 s a move.
    Rapid,
}

impl From<Class> for azulejo_sdk::arena::TimeClass {
    fn from(class: Class) -> Self {
        match class {
            Class::Bullet => Self::Bullet,
            Class::Blitz => Self::Blitz,
            Class::Rapid => Self::Rapid,
        }
    }
}

impl From<Class> for azulejo_arena::pool::TimeClass {
    fn from(class: Class) -> Self {
        match class {
            Class::Bullet => Self::Bullet,
            Class::Blitz => Self::Blitz,
            Class::Rapid => Self::Rapid,
        }
    }
}

/// Which game is played.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Rules {
    /// The game.
    #[arg(long, value_enum, default_value = "azul")]
    pub(crate) game: Game,
    /// The side of the player boards.
    #[arg(long, value_enum, default_value = "colored")]
    pub(crate) board: Board,
}

impl Rules {
    pub(crate) fn ruleset(self, players: usize) -> Result<Ruleset> {
        let players = u32::try_from(players).ok().and_then(PlayerCount::of);
        let players = players.context("both games are for 2 to 4 players")?;
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

/// Which game is played, by how many.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Table {
    #[command(flatten)]
    pub(crate) rules: Rules,
    /// How many play.
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u32).range(2..=4))]
    players: u32,
}

impl Table {
    pub(crate) fn ruleset(self) -> Result<Ruleset> {
        self.rules.ruleset(self.players()?.seats())
    }

    pub(crate) fn players(self) -> Result<PlayerCount> {
        PlayerCount::of(self.players).context("both games are for 2 to 4 players")
    }
}
