use azulejo_draw::{LastMove, Options, pavilion_svg};
use azulejo_rules::parts::{Factory, PlayerCount, Seat, Side, TileColor, Tiles};
use azulejo_rules::pavilion::{Event, Move, Position, Rules, Space, Star, cost};
use roxmltree::Document;

use crate::games::{pavilion, some, tables};
use crate::picture::{markers, of_class, tiles, translation};

fn heap<C: TileColor>(lines: &mut Vec<String>, tiles: Tiles<C>, place: &str) {
    for (color, count) in tiles.iter() {
        lines.extend((0..count).map(|_| format!("{} {place}", color.letter())));
    }
}

fn expected(position: &Position) -> Vec<String> {
    let mut lines = Vec::new();
    for &factory in Factory::of(position.rules().players) {
        heap(&mut lines, position.factory(factory), &format!("factory {factory}"));
    }
    heap(&mut lines, position.center(), "center");
    heap(&mut lines, position.supply(), "supply");
    for seat in position.rules().players.iter() {
        let (board, seat) = (position.board(seat), seat.index());
        heap(&mut lines, board.hand(), &format!("hand {seat}"));
        for star in Star::ALL {
            for space in Space::ALL {
                if let Some(color) = board.color_at(star, space) {
                    let (tile, star, space) = (color.letter(), star.letter(), space.number());
                    lines.push(format!("{tile} star {seat} {star} {space}"));
                }
            }
        }
    }
    lines.sort();
    lines
}

#[test]
fn every_tile_of_summer_pavilion_is_drawn_where_it_lies_and_no_other() {
    for (side, players, seed) in tables() {
        for (position, _) in some(pavilion(side, players, seed, &mut Vec::new())) {
            let svg = pavilion_svg(&position, &Options::default());
            assert_eq!(tiles(&svg), expected(&position), "{side} {players:?} {seed}");
        }
    }
}

#[test]
fn the_token_lies_in_the_center_or_beside_its_holders_board() {
    for (side, players, seed) in tables() {
        for (position, _) in some(pavilion(side, players, seed, &mut Vec::new())) {
            let place = match position.token() {
                None => "center".to_owned(),
                Some(seat) => format!("board {}", seat.index()),
            };
            assert_eq!(markers(&pavilion_svg(&position, &Options::default())), [place]);
        }
    }
}

#[test]
fn every_free_space_shows_its_cost() {
    for (side, players, seed) in tables() {
        let (position, _) = pavilion(side, players, seed, &mut Vec::new()).pop().unwrap();
        let svg = pavilion_svg(&position, &Options::default());
        let document = Document::parse(&svg).unwrap();
        let spaces = of_class(&document, "space");
        let mut free = 0;
        for seat in players.iter() {
            let covered = |star, space| position.board(seat).is_covered(star, space);
            for star in Star::ALL {
                free += Space::ALL.iter().filter(|&&space| !covered(star, space)).count();
            }
        }
        assert_eq!(spaces.len(), free);
        for node in spaces {
            let letter = node.attribute("data-star").unwrap().chars().next().unwrap();
            let number: usize = node.attribute("data-space").unwrap().parse().unwrap();
            let (star, space) =
                (Star::from_letter(letter).unwrap(), Space::at(number - 1).unwrap());
            let price = cost(side, star, space).to_string();
            assert_eq!(node.attribute("data-cost"), Some(price.as_str()));
            let printed = node.next_sibling_element().unwrap();
            assert_eq!(printed.text(), Some(price.as_str()));
        }
    }
}

/// The table of the rulebook's board: the number at N, NE, SE, S, SW and NW of each star.
const NUMBERS: [(char, [u8; 6]); 7] = [
    ('O', [6, 1, 2, 3, 4, 5]),
    ('R', [5, 6, 1, 2, 3, 4]),
    ('B', [4, 5, 6, 1, 2, 3]),
    ('Y', [3, 4, 5, 6, 1, 2]),
    ('G', [2, 3, 4, 5, 6, 1]),
    ('P', [1, 2, 3, 4, 5, 6]),
    ('C', [1, 2, 3, 4, 5, 6]),
];
const GRAY_NUMBERS: [(char, [u8; 6]); 7] = [
    ('O', [6, 3, 2, 1, 4, 5]),
    ('R', [5, 6, 3, 2, 1, 4]),
    ('B', [4, 5, 6, 3, 2, 1]),
    ('Y', [1, 4, 5, 6, 3, 2]),
    ('G', [2, 1, 4, 5, 6, 3]),
    ('P', [3, 2, 1, 4, 5, 6]),
    ('C', [3, 3, 3, 3, 3, 3]),
];

