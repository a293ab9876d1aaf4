//! `Render`: a picture that is XML, and a text for terminals.

use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Style, play_game};
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1::GameState;
use pb::render_request::Format;
use rstest::rstest;

use crate::caller::render;
use crate::either_game::{OnWire, tables};
use crate::{azul_table, pavilion_table};

fn azul() -> GameState {
    azul_table::state(azul_table::offer(|_| ()))
}

fn pavilion() -> GameState {
    pavilion_table::state(pavilion_table::table(|_| ()))
}

fn drawn(
    state: GameState,
    format: impl Into<Option<Format>>,
    names: &[&str],
) -> pb::RenderResponse {
    let names = names.iter().map(|&name| name.to_owned()).collect();
    render(&pb::RenderRequest { state: Some(state), format: format.into(), names }).unwrap()
}

fn text(color: bool) -> Format {
    Format::Text(pb::RenderText { color })
}

fn svg(theme: pb::RenderTheme) -> Format {
    Format::Svg(pb::RenderSvg { theme: theme.into() })
}

/// Every element is closed in order, every `&` begins an entity, and there is one root.
#[track_caller]
fn assert_xml(document: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = document.trim();
    assert!(rest.starts_with("<svg"), "{}", &rest[..rest.len().min(80)]);
    while let Some((words, tag)) = rest.split_once('<') {
        assert!(!words.contains('>'), "a bare > in {words:?}");
        assert!(words.trim().is_empty() || !open.is_empty(), "text outside: {words:?}");
        let (tag, behind) = tag.split_once('>').expect("a tag that is not closed");
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closed out of order");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "an attribute that is not closed: {tag}");
        rest = behind;
    }
    assert_eq!((open, rest.trim()), (vec![], ""));
    for entity in document.split('&').skip(1) {
        let name = entity.split(';').next().unwrap();
        assert!(["amp", "lt", "gt", "quot", "apos", "#39"].contains(&name), "&{name}");
    }
}

fn check_games<G: OnWire>() {
    for (seed, (side, players)) in (0..).zip(tables()) {
        play_game::<G>(side, players, Style::Eager, seed, |position, random| {
            if random.below(8) == 0 {
                let picture = drawn(position.message(), None, &[]);
                assert_eq!(picture.media_type, "image/svg+xml");
                assert_xml(&picture.drawing);
                let plain = drawn(position.message(), text(false), &[]);
                assert_eq!(plain.media_type, "text/plain");
                let control = |c: char| c.is_control() && c != '\n';
                assert!(!plain.drawing.contains(control), "seed {seed}: {}", plain.drawing);
                assert!(plain.drawing.contains("Player 1"));
            }
        });
    }
}

#[test]
fn every_azul_state_has_a_picture_and_a_text() {
    check_games::<azul::Position>();
}

#[test]
fn every_summer_pavilion_state_has_a_picture_and_a_text() {
    check_games::<pavilion::Position>();
}

#[rstest]
#[case::azul(azul())]
#[case::pavilion(pavilion())]
fn names_are_escaped_in_a_picture_and_plain_in_a_text(#[case] state: GameState) {
    let names = ["</svg><b&\"'", "Rui"];

    let picture = drawn(state.clone(), svg(pb::RenderTheme::Light), &names).drawing;
    let plain = drawn(state, text(false), &names).drawing;

    assert_xml(&picture);
    assert!(!picture.contains(names[0]));
    assert!(picture.contains("&lt;/svg&gt;&lt;b&amp;"), "the name is there");
    assert!(picture.contains("Rui"));
    assert!(plain.contains(names[0]) && plain.contains("Rui"), "{plain}");
}

#[rstest]
#[case::azul(azul())]
#[case::pavilion(pavilion())]
fn only_a_colored_text_has_escape_sequences(#[case] state: GameState) {
    let colored = drawn(state.clone(), text(true), &[]).drawing;
    let plain = drawn(state, text(false), &[]).drawing;

    assert!(colored.contains('\u{1b}') && !plain.contains('\u{1b}'));
    let stripped: String = colored
        .split('\u{1b}')
        .enumerate()
        .map(|(at, part)| if at == 0 { part } else { part.split_once('m').unwrap().1 })
        .collect();
    assert_eq!(stripped, plain, "the same words");
}

#[rstest]
#[case::azul(azul())]
#[case::pavilion(pavilion())]
fn themes_differ_and_the_reader_decides_by_default(#[case] state: GameState) {
    let by = |theme| drawn(state.clone(), svg(theme), &[]).drawing;

    assert_ne!(by(pb::RenderTheme::Light), by(pb::RenderTheme::Dark));
    assert_eq!(by(pb::RenderTheme::Auto), by(pb::RenderTheme::Unspecified));
    assert_eq!(by(pb::RenderTheme::Auto), drawn(state.clone(), None, &[]).drawing);
    assert!(by(pb::RenderTheme::Auto).contains("prefers-color-scheme"));
    assert!(!by(pb::RenderTheme::Dark).contains("prefers-color-scheme"));
}

#[test]
fn a_name_of_64_letters_is_drawn_whatever_bytes_they_have() {
    let long = "é".repeat(64);

    let picture = drawn(azul(), None, &[&long, "Rui"]);

    assert_xml(&picture.drawing);
}
