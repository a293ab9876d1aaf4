//! Who plays: house bots, bots of one's own, or a person at the terminal.

use std::fmt;
use std::str::FromStr;

use azulejo_bots::{HouseBot, NoSuchBot};
use clap::Args;

use crate::author::{Program, Sitting};

/// Who sits on a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Player {
    Human,
    House(HouseBot),
    Own(Program),
}

impl FromStr for Player {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "human" {
            return Ok(Self::Human);
        }
        if let Ok(bot) = name.parse() {
            return Ok(Self::House(bot));
        }
        name.parse().map(Self::Own).map_err(|bad: String| {
            format!(
                "{bad}; {NoSuchBot}; a person is `human`; a bot of your own is a path or a command: \
                 ./mybot, \"python3 bot.py\""
            )
        })
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::House(bot) => bot.fmt(f),
            Self::Own(program) => program.fmt(f),
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
            Player::Human | Player::Own(_) => player,
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

/// A program, and the name that it has in the arena.
type Named = (Program, String);

/// The programs among the players, by the names of their seats, and who sits where; none if a
/// person plays.
pub(crate) fn own_bots(players: &[Player], names: &[String]) -> Option<(Vec<Named>, Vec<Sitting>)> {
    let mut programs = Vec::new();
    let sitting = |(player, name): (&Player, &String)| match player {
        Player::Human => None,
        Player::House(bot) => Some(Sitting::House(*bot)),
        Player::Own(program) => {
            programs.push((program.clone(), name.replace(' ', "-")));
            Some(Sitting::Own(programs.len() - 1))
        }
    };
    let seats: Option<Vec<Sitting>> = players.iter().zip(names).map(sitting).collect();
    Some((programs, seats?))
}
