//! The events of Summer Pavilion are exactly the changes between two states.

use std::collections::BTreeMap;

use azulejo_rules::parts::Seat;
use azulejo_rules::pavilion;
use azulejo_wire::game::v1 as pb;
use pb::seat_score::Bonuses;
use pb::summer_pavilion_event::Event;
use pb::summer_pavilion_move::Move;

use crate::caller::score;
use crate::either_game::{OnWire, tables};
use crate::pavilion_table::bonus_points;
use crate::playing::{Step, play_with_events};

/// Purple, green, orange, yellow, blue, red.
const WILDS: [i32; 6] = [6, 5, 1, 4, 3, 2];

fn pavilion(state: &pb::GameState) -> &pb::SummerPavilionState {
    let Some(pb::game_state::Game::SummerPavilion(state)) = &state.game else {
        panic!("{state:?}")
    };
    state
}

fn counts(tiles: Option<pb::SummerPavilionTiles>) -> [i64; 6] {
    let tiles = tiles.unwrap();
    [tiles.orange, tiles.red, tiles.blue, tiles.yellow, tiles.green, tiles.purple].map(i64::from)
}

fn count(tiles: Option<pb::SummerPavilionTiles>, color: i32) -> i64 {
    counts(tiles)[usize::try_from(color).unwrap() - 1]
}

/// What a heap has more than another.
fn more(
    after: Option<pb::SummerPavilionTiles>,
    before: Option<pb::SummerPavilionTiles>,
) -> [i64; 6] {
    let (after, before) = (counts(after), counts(before));
    std::array::from_fn(|color| after[color] - before[color])
}

fn at(number: u32) -> usize {
    usize::try_from(number).unwrap()
}

fn played(step: &Step) -> Move {
    let Some(pb::r#move::Game::SummerPavilion(action)) = step.played.unwrap().game else {
        panic!()
    };
    action.r#move.unwrap()
}

