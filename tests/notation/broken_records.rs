//! Documents with one thing wrong are refused, and at the right place.

use std::sync::LazyLock;

use azulejo_engine::Ruleset;
use azulejo_tests::record_errors;
use rstest::rstest;
use serde_json::{Value, json};

use crate::records::{End, arena_match, document, game, with_refused_moves};

fn ruleset(key: &str) -> Ruleset {
    Ruleset::all().into_iter().find(|ruleset| ruleset.key() == key).unwrap()
}

static AZUL: LazyLock<Value> = LazyLock::new(|| document(&game(ruleset("azul-colored-2"))));
static PAVILION: LazyLock<Value> =
    LazyLock::new(|| document(&game(ruleset("summer-pavilion-colored-3"))));
/// With refused moves, a forfeit, and a seat that the server plays.
static ARENA: LazyLock<Value> =
    LazyLock::new(|| document(&with_refused_moves(ruleset("azul-gray-3"), End::Forfeit)));

/// One change of a document, at a JSON pointer.
struct Change {
    at: &'static str,
    to: Option<Value>,
}

fn set(at: &'static str, to: impl Into<Value>) -> Change {
    Change { at, to: Some(to.into()) }
}

fn no(at: &'static str) -> Change {
    Change { at, to: None }
}

fn refuse(valid: &Value, Change { at, to }: Change) {
    assert_eq!(record_errors(valid), []);
    let mut broken = valid.clone();
    let (parent, key) = at.rsplit_once('/').unwrap();
    match (broken.pointer_mut(parent).unwrap(), to) {
        (Value::Object(fields), Some(to)) => drop(fields.insert(key.to_owned(), to)),
        (Value::Object(fields), None) => assert!(fields.remove(key).is_some(), "{at} is absent"),
        (Value::Array(items), Some(to)) => items[key.parse::<usize>().unwrap()] = to,
        (other, _) => panic!("{at} is in {other}"),
    }
    let errors = record_errors(&broken);
    let here = |place: &str| place == parent || place.starts_with(at);
    assert!(errors.iter().any(|(place, _)| here(place)), "{at}: {errors:?}");
}

#[rstest]
#[case::format_is_missing(no("/format"))]
#[case::format_is_newer(set("/format", "azulejo-record/3"))]
#[case::format_is_a_number(set("/format", 1))]
#[case::property_is_unknown(set("/surprise", 1))]
#[case::arena_in_format_1(set("/arena", ARENA["arena"].clone()))]
#[case::arena_is_null_in_format_1(set("/arena", Value::Null))]
#[case::seats_are_missing(no("/seats"))]
#[case::one_seat(set("/seats", json!([{"name": "a"}])))]
#[case::three_seats_of_two(set("/seats", json!([{"name": "a"}, {"name": "b"}, {"name": "c"}])))]
#[case::seat_is_a_text(set("/seats/0", "a"))]
#[case::name_is_missing(no("/seats/1/name"))]
#[case::name_is_a_number(set("/seats/1/name", 1))]
#[case::seat_has_an_unknown_property(set("/seats/1/elo", 1))]
#[case::seed_is_short(set("/seed", "ab"))]
#[case::seed_is_long(set("/seed", "ab".repeat(33)))]
#[case::seed_has_capitals(set("/seed", "AB".repeat(32)))]
#[case::seed_is_null(set("/seed", Value::Null))]
#[case::checks_are_missing(no("/checks"))]
#[case::checks_have_a_digit_too_few(set("/checks", "abcd123"))]
#[case::checks_have_capitals(set("/checks", "ABCD"))]
#[case::checks_are_a_list(set("/checks", json!(["abcd"])))]
#[case::result_is_missing(no("/result"))]
#[case::result_has_an_unknown_property(set("/result/time", 1))]
#[case::check_is_missing(no("/result/check"))]
#[case::check_is_short(set("/result/check", "0123456789abcde"))]
#[case::score_is_missing(no("/result/score"))]
#[case::end_is_missing(no("/result/score/end"))]
#[case::end_is_unknown(set("/result/score/end", "boredom"))]
#[case::end_is_of_the_other_game(set("/result/score/end", "six rounds"))]
#[case::score_of_no_seat(set("/result/score/seats", json!([])))]
#[case::points_are_negative(set("/result/score/seats/0/points", -1))]
#[case::points_are_a_fraction(set("/result/score/seats/0/points", 1.5))]
#[case::points_are_a_text(set("/result/score/seats/0/points", "1"))]
#[case::points_are_too_many(set("/result/score/seats/0/points", 65_536))]
#[case::bonus_is_missing(no("/result/score/seats/0/bonus"))]
#[case::lost_is_missing(no("/result/score/seats/1/lost"))]
#[case::total_is_missing(no("/result/score/seats/1/total"))]
#[case::rank_is_0(set("/result/score/seats/1/rank", 0))]
#[case::rank_is_5(set("/result/score/seats/1/rank", 5))]
#[case::seat_score_has_an_unknown_property(set("/result/score/seats/1/elo", 1))]
#[case::winners_are_missing(no("/result/score/winners"))]
#[case::no_winner(set("/result/score/winners", json!([])))]
#[case::winner_is_named_twice(set("/result/score/winners", json!([0, 0])))]
#[case::winner_of_a_larger_table(set("/result/score/winners", json!([2])))]
fn a_game_with_a_mistake_is_refused(#[case] mistake: Change) {
    refuse(&AZUL, mistake);
}

