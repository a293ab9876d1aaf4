//! The official standings: what they promise, and how well matchmaking serves them.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
#![allow(clippy::cast_precision_loss, reason = "a few thousand at most")]
#![allow(clippy::print_stdout, reason = "measurements tell us")]

mod cases;
mod chance;
mod cheat;
mod cheats;
mod figures;
mod intervals;
mod ladder;
mod order;
mod solver;
mod truth;

use azulejo_arena::names::{MatchId, Player};
use azulejo_arena::standings::{Games, Line, Standings};

fn player(bot: &str) -> Player {
    Player { bot: bot.parse().unwrap(), version: "1".parse().unwrap() }
}

/// Only a few bits of each byte show in an id: the number is spread over them.
fn id(number: u64) -> MatchId {
    let bytes = std::array::from_fn(|place| u8::try_from((number >> (4 * place)) & 15).unwrap());
    MatchId::from_random(bytes)
}

/// A match of a pool: its number, that of its block, and bots with placements, by seat.
type Played<'a> = (u64, u64, Vec<(&'a str, u8)>);

fn games(all: &[Played<'_>]) -> Games {
    let mut games = Games::default();
    for (number, block, seats) in all {
        let players: Vec<(Player, u8)> =
            seats.iter().map(|&(bot, placement)| (player(bot), placement)).collect();
        games.add(
            &id(*number),
            &id(*block),
            players.iter().map(|(player, place)| (player, *place)),
        );
    }
    games
}

/// `times` blocks of two games with changed seats, each of which the first bot wins.
fn wins<'a>(from: u64, times: u64, winner: &'a str, loser: &'a str) -> Vec<Played<'a>> {
    let block = |number: u64| {
        let (first, second) = (from + 2 * number, from + 2 * number + 1);
        [
            (first, first, vec![(winner, 1), (loser, 2)]),
            (second, first, vec![(loser, 2), (winner, 1)]),
        ]
    };
    (0..times).flat_map(block).collect()
}

fn line<'a>(standings: &'a Standings, bot: &str) -> &'a Line {
    standings.lines.iter().find(|line| line.player == player(bot)).unwrap()
}
