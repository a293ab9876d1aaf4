//! Every position and every move of random games is the same after encoding and decoding.

use azulejo_engine::Table;
use azulejo_rules::parts::{PlayerCount, Side};
use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Random, Style, play_game};
use azulejo_wire::engine::v1::apply_request::Action;
use azulejo_wire::game::v1::GameState;
use prost::Message;
use rstest::rstest;

use crate::caller::{apply, legal_moves, sent, written};
use crate::either_game::OnWire;

/// Games of each ruleset; twelve rulesets.
const GAMES: u64 = 30;

/// Seeds that failed once are always played first: (seed, style).
const KEPT: [(u64, Style); 0] = [];

fn check_position<G: OnWire>(position: G, game: &str) {
    let bytes = position.message().encode_to_vec();

    let arrived = GameState::decode(bytes.as_slice()).unwrap();
    let read = Table::read(Some(arrived)).unwrap_or_else(|bad| panic!("{game}: {bad}: {position}"));

    assert_eq!(read, position.into(), "{game}");
    assert_eq!(drawn(&read), position.drawn(), "{game}: {position}");
    assert_eq!(read.state().encode_to_vec(), bytes, "the same bytes again: {game}: {position}");
}

fn drawn(table: &Table) -> u32 {
    match table {
        Table::Azul(position) => position.stock().drawn,
        Table::SummerPavilion(position) => position.stock().drawn,
    }
}

fn check_moves<G: OnWire>(position: G, game: &str) {
    let offered = position.moves();
    let listed = legal_moves(&position.message()).unwrap().moves;

    assert_eq!(listed.len(), offered.len(), "{game}: {position}");
    for (action, legal) in offered.into_iter().zip(listed) {
        let message = legal.r#move.unwrap();
        assert_eq!(message, G::to_wire(action), "{game}: {action}");
        assert_eq!(G::from_wire(sent(&message)), action, "{game}: {action}");
        assert_eq!(legal.notation.parse::<G::Move>().unwrap(), action, "{game}");
        let id = u16::try_from(legal.action_id).unwrap();
        assert_eq!(position.action_at(id), Some(action), "{game}: {action}");
        assert_eq!(legal.effect, Some(position.effect(action)), "{game}: {action}");
    }
}

/// A move can be given in three ways, and each of them leads to the same position.
fn check_names<G: OnWire>(position: G, random: &mut Random, game: &str) {
    let moves = position.moves();
    if moves.is_empty() {
        return;
    }
    let action = random.pick(&moves);
    let id = position.action_id(action).unwrap();
    let mut next = position;
    assert!(next.play(action, &mut Vec::new()));

    let names = [
        Action::Move(G::to_wire(action)),
        Action::ActionId(id.into()),
        Action::Notation(action.to_string()),
    ];

    for name in names {
        let mut request = written(&position.message(), "");
        request.action = Some(name);
        let answer = apply(&request).unwrap_or_else(|bad| panic!("{game}: {bad}: {position}"));
        assert_eq!(answer.state, Some(next.message()), "{game}: {action}: {position}");
    }
}

fn check_games<G: OnWire>(side: Side, players: PlayerCount) {
    let styles: Vec<Style> = Style::ALL
        .into_iter()
        .filter(|&style| style != Style::Scarce || players == PlayerCount::Four)
        .collect();
    let fresh = (0..GAMES).zip(styles.into_iter().cycle());
    let mut positions = 0;
    for (seed, style) in KEPT.into_iter().chain(fresh) {
        let game = format!("{} {side} {players:?} {style:?} seed {seed}", G::NAME);
        play_game::<G>(side, players, style, seed, |&position, random| {
            check_position(position, &game);
            check_moves(position, &game);
            check_names(position, random, &game);
            positions += 1;
        });
    }
    eprintln!("{} {side} {players:?}: {GAMES} games, {positions} positions", G::NAME);
    assert!(positions > 40 * GAMES, "only {positions} positions");
}

#[rstest]
fn azul_positions_and_moves_survive_a_round_trip(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    check_games::<azul::Position>(side, players);
}

#[rstest]
fn summer_pavilion_positions_and_moves_survive_a_round_trip(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    check_games::<pavilion::Position>(side, players);
}
