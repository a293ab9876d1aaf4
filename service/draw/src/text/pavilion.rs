//! A table of Summer Pavilion for a terminal.

use azulejo_rules::parts::{Seat, Side};
use azulejo_rules::pavilion::{Phase, Position, ROUNDS, Space, Star, cost};

use crate::options::{self, TextOptions, fitted};

use super::columns::{BOARD, abreast, joined, spread};
use super::ink::Ink;

/// The table as text, at most 80 columns wide.
///
/// A line for each star with its spaces 1 to 6: a letter is a tile, a number the cost of a free
/// space. The star is the start player token, the arrow shows whose turn it is.
#[must_use]
pub fn pavilion_text(position: &Position, options: &TextOptions) -> String {
    let ink = Ink { color: options.color };
    let rules = position.rules();
    let (stock, wild) = (position.stock(), position.wild_color());
    let mut lines = vec![
        format!(
            "{}, {} side  round {} of {ROUNDS}  wild {} {wild}  bag {}  tower {}",
            ink.bold("Summer Pavilion"),
            rules.side,
            position.round(),
            ink.tile(wild),
            stock.bag.total(),
            stock.discards.total()
        ),
        ink.displays(rules.players, |factory| position.factory(factory)),
        ink.center(position.center(), position.token().is_none()),
        format!("Supply    {}", ink.tiles(position.supply())),
    ];
    let boards: Vec<_> =
        rules.players.iter().map(|seat| board(position, seat, options, ink)).collect();
    lines.extend(abreast(&boards));
    joined(&lines)
}

fn board(position: &Position, seat: Seat, options: &TextOptions, ink: Ink) -> Vec<String> {
    let points = points(position, seat);
    let state = state(position, seat);
    let turn = if position.to_move() == Some(seat) { ">" } else { " " };
    let room = BOARD - points.len() - state.len() - 6;
    let name = fitted(&options::name(&options.names, seat), room);
    let token = if position.token() == Some(seat) { " *" } else { "" };
    let name = format!("{turn} {}{token}{state}", ink.bold(&name));
    let mut lines = vec![spread(&name, &ink.bold(&points))];
    lines.push(ink.dim("  space          1 2 3 4 5 6"));
    lines.extend(Star::ALL.map(|star| star_line(position, seat, star, ink)));
    let hand = position.board(seat).hand();
    let heaps: Vec<_> =
        hand.iter().map(|(color, count)| format!("{count}{}", ink.tile(color))).collect();
    lines.push(format!("  hand {}", if heaps.is_empty() { "-".into() } else { heaps.join(" ") }));
    lines
}

fn points(position: &Position, seat: Seat) -> String {
    let score = position.seat_score(seat);
    if position.end().is_none() {
        return score.points.to_string();
    }
    let gained = score.star_points() + score.number_points();
    let lost = score.points + gained - score.total();
    format!("{} + {gained} - {lost} = {}", score.points, score.total())
}

fn state(position: &Position, seat: Seat) -> &'static str {
    let here = position.to_move() == Some(seat);
    match position.phase() {
        Phase::Over if position.score().winners.contains(&seat) => " won",
        Phase::Over => "",
        Phase::Bonus { due: 1 } if here => " bonus: 1",
        Phase::Bonus { due: 2 } if here => " bonus: 2",
        Phase::Bonus { .. } if here => " bonus: 3",
        Phase::Keep if here => " keeps 4",
        Phase::Deal
        | Phase::Acquire
        | Phase::Play
        | Phase::Bonus { .. }
        | Phase::Keep
        | Phase::TopUp => {
            if position.passed().holds(seat) {
                " passed"
            } else {
                ""
            }
        }
    }
}

fn star_line(position: &Position, seat: Seat, star: Star, ink: Ink) -> String {
    let side = position.rules().side;
    let spaces = Space::ALL.map(|space| match position.board(seat).color_at(star, space) {
        Some(color) => ink.tile(color),
        None => ink.dim(&cost(side, star, space).to_string()),
    });
    format!("  {} {:<12} {}", star.letter(), place(side, star), spaces.join(" "))
}

/// The stars of the gray side have no color, only a place.
const fn place(side: Side, star: Star) -> &'static str {
    match (side, star) {
        (_, Star::Center) => "center",
        (Side::Colored, Star::Orange) => "orange",
        (Side::Colored, Star::Red) => "red",
        (Side::Colored, Star::Blue) => "blue",
        (Side::Colored, Star::Yellow) => "yellow",
        (Side::Colored, Star::Green) => "green",
        (Side::Colored, Star::Purple) => "purple",
        (Side::Gray, Star::Orange) => "upper left",
        (Side::Gray, Star::Red) => "upper right",
        (Side::Gray, Star::Blue) => "right",
        (Side::Gray, Star::Yellow) => "lower right",
        (Side::Gray, Star::Green) => "lower left",
        (Side::Gray, Star::Purple) => "left",
    }
}
