//! Reasons and rules of errors, which programs depend on: they are listed in `proto/README.md`, and
//! these tests meet all of them but two rules, which no call can break.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use azulejo_engine::{EngineError, calls};
use azulejo_wire::State;
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use azulejo_wire::served::v1 as served;
use pb::apply_request::Action;
use prost::Message as _;

use crate::caller::{
    apply, batch_apply, deal, format_position, made, new_game, parse_position, render, replay,
    score, seed, written,
};
use crate::{azul_table, pavilion_table};
use crate::{rules_azul, rules_deals, rules_pavilion, spoiled_azul, spoiled_pavilion};

const ENGINE: &str = include_str!("../../service/engine/src/reason.rs");
const README: &str = include_str!("../../proto/README.md");

/// A record that starts wrongly or mixes games has its own error; a move or a display of the other
/// game is a wrong field.
pub(crate) const NO_RULE_OF_A_CALL: [&str; 2] = ["SETUP", "OTHER_GAME"];

/// The source with the reasons and rules of the engine.
pub(crate) static REASONS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| quoted(halves().0));
pub(crate) static RULES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| quoted(halves().1));

/// Reasons, and behind them the rules.
fn halves() -> (&'static str, &'static str) {
    ENGINE.split_once("const fn rule(refusal").expect("the rules come last")
}

fn is_word(text: &&str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_uppercase())
        && text.len() > 1
        && letters.all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// The words between quotation marks.
fn quoted(source: &'static str) -> BTreeSet<&'static str> {
    source.split('"').skip(1).step_by(2).filter(is_word).collect()
}

/// The words in the first cells of the tables under a heading.
fn listed(heading: &str) -> BTreeSet<&'static str> {
    let section = README.lines().skip_while(|line| line.trim_end() != heading).skip(1);
    let section = section.take_while(|line| !line.starts_with("## "));
    let first_cells = section.filter_map(|line| line.trim().strip_prefix('|')?.split('|').next());
    first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).filter(is_word).collect()
}

#[test]
fn the_readme_lists_every_reason_and_no_other() {
    assert_eq!(listed("## Reasons"), *REASONS);
}

#[test]
fn the_readme_lists_every_rule_and_no_other() {
    assert_eq!(listed("## Rules"), *RULES);
}

fn with(action: Action) -> EngineError {
    let mut request = written(&azul_table::state(azul_table::offer(|_| ())), "");
    request.action = Some(action);
    apply(&request).unwrap_err()
}

fn rules(change: impl FnOnce(&mut game::AzulRules)) -> EngineError {
    let mut rules = game::AzulRules { version: 0, side: 1, players: 2, round_limit: 0 };
    change(&mut rules);
    let ruleset = Some(game::Ruleset { game: Some(game::ruleset::Game::Azul(rules)) });
    new_game(&pb::NewGameRequest { ruleset, start_seat: 0, chance: None }).unwrap_err()
}

fn named(first: &str) -> EngineError {
    let state = Some(azul_table::state(azul_table::offer(|_| ())));
    let names = vec![first.to_owned(), "Rui".to_owned()];
    render(&pb::RenderRequest { state, format: None, names }).unwrap_err()
}

/// An error of every kind except defects of positions.
fn other_errors() -> Vec<EngineError> {
    let offer = azul_table::state(azul_table::offer(|_| ()));
    let pass = game::summer_pavilion_move::Move::Pass(game::SummerPavilionPass {});
    let pass = game::SummerPavilionMove { r#move: Some(pass) };
    let other = game::Move { game: Some(game::r#move::Game::SummerPavilion(pass)) };
    let bonus = pavilion_table::state(pavilion_table::table(|state| state.bonus_due = 1));
    let board = azul_table::offer(|state| state.boards.truncate(1));
    let twice = azul_table::offer(|state| {
        state.boards.iter_mut().for_each(|board| board.has_marker = true);
    });
    let text = format_position(&offer).unwrap().position;
    let short = game::Seed { seed: Some(game::seed::Seed::Key(vec![])) };
    let batch = pb::BatchApplyRequest { requests: vec![pb::ApplyRequest::default(); 1025] };
    let state = Some(offer.clone().into());
    let games = served::PlayoutsRequest { state, games: 1, policy: 0, seed: None };
    // A state of Azul that breaks off after its first byte.
    let no_message = served::ScoreRequest { state: State::decode([10, 1, 10].as_slice()).ok() };
    let by = |seed| Some(pb::deal_request::Chance::Seed(seed));
    let deal_of = |state, seed| {
        deal(&pb::DealRequest { state: Some(state), chance: by(seed), max_displays: 0 })
    };
    vec![
        apply(&pb::ApplyRequest::default()).unwrap_err(),
        rules(|rules| rules.side = 9),
        rules(|rules| rules.players = 9),
        rules(|rules| rules.version = 9),
        score(&azul_table::state(board)).unwrap_err(),
        batch_apply(&batch).unwrap_err(),
        deal_of(azul_table::state(azul_table::dealing(|_| ())), short).unwrap_err(),
        score(&bonus).unwrap_err(),
        with(Action::Move(other)),
        named(&"x".repeat(65)),
        named("\u{7}"),
        with(Action::Notation("1K1".to_owned())),
        with(Action::ActionId(9999)),
        with(Action::Notation("hello".to_owned())),
        deal_of(offer, seed(1)).unwrap_err(),
        replay("hello").unwrap_err(),
        calls::playouts(games, made, || false).unwrap_err(),
        calls::score(no_message).unwrap_err(),
        score(&azul_table::state(twice)).unwrap_err(),
        parse_position("chess").unwrap_err(),
        parse_position(&text.replace(" turn 0 ", " turn 2 ")).unwrap_err(),
    ]
}

#[test]
fn every_reason_is_met() {
    let mut met: BTreeSet<&str> = other_errors().iter().map(EngineError::reason).collect();
    met.extend(spoiled_azul::spoiled().iter().map(|spoiled| spoiled.reason));
    met.extend(spoiled_pavilion::spoiled().iter().map(|spoiled| spoiled.reason));
    met.insert("IMPOSSIBLE_DEAL");

    assert_eq!(met, *REASONS);
}

#[test]
fn every_rule_is_broken_or_listed_as_out_of_reach() {
    let mut broken: BTreeSet<&str> = BTreeSet::new();
    broken.extend(rules_azul::broken_rules().iter().map(|&(_, _, rule, _)| rule));
    broken.extend(rules_pavilion::broken_rules().iter().map(|&(_, _, rule, _)| rule));
    broken.extend(rules_deals::broken_deals().iter().map(|&(_, _, rule, _)| rule));

    assert!(NO_RULE_OF_A_CALL.iter().all(|rule| !broken.contains(rule)), "{broken:?}");
    broken.extend(NO_RULE_OF_A_CALL);
    assert_eq!(broken, *RULES);
}
