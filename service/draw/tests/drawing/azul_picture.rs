use azulejo_draw::{LastMove, Options, azul_svg};
use azulejo_rules::azul::{Column, Destination, Move, PatternLine, Position, Row};
use azulejo_rules::parts::{Factory, TileColor, Tiles};
use roxmltree::Document;

use crate::games::{azul, some, tables};
use crate::picture::{markers, of_class, tiles, translation};

fn heap<C: TileColor>(lines: &mut Vec<String>, tiles: Tiles<C>, place: &str) {
    for (color, count) in tiles.iter() {
        lines.extend((0..count).map(|_| format!("{} {place}", color.letter())));
    }
}

/// Every tile on the table, as it must appear in the picture.
fn expected(position: &Position) -> Vec<String> {
    let mut lines = Vec::new();
    for &factory in Factory::of(position.rules().players) {
        heap(&mut lines, position.factory(factory), &format!("factory {factory}"));
    }
    heap(&mut lines, position.center(), "center");
    for seat in position.rules().players.iter() {
        let (board, seat) = (position.board(seat), seat.index());
        heap(&mut lines, board.floor(), &format!("floor {seat}"));
        for row in Row::ALL {
            if let PatternLine::Holding { color, tiles } = board.line(row) {
                heap(&mut lines, Tiles::of(color, tiles), &format!("line {seat} {}", row.spaces()));
            }
            for column in Column::ALL {
                if let Some(color) = board.wall().color_at(row, column) {
                    let (letter, column) = (color.letter(), column.index() + 1);
                    lines.push(format!("{letter} wall {seat} {} {column}", row.spaces()));
                }
            }
        }
    }
    lines.sort();
    lines
}

#[test]
fn every_tile_of_azul_is_drawn_where_it_lies_and_no_other() {
    for (side, players, seed) in tables() {
        for (position, _) in some(azul(side, players, seed)) {
            let svg = azul_svg(&position, &Options::default());
            assert_eq!(tiles(&svg), expected(&position), "{side} {players:?} {seed}");
        }
    }
}

#[test]
fn the_starting_player_marker_lies_in_the_center_or_on_its_holders_floor() {
    for (side, players, seed) in tables() {
        for (position, _) in some(azul(side, players, seed)) {
            let place = match position.marker() {
                None => "center".to_owned(),
                Some(seat) => format!("floor {}", seat.index()),
            };
            assert_eq!(markers(&azul_svg(&position, &Options::default())), [place]);
        }
    }
}

#[test]
fn no_two_tiles_lie_on_the_same_place() {
    for (side, players, seed) in tables() {
        for (position, _) in some(azul(side, players, seed)) {
            let svg = azul_svg(&position, &Options::default());
            let document = Document::parse(&svg).unwrap();
            let tiles = [of_class(&document, "tile"), of_class(&document, "marker")].concat();
            let mut places: Vec<_> = tiles.into_iter().map(translation).collect();
            let count = places.len();
            places.sort_by(|one, other| one.partial_cmp(other).unwrap());
            places.dedup();
            assert_eq!(places.len(), count);
        }
    }
}

#[test]
fn a_take_highlights_its_source_and_the_line_or_floor_and_a_placement_its_cell() {
    for (side, players, seed) in tables() {
        for (position, made) in some(azul(side, players, seed)) {
            let Some((seat, action)) = made else { continue };
            let last = Some(LastMove::azul(seat, action));
            let svg = azul_svg(&position, &Options { last, ..Options::default() });
            let document = Document::parse(&svg).unwrap();
            let shapes: Vec<_> =
                of_class(&document, "last").iter().map(|node| node.tag_name().name()).collect();
            match action {
                Move::Take {
                    source,
                    destination: Destination::Line(_) | Destination::Floor,
                    ..
                } => {
                    let source = if source.index() == 0 { "rect" } else { "circle" };
                    assert_eq!(shapes, [source, "rect"]);
                }
                Move::PlaceTile { .. } => assert_eq!(shapes, ["rect"]),
            }
        }
    }
}