/// For each star of the first board: its letter, its center, and its costs clockwise from the
/// north, as drawn.
fn seen_stars(side: Side) -> Vec<(char, (f64, f64), [u8; 6])> {
    let position = Position::new(Rules::new(side, PlayerCount::Two), Seat::First);
    let svg = pavilion_svg(&position, &Options::default());
    let document = Document::parse(&svg).unwrap();
    let mut stars = Vec::new();
    for (letter, _) in NUMBERS {
        let name = letter.to_string();
        let spaces: Vec<_> = of_class(&document, "space")
            .into_iter()
            .filter(|node| node.attribute("data-seat") == Some("0"))
            .filter(|node| node.attribute("data-star") == Some(name.as_str()))
            .collect();
        let places: Vec<_> = spaces.iter().map(|&node| translation(node)).collect();
        let (x, y) = places.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
        let middle = (x / 6.0, y / 6.0);
        let mut around: Vec<_> = spaces.iter().zip(&places).collect();
        let clockwise = |at: &(f64, f64)| {
            let angle = (at.0 - middle.0).atan2(middle.1 - at.1).to_degrees();
            (angle + 360.0 + 5.0) % 360.0
        };
        around.sort_by(|one, other| clockwise(one.1).total_cmp(&clockwise(other.1)));
        let costs: Vec<u8> = around
            .iter()
            .map(|(node, _)| node.attribute("data-cost").unwrap().parse().unwrap())
            .collect();
        stars.push((letter, middle, costs.try_into().unwrap()));
    }
    stars
}

#[test]
fn the_numbers_stand_round_each_star_as_on_the_printed_boards() {
    for (side, numbers) in [(Side::Colored, NUMBERS), (Side::Gray, GRAY_NUMBERS)] {
        let seen: Vec<_> =
            seen_stars(side).into_iter().map(|(letter, _, costs)| (letter, costs)).collect();
        assert_eq!(seen, numbers);
    }
}

#[test]
fn the_outer_stars_lie_clockwise_from_upper_left_round_the_center() {
    let stars = seen_stars(Side::Colored);
    let (_, (x, y), _) = stars[6];
    let sides = stars.iter().map(|(letter, at, _)| {
        let near = |distance: f64| if distance.abs() < 1.0 { 0.0 } else { distance.signum() };
        (*letter, near(at.0 - x), near(at.1 - y))
    });
    let expected = [
        ('O', -1.0, -1.0),
        ('R', 1.0, -1.0),
        ('B', 1.0, 0.0),
        ('Y', 1.0, 1.0),
        ('G', -1.0, 1.0),
        ('P', -1.0, 0.0),
        ('C', 0.0, 0.0),
    ];
    assert_eq!(sides.collect::<Vec<_>>(), expected);
}

#[test]
fn a_feature_is_marked_as_surrounded_when_the_rules_have_paid_for_it() {
    for (side, players, seed) in tables() {
        let mut events = Vec::new();
        let (position, _) = pavilion(side, players, seed, &mut events).pop().unwrap();
        let svg = pavilion_svg(&position, &Options::default());
        let document = Document::parse(&svg).unwrap();
        assert_eq!(of_class(&document, "feature").len(), 18 * players.seats());
        let drawn: usize = of_class(&document, "done")
            .iter()
            .map(|node| match node.attribute("data-kind").unwrap() {
                "pillar" => 1,
                "statue" => 2,
                "window" => 3,
                other => panic!("no such feature: {other}"),
            })
            .sum();
        let mut earned = 0;
        let mut laid = 0;
        for event in &events {
            if let Event::BonusEarned { tiles, .. } = event {
                earned += usize::from(*tiles);
            }
            laid += usize::from(matches!(event, Event::Placed { .. }));
        }
        assert!(laid > 0);
        assert_eq!(drawn, earned, "{side} {players:?} {seed}");
    }
}

#[test]
fn the_last_move_is_highlighted_where_it_was_made() {
    for (side, players, seed) in tables() {
        for (position, made) in some(pavilion(side, players, seed, &mut Vec::new())) {
            let Some((seat, action)) = made else { continue };
            let last = Some(LastMove::pavilion(seat, action));
            let svg = pavilion_svg(&position, &Options { last, ..Options::default() });
            let document = Document::parse(&svg).unwrap();
            let marked = of_class(&document, "last");
            match action {
                Move::Take { .. } | Move::TakeBonus(_) => assert_eq!(marked.len(), 2),
                Move::Pass | Move::Keep(_) => assert_eq!(marked.len(), 1),
                Move::Place { star, space, .. } => {
                    let is_it = |node: &roxmltree::Node| {
                        node.attribute("data-seat") == Some(&seat.index().to_string())
                            && node.attribute("data-star") == Some(&star.letter().to_string())
                            && node.attribute("data-space") == Some(&space.number().to_string())
                    };
                    let tiles = of_class(&document, "tile");
                    let tile = tiles.into_iter().find(is_it).unwrap();
                    assert_eq!(marked.len(), 1);
                    assert_eq!(translation(marked[0]), translation(tile));
                }
            }
        }
    }
}
