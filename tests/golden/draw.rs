//! The draw to the byte. The vectors come from another implementation, `reference/vectors.py`.

use azulejo_rules::parts::{PlayerCount, Seat, Seed, Seeded, Side, TileColor, Tiles, draw};
use azulejo_rules::{azul, pavilion};
use azulejo_tests::golden::folder;
use serde_json::Value;

fn vectors(kind: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder().join("draw.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    let vectors = all[kind].as_array().unwrap().clone();
    assert!(!vectors.is_empty());
    vectors
}

fn text<'a>(vector: &'a Value, field: &str) -> &'a str {
    vector[field].as_str().unwrap()
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap()).unwrap()
}

fn drawn_color<C: TileColor>(vector: &Value) -> char {
    let counts: Vec<u32> = vector["bag"].as_array().unwrap().iter().map(number).collect();
    let bag = Tiles::<C>::from_counts(&counts).unwrap();
    let seed: Seed = text(vector, "seed").parse().unwrap();
    draw(&seed, number(&vector["drawn"]), bag).unwrap().letter()
}

#[test]
fn the_draw_is_a_pure_function_of_seed_number_and_bag() {
    for vector in vectors("draws") {
        let color = match text(&vector, "game") {
            "azul" => drawn_color::<azul::Color>(&vector),
            "summer-pavilion" => drawn_color::<pavilion::Color>(&vector),
            other => panic!("no such game: {other}"),
        };
        assert_eq!(color.to_string(), text(&vector, "color"), "{vector}");
    }
}

#[test]
fn the_first_deal_of_a_seed_is_the_same_on_every_machine() {
    for vector in vectors("deals") {
        let seed: Seed = text(&vector, "seed").parse().unwrap();
        let players = PlayerCount::of(number(&vector["players"])).unwrap();
        let displays: Vec<String> = match text(&vector, "game") {
            "azul" => azul_displays(players, &seed),
            "summer-pavilion" => pavilion_displays(players, &seed),
            other => panic!("no such game: {other}"),
        };
        let expected: Vec<&str> = vector["displays"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tiles| tiles.as_str().unwrap())
            .collect();
        assert_eq!(displays, expected, "{vector}");
    }
}

fn azul_displays(players: PlayerCount, seed: &Seed) -> Vec<String> {
    let rules = azul::Rules::new(Side::Colored, players);
    let mut events = Vec::new();
    azul::Position::new(rules, Seat::First).deal_all(&mut Seeded(seed), &mut events);
    let tiles = events.iter().filter_map(|event| {
        if let azul::Event::Dealt { tiles, .. } = event { Some(tiles.to_string()) } else { None }
    });
    tiles.collect()
}

fn pavilion_displays(players: PlayerCount, seed: &Seed) -> Vec<String> {
    let rules = pavilion::Rules::new(Side::Colored, players);
    let mut events = Vec::new();
    pavilion::Position::new(rules, Seat::First).deal_all(&mut Seeded(seed), &mut events);
    let tiles = events.iter().filter_map(|event| {
        if let pavilion::Event::Dealt { tiles, .. } = event {
            Some(tiles.to_string())
        } else {
            None
        }
    });
    tiles.collect()
}
