//! Who plays: house bots, or a person at the terminal.

use std::fmt;
use std::str::FromStr;

use azulejo_bots::{HouseBot, NoSuchBot};
use clap::Args;

/// Who sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Player {
    Human,
    House(HouseBot),
}

impl FromStr for Player {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "human" {
            return Ok(Self::Human);
        }
        name.parse()
            .map(Self::House)
            .map_err(|bad: NoSuchBot| format!("{bad}; a person is `human`"))
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::House(bot) => bot.fmt(f),
        }
    }
}

/// How the strong bot thinks. How long, its name says: `strong:250`.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Thinking {
    /// How many threads `strong` thinks with.
    #[arg(long, default_value = "1", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    bot_threads: u16,
}

impl Thinking {
    /// The same player, thinking as told.
    pub(crate) fn applied_to(self, player: Player) -> Player {
        match player {
            Player::House(HouseBot::Strong { budget, .. }) => {
                Player::House(HouseBot::Strong { budget, threads: self.bot_threads.into() })
            }
            Player::House(bot @ (HouseBot::Random | HouseBot::Greedy)) => Player::House(bot),
            Player::Human => Player::Human,
        }
    }
}

/// Names for the seats; where two are alike, they are told apart by number.
pub(crate) fn names(players: &[Player]) -> Vec<String> {
    let alike = |player: &Player| {
        players.iter().filter(|&other| other.to_string() == player.to_string()).count()
    };
    players
        .iter()
        .enumerate()
        .map(|(index, player)| {
            let before =
                players[..index].iter().filter(|other| other.to_string() == player.to_string());
            match alike(player) {
                1 => player.to_string(),
                _ => format!("{player} {}", before.count() + 1),
            }
        })
        .collect()
}
