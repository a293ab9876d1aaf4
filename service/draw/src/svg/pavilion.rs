//! A table of Summer Pavilion.

use azulejo_rules::parts::Factory;
use azulejo_rules::pavilion::{Phase, Position, ROUNDS, SUPPLY_SPACES, WILD_COLORS};

use crate::LastMove;
use crate::last_move::PavilionPlace;
use crate::options::Options;

use super::describe;
use super::paper::{Anchor, Area, Paper, Point, Spot};
use super::pavilion_board::{BOARD_HEIGHT, draw_board};
use super::table::{
    HEAD, Lay, Shared, WIDTH, board_corner, draw_head, ring_height, short_name, table_height,
};
use super::tiles::{Kit, PAVILION_TILES, Place, RHOMBUS, each};

const SUPPLY: f64 = 56.0;

/// The table as one SVG document.
#[must_use]
pub fn pavilion_svg(position: &Position, options: &Options) -> String {
    let players = position.rules().players;
    let below_ring = HEAD + ring_height(players);
    let top = below_ring + SUPPLY + 4.0;
    let size = Point::at(WIDTH, table_height(players, top, BOARD_HEIGHT));
    let (title, description) = describe::pavilion(position, &options.names);
    let mut paper = Paper::new(size, options.theme, &title, &description);
    paper.write(format_args!("{PAVILION_TILES}"));
    draw_rounds(&mut paper, position);
    let stock = position.stock();
    let stock = format!("Bag {} · Tower {}", stock.bag.total(), stock.discards.total());
    draw_head(&mut paper, (346.0, 26), &status(position, options), &stock);
    draw_offer(&mut paper, position, options);
    draw_supply(&mut paper, below_ring + SUPPLY / 2.0, position, options);
    for seat in players.iter() {
        let corner = board_corner(players, seat, top, BOARD_HEIGHT);
        draw_board(&mut paper, corner, position, seat, options);
    }
    paper.finish()
}

/// The six rounds with their wild colors; the current round is highlighted.
fn draw_rounds(paper: &mut Paper, position: &Position) {
    let round = format!("Round {} of {ROUNDS}", position.round());
    paper.words("head ink", Point::at(14.0, 31.0), Anchor::Start, &round);
    for (index, color) in WILD_COLORS.into_iter().enumerate() {
        let at = Point::at(190.0 + index as f64 * 26.0, 24.0);
        let now = usize::from(position.round()) == index + 1;
        let spot = Spot { at, scale: if now { 0.6 } else { 0.42 }, turn: 0.0 };
        Kit::Pavilion.print(paper, if now { "wild" } else { "print" }, color, spot);
    }
}

fn draw_offer(paper: &mut Paper, position: &Position, options: &Options) {
    let players = position.rules().players;
    // Like petals: the tips of the tiles meet in the center of the display.
    let petal = |turn| Spot { at: Point::at(0.0, 0.0).toward(turn, 20.5), scale: 0.6, turn };
    let lay = Lay {
        kit: Kit::Pavilion,
        display: [petal(-45.0), petal(45.0), petal(-135.0), petal(135.0)],
        step: Point::at(27.0, 41.0),
        scale: 0.6,
    };
    let touched = options.last.and_then(LastMove::in_pavilion);
    let displays = Factory::of(players).iter();
    let shared = Shared {
        players,
        displays: displays.map(|&factory| (factory, position.factory(factory))).collect(),
        center: position.center(),
        marker_in_center: position.token().is_none(),
        last: touched.and_then(|touched| touched.source),
    };
    lay.draw(paper, HEAD, &shared);
}

fn draw_supply(paper: &mut Paper, y: f64, position: &Position, options: &Options) {
    const STEP: f64 = 38.0;
    let width = f64::from(SUPPLY_SPACES) * STEP;
    let middle = Point::at(WIDTH / 2.0, y);
    let area = Area::around(middle, width + 124.0, SUPPLY - 6.0);
    paper.rect("panel", area, 10.0);
    let words = Point::at(area.corner.x + 14.0, y + 6.0);
    paper.words("note soft", words, Anchor::Start, "Supply");
    let touched = options.last.and_then(LastMove::in_pavilion);
    if touched.is_some_and(|touched| touched.place == PavilionPlace::Supply) {
        paper.rect("last", area, 10.0);
    }
    let mut tiles = each(position.supply());
    for index in 0..SUPPLY_SPACES {
        let at = middle.moved((f64::from(index) + 0.5) * STEP - width / 2.0 + 50.0, 0.0);
        let spot = Spot { at, scale: 0.66, turn: 0.0 };
        match tiles.next() {
            Some(color) => Kit::Pavilion.tile(paper, color, Place::Supply, spot),
            None => paper.shape("cell", RHOMBUS, spot, format_args!("")),
        }
    }
}

fn status(position: &Position, options: &Options) -> String {
    let who = position.to_move().map(|seat| short_name(&options.names, seat)).unwrap_or_default();
    match position.phase() {
        Phase::Deal => "tiles are dealt".to_owned(),
        Phase::TopUp => "the supply is topped up".to_owned(),
        Phase::Acquire => format!("{who} takes tiles"),
        Phase::Play => format!("{who} lays a tile"),
        Phase::Bonus { due: 1 } => format!("{who} takes a bonus tile"),
        Phase::Bonus { due } => format!("{who} takes {due} bonus tiles"),
        Phase::Keep => format!("{who} keeps four"),
        Phase::Over => {
            let winners = position.score().winners;
            let names = winners.iter().map(|&seat| short_name(&options.names, seat));
            format!("{} won", names.collect::<Vec<_>>().join(" and "))
        }
    }
}
