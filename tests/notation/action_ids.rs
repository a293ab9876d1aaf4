//! Every action id of the twelve rulesets, computed from the tables of the document.

use azulejo_engine::{HouseBot, Ruleset, Seed, Table};
use azulejo_rules::pavilion::{Space, Star, cost};
use azulejo_rules::{azul, pavilion};

use crate::document::{self, Document, code};
use crate::formula::{Values, value};
use crate::layout::Layout;
use crate::multisets::Multisets;

fn engine_count(ruleset: Ruleset) -> usize {
    let count = match ruleset {
        Ruleset::Azul(rules) => azul::action_count(rules.side, rules.players),
        Ruleset::SummerPavilion(rules) => pavilion::action_count(rules.side, rules.players),
    };
    count.into()
}

fn engine_move(ruleset: Ruleset, id: usize) -> Option<String> {
    let id = u16::try_from(id).unwrap();
    match ruleset {
        Ruleset::Azul(azul::Rules { side, players, .. }) => {
            azul::Move::from_action_id(side, players, id).map(|action| action.to_string())
        }
        Ruleset::SummerPavilion(pavilion::Rules { side, players }) => {
            pavilion::Move::from_action_id(side, players, id).map(|action| action.to_string())
        }
    }
}

fn engine_id(ruleset: Ruleset, text: &str) -> Option<usize> {
    let id = match ruleset {
        Ruleset::Azul(rules) => text.parse::<azul::Move>().ok()?.action_id(rules.side),
        Ruleset::SummerPavilion(rules) => {
            text.parse::<pavilion::Move>().ok()?.action_id(rules.side)
        }
    };
    id.map(usize::from)
}

fn equal<T: PartialEq + std::fmt::Debug>(
    about: impl std::fmt::Display,
    document: &T,
    engine: &T,
) -> Result<(), String> {
    if document == engine {
        return Ok(());
    }
    Err(format!("{about}: {document:?} in the document, {engine:?} in the engine"))
}

/// The table of counts names every ruleset once.
fn check_counts(document: &Document) -> Result<(), String> {
    let table = document.section("Action ids").table(&["ruleset", "2 players"]);
    equal("lines of the counts", &table.rows.len(), &4)?;
    for ruleset in Ruleset::all() {
        let key = ruleset.key();
        let (name, players) = key.rsplit_once('-').unwrap();
        let row = table.rows.iter().find(|row| row[0] == format!("`{name}`")).ok_or(name)?;
        let count = table.cell(row, &format!("{players} players")).parse().unwrap();
        equal(format!("ids of {key}"), &count, &engine_count(ruleset))?;
    }
    Ok(())
}

/// Without a gap, from 0 to the last id.
fn check_ranges(layout: &Layout, ruleset: Ruleset) -> Result<(), String> {
    let players = ruleset.players().seats();
    let mut next = 0;
    for kind in layout.kinds() {
        equal(format!("{}, {}, first id", ruleset.key(), kind.name), &kind.from, &next)?;
        next = kind.to[players - 2] + 1;
    }
    equal(format!("{}, number of ids", ruleset.key()), &next, &engine_count(ruleset))
}

fn check_costs(layout: &Layout, ruleset: Ruleset) -> Result<(), String> {
    for kind in layout.kinds() {
        let Some(costs) = kind.costs() else { continue };
        let star = if kind.name.ends_with("center star") { Star::Center } else { Star::Orange };
        let engine: Vec<usize> =
            Space::ALL.iter().map(|&space| cost(ruleset.side(), star, space).into()).collect();
        equal(format!("{}, {}", ruleset.key(), kind.name), &costs, &engine.as_slice())?;
    }
    Ok(())
}

/// The formulas in both directions.
fn check_formulas(layout: &Layout, ruleset: Ruleset) -> Result<(), String> {
    let players = ruleset.players().seats();
    for id in 0..engine_count(ruleset) {
        let about = format!("{}, id {id}", ruleset.key());
        let engine = engine_move(ruleset, id).unwrap();
        let written = layout.move_at(players, id).map_err(|error| format!("{about}: {error}"))?;
        equal(&about, &written, &engine)?;
        let computation = layout.computation(players, id, &engine)?;
        equal(format!("{about}, {engine}"), &value(&computation, &Values::new()), &Ok(id))?;
    }
    Ok(())
}