#[expect(clippy::too_many_lines, reason = "an arm for each event, and nothing else")]
fn check_event(event: &Event, step: &Step) -> &'static str {
    let (before, after) = (pavilion(&step.before), pavilion(&step.after));
    let wild = WILDS[at(before.round) - 1];
    let boards = |seat: u32| (&before.boards[at(seat)], &after.boards[at(seat)]);
    match event {
        Event::Took(took) => {
            let Move::Take(take) = played(step) else { panic!("{took:?}") };
            let (source, from) = match took.source.unwrap() {
                pb::summer_pavilion_took::Source::Center(center) => {
                    (pb::summer_pavilion_take::Source::Center(center), before.center)
                }
                pb::summer_pavilion_took::Source::Factory(number) => (
                    pb::summer_pavilion_take::Source::Factory(number),
                    Some(before.factories[at(number) - 1]),
                ),
            };
            assert_eq!(
                (Some(source), took.color, took.seat),
                (take.source, take.color, before.turn_seat)
            );
            let (old, new) = boards(took.seat);
            assert_eq!(more(new.hand, old.hand).iter().sum::<i64>(), i64::from(took.tiles));
            assert_eq!(i64::from(took.wilds), count(from, wild).min(1));
            "took"
        }
        Event::TokenTaken(taken) => {
            assert!(before.boards.iter().all(|board| !board.has_token), "{taken:?}");
            assert_eq!(taken.seat, before.turn_seat);
            let (old, new) = boards(taken.seat);
            assert_eq!(taken.lost, old.points - new.points);
            "token taken"
        }
        Event::PlacingBegan(began) => {
            assert_eq!(
                (began.seat, after.phase),
                (after.turn_seat, pb::SummerPavilionPhase::Play.into())
            );
            "placing began"
        }
        Event::Placed(placed) => {
            assert_eq!(placed.seat, before.turn_seat);
            let space = (usize::try_from(placed.star).unwrap() - 1) * 6 + at(placed.space) - 1;
            let (old, new) = boards(placed.seat);
            assert_eq!((old.spaces[space], new.spaces[space]), (0, placed.color));
            assert_eq!(new.points, old.points + placed.points);
            let paid = -more(new.hand, old.hand)[usize::try_from(wild).unwrap() - 1];
            let wilds = if placed.color == wild { 0 } else { paid };
            assert_eq!(i64::from(placed.wilds), wilds, "{placed:?}");
            "placed"
        }
        Event::BonusEarned(earned) => {
            let supply = u32::try_from(counts(before.supply).iter().sum::<i64>()).unwrap();
            assert_eq!(
                (earned.seat, earned.tiles.min(supply)),
                (before.turn_seat, after.bonus_due)
            );
            "bonus earned"
        }
        Event::BonusTaken(taken) => {
            let Move::TakeBonus(take) = played(step) else { panic!("{taken:?}") };
            assert_eq!((taken.seat, taken.tiles), (before.turn_seat, take.tiles));
            let (old, new) = boards(taken.seat);
            assert_eq!(more(new.hand, old.hand), counts(taken.tiles));
            "bonus taken"
        }
        Event::Passed(passed) => {
            assert_eq!(passed.seat, before.turn_seat);
            let (old, new) = boards(passed.seat);
            assert_eq!(counts(passed.kept), counts(new.hand));
            assert_eq!(counts(passed.discarded), more(old.hand, new.hand));
            assert_eq!(passed.lost, old.points - new.points);
            "passed"
        }
        Event::RoundBegan(_)
        | Event::TowerTipped(_)
        | Event::Dealt(_)
        | Event::FinalScore(_)
        | Event::GameEnded(_) => check_round(event, step),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the others are checked where these are not")]
fn check_round(event: &Event, step: &Step) -> &'static str {
    let (before, after) = (pavilion(&step.before), pavilion(&step.after));
    match event {
        Event::RoundBegan(began) => {
            assert_eq!((began.round, began.start_seat), (after.round, after.start_seat));
            assert_eq!((began.round, began.wild), (before.round + 1, WILDS[at(began.round) - 1]));
            "round began"
        }
        Event::TowerTipped(tipped) => {
            assert_eq!(tipped.tiles, before.tower);
            "tower tipped"
        }
        Event::Dealt(dealt) => {
            let (display, filled) = match dealt.display.unwrap() {
                pb::summer_pavilion_dealt::Display::Factory(number) => {
                    let filled = counts(Some(after.factories[at(number) - 1]));
                    (pb::display::Display::Factory(number), filled)
                }
                pb::summer_pavilion_dealt::Display::Supply(supply) => {
                    (pb::display::Display::Supply(supply), more(after.supply, before.supply))
                }
            };
            assert_eq!((step.display(), counts(dealt.tiles)), (Some(display), filled));
            "dealt"
        }
        Event::FinalScore(told) => {
            let seat = score(&step.after).unwrap().score.unwrap().seats[at(told.seat)];
            let Some(Bonuses::SummerPavilion(bonuses)) = seat.bonuses else { panic!("{told:?}") };
            let (stars, numbers) = bonus_points(&bonuses);
            assert_eq!((told.stars, told.numbers), (stars.iter().sum(), numbers.iter().sum()));
            assert_eq!(told.lost, seat.penalty);
            "final score"
        }
        Event::GameEnded(_) => {
            assert_eq!(after.phase(), pb::SummerPavilionPhase::Over);
            "game ended"
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_events_of_summer_pavilion_add_up_to_what_changed() {
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();

    for (side, players) in tables() {
        for seed in 0..12 {
            let first =
                pavilion::Position::new(pavilion::Rules::new(side, players), Seat::First).message();
            play_with_events(first, seed, |step| {
                for event in &step.events {
                    let Some(pb::event::Game::SummerPavilion(event)) = &event.game else {
                        panic!()
                    };
                    *met.entry(check_event(event.event.as_ref().unwrap(), step)).or_default() += 1;
                }
            });
        }
    }

    assert_eq!(met.len(), 12, "{met:?}");
}
