//! Records to validate: games of every ruleset, and matches of an arena.

use azulejo_engine::fairness::{Bytes32, commitment, seed};
use azulejo_engine::{ArenaPart, Event, HouseBot, Record, Ruleset, Seat, Seed, Step, Table};
use serde_json::{Value, json};

pub(crate) struct Played {
    pub(crate) record: Record,
    /// The seats of all decisions, in order.
    pub(crate) seats: Vec<usize>,
}

/// Plays a game to its end, or to this turn.
pub(crate) fn play(ruleset: Ruleset, names: &[String], seed: &Seed, turns: usize) -> Played {
    let mut table = Table::start(ruleset);
    let (mut steps, mut seats): (Vec<Step>, Vec<usize>) = (Vec::new(), Vec::new());
    while !table.is_over() {
        if table.awaits_deal() {
            steps.extend(table.deal(seed).iter().filter_map(Event::as_deal));
        } else if seats.len() == turns {
            break;
        } else {
            seats.extend(table.to_move().map(Seat::index));
            let action = table.choose(HouseBot::Random, steps.len() as u64).unwrap();
            table.play(action).unwrap();
            steps.push(action.into());
        }
    }
    Played { record: Record::of(names, Some(seed), Seat::First, &steps, &table), seats }
}

/// A game of azulejo-record/1.
pub(crate) fn game(ruleset: Ruleset) -> Record {
    let names = vec!["bot".to_owned(); ruleset.players().seats()];
    play(ruleset, &names, &Seed::from_number(1), usize::MAX).record
}

/// How a match of the arena ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Finished,
    /// Seat 0 resigns after ten turns.
    Forfeit,
    /// An organiser cancels the match after ten turns.
    Voided,
}

const MATCH_ID: &str = "abcdefghijklmn27";
const BANK: u64 = 10_000_000;
const INCREMENT: u64 = 100_000;

/// A match of azulejo-record/2 that verifies. The server plays the last seat if there are three or
/// more.
pub(crate) fn arena_match(ruleset: Ruleset, end: End) -> Record {
    let players = ruleset.players().seats();
    let server = if players > 2 { players - 1 } else { players };
    let names: Vec<String> = (0..players)
        .map(|seat| match seat {
            seat if seat == server => "server/strong:250".to_owned(),
            seat => format!("owner-{seat}/bot_1@1.0+linux"),
        })
        .collect();
    let secret = Bytes32([0x5a; 32]);
    let nonces: Vec<Option<Bytes32>> = (1..)
        .zip(0..players)
        .map(|(byte, seat)| (seat != server).then_some(Bytes32([byte; 32])))
        .collect();
    let seed = seed(MATCH_ID, &secret, &nonces);
    let turns = if end == End::Finished { usize::MAX } else { 10 };
    let Played { record, seats } = play(ruleset, &names, &seed, turns);
    let part = json!({
        "match_id": MATCH_ID,
        "pool": format!("{}-blitz", ruleset.key()),
        "origin": if server < players { "challenge" } else { "ladder" },
        "block": MATCH_ID,
        "called": 1_700_000_000_000_u64,
        "ended": 1_700_000_060_000_u64,
        "commitment": commitment(MATCH_ID, &secret),
        "secret": secret,
        "nonces": nonces,
        "bank": BANK,
        "increment": INCREMENT,
        "costs": costs(&seats, players, server),
        "forfeits": match end {
            End::Forfeit => json!([{"seat": 0, "turn": 10, "reason": "resigned"}]),
            End::Finished | End::Voided => json!([]),
        },
        "seats": outcomes(&record, end),
        "rated": end == End::Finished,
        "voided": (end == End::Voided).then_some("cancelled by an organiser"),
        "digest": Bytes32([0; 32]),
    });
    // From JSON: optional fields are left out.
    let part: ArenaPart = serde_json::from_value(part).unwrap();
    record.of_arena(part)
}

/// Every decision takes 7 ms, of which 2 ms are credited.
fn costs(seats: &[usize], players: usize, server: usize) -> Vec<Option<[u64; 4]>> {
    let mut left = vec![BANK; players];
    seats
        .iter()
        .map(|&seat| {
            left[seat] = left[seat] - 5_000 + INCREMENT;
            (seat != server).then_some([7_000, 2_000, 5_000, left[seat]])
        })
        .collect()
}

fn outcomes(record: &Record, end: End) -> Vec<Value> {
    let score = &record.result.score;
    let stays: Vec<bool> =
        (0..score.seats.len()).map(|seat| end != End::Forfeit || seat != 0).collect();
    let placed = azulejo_engine::placements(score, &stays);
    let outcome = |(seat, placement): (usize, &u8)| {
        let (placement, reason) = match end {
            End::Voided => (0, "called_off"),
            End::Forfeit if seat == 0 => (*placement, "resigned"),
            End::Finished | End::Forfeit => (*placement, "finished"),
        };
        json!({"placement": placement, "reason": reason, "total": score.seats[seat].total})
    };
    placed.iter().enumerate().map(outcome).collect()
}

/// The document of a record.
pub(crate) fn document(record: &Record) -> Value {
    serde_json::to_value(record).unwrap()
}

/// A match in which two answers were refused.
pub(crate) fn with_refused_moves(ruleset: Ruleset, end: End) -> Record {
    let record = arena_match(ruleset, end);
    let mut part = serde_json::to_value(&record.arena).unwrap();
    part["refused"] = json!([
        {
            "seat": 0,
            "turn": 0,
            "sent": "3B9",
            "reason": "BAD_NOTATION",
            "message": "at character 3: expected a pattern line, 1 to 5, or f for the floor line",
            "at": 1_700_000_001_000_u64
        },
        {
            "seat": 1,
            "turn": 1,
            "sent": "action 91",
            "reason": "ILLEGAL_MOVE",
            "rule": "COLOR_ABSENT",
            "message": "illegal move: no blue tiles there",
            "at": 1_700_000_002_000_u64
        }
    ]);
    record.of_arena(serde_json::from_value(part).unwrap())
}
