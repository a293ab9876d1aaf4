//! `Expand`: each move with what it leads to.

use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Style, play_game};
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1::GameState;
use pb::apply_request::Action;

use crate::caller::{apply, expand, legal_moves, score, written};
use crate::either_game::{OnWire, tables};
use crate::{azul_table, pavilion_table};

const STATES: i32 = pb::ExpandView::States as i32;
const SCORES: i32 = pb::ExpandView::Scores as i32;

fn check(state: &GameState) {
    let children = expand(state, STATES).unwrap().children;
    let moves = legal_moves(state).unwrap().moves;

    assert_eq!(
        children.iter().map(|child| child.r#move.clone().unwrap()).collect::<Vec<_>>(),
        moves
    );
    for child in &children {
        let mut request = written(state, "");
        request.action = Some(Action::ActionId(child.r#move.as_ref().unwrap().action_id));
        let applied = apply(&request).unwrap();
        assert_eq!(child.state, applied.state);
        assert_eq!(child.score, score(&applied.state.unwrap()).unwrap().score);
    }
    assert_eq!(expand(state, 0).unwrap().children, children, "no view is the view of states");
    let scores = expand(state, SCORES).unwrap().children;
    let stripped = children.into_iter().map(|child| pb::Child { state: None, ..child });
    assert_eq!(scores, stripped.collect::<Vec<_>>());
}

fn check_games<G: OnWire>() {
    for (seed, (side, players)) in (0..).zip(tables()) {
        play_game::<G>(side, players, Style::Uniform, seed, |position, random| {
            if random.below(10) == 0 {
                check(&position.message());
            }
        });
    }
}

#[test]
fn each_child_of_an_azul_state_is_what_apply_leads_to() {
    check_games::<azul::Position>();
}

#[test]
fn each_child_of_a_summer_pavilion_state_is_what_apply_leads_to() {
    check_games::<pavilion::Position>();
}

#[test]
fn a_child_after_which_a_deal_follows_waits_for_it() {
    let last_take = azul_table::table(|state| state.center = Some(azul_table::tiles("K")));

    let children = expand(&azul_table::state(last_take), STATES).unwrap().children;

    // Five lines and the floor.
    assert_eq!(children.len(), 6);
    for child in children {
        let refused = apply(&written(&child.state.unwrap(), "1B1")).unwrap_err();
        assert_eq!(refused.rule(), Some("DEAL_DUE"));
    }
}

#[test]
fn there_is_nothing_to_expand_before_a_deal_and_after_the_end() {
    for state in [
        azul_table::state(azul_table::dealing(|_| ())),
        azul_table::state(azul_table::over(|_| ())),
        pavilion_table::state(pavilion_table::top_up(|_| ())),
        pavilion_table::state(pavilion_table::over(|_| ())),
    ] {
        assert_eq!(expand(&state, STATES).unwrap().children, []);
    }
}
