use azulejo_draw::{TextOptions, pavilion_text};
use azulejo_rules::parts::{Factory, TileColor, Tiles};
use azulejo_rules::pavilion::{Color, Position, Space, Star, cost};

use crate::azul_terminal::{board, tiles_in};
use crate::games::{pavilion, tables};

/// `2R 1B`.
fn counted(text: &str) -> Tiles<Color> {
    let heap = |word: &str| {
        let (count, letter) = word.split_at(word.len() - 1);
        let color = Color::from_letter(letter.chars().next().unwrap())?;
        Some(Tiles::of(color, count.parse().unwrap()))
    };
    text.split_whitespace().filter_map(heap).fold(Tiles::EMPTY, |all, tiles| all + tiles)
}

fn check(position: &Position, text: &str) {
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].contains(&format!("wild {}", position.wild_color().letter())));
    let displays: Vec<_> = lines[1].split(' ').skip(1).collect();
    for (display, &factory) in displays.iter().zip(Factory::of(position.rules().players)) {
        assert_eq!(tiles_in(display), position.factory(factory));
    }
    assert_eq!(tiles_in(lines[2].strip_prefix("Center").unwrap()), position.center());
    assert_eq!(tiles_in(lines[3].strip_prefix("Supply").unwrap()), position.supply());
    for seat in position.rules().players.iter() {
        let shown = board(text, seat, 10, 4);
        assert_eq!(shown[0].trim_start().starts_with('>'), position.to_move() == Some(seat));
        assert_eq!(shown[0].contains('*'), position.token() == Some(seat));
        for star in Star::ALL {
            let line = shown[star.index() + 2].trim();
            assert!(line.starts_with(star.letter()));
            let cells: Vec<_> = line.split_whitespace().rev().take(6).collect();
            for space in Space::ALL {
                let expected = match position.board(seat).color_at(star, space) {
                    Some(color) => color.letter().to_string(),
                    None => cost(position.rules().side, star, space).to_string(),
                };
                assert_eq!(cells[5 - space.index()], expected);
            }
        }
        assert_eq!(
            counted(shown[9].trim().strip_prefix("hand").unwrap()),
            position.board(seat).hand()
        );
    }
}

#[test]
fn every_tile_of_summer_pavilion_is_in_the_text() {
    for (side, players, seed) in tables() {
        for (position, _) in pavilion(side, players, seed, &mut Vec::new()) {
            check(&position, &pavilion_text(&position, &TextOptions::default()));
        }
    }
}

#[test]
fn a_table_of_summer_pavilion_fits_into_80_columns_whatever_the_names() {
    for (side, players, seed) in tables() {
        for (position, _) in pavilion(side, players, seed, &mut Vec::new()) {
            let names = vec!["A name that no terminal has ever had room for".to_owned(); 4];
            let text = pavilion_text(&position, &TextOptions { color: false, names });
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= 80, "{widest}\n{text}");
        }
    }
}
