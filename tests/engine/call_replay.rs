//! `Replay`: a record is valid, or its first defect is named.

use azulejo_engine::{Event, FORMAT, Record, Ruleset, Step, Table};
use azulejo_rules::parts::{PlayerCount, Seat, Seed, Side};
use azulejo_rules::{azul, pavilion};
use azulejo_tests::Random;
use rstest::rstest;

use crate::caller::{assert_refused, replay, score};

fn azul_rules() -> Ruleset {
    Ruleset::Azul(azul::Rules::new(Side::Gray, PlayerCount::Two))
}

fn pavilion_rules() -> Ruleset {
    Ruleset::SummerPavilion(pavilion::Rules::new(Side::Colored, PlayerCount::Three))
}

/// A random game to its end, with its record.
pub(crate) fn played(ruleset: Ruleset, number: u64) -> (Table, Record) {
    let (seed, mut random) = (Seed::from_number(number), Random::new(number));
    let mut table = Table::new(ruleset, Seat::Second);
    let mut steps: Vec<Step> = Vec::new();
    while !table.is_over() {
        if table.awaits_deal() {
            steps.extend(table.deal(&seed).iter().filter_map(Event::as_deal));
        } else {
            let action = random.pick(&table.legal_moves());
            table.play(action).unwrap();
            steps.push(action.into());
        }
    }
    let names: Vec<String> =
        (0..ruleset.players().seats()).map(|seat| format!("bot {seat}")).collect();
    (table, Record::of(&names, Some(&seed), Seat::Second, &steps, &table))
}

fn text(record: &Record) -> String {
    serde_json::to_string(record).unwrap()
}

#[rstest]
#[case::azul(azul_rules())]
#[case::pavilion(pavilion_rules())]
fn a_true_record_is_right(#[case] ruleset: Ruleset) {
    let (last, record) = played(ruleset, 3);

    let answer = replay(&text(&record)).unwrap();

    assert_eq!(answer.defect, None);
    assert_eq!(answer.state, Some(last.state().message().unwrap()));
    assert_eq!(answer.score, score(&last.state().message().unwrap()).unwrap().score);
    let steps = record.game.split(' ').filter(|word| !word.is_empty()).count();
    let head = ruleset.to_string().split(' ').count() + 2;
    assert_eq!(usize::try_from(answer.steps).unwrap(), steps - head);
}

#[rstest]
#[case::azul(azul_rules())]
#[case::pavilion(pavilion_rules())]
fn a_changed_step_is_named(#[case] ruleset: Ruleset) {
    let (_, record) = played(ruleset, 4);
    let moments = record.positions().unwrap();
    let head = ruleset.to_string().split(' ').count() + 2;
    let mut random = Random::new(4);

    for (at, moment) in moments[..moments.len() - 1].iter().enumerate() {
        let moves = moment.table.legal_moves();
        let mut words: Vec<String> = record.game.split(' ').map(str::to_owned).collect();
        let others: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let others: Vec<&str> =
            others.iter().map(String::as_str).filter(|&other| other != words[head + at]).collect();
        if others.is_empty() {
            continue;
        }
        words[head + at] = random.pick(&others).to_owned();
        let changed = Record { game: words.join(" "), ..record.clone() };

        let answer = replay(&text(&changed)).unwrap();

        let defect = answer.defect.unwrap();
        assert_eq!(usize::try_from(defect.step).unwrap(), at + 1, "{}", defect.message);
        assert!(defect.message.starts_with(&format!("step {}, ", at + 1)), "{}", defect.message);
        assert_eq!((answer.state, answer.score, answer.steps), (None, None, 0));
    }
}

#[test]
fn another_deal_an_illegal_move_and_a_false_score_are_named() {
    let (_, record) = played(azul_rules(), 5);
    let defect = |record: &Record| replay(&text(record)).unwrap().defect.unwrap();
    let game = |change: &dyn Fn(&mut Vec<String>)| {
        let mut words: Vec<String> = record.game.split(' ').map(str::to_owned).collect();
        change(&mut words);
        Record { game: words.join(" "), ..record.clone() }
    };

    // azul gray 2 limit 50 start 1 [..] [..] [..] [..] [..] and then a move.
    let other_deal = defect(&game(&|words| words[8] = "[B4]".to_owned()));
    let illegal = defect(&game(&|words| words[12] = "9Kf".to_owned()));
    let mut false_score = record.clone();
    false_score.result.score.seats[0].total += 1;
    let false_score = defect(&false_score);

    assert_eq!(other_deal.step, 2, "{}", other_deal.message);
    assert_eq!(illegal.step, 6, "{}", illegal.message);
    assert!(illegal.message.contains("this table has no factory display 9"), "{}", illegal.message);
    assert_eq!(false_score.step, 0, "{}", false_score.message);
    assert!(false_score.message.contains("seat 0"), "{}", false_score.message);
}

#[rstest]
#[case::no_json("hello", "invalid record: not a record: expected value at line 1 column 1")]
#[case::another_document(
    "{\"format\":\"png\"}",
    "invalid record: unsupported format \"png\"; \
     supported: \"azulejo-record/1\", \"azulejo-record/2\""
)]
#[case::no_format("{}", "invalid record: not a record: missing field `format` at line 1 column 2")]
fn garbage_is_not_a_record(#[case] document: &str, #[case] told: &str) {
    let refused = replay(document).unwrap_err();

    assert_refused(&refused, "record", "BAD_RECORD", told);
}

#[test]
fn a_record_is_required() {
    let refused = replay("").unwrap_err();

    assert_refused(&refused, "record", "FIELD_MISSING", "record: this field is required");
}

#[test]
fn a_record_has_256_kib_at_most() {
    let (_, record) = played(azul_rules(), 6);
    let padded = |length: usize| {
        let text = text(&record);
        let room = " ".repeat(length - text.len());
        text + &room
    };

    assert_eq!(replay(&padded(262_144)).unwrap().defect, None);
    let refused = replay(&padded(262_145)).unwrap_err();

    let told = "record: 262145 bytes are more than 262144";
    assert_refused(&refused, "record", "TOO_LONG", told);
}

/// Errors repeat parts of the record, and may be shown in a terminal.
#[rstest]
#[case::in_the_format("{\"format\":\"\\u001b[2J\"}".to_owned())]
#[case::in_the_name_of_a_field(format!("{{\"format\":\"{FORMAT}\",\"\\u001b[2J\":1}}"))]
fn a_refusal_has_no_control_characters(#[case] document: String) {
    let refused = replay(&document).unwrap_err();

    assert_eq!(refused.reason(), "BAD_RECORD");
    assert!(!refused.to_string().contains(char::is_control), "{:?}", refused.to_string());
}

/// An error is sent in headers, which have a size limit.
#[rstest]
#[case::format(format!("{{\"format\":\"{}\"}}", "x".repeat(200_000)))]
#[case::field(format!("{{\"format\":\"{FORMAT}\",\"{}\":1}}", "x".repeat(200_000)))]
fn a_refusal_does_not_repeat_a_long_record(#[case] document: String) {
    let refused = replay(&document).unwrap_err();

    assert_eq!(refused.reason(), "BAD_RECORD");
    assert!(refused.to_string().len() < 1000, "{} bytes", refused.to_string().len());
}
