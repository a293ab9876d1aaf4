//! Who plays: house bots, or a person at the terminal.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use azulejo_bots::{Budget, HouseBot};
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
        let bot = name.parse().map(Self::House);
        bot.map_err(|_: String| {
            format!("nobody is called {name}: there are random, greedy, strong and human")
        })
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

/// How the strong bot thinks.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Thinking {
    /// How long `strong` thinks about a move, in milliseconds.
    #[arg(long, default_value = "100", value_name = "MS", conflicts_with = "nodes")]
    think: u64,
    /// How many lines `strong` follows instead: the same number, the same moves.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: Option<u32>,
    /// How many threads `strong` thinks with.
    #[arg(long, default_value = "1", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    bot_threads: u16,
}

impl Thinking {
    /// The same player, thinking as told.
    pub(crate) fn applied_to(self, player: Player) -> Player {
        let budget =
            self.nodes.map_or(Budget::Time(Duration::from_millis(self.think)), Budget::Nodes);
        match player {
            Player::House(HouseBot::Strong { .. }) => {
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
