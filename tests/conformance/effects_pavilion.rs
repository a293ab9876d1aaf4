//! Summer Pavilion: the effect of a legal move is what playing it does.

use azulejo_rules::parts::{PlayerCount, Side};
use azulejo_rules::pavilion::{Effect, Event, Move, Phase, Position};
use rstest::rstest;

use crate::for_every_legal_move;

/// What the events of a move and the hand of the seat that made it say.
fn told(before: &Position, after: &Position, events: &[Event]) -> Effect {
    let (seat, wild) = (before.to_move().unwrap(), before.wild_color());
    let mut effect = Effect::default();
    for event in events {
        match *event {
            Event::Took { tiles, wilds, .. } => {
                (effect.taken, effect.wilds_taken) = (tiles, wilds);
            }
            Event::TokenTaken { lost, .. } => (effect.takes_token, effect.lost) = (true, lost),
            Event::Placed { wilds, points, .. } => {
                let hand = |position: &Position| position.board(seat).hand().total();
                effect.cost = hand(before) - hand(after);
                (effect.wilds_paid, effect.points) = (wilds, points);
            }
            // The supply may have fewer than were earned.
            Event::BonusEarned { tiles, .. } => {
                effect.bonus_tiles = tiles.min(before.supply().total());
            }
            Event::BonusTaken { tiles, .. } => {
                (effect.taken, effect.wilds_taken) = (tiles.total(), tiles.count(wild));
            }
            Event::Passed { thrown, lost, .. } => {
                (effect.discarded, effect.lost) = (thrown.total(), lost);
            }
            Event::PlacingBegan { .. }
            | Event::RoundBegan { .. }
            | Event::TowerTipped { .. }
            | Event::Dealt { .. }
            | Event::FinalScore { .. }
            | Event::GameEnded => {}
        }
    }
    effect
}

fn check(before: &Position, action: Move, game: &str) {
    let (mut after, mut events) = (*before, Vec::new());
    after.play(action, &mut events).unwrap();
    let effect = before.effect(action);

    if action == Move::Pass && after.phase() == Phase::Keep {
        // The choice that follows decides which tiles are discarded, not how many.
        assert_eq!(events, [], "{game}: {before}");
        for &keep in &*after.legal_moves() {
            assert_eq!(after.effect(keep), effect, "{game}: {keep}: {before}");
            check(&after, keep, game);
        }
        return;
    }
    assert_eq!(effect, told(before, &after, &events), "{game}: {action}: {before}");
    let due = if let Phase::Bonus { due } = after.phase() { due } else { 0 };
    assert_eq!(effect.bonus_tiles, due, "{game}: {action}: {before}");
    let seat = before.to_move().unwrap();
    let points = |position: &Position| position.board(seat).points();
    assert_eq!(
        points(before) + effect.points - effect.lost,
        points(&after),
        "{game}: {action}: {before}"
    );
}

#[rstest]
fn the_effect_of_every_legal_move_of_summer_pavilion_is_what_playing_it_does(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    for_every_legal_move(side, players, check);
}