#[rstest]
#[case::nothing("")]
#[case::unknown_game("chess colored 2 start 0")]
#[case::unknown_side("azul blue 2 limit 50 start 0")]
#[case::five_players("azul colored 5 limit 50 start 0")]
#[case::no_round_limit("azul colored 2 start 0")]
#[case::round_limit_of_0("azul colored 2 limit 0 start 0")]
#[case::round_limit_of_256("azul colored 2 limit 256 start 0")]
#[case::no_start_seat("azul colored 2 limit 50")]
#[case::start_seat_of_a_larger_table("azul colored 2 limit 50 start 2")]
#[case::two_spaces("azul colored 2 limit 50 start 0  [B2YR]")]
#[case::space_at_the_end("azul colored 2 limit 50 start 0 ")]
#[case::line_break("azul colored 2 limit 50 start 0\n[B2YR]")]
#[case::open_deal("azul colored 2 limit 50 start 0 [B2YR")]
#[case::empty_deal("azul colored 2 limit 50 start 0 []")]
#[case::deal_of_five("azul colored 2 limit 50 start 0 [B5]")]
#[case::deal_of_the_other_game("azul colored 2 limit 50 start 0 [O2RB]")]
#[case::display_of_a_larger_table("azul colored 2 limit 50 start 0 6B2")]
#[case::unknown_color("azul colored 2 limit 50 start 0 3G2")]
#[case::unknown_pattern_line("azul colored 2 limit 50 start 0 3B6")]
#[case::placement_on_the_colored_side("azul colored 2 limit 50 start 0 r3c5")]
#[case::unknown_column("azul gray 2 limit 50 start 0 r3c6")]
#[case::move_of_the_other_game("azul colored 2 limit 50 start 0 pass")]
fn a_game_of_azul_with_a_wrong_text_is_refused(#[case] game: &str) {
    refuse(&AZUL, set("/game", game));
}

#[rstest]
#[case::round_limit("summer-pavilion colored 3 limit 50 start 0")]
#[case::start_seat_of_a_larger_table("summer-pavilion colored 3 start 3")]
#[case::display_of_a_larger_table("summer-pavilion colored 3 start 0 8G")]
#[case::deal_of_eleven("summer-pavilion colored 3 start 0 [O11]")]
#[case::unknown_star("summer-pavilion colored 3 start 0 K3:R2")]
#[case::unknown_space("summer-pavilion colored 3 start 0 R7:R2")]
#[case::payment_of_nothing("summer-pavilion colored 3 start 0 R3:R0")]
#[case::payment_without_a_color("summer-pavilion colored 3 start 0 R3:2")]
#[case::bonus_of_four("summer-pavilion colored 3 start 0 +B4")]
#[case::bonus_of_nothing("summer-pavilion colored 3 start 0 +")]
#[case::five_tiles_kept("summer-pavilion colored 3 start 0 =B5")]
#[case::pass_with_a_capital("summer-pavilion colored 3 start 0 Pass")]
#[case::move_of_the_other_game("summer-pavilion colored 3 start 0 3B2")]
fn a_game_of_summer_pavilion_with_a_wrong_text_is_refused(#[case] game: &str) {
    refuse(&PAVILION, set("/game", game));
}

