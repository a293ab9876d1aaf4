//! The golden playthroughs: whole games with everything that happened. `cargo golden` writes them,
//! a test compares them, and a change of the rules shows as a diff to be read.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use azulejo_rules::parts::{PlayerCount, Side};
use azulejo_rules::{azul, pavilion};

use crate::{Playable, Style, play_game};

/// The folder of the golden files.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// Every playthrough with its file name.
#[must_use]
pub fn playthroughs() -> Vec<(String, String)> {
    let tables = [
        (Side::Colored, PlayerCount::Two),
        (Side::Gray, PlayerCount::Three),
        (Side::Colored, PlayerCount::Four),
    ];
    tables
        .into_iter()
        .flat_map(|(side, players)| {
            [
                playthrough::<azul::Position>(side, players),
                playthrough::<pavilion::Position>(side, players),
            ]
        })
        .collect()
}

fn playthrough<G: Playable>(side: Side, players: PlayerCount) -> (String, String) {
    let seed = 7;
    let game = play_game::<G>(side, players, Style::Eager, seed, |_, _| ());
    let mut position = game.first;
    let mut text = format!("{} {side} {players:?}, seed {seed}\n{position}\n", G::NAME);
    for (number, &step) in game.steps.iter().enumerate() {
        let offered = position.moves().len();
        let events = position.tell(step);
        let hash = position.hash();
        writeln!(text, "\n{}. {step} of {offered}, then {hash:016x}", number + 1).unwrap();
        for event in events {
            writeln!(text, "   {event}").unwrap();
        }
        if number % 20 == 19 || position.is_over() {
            writeln!(text, "{position}").unwrap();
        }
    }
    let name = format!("{}-{side}-{}.playthrough", G::NAME, players.seats());
    (name, text)
}
