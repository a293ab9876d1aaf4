//! From a match to its placements: forfeits, and matches without a result.

use azulejo_arena::match_run::{Match, Phase};
use azulejo_arena::names::{MatchId, Player};
use azulejo_arena::rating::{Ladder, LiveRating, rate};
use azulejo_arena::record::{Bytes32, EndReason, Origin, Seat, Spec};
use azulejo_arena::time::{Now, Time, Wall};

use crate::formulas::{by_hand, close};

const NOW: Now = Now { time: Time(std::time::Duration::ZERO), wall: Wall(0) };

/// A match whose seats are all ready.
fn started(players: usize) -> Match {
    let id = MatchId::from_random([7; 16]);
    let seat = |number: usize| {
        let bot = format!("owner{number}/bot").parse().unwrap();
        Seat::Remote(Player { bot, version: "1".parse().unwrap() })
    };
    let spec = Spec {
        id: id.clone(),
        pool: format!("azul-colored-{players}-bullet").parse().unwrap(),
        seats: (0..players).map(seat).collect(),
        origin: Origin::Ladder,
        block: id,
        called: Wall(0),
        why: String::new(),
        seat_reasons: Vec::new(),
        request: None,
    };
    let mut run = Match::call(spec, Bytes32([1; 32]), NOW.time);
    for seat in 0..players {
        run.ready(seat, Bytes32([2; 32]), NOW).unwrap();
    }
    run
}

#[test]
fn a_bot_that_resigns_a_match_of_two_has_lost_it() {
    let mut run = started(2);
    run.resign(0, NOW).unwrap();

    let placements: Vec<u8> = run.ends().iter().map(|end| end.placement).collect();
    assert_eq!(placements, [2, 1]);
    let after = rate(&[LiveRating::new(); 2], &run.ends());
    let expected = by_hand(&[LiveRating::new(); 2], &[2, 1]);
    assert!(close(after[0].mean, expected[0].0) && close(after[1].mean, expected[1].0));
    assert_eq!((after[0].forfeits, after[1].forfeits), (1, 0));
}

#[test]
fn bots_that_resign_a_match_of_four_are_last_and_the_last_one_left_has_won() {
    let mut run = started(4);
    run.resign(2, NOW).unwrap();
    assert_eq!(*run.phase(), Phase::Playing, "the others play on");
    run.resign(0, NOW).unwrap();
    run.resign(3, NOW).unwrap();

    let ends = run.ends();
    let placements: Vec<u8> = ends.iter().map(|end| end.placement).collect();
    assert_eq!(placements, [2, 1, 2, 2], "those who gave up share the place after the others");
    assert_eq!(ends[1].reason, EndReason::Finished);
    let after = rate(&[LiveRating::new(); 4], &ends);
    for (standing, (mean, _)) in after.iter().zip(by_hand(&[LiveRating::new(); 4], &placements)) {
        assert!(close(standing.mean, mean), "{standing:?} {mean}");
    }
}

#[test]
fn a_voided_match_changes_no_rating() {
    let mut run = started(3);
    assert_eq!(run.unrated_reason(), None);
    run.void(EndReason::CalledOff, "the organiser said so", NOW);

    assert!(run.unrated_reason().is_some());
    assert!(run.ends().iter().all(|end| end.placement == 0));
}

#[test]
fn the_ladder_is_the_fold_of_its_results_in_their_order() {
    let pool = "azul-colored-2-bullet".parse().unwrap();
    let player = |name: &str| Player { bot: name.parse().unwrap(), version: "1".parse().unwrap() };
    let (ann, bob) = (player("ann/a"), player("bob/b"));
    let outcome = |seq: u8, placements: [u8; 2]| azulejo_arena::store::Outcome {
        seq: seq.into(),
        id: MatchId::from_random([seq; 16]),
        block: MatchId::from_random([seq; 16]),
        pool,
        seats: vec![
            (ann.clone(), crate::ends(&placements)[0]),
            (bob.clone(), crate::ends(&placements)[1]),
        ],
    };
    let outcomes = [outcome(1, [1, 2]), outcome(2, [1, 1]), outcome(3, [2, 1])];

    let ladder = Ladder::fold(&outcomes);

    let mut standings = [LiveRating::new(); 2];
    for placements in [[1, 2], [1, 1], [2, 1]] {
        let by_hand = by_hand(&standings, &placements);
        for (standing, (mean, deviation)) in standings.iter_mut().zip(by_hand) {
            (standing.mean, standing.deviation) = (mean, deviation);
        }
    }
    assert!(close(ladder.standing(pool, &ann).mean, standings[0].mean));
    assert!(close(ladder.standing(pool, &bob).deviation, standings[1].deviation));
    assert_eq!(ladder.standing(pool, &ann).games, 3);
}
