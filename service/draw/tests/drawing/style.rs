use azulejo_draw::{
    LastMove, Options, TextOptions, Theme, azul_svg, azul_text, pavilion_svg, pavilion_text,
};
use azulejo_rules::parts::{PlayerCount, Seat, Side};
use azulejo_rules::{azul, pavilion};
use roxmltree::Document;

use crate::games;
use crate::picture::of_class;

const SHARP: &str = "<&>\"' \u{0}\u{1b}[2J\u{202e}";

fn pictures(options: &Options) -> [String; 2] {
    let (azul, _) = games::azul(Side::Colored, PlayerCount::Three, 1)[20];
    let (pavilion, _) = games::pavilion(Side::Gray, PlayerCount::Three, 1, &mut Vec::new())[20];
    [azul_svg(&azul, options), pavilion_svg(&pavilion, options)]
}

#[test]
fn a_picture_loads_nothing_and_runs_nothing() {
    for svg in pictures(&Options::default()) {
        let document = Document::parse(&svg).unwrap();
        for node in document.descendants() {
            assert!(!["script", "image", "foreignObject", "a"].contains(&node.tag_name().name()));
            for attribute in node.attributes() {
                assert!(!attribute.name().starts_with("on"), "{}", attribute.name());
                assert!(attribute.name() != "href" || attribute.value().starts_with('#'));
            }
        }
        assert!(!svg.contains("url(") && !svg.contains("@import"));
    }
}

#[test]
fn every_shape_that_is_used_is_in_the_same_document() {
    for svg in pictures(&Options::default()) {
        let document = Document::parse(&svg).unwrap();
        for node in document.descendants().filter(|node| node.tag_name().name() == "use") {
            let id = node.attribute("href").unwrap().trim_start_matches('#');
            assert!(document.descendants().any(|shape| shape.attribute("id") == Some(id)), "{id}");
        }
    }
}

#[test]
fn a_picture_has_a_description_for_screen_readers() {
    for svg in pictures(&Options::default()) {
        let document = Document::parse(&svg).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        assert!(root.attribute("aria-label").unwrap().contains("3 players"));
        assert!(root.attribute("viewBox").is_some());
        let words = |name: &str| {
            let mut found = root.children().filter(|node| node.tag_name().name() == name);
            found.next().unwrap().text().unwrap().to_owned()
        };
        assert_eq!(words("title"), root.attribute("aria-label").unwrap());
        assert!(words("desc").contains("Player 3") && words("desc").contains("points"));
    }
}

#[test]
fn a_theme_is_light_or_dark_or_follows_the_viewer() {
    for (theme, class, asks) in
        [(Theme::Light, "light", false), (Theme::Dark, "dark", false), (Theme::Auto, "auto", true)]
    {
        for svg in pictures(&Options { theme, ..Options::default() }) {
            let document = Document::parse(&svg).unwrap();
            let root = format!("azulejo {class}");
            assert_eq!(document.root_element().attribute("class"), Some(root.as_str()));
            assert_eq!(svg.contains("prefers-color-scheme:dark"), asks);
        }
    }
    let [light, _] = pictures(&Options { theme: Theme::Light, ..Options::default() });
    let [dark, _] = pictures(&Options { theme: Theme::Dark, ..Options::default() });
    assert_ne!(light, dark);
}

#[test]
fn names_are_escaped_and_lose_control_characters() {
    let names = vec![SHARP.to_owned(); 3];
    for svg in pictures(&Options { names: names.clone(), ..Options::default() }) {
        let document = Document::parse(&svg).unwrap();
        let named = of_class(&document, "name");
        assert_eq!(named.len(), 3);
        for node in named {
            assert_eq!(node.text(), Some("<&>\"' [2J"));
        }
    }
    let (position, _) = games::azul(Side::Colored, PlayerCount::Two, 1)[20];
    assert!(!azul_text(&position, &TextOptions { color: false, names }).contains('\u{1b}'));
}

#[test]
fn a_long_name_is_cut_with_an_ellipsis() {
    let names = vec!["A name that no board has ever had room for".to_owned(); 3];
    for svg in pictures(&Options { names: names.clone(), ..Options::default() }) {
        let document = Document::parse(&svg).unwrap();
        for node in of_class(&document, "name") {
            let shown = node.text().unwrap();
            assert!(shown.ends_with('…') && shown.chars().count() <= 22, "{shown}");
        }
    }
}

#[test]
fn only_the_seat_to_move_has_the_arrow_and_only_winners_the_crown() {
    let count = |svg: &str, class: &str| of_class(&Document::parse(svg).unwrap(), class).len();
    for (side, players, seed) in games::tables() {
        for (position, _) in games::some(games::azul(side, players, seed)) {
            let svg = azul_svg(&position, &Options::default());
            assert_eq!(count(&svg, "mover"), usize::from(position.to_move().is_some()));
            let winners = position.end().map_or(0, |_| position.score().winners.len());
            assert_eq!(count(&svg, "winner"), winners);
        }
    }
}

#[test]
fn a_move_of_the_other_game_highlights_nothing() {
    let azul = azul::Position::new(azul::Rules::new(Side::Colored, PlayerCount::Two), Seat::First);
    let last = Some(LastMove::pavilion(Seat::First, pavilion::Move::Pass));
    let svg = azul_svg(&azul, &Options { last, ..Options::default() });
    assert!(of_class(&Document::parse(&svg).unwrap(), "last").is_empty());
}

#[test]
fn the_letters_are_the_same_with_and_without_color() {
    let (azul, _) = games::azul(Side::Colored, PlayerCount::Four, 1)[30];
    let (pavilion, _) = games::pavilion(Side::Gray, PlayerCount::Four, 2, &mut Vec::new())[60];
    let text = |color| {
        let options = TextOptions { color, names: Vec::new() };
        [azul_text(&azul, &options), pavilion_text(&pavilion, &options)]
    };
    for (colored, plain) in text(true).into_iter().zip(text(false)) {
        assert!(colored.contains("\u{1b}["));
        assert!(!plain.contains('\u{1b}'));
        assert_eq!(without_colors(&colored), plain);
    }
}

fn without_colors(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap().to_owned();
    first + &parts.map(|part| part.split_once('m').unwrap().1).collect::<String>()
}
