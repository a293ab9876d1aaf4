//! A table of Azul.

use azulejo_rules::azul::{Phase, Position};
use azulejo_rules::parts::Factory;

use crate::LastMove;
use crate::options::Options;

use super::azul_board::{BOARD_HEIGHT, draw_board};
use super::describe;
use super::paper::{Anchor, Paper, Point, Spot};
use super::table::{
    HEAD, Lay, Shared, WIDTH, board_corner, draw_head, ring_height, short_name, table_height,
};
use super::tiles::{AZUL_TILES, Kit};

/// The table as one SVG document.
#[must_use]
pub fn azul_svg(position: &Position, options: &Options) -> String {
    let players = position.rules().players;
    let top = HEAD + ring_height(players) + 6.0;
    let size = Point::at(WIDTH, table_height(players, top, BOARD_HEIGHT));
    let (title, description) = describe::azul(position, &options.names);
    let mut paper = Paper::new(size, options.theme, &title, &description);
    paper.write(format_args!("{AZUL_TILES}"));
    draw_shared(&mut paper, position, options);
    for seat in players.iter() {
        let corner = board_corner(players, seat, top, BOARD_HEIGHT);
        draw_board(&mut paper, corner, position, seat, options);
    }
    paper.finish()
}

fn draw_shared(paper: &mut Paper, position: &Position, options: &Options) {
    let round = format!("Round {}", position.round());
    paper.words("head ink", Point::at(14.0, 31.0), Anchor::Start, &round);
    let stock = position.stock();
    let stock = format!("Bag {} · Lid {}", stock.bag.total(), stock.discards.total());
    draw_head(paper, (130.0, 50), &status(position, options), &stock);
    let players = position.rules().players;
    let touched = options.last.and_then(LastMove::in_azul);
    let spot = |x, y| Spot { at: Point::at(x, y), scale: 0.8, turn: 0.0 };
    let lay = Lay {
        kit: Kit::Azul,
        display: [spot(-14.0, -14.0), spot(14.0, -14.0), spot(-14.0, 14.0), spot(14.0, 14.0)],
        step: Point::at(30.0, 30.0),
        scale: 0.82,
    };
    let displays = Factory::of(players).iter();
    let shared = Shared {
        players,
        displays: displays.map(|&factory| (factory, position.factory(factory))).collect(),
        center: position.center(),
        marker_in_center: position.marker().is_none(),
        last: touched.and_then(|touched| touched.source),
    };
    lay.draw(paper, HEAD, &shared);
}

fn status(position: &Position, options: &Options) -> String {
    let who = position.to_move().map(|seat| short_name(&options.names, seat)).unwrap_or_default();
    match position.phase() {
        Phase::Deal => "the factory displays are filled".to_owned(),
        Phase::Offer => format!("{who} takes tiles"),
        Phase::Tiling => format!("{who} tiles the wall"),
        Phase::Over(_) => {
            let winners = position.score().winners;
            let names = winners.iter().map(|&seat| short_name(&options.names, seat));
            format!("{} won", names.collect::<Vec<_>>().join(" and "))
        }
    }
}
