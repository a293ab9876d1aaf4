//! A record with any one move, tile, score or seed changed is refused, and the defect named.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod arena;

use azulejo_bots::HouseBot;
use azulejo_engine::{Defect, Event, Record, Ruleset, Step, Table, Unreadable};
use azulejo_rules::parts::{PlayerCount, Seat, Seed, Side};
use azulejo_rules::{azul, pavilion};
use rstest::rstest;

const SEED: u64 = 11;

fn played(ruleset: Ruleset) -> Record {
    let seed = Seed::from_number(SEED);
    let mut table = Table::new(ruleset, Seat::First);
    let mut steps: Vec<Step> = Vec::new();
    while !table.is_over() {
        if table.awaits_deal() {
            steps.extend(table.deal(&seed).iter().filter_map(Event::as_deal));
        } else {
            let action = table.choose(HouseBot::Greedy, steps.len() as u64).unwrap();
            table.play(action).unwrap();
            steps.push(action.into());
        }
    }
    let names = vec!["bot".to_owned(); ruleset.players().seats()];
    Record::of(&names, Some(&seed), Seat::First, &steps, &table)
}

#[rstest::fixture]
fn rulesets() -> Vec<Ruleset> {
    Side::ALL
        .into_iter()
        .flat_map(|side| {
            [
                Ruleset::Azul(azul::Rules::new(side, PlayerCount::Two)),
                Ruleset::SummerPavilion(pavilion::Rules::new(side, PlayerCount::Three)),
            ]
        })
        .collect()
}

/// Every step as text, behind the head of the game.
fn steps_of(record: &Record) -> (String, Vec<String>) {
    let words: Vec<&str> = record.game.split(' ').collect();
    let first = words.iter().position(|word| word.starts_with('[')).unwrap();
    let steps = words[first..].iter().map(|&word| word.to_owned()).collect();
    (words[..first].join(" "), steps)
}

fn with_steps(record: &Record, steps: &[String]) -> Record {
    let (head, _) = steps_of(record);
    Record { game: format!("{head} {}", steps.join(" ")), ..record.clone() }
}

#[rstest]
fn a_valid_record_is_accepted_also_after_a_round_trip_through_its_text(rulesets: Vec<Ruleset>) {
    for ruleset in rulesets {
        let record = played(ruleset);

        let text = serde_json::to_string(&record).unwrap();
        azulejo_tests::assert_valid_record(&text);
        let read = Record::read(&text).unwrap();

        assert_eq!(read, record);
        assert!(read.verify().unwrap().is_over());
    }
}

#[rstest]
fn a_record_with_another_move_is_refused(rulesets: Vec<Ruleset>) {
    for ruleset in rulesets {
        let record = played(ruleset);
        let (_, steps) = steps_of(&record);
        let moments = record.positions().unwrap();
        for (at, moment) in moments[..steps.len()].iter().enumerate() {
            for other in moment.table.legal_moves().iter().map(ToString::to_string) {
                if other != steps[at] {
                    let mut changed = steps.clone();
                    changed[at] = other;
                    let refused = with_steps(&record, &changed).verify();
                    assert!(
                        matches!(refused, Err(Defect::Check { step, .. }) if step == at + 1),
                        "step {}, {}: {refused:?}",
                        at + 1,
                        changed[at]
                    );
                }
            }
        }
    }
}

#[rstest]
fn a_record_with_another_tile_is_refused_at_that_deal(rulesets: Vec<Ruleset>) {
    for ruleset in rulesets {
        let record = played(ruleset);
        let (_, steps) = steps_of(&record);
        for at in (0..steps.len()).filter(|&at| steps[at].starts_with('[')) {
            let mut changed = steps.clone();
            let letters = ["B", "Y", "R"].iter().find(|&&letter| !steps[at].contains(letter));
            let Some(letter) = letters else { continue };
            changed[at] = changed[at].replacen(|c: char| c.is_ascii_uppercase(), letter, 1);
            let refused = with_steps(&record, &changed).verify();
            assert!(
                matches!(refused, Err(Defect::Deal { step, .. }) if step == at + 1),
                "{refused:?}"
            );
        }
    }
}

