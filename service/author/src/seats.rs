//! Who plays: a person at the terminal, a house bot, or a bot of your own.

use std::fmt;
use std::str::FromStr;

use azulejo_bots::{HouseBot, NoSuchBot};
use clap::Args;

use crate::{Participant, Program};

/// A player, as given on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlayerSpec {
    Human,
    House(HouseBot),
    Own(Program),
}

impl FromStr for PlayerSpec {
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
                "{bad}; {NoSuchBot}; `human` is a person at the terminal; a bot of your own is a path \
                 or a command, for example ./mybot or \"python3 bot.py\""
            )
        })
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::House(bot) => bot.fmt(f),
            Self::Own(program) => program.fmt(f),
        }
    }
}

/// Options of the strong bot. Its budget is part of its name: `strong:250`.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ThinkingArgs {
    /// Threads per `strong` bot.
    #[arg(long, default_value = "1", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    bot_threads: u16,
}

impl ThinkingArgs {
    /// The player with these options.
    pub(crate) fn applied_to(self, player: PlayerSpec) -> PlayerSpec {
        match player {
            PlayerSpec::House(HouseBot::Strong { budget, .. }) => {
                PlayerSpec::House(HouseBot::Strong { budget, threads: self.bot_threads.into() })
            }
            PlayerSpec::House(bot @ (HouseBot::Random | HouseBot::Greedy)) => {
                PlayerSpec::House(bot)
            }
            PlayerSpec::Human | PlayerSpec::Own(_) => player,
        }
    }
}

/// Names for the seats; equal names are numbered.
pub(crate) fn names(players: &[PlayerSpec]) -> Vec<String> {
    let same_name = |player: &PlayerSpec| {
        players.iter().filter(|&other| other.to_string() == player.to_string()).count()
    };
    players
        .iter()
        .enumerate()
        .map(|(index, player)| {
            let before =
                players[..index].iter().filter(|other| other.to_string() == player.to_string());
            match same_name(player) {
                1 => player.to_string(),
                _ => format!("{player} {}", before.count() + 1),
            }
        })
        .collect()
}

/// A program and its name in the arena.
type NamedProgram = (Program, String);

/// The programs among the players, with their names, and the participant of each seat; `None` if a
/// person plays.
pub(crate) fn own_bots(
    players: &[PlayerSpec],
    names: &[String],
) -> Option<(Vec<NamedProgram>, Vec<Participant>)> {
    let mut programs = Vec::new();
    let participant = |(player, name): (&PlayerSpec, &String)| match player {
        PlayerSpec::Human => None,
        PlayerSpec::House(bot) => Some(Participant::House(*bot)),
        PlayerSpec::Own(program) => {
            programs.push((program.clone(), name.replace(' ', "-")));
            Some(Participant::Own(programs.len() - 1))
        }
    };
    let seats: Option<Vec<Participant>> = players.iter().zip(names).map(participant).collect();
    Some((programs, seats?))
}