fn check_examples(document: &Document) -> Result<(), String> {
    let table = document.section("Action ids / Worked examples").table(&["ruleset", "move", "id"]);
    for row in &table.rows {
        let [key, text, formula] = ["ruleset", "move", "computation"]
            .map(|column| code(table.cell(row, column)).next().unwrap_or_default());
        let id: usize = table.cell(row, "id").parse().unwrap();
        let largest = format!("{key}-4");
        let ruleset = Ruleset::all().into_iter().find(|ruleset| ruleset.key() == largest);
        let ruleset = ruleset.ok_or(key)?;
        let about = format!("{key}, {text}");
        equal(&about, &Some(id), &engine_id(ruleset, text))?;
        equal(&about, &Some(text.to_owned()), &engine_move(ruleset, id))?;
        let layout = Layout::read(document, ruleset);
        let computation = layout.computation(ruleset.players().seats(), id, text)?;
        equal(&about, &formula.to_owned(), &computation)?;
        equal(&about, &value(formula, &Values::new()), &Ok(id))?;
    }
    Ok(())
}

fn check(document: &Document) -> Result<(), String> {
    Multisets::read(document).check()?;
    check_counts(document)?;
    check_examples(document)?;
    let layouts: Vec<(Ruleset, Layout)> = Ruleset::all()
        .into_iter()
        .map(|ruleset| (ruleset, Layout::read(document, ruleset)))
        .collect();
    for (ruleset, layout) in &layouts {
        check_ranges(layout, *ruleset)?;
        check_costs(layout, *ruleset)?;
    }
    layouts.iter().try_for_each(|(ruleset, layout)| check_formulas(layout, *ruleset))
}

#[test]
fn every_action_id_is_the_one_that_the_document_computes() {
    check(&Document::open()).unwrap();
}

#[test]
fn an_id_behind_the_last_one_has_no_move() {
    let document = Document::open();
    for ruleset in Ruleset::all() {
        let count = engine_count(ruleset);
        assert_eq!(engine_move(ruleset, count), None);
        let layout = Layout::read(&document, ruleset);
        assert!(layout.move_at(ruleset.players().seats(), count).is_err());
    }
}

#[test]
fn a_small_table_has_the_first_ids_of_a_large_table() {
    for [small, large] in
        Ruleset::all().chunks(3).flat_map(|sizes| [[sizes[0], sizes[2]], [sizes[1], sizes[2]]])
    {
        for id in 0..engine_count(small) {
            assert_eq!(engine_move(small, id), engine_move(large, id));
        }
    }
}

#[test]
fn legal_moves_are_listed_in_the_order_of_their_ids() {
    for ruleset in Ruleset::all() {
        let mut table = Table::start(ruleset);
        for number in 0.. {
            while table.awaits_deal() {
                table.deal(&Seed::from_number(3));
            }
            let Some(action) = table.choose(HouseBot::Random, number) else { break };
            let texts = table.legal_moves().into_iter().map(|action| action.to_string());
            let ids: Vec<usize> = texts.map(|text| engine_id(ruleset, &text).unwrap()).collect();
            assert!(ids.is_sorted_by(|one, next| one < next), "{table}: {ids:?}");
            table.play(action).unwrap();
        }
        assert!(table.is_over());
    }
}

#[test]
fn moves_of_the_other_side_have_no_id() {
    for (key, text) in [("azul-colored-2", "r1c1"), ("summer-pavilion-colored-2", "R3:B2")] {
        let ruleset = Ruleset::all().into_iter().find(|ruleset| ruleset.key() == key).unwrap();
        assert_eq!(engine_id(ruleset, text), None);
        assert!(document::text().contains(&format!("`{text}` has no id here")));
    }
}

/// Where the numbers in the tables and lists of the action ids are.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    let start = text.find("\n## Action ids\n").unwrap();
    let mut found = Vec::new();
    let (mut at, mut in_table, mut in_list) = (start, false, false);
    for line in text[start..].split_inclusive('\n') {
        let is_row = line.starts_with('|');
        if line.starts_with("```") {
            in_list = line.starts_with("```text multisets");
        } else if in_list || (is_row && in_table) {
            let mut rest = 0;
            while let Some(skip) = line[rest..].find(|letter: char| letter.is_ascii_digit()) {
                let first = rest + skip;
                let length = line[first..].bytes().take_while(u8::is_ascii_digit).count();
                found.push(at + first..at + first + length);
                rest = first + length;
            }
        }
        in_table = is_row;
        at += line.len();
    }
    found
}

/// Guards the check itself: it reads every number of the tables and lists.
#[test]
fn a_document_with_another_number_is_refused() {
    let text = document::text();
    let places = numbers(&text);
    assert!(places.len() > 400, "{} numbers", places.len());
    for place in places {
        let number: usize = text[place.clone()].parse().unwrap();
        let mut changed = text.clone();
        changed.replace_range(place.clone(), &(number + 1).to_string());
        let line = text[..place.start].lines().count();
        let refused = check(&Document::read(&changed)).is_err();
        assert!(refused, "line {line}: nothing depends on the number {number}");
    }
}
