//! Games played through the calls alone, one deal or one move at a time.

use azulejo_tests::Random;
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use game::due::Due;

use crate::caller::{apply, deal, legal_moves, seed};

/// A deal or a move: the states before and after it, and its events.
pub(crate) struct Step {
    pub(crate) before: game::GameState,
    pub(crate) after: game::GameState,
    pub(crate) due: Due,
    pub(crate) played: Option<game::Move>,
    pub(crate) events: Vec<game::Event>,
}

impl Step {
    /// The display that was filled.
    pub(crate) fn display(&self) -> Option<game::display::Display> {
        if let Due::Deal(display) = self.due { display.display } else { None }
    }
}

/// Plays at random to the end and shows every step.
pub(crate) fn play_with_events(first: game::GameState, number: u64, mut visit: impl FnMut(&Step)) {
    let mut random = Random::new(number);
    let mut before = first;
    loop {
        let listed = legal_moves(&before).unwrap();
        let due = listed.due.unwrap().due.unwrap();
        let (state, some) = (Some(before.clone()), Some(seed(number)));
        let (after, played, events) = match due {
            Due::GameOver(_) => return,
            Due::Deal(_) => {
                let chance = some.map(pb::deal_request::Chance::Seed);
                let answer = deal(&pb::DealRequest { state, chance, max_displays: 1 }).unwrap();
                (answer.state, None, answer.events)
            }
            Due::Seat(_) => {
                let played = listed.moves[random.below(listed.moves.len())].r#move;
                let action = played.map(pb::apply_request::Action::Move);
                let request = pb::ApplyRequest { state, action, ..pb::ApplyRequest::default() };
                let answer = apply(&request).unwrap();
                (answer.state, played, answer.events)
            }
        };
        let after = after.unwrap();
        visit(&Step { before, after: after.clone(), due, played, events });
        before = after;
    }
}
