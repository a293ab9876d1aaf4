//! The picture in words, for screen readers.

use std::fmt::Write;

use azulejo_rules::azul;
use azulejo_rules::parts::{Factory, PlayerCount, Side, TileColor, Tiles};
use azulejo_rules::pavilion;

use crate::options::name;

fn title(game: &str, side: Side, players: PlayerCount, round: u8) -> String {
    format!("{game}, {side} side, {} players, round {round}", players.seats())
}

/// `2 blue, 1 red`.
fn words<C: TileColor + std::fmt::Display>(tiles: Tiles<C>) -> String {
    let parts: Vec<_> = tiles.iter().map(|(color, count)| format!("{count} {color}")).collect();
    if parts.is_empty() { "empty".to_owned() } else { parts.join(", ") }
}

fn offer<C: TileColor + std::fmt::Display>(
    players: PlayerCount,
    display: impl Fn(Factory) -> Tiles<C>,
    center: Tiles<C>,
    marker: bool,
) -> String {
    let mut text = String::new();
    for &factory in Factory::of(players) {
        let _ = write!(text, "Factory {factory}: {}. ", words(display(factory)));
    }
    let _ = write!(text, "Center: {}", words(center));
    text.push_str(if marker { ", with the start marker." } else { "." });
    text
}

/// Title and description.
pub(super) fn azul(position: &azul::Position, names: &[String]) -> (String, String) {
    let azul::Rules { side, players, round_limit: _ } = position.rules();
    let marker = position.marker();
    let display = |factory| position.factory(factory);
    let mut text = offer(players, display, position.center(), marker.is_none());
    for seat in players.iter() {
        let board = position.board(seat);
        let _ = write!(text, " {}: {} points", name(names, seat), board.points());
        if position.to_move() == Some(seat) {
            text.push_str(", to move");
        }
        let _ = write!(text, "; {} tiles on the wall", board.wall().tiles());
        for row in azul::Row::ALL {
            if let azul::PatternLine::Holding { color, tiles } = board.line(row) {
                let _ = write!(text, "; line {}: {tiles} {color}", row.spaces());
            }
        }
        let _ = write!(text, "; floor line: {}", words(board.floor()));
        text.push_str(if marker == Some(seat) { ", with the start marker." } else { "." });
    }
    (title("Azul", side, players, position.round()), text)
}

/// Title and description.
pub(super) fn pavilion(position: &pavilion::Position, names: &[String]) -> (String, String) {
    let pavilion::Rules { side, players } = position.rules();
    let token = position.token();
    let display = |factory| position.factory(factory);
    let mut text = format!("The wild color is {}. ", position.wild_color());
    text.push_str(&offer(players, display, position.center(), token.is_none()));
    let _ = write!(text, " Supply: {}.", words(position.supply()));
    for seat in players.iter() {
        let board = position.board(seat);
        let _ = write!(text, " {}: {} points", name(names, seat), board.points());
        if position.to_move() == Some(seat) {
            text.push_str(", to move");
        }
        if position.passed().holds(seat) {
            text.push_str(", passed");
        }
        for star in pavilion::Star::ALL {
            let covered = |space: &&pavilion::Space| board.is_covered(star, **space);
            let tiles = pavilion::Space::ALL.iter().filter(covered).count();
            if tiles > 0 {
                let _ = write!(text, "; {star}: {tiles} of 6");
            }
        }
        let _ = write!(text, "; hand: {}", words(board.hand()));
        text.push_str(if token == Some(seat) { ", with the start token." } else { "." });
    }
    (title("Azul: Summer Pavilion", side, players, position.round()), text)
}