#[rstest]
#[case::arena_is_missing(no("/arena"))]
#[case::arena_is_null(set("/arena", Value::Null))]
#[case::seed_is_missing(no("/seed"))]
#[case::name_without_a_version(set("/seats/0/name", "owner/bot"))]
#[case::name_without_an_owner(set("/seats/0/name", "bot@1"))]
#[case::name_with_capitals(set("/seats/0/name", "Owner/bot@1"))]
#[case::unknown_bot_of_the_server(set("/seats/2/name", "server/clever"))]
#[case::property_is_unknown(set("/arena/surprise", 1))]
#[case::match_id_is_missing(no("/arena/match_id"))]
#[case::match_id_is_short(set("/arena/match_id", "abcdefghijklmno"))]
#[case::match_id_has_a_1(set("/arena/match_id", "abcdefghijklmno1"))]
#[case::pool_without_a_time_class(set("/arena/pool", "azul-gray-3"))]
#[case::pool_of_five(set("/arena/pool", "azul-gray-5-blitz"))]
#[case::origin_is_unknown(set("/arena/origin", "tournament"))]
#[case::block_is_null(set("/arena/block", Value::Null))]
#[case::called_before_1970(set("/arena/called", -1))]
#[case::ended_is_a_text(set("/arena/ended", "2024-01-01T00:00:00Z"))]
#[case::commitment_is_short(set("/arena/commitment", "ab".repeat(31)))]
#[case::secret_has_capitals(set("/arena/secret", "AB".repeat(32)))]
#[case::two_nonces_of_three(set("/arena/nonces", json!([null, null])))]
#[case::nonce_is_a_number(set("/arena/nonces/0", 7))]
#[case::bank_is_negative(set("/arena/bank", -1))]
#[case::increment_is_missing(no("/arena/increment"))]
#[case::costs_are_missing(no("/arena/costs"))]
#[case::cost_of_three_numbers(set("/arena/costs/0", json!([7000, 2000, 5000])))]
#[case::cost_of_five_numbers(set("/arena/costs/0", json!([1, 1, 0, 1, 1])))]
#[case::cost_is_negative(set("/arena/costs/0", json!([7000, 2000, -5000, 1])))]
#[case::forfeits_are_missing(no("/arena/forfeits"))]
#[case::forfeit_of_a_larger_table(set("/arena/forfeits/0/seat", 3))]
#[case::forfeit_before_the_first_turn(set("/arena/forfeits/0/turn", -1))]
#[case::forfeit_with_the_reason_finished(set("/arena/forfeits/0/reason", "finished"))]
#[case::forfeit_has_an_unknown_property(set("/arena/forfeits/0/why", "tired"))]
#[case::outcomes_are_missing(no("/arena/seats"))]
#[case::one_outcome_of_three(set("/arena/seats", json!([{"placement": 1, "reason": "finished", "total": 7}])))]
#[case::placement_is_5(set("/arena/seats/0/placement", 5))]
#[case::placement_is_0_with_a_result(set("/arena/seats/0/placement", 0))]
#[case::reason_is_unknown(set("/arena/seats/0/reason", "tired"))]
#[case::no_show_with_a_result(set("/arena/seats/0/reason", "no_show"))]
#[case::outcome_without_points(no("/arena/seats/0/total"))]
#[case::rated_is_missing(no("/arena/rated"))]
#[case::rated_is_a_text(set("/arena/rated", "yes"))]
#[case::voided_is_missing(no("/arena/voided"))]
#[case::voided_is_a_boolean(set("/arena/voided", false))]
#[case::digest_is_missing(no("/arena/digest"))]
#[case::nothing_refused(set("/arena/refused", json!([])))]
#[case::refused_is_null(set("/arena/refused", Value::Null))]
#[case::refused_without_a_seat(no("/arena/refused/0/seat"))]
#[case::refused_at_a_larger_table(set("/arena/refused/0/seat", 3))]
#[case::refused_without_a_turn(no("/arena/refused/0/turn"))]
#[case::sent_is_long(set("/arena/refused/0/sent", "x".repeat(201)))]
#[case::reason_in_lower_case(set("/arena/refused/0/reason", "bad_notation"))]
#[case::rule_is_null(set("/arena/refused/1/rule", Value::Null))]
#[case::message_is_missing(no("/arena/refused/1/message"))]
#[case::time_is_missing(no("/arena/refused/1/at"))]
#[case::refused_move_has_an_unknown_property(set("/arena/refused/1/tries", 1))]
fn a_match_with_a_mistake_is_refused(#[case] mistake: Change) {
    refuse(&ARENA, mistake);
}

#[test]
fn a_match_does_not_have_the_format_of_a_game() {
    let mut document = ARENA.clone();
    document["format"] = Value::from("azulejo-record/1");
    let errors = record_errors(&document);
    assert_eq!(errors.iter().map(|(at, _)| at.as_str()).collect::<Vec<&str>>(), ["/arena"]);
}

#[test]
fn a_voided_match_has_no_placements() {
    let valid = document(&arena_match(ruleset("azul-gray-3"), End::Voided));
    refuse(&valid, set("/arena/seats/0/placement", 1));
}

#[test]
fn a_finished_game_has_the_end_of_its_own_game() {
    refuse(&PAVILION, set("/result/score/end", "row completed"));
}

#[rstest]
#[case(json!(null))]
#[case(json!([]))]
#[case(json!("azulejo-record/1"))]
#[case(json!({}))]
fn a_document_without_the_parts_of_a_record_is_refused(#[case] document: Value) {
    assert_ne!(record_errors(&document), []);
}

/// What is allowed, next to what is not.
#[test]
fn two_hundred_characters_may_have_been_sent() {
    let mut document = ARENA.clone();
    document["arena"]["refused"][0]["sent"] = Value::from("ü".repeat(200));
    assert_eq!(record_errors(&document), []);
}
