//! What is refused, with its reason and its rule, and that nothing changes.

use azulejo_play::{
    Batch, BatchOptions, Chance, Game, HouseBot, Learner, PlayError, Returns, Search,
    SearchOptions, Start, StartSeat,
};

use crate::transcript::{seeded, seen};

#[track_caller]
fn assert_refused<T: std::fmt::Debug>(answer: Result<T, PlayError>, reason: &str) {
    let error = answer.unwrap_err();
    assert_eq!(error.reason(), reason, "{error}");
    assert!(!error.to_string().is_empty());
}

#[test]
fn an_illegal_move_names_the_rule_and_changes_nothing() {
    let mut game = seeded("azul-colored-2", 1);
    let (mask, _) = seen(&game);
    let before = game.text();
    for id in 0..u16::try_from(mask.len()).unwrap() {
        if mask[usize::from(id)] == 0 {
            let error = game.apply(id).unwrap_err();
            assert_eq!((error.reason(), error.rule()), ("ILLEGAL_MOVE", Some("COLOR_ABSENT")));
        }
    }
    assert_refused(game.apply(180), "NO_SUCH_ACTION");
    assert_refused(game.apply(u16::MAX), "NO_SUCH_ACTION");
    assert_refused(game.apply_text("3Q1"), "BAD_NOTATION");
    assert_refused(game.apply_text(""), "BAD_NOTATION");
    assert_refused(game.action_text(180), "NO_SUCH_ACTION");
    assert_refused(game.action_id("r1c1"), "BAD_NOTATION");
    assert_eq!(game.text(), before);
    game.play_out(1);
    let error = game.apply(0).unwrap_err();
    assert_eq!(error.rule(), Some("GAME_OVER"));
    assert_refused(game.best_move(HouseBot::Greedy, 1), "NO_TURN");
}

#[test]
fn a_deal_is_refused_if_none_is_due_or_if_it_is_impossible() {
    let mut game = seeded("azul-colored-2", 1);
    assert_refused(game.chance_outcomes(), "NO_DEAL_DUE");
    assert_refused(game.apply_outcome("B4"), "NO_DEAL_DUE");
    assert_refused(game.sample_outcome(1), "NO_DEAL_DUE");
    let mut game =
        Game::new("azul-colored-2", Start { chance: Chance::Explicit, seat: 0 }).unwrap();
    let before = game.text();
    assert_refused(game.apply_outcome("Q4"), "BAD_TILES");
    let error = game.apply_outcome("B3").unwrap_err();
    assert_eq!((error.reason(), error.rule()), ("IMPOSSIBLE_DEAL", Some("DEAL_SIZE")));
    let error = game.apply(0).unwrap_err();
    assert_eq!(error.rule(), Some("DEAL_DUE"));
    assert_refused(game.best_move(HouseBot::Random, 1), "NO_TURN");
    assert_eq!(game.text(), before);
}

#[test]
fn a_bad_start_is_refused() {
    assert_refused(Game::new("azul", Start::default()), "NO_SUCH_RULESET");
    assert_refused(Game::new("azul-colored-5", Start::default()), "NO_SUCH_RULESET");
    let start = || Start { seat: 2, ..Start::default() };
    assert_refused(Game::new("azul-colored-2", start()), "NO_SUCH_SEAT");
    assert_refused(Game::parse("azul colored", Chance::Explicit), "BAD_POSITION_TEXT");
    assert_refused(Game::from_state(&[], Chance::Explicit), "FIELD_MISSING");
    assert_refused(Game::from_state(&[0xFF; 40], Chance::Explicit), "BAD_MESSAGE");
    let error = Game::from_state(&[0x0A, 0x00], Chance::Explicit).unwrap_err();
    assert!(error.to_string().starts_with("state.azul.rules: "), "{error}");
    assert_refused(Chance::seed("7x"), "BAD_SEED");
    assert_refused(
        Game::from_observation("azul-colored-2", &[0; 3], Chance::Explicit),
        "BAD_OBSERVATION",
    );
    assert_refused("draw".parse::<Returns>(), "NO_SUCH_VALUE");
    assert_refused("last".parse::<StartSeat>(), "NO_SUCH_VALUE");
}

#[test]
fn arrays_of_the_wrong_length_are_refused() {
    let game = seeded("azul-gray-3", 1);
    assert_refused(game.write_mask(&mut [0; 3]), "WRONG_COUNT");
    assert_refused(game.observe(0, &mut [0; 3]), "WRONG_COUNT");
    let mut values = vec![0; game.observation_size()];
    assert_refused(game.observe(3, &mut values), "NO_SUCH_SEAT");
}

#[test]
fn a_batch_or_a_search_with_absurd_options_is_refused() {
    let options = BatchOptions::default();
    assert_refused(Batch::new("azul-colored-2", 0, &options), "OUT_OF_RANGE");
    assert_refused(Batch::new("azul-colored-2", usize::MAX, &options), "OUT_OF_RANGE");
    assert_refused(Batch::new("chess", 1, &options), "NO_SUCH_RULESET");
    let seat = StartSeat::Fixed(2);
    let learner = Some(Learner { seat, opponents: HouseBot::Random });
    let options = BatchOptions { learner, ..BatchOptions::default() };
    assert_refused(Batch::new("azul-colored-2", 1, &options), "NO_SUCH_SEAT");

    let games = [seeded("azul-colored-2", 1), seeded("azul-colored-3", 1)];
    let options = SearchOptions::default();
    assert_refused(Search::new(&[], options), "OUT_OF_RANGE");
    assert_refused(Search::new(&games, options), "OTHER_GAME");
    let options = SearchOptions { noise: f32::NAN, ..options };
    assert_refused(Search::new(&games[..1], options), "NOT_FINITE");
    let mut over = seeded("azul-colored-2", 1);
    over.play_out(1);
    assert_refused(Search::new(&[over], SearchOptions::default()), "NO_TURN");
}

#[test]
fn chance_that_is_not_a_stored_one_is_refused() {
    for text in
        ["", "auto", "auto:1", "auto:+000000000000001", "auto:zzzzzzzzzzzzzzzz", "explicit:"]
    {
        assert_refused(text.parse::<Chance>(), "NO_SUCH_VALUE");
    }
    assert_refused("seed:12".parse::<Chance>(), "BAD_SEED");
}

#[test]
fn a_text_that_is_not_a_record_and_a_record_that_is_false_have_different_reasons() {
    assert_refused(Game::verify("{}"), "BAD_RECORD");
    let text = r#"{"format":"azulejo-record/1","seats":[],"game":"azul colored 2 start 0","checks":"",
        "result":{"score":{"seats":[],"winners":[]},"check":""}}"#;
    assert_refused(Game::verify(text), "FALSE_RECORD");
}