#[rstest]
fn a_record_with_a_step_left_out_or_doubled_is_refused(rulesets: Vec<Ruleset>) {
    for ruleset in rulesets {
        let record = played(ruleset);
        let (_, steps) = steps_of(&record);
        for at in 0..steps.len() {
            let (mut shorter, mut longer) = (steps.clone(), steps.clone());
            shorter.remove(at);
            longer.insert(at, steps[at].clone());
            assert!(with_steps(&record, &shorter).verify().is_err(), "without step {}", at + 1);
            assert!(with_steps(&record, &longer).verify().is_err(), "step {} twice", at + 1);
        }
    }
}

#[rstest]
fn a_record_with_another_score_is_refused_for_that_seat(rulesets: Vec<Ruleset>) {
    for ruleset in rulesets {
        let record = played(ruleset);
        for seat in 0..ruleset.players().seats() {
            for field in 0..5 {
                let mut changed = record.clone();
                let score = &mut changed.result.score.seats[seat];
                match field {
                    0 => score.points += 1,
                    1 => score.bonus += 1,
                    2 => score.lost += 1,
                    3 => score.total += 1,
                    _ => score.rank += 1,
                }
                let refused = changed.verify();
                assert!(matches!(refused, Err(Defect::Score { seat: at, .. }) if at == seat));
            }
        }
        let mut changed = record.clone();
        changed.result.score.winners = vec![0, 1];
        changed.result.score.winners.retain(|seat| !record.result.score.winners.contains(seat));
        assert!(matches!(changed.verify(), Err(Defect::Winners { .. })));
        let mut changed = record.clone();
        changed.result.score.end = None;
        assert!(matches!(changed.verify(), Err(Defect::End { .. })));
        let mut changed = record;
        changed.result.check = "0".repeat(16);
        assert!(matches!(changed.verify(), Err(Defect::LastCheck)));
    }
}

#[rstest]
fn a_record_with_any_digit_of_its_seed_changed_is_refused(rulesets: Vec<Ruleset>) {
    for ruleset in rulesets {
        let record = played(ruleset);
        let seed = record.seed.clone().unwrap();
        for at in 0..seed.len() {
            let mut digits: Vec<char> = seed.chars().collect();
            digits[at] = if digits[at] == '7' { '8' } else { '7' };
            let changed = Record { seed: Some(digits.into_iter().collect()), ..record.clone() };
            assert!(matches!(changed.verify(), Err(Defect::Deal { .. })), "digit {at}");
        }
        let short = Record { seed: Some("77".to_owned()), ..record };
        assert!(matches!(short.verify(), Err(Defect::Seed(_))));
    }
}

#[rstest]
fn a_record_with_another_name_is_refused(rulesets: Vec<Ruleset>) {
    for ruleset in rulesets {
        let mut record = played(ruleset);
        record.seats[1].name = "another name".to_owned();
        assert!(matches!(record.verify(), Err(Defect::Check { step: 1, .. })));
    }
}

#[rstest]
fn a_record_for_other_seats_or_another_start_is_refused(rulesets: Vec<Ruleset>) {
    for ruleset in rulesets {
        let record = played(ruleset);
        let mut fewer = record.clone();
        fewer.seats.pop();
        assert!(matches!(fewer.verify(), Err(Defect::Seats { .. })));
        let start = Record { game: record.game.replace("start 0", "start 1"), ..record.clone() };
        assert!(start.verify().is_err());
        let stranger = Record { game: record.game.replace("start 0", "start 3"), ..record };
        assert_eq!(stranger.verify(), Err(Defect::Start { start: 3 }));
    }
}

#[test]
fn a_document_of_another_format_is_refused_before_it_is_read() {
    let unknown = r#"{"format":"azulejo-record/3","new_field":1}"#;
    assert!(matches!(Record::read(unknown), Err(Unreadable::Format { .. })));
    assert!(matches!(Record::read("{"), Err(Unreadable::Json(_))));
    let record = played(Ruleset::Azul(azul::Rules::new(Side::Colored, PlayerCount::Two)));
    let text = serde_json::to_string(&record).unwrap();
    let extra = text.replacen('{', "{\"surprise\":1,", 1);
    assert!(matches!(Record::read(&extra), Err(Unreadable::Json(_))));
}
