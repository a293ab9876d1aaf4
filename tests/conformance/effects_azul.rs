//! Azul: the effect of a legal move is what playing it does.

use azulejo_rules::azul::{
    Destination, Effect, Event, FLOOR_PENALTIES, FLOOR_SPACES, Move, PatternLine, Phase, Position,
    Row, Setup,
};
use azulejo_rules::parts::{PlayerCount, Seat, Side, Tiles};
use rstest::rstest;

use crate::for_every_legal_move;

/// What the events of a move say about the seat that made it, up to the tiling of the walls.
fn told(before: &Position, action: Move, events: &[Event]) -> Effect {
    let mut effect = Effect::default();
    for event in events {
        match *event {
            Event::Took { tiles, .. } => effect.taken = tiles,
            Event::MarkerTaken { .. } => effect.takes_marker = true,
            Event::LaidOnLine { row, tiles, .. } => {
                effect.to_line = tiles;
                effect.completes_line = on_line(before, row) + tiles == row.spaces();
            }
            Event::FellToFloor { tiles, .. } => effect.to_floor = tiles,
            Event::FellToLid { tiles, .. } => effect.to_lid = tiles,
            Event::TilePlaced { points, .. } if matches!(action, Move::PlaceTile { .. }) => {
                return Effect { wall_points: points, ..effect };
            }
            Event::TilePlaced { .. }
            | Event::LineDropped { .. }
            | Event::FloorCleared { .. }
            | Event::RoundBegan { .. }
            | Event::LidTipped { .. }
            | Event::Dealt { .. }
            | Event::Bonus { .. }
            | Event::GameEnded { .. } => break,
        }
    }
    effect
}

fn on_line(position: &Position, row: Row) -> u8 {
    let seat = position.to_move().unwrap();
    match position.board(seat).line(row) {
        PatternLine::Empty => 0,
        PatternLine::Holding { tiles, .. } => tiles,
    }
}

fn penalty(position: &Position, seat: Seat) -> u16 {
    FLOOR_PENALTIES[usize::from(position.floor_spaces_covered(seat))]
}

/// The position in which the move is the last take of the round and no other line of the seat is
/// complete: everything else that was on offer is in the lid.
fn as_last_take(before: &Position, action: Move) -> Option<Position> {
    let Move::Take { source, color, destination } = action else { return None };
    let (mut setup, seat) = (Setup::from(before), before.to_move()?);
    let heaps = [&mut setup.center].into_iter().chain(&mut setup.factories);
    for (index, heap) in heaps.enumerate() {
        let taken = if index == source.index() { heap.count(color) } else { 0 };
        let kept = Tiles::of(color, taken);
        setup.lid += *heap - kept;
        *heap = kept;
    }
    for (row, line) in Row::ALL.into_iter().zip(&mut setup.boards[seat.index()].lines) {
        if let Some((held, tiles)) = *line
            && tiles == row.spaces()
            && destination != Destination::Line(row)
        {
            setup.lid.put(held, tiles);
            *line = None;
        }
    }
    Position::try_from(&setup).ok()
}

/// The points for the wall and for the floor line, as the tiling of the colored wall counts them.
fn counted(before: &Position, action: Move) -> (u16, u16) {
    let seat = before.to_move().unwrap();
    let mut position = as_last_take(before, action).unwrap();
    assert_eq!(position.effect(action), before.effect(action), "nothing else matters");
    let mut events = Vec::new();
    position.play(action, &mut events).unwrap();
    let own = |event: &&Event| {
        matches!(event, Event::TilePlaced { seat: of, .. } | Event::FloorCleared { seat: of, .. }
            if *of == seat)
    };
    let (mut points, mut paid) = (0, 0);
    for event in events.iter().filter(own) {
        match *event {
            Event::TilePlaced { points: scored, .. } => points += scored,
            Event::FloorCleared { penalty, .. } => paid = penalty,
            _ => {}
        }
    }
    (points, paid - penalty(before, seat))
}

fn check(before: &Position, action: Move, game: &str) {
    let (mut after, mut events) = (*before, Vec::new());
    after.play(action, &mut events).unwrap();
    let seat = before.to_move().unwrap();
    let effect = before.effect(action);

    let mut expected = told(before, action, &events);
    if let Move::Take { .. } = action {
        let came = u8::from(expected.takes_marker) + expected.to_floor;
        let covered = (before.floor_spaces_covered(seat) + came).min(FLOOR_SPACES);
        expected.floor_penalty = FLOOR_PENALTIES[usize::from(covered)] - penalty(before, seat);
        // During the round it can be seen on the floor line.
        if after.phase() == Phase::Offer {
            assert_eq!(after.floor_spaces_covered(seat), covered, "{game}: {action}: {before}");
        }
        if before.rules().side == Side::Colored {
            let (points, paid) = counted(before, action);
            assert_eq!(effect.floor_penalty, paid, "{game}: {action}: {before}");
            expected.wall_points = points;
        }
    }
    assert_eq!(effect, expected, "{game}: {action}: {before}");
}

#[rstest]
fn the_effect_of_every_legal_move_of_azul_is_what_playing_it_does(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    for_every_legal_move(side, players, check);
}
