//! The events of Azul are exactly the changes between two states.

use std::collections::BTreeMap;

use azulejo_rules::azul;
use azulejo_rules::parts::Seat;
use azulejo_wire::game::v1 as pb;
use pb::azul_event::Event;

use crate::caller::score;
use crate::either_game::{OnWire, tables};
use crate::playing::{Step, play_with_events};

const PENALTIES: [u32; 8] = [0, 1, 2, 4, 6, 8, 11, 14];

fn azul(state: &pb::GameState) -> &pb::AzulState {
    let Some(pb::game_state::Game::Azul(state)) = &state.game else { panic!("{state:?}") };
    state
}

fn count(tiles: pb::AzulTiles, color: i32) -> u32 {
    let counts = [tiles.blue, tiles.yellow, tiles.red, tiles.black, tiles.white];
    counts[usize::try_from(color).unwrap() - 1]
}

fn total(tiles: Option<pb::AzulTiles>) -> u32 {
    (1..=5).map(|color| count(tiles.unwrap(), color)).sum()
}

/// The seat that holds the marker.
fn marker(state: &pb::AzulState) -> Option<u32> {
    (0..).zip(&state.boards).find(|(_, board)| board.has_marker).map(|(seat, _)| seat)
}

fn at(number: u32) -> usize {
    usize::try_from(number).unwrap()
}

/// What the events of one step say, added up by seat.
#[derive(Clone, Copy, Default)]
struct Told {
    /// Taken or dropped, and not yet laid down.
    taken: u32,
    gained: u32,
    lost: u32,
    fallen: u32,
    placed: usize,
    marker: bool,
}

#[expect(clippy::too_many_lines, reason = "an arm for each event, and nothing else")]
fn check_event(event: &Event, step: &Step, told: &mut [Told; 4]) -> &'static str {
    let (before, after) = (azul(&step.before), azul(&step.after));
    match event {
        Event::Took(took) => {
            told[at(took.seat)].taken = took.tiles;
            let from = match took.source.unwrap() {
                pb::azul_took::Source::Center(_) => before.center.unwrap(),
                pb::azul_took::Source::Factory(number) => before.factories[at(number) - 1],
            };
            assert_eq!((took.seat, took.tiles), (before.turn_seat, count(from, took.color)));
            "took"
        }
        Event::MarkerTaken(taken) => {
            assert_eq!((taken.seat, marker(before)), (before.turn_seat, None));
            told[at(taken.seat)].marker = true;
            "marker taken"
        }
        Event::LaidOnLine(laid) => {
            assert_eq!(laid.seat, before.turn_seat);
            let held = before.boards[at(laid.seat)].lines[at(laid.row) - 1].tiles;
            assert!((1..=laid.row).contains(&(held + laid.tiles)), "{laid:?}");
            told[at(laid.seat)].taken -= laid.tiles;
            "laid on line"
        }
        Event::FellToFloor(fell) => {
            told[at(fell.seat)].fallen += fell.tiles;
            told[at(fell.seat)].taken -= fell.tiles;
            "fell to floor"
        }
        Event::FellToLid(fell) => {
            told[at(fell.seat)].taken -= fell.tiles;
            "fell to lid"
        }
        Event::TilePlaced(placed) => {
            let place = (at(placed.row) - 1) * 5 + at(placed.column) - 1;
            let on = |state: &pb::AzulState| state.boards[at(placed.seat)].wall[place];
            assert_eq!((on(before), on(after)), (0, placed.color), "{placed:?}");
            told[at(placed.seat)].placed += 1;
            told[at(placed.seat)].gained += placed.points;
            "tile placed"
        }
        Event::LineDropped(dropped) => {
            assert_eq!(dropped.tiles, dropped.row);
            told[at(dropped.seat)].taken += dropped.tiles;
            let lines = &after.boards[at(dropped.seat)].lines;
            assert_eq!(lines[at(dropped.row) - 1].tiles, 0);
            "line dropped"
        }
        Event::FloorCleared(cleared) => {
            let seat = at(cleared.seat);
            let held = u32::from(marker(before) == Some(cleared.seat) || told[seat].marker);
            let tiles = total(before.boards[seat].floor) + told[seat].fallen + held;
            assert_eq!(cleared.penalty, PENALTIES[at(tiles.min(7))], "{cleared:?}");
            let points = before.boards[seat].points + told[seat].gained;
            assert_eq!(cleared.lost, cleared.penalty.min(points), "{cleared:?}");
            told[seat].lost += cleared.lost;
            "floor cleared"
        }
        Event::RoundBegan(began) => {
            assert_eq!((began.round, began.start_seat), (after.round, after.start_seat));
            "round began"
        }
        Event::LidTipped(tipped) => {
            assert_eq!(tipped.tiles, before.lid);
            "lid tipped"
        }
        Event::Dealt(dealt) => {
            assert_eq!(step.display(), Some(pb::display::Display::Factory(dealt.factory)));
            assert_eq!(dealt.tiles, Some(after.factories[at(dealt.factory) - 1]));
            "dealt"
        }
        Event::Bonus(bonus) => {
            let told = score(&step.after).unwrap().score.unwrap().seats[at(bonus.seat)].bonuses;
            let (rows, columns, colors) = (bonus.rows, bonus.columns, bonus.colors);
            let bonuses = pb::AzulBonuses { rows, columns, colors };
            assert_eq!(told, Some(pb::seat_score::Bonuses::Azul(bonuses)));
            assert_eq!(bonus.points, rows * 2 + columns * 7 + colors * 10);
            "bonus"
        }
        Event::GameEnded(ended) => {
            assert_eq!((ended.end, after.phase), (after.end, pb::AzulPhase::Over.into()));
            "game ended"
        }
    }
}

fn check(step: &Step, met: &mut BTreeMap<&'static str, u32>) {
    let mut told = [Told::default(); 4];
    for event in &step.events {
        let Some(pb::event::Game::Azul(event)) = &event.game else { panic!("{event:?}") };
        let kind = check_event(event.event.as_ref().unwrap(), step, &mut told);
        *met.entry(kind).or_default() += 1;
    }
    let covered = |wall: &[i32]| wall.iter().filter(|&&color| color != 0).count();
    let boards = azul(&step.before).boards.iter().zip(&azul(&step.after).boards);
    for ((before, after), told) in boards.zip(told) {
        assert_eq!(told.taken, 0, "every tile that was taken is laid down");
        assert_eq!(after.points + told.lost, before.points + told.gained);
        assert_eq!(covered(&after.wall), covered(&before.wall) + told.placed);
    }
}

#[test]
fn the_events_of_azul_add_up_to_what_changed() {
    let mut met = BTreeMap::new();

    for (side, players) in tables() {
        for seed in 0..40 {
            let first = azul::Position::new(azul::Rules::new(side, players), Seat::First).message();
            play_with_events(first, seed, |step| check(step, &mut met));
        }
    }

    assert_eq!(met.len(), 13, "{met:?}");
}
