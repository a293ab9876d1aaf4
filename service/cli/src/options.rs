//! Options that several verbs share.

use anyhow::{Context, Result};
use azulejo_rules::parts::{PlayerCount, Side};
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

/// Which game is played.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Table {
    /// The game.
    #[arg(long, value_enum, default_value = "azul")]
    pub(crate) game: Game,
    /// The side of the player boards.
    #[arg(long, value_enum, default_value = "colored")]
    pub(crate) board: Board,
    /// How many play.
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u32).range(2..=4))]
    players: u32,
}

impl Table {
    pub(crate) fn side(self) -> Side {
        self.board.into()
    }

    pub(crate) fn players(self) -> Result<PlayerCount> {
        PlayerCount::of(self.players).context("both games are for 2 to 4 players")
    }
}
