//! States have a hand-written reader and writer, beside the generated ones: they must agree on
//! everything, valid or not.

use azulejo_engine::Table;
use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Random, Style, play_game};
use azulejo_wire::game::v1 as pb;
use azulejo_wire::{BadField, Position, State};
use prost::Message;

use crate::either_game::{OnWire, tables};
use crate::fuzz::runs;
use crate::{fuzz_bytes, fuzz_tree};

/// What the generated decoder reads; none if the bytes are not a message.
pub(crate) fn read_generally(state: &State) -> Option<Result<Position, BadField>> {
    let message = state.message().ok()?;
    Some(match message.game {
        None => Err(BadField::missing("game")),
        Some(pb::game_state::Game::Azul(azul)) => {
            azul::Setup::try_from(azul).map(Position::Azul).map_err(|bad| bad.within("azul"))
        }
        Some(pb::game_state::Game::SummerPavilion(pavilion)) => pavilion::Setup::try_from(pavilion)
            .map(Position::SummerPavilion)
            .map_err(|bad| bad.within("summer_pavilion")),
    })
}

/// Every seventh position of a game of each ruleset, as bytes.
fn states<G: OnWire>() -> Vec<Vec<u8>> {
    let mut states = Vec::new();
    for (seed, (side, players)) in (1..).zip(tables()) {
        let mut ply = 0_usize;
        play_game::<G>(side, players, Style::Uniform, seed, |&position, _| {
            if ply.is_multiple_of(7) {
                let table: Table = position.into();
                states.push(table.state().encode_to_vec());
            }
            ply += 1;
        });
    }
    states
}

/// Changes states at random and compares both readers. Returns how many were still readable.
fn compare<G: OnWire>(broken: impl Fn(&[u8], &[u8], &mut Random) -> Vec<u8>) -> u64 {
    let good = states::<G>();
    let mut readable = 0;
    for number in 0..runs() / 4 {
        let mut random = Random::new(number);
        let (one, other) = (random.below(good.len()), random.below(good.len()));
        let bytes = broken(&good[one], &good[other], &mut random);
        let Ok(state) = State::decode(bytes.as_slice()) else { continue };

        match read_generally(&state) {
            None => assert!(state.read().is_err(), "run {number}: {bytes:02x?}"),
            Some(read) => {
                assert_eq!(state.read(), read, "run {number}: {bytes:02x?}");
                readable += u64::from(read.is_ok());
            }
        }
    }
    readable
}

#[test]
fn both_readers_agree_on_bytes_changed_at_random() {
    let change = |one: &[u8], other: &[u8], random: &mut Random| {
        fuzz_bytes::changed(one.to_vec(), other, random)
    };

    let readable = compare::<azul::Position>(change) + compare::<pavilion::Position>(change);

    assert!(readable > runs() / 100, "only {readable} states were readable");
}

#[test]
fn both_readers_agree_on_numbers_changed_at_random() {
    let change = |one: &[u8], _: &[u8], random: &mut Random| fuzz_tree::changed(one, random);

    let readable = compare::<azul::Position>(change) + compare::<pavilion::Position>(change);

    assert!(readable > runs() / 10, "only {readable} states were readable");
}

#[test]
fn a_state_that_is_given_twice_is_merged_as_protobuf_says() {
    for state in states::<azul::Position>().iter().chain(&states::<pavilion::Position>()) {
        let twice =
            State::decode([state.as_slice(), state.as_slice()].concat().as_slice()).unwrap();

        assert_eq!(Some(twice.read()), read_generally(&twice));
    }
}
