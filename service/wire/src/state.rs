//! An encoded state: which game, and the bytes of its message.

use azulejo_rules::{azul, pavilion};
use prost::bytes::{Buf, BufMut};
use prost::encoding::{
    DecodeContext, WireType, check_wire_type, decode_varint, encode_key, encode_varint,
    encoded_len_varint, key_len, skip_field,
};
use prost::{DecodeError, Message};

use crate::game::v1 as pb;
use crate::{BadField, Problem};

/// The largest state that is decoded, many times what the writer writes: the general decoder would
/// build lists of any length.
const MOST_BYTES: usize = 16 * 1024;

/// `azulejo.game.v1.GameState` whose game is not decoded yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    game: Option<(Game, Vec<u8>)>,
}

/// The game, numbered like its field in `GameState`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Game {
    Azul = 1,
    SummerPavilion = 2,
}

/// A position as a client sent it. The rules have not checked it yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    Azul(azul::Setup),
    SummerPavilion(pavilion::Setup),
}

impl State {
    /// Reads the position; paths begin inside the state.
    pub fn read(&self) -> Result<Position, BadField> {
        let (game, bytes) = self.game.as_ref().ok_or_else(|| BadField::missing("game"))?;
        let (found, most) = (bytes.len(), MOST_BYTES);
        if found > most {
            return Err(BadField::new("", Problem::TooLong { found, most }));
        }
        match game {
            Game::Azul => {
                let setup = azul::Setup::of_bytes(bytes)
                    .map_or_else(|| decode::<pb::AzulState>(bytes)?.try_into(), Ok::<_, BadField>);
                setup.map(Position::Azul).map_err(|bad| bad.within("azul"))
            }
            Game::SummerPavilion => {
                let setup = pavilion::Setup::of_bytes(bytes).map_or_else(
                    || decode::<pb::SummerPavilionState>(bytes)?.try_into(),
                    Ok::<_, BadField>,
                );
                setup.map(Position::SummerPavilion).map_err(|bad| bad.within("summer_pavilion"))
            }
        }
    }

    /// The decoded message.
    pub fn message(&self) -> Result<pb::GameState, DecodeError> {
        pb::GameState::decode(self.encode_to_vec().as_slice())
    }
}

/// The general decoder, for states that the fast one declines.
fn decode<M: Message + Default>(bytes: &[u8]) -> Result<M, BadField> {
    M::decode(bytes).map_err(|_| BadField::new("", Problem::NoMessage))
}

/// The fast encoding of a position. A trait, because the types belong to the crate of the rules.
pub(crate) trait OfBytes: Sized {
    /// The position, if the bytes have the form that `to_bytes` writes.
    fn of_bytes(bytes: &[u8]) -> Option<Self>;
    fn to_bytes(&self) -> Vec<u8>;
}

impl From<&azul::Position> for State {
    fn from(position: &azul::Position) -> Self {
        Self { game: Some((Game::Azul, azul::Setup::from(position).to_bytes())) }
    }
}

impl From<&pavilion::Position> for State {
    fn from(position: &pavilion::Position) -> Self {
        Self { game: Some((Game::SummerPavilion, pavilion::Setup::from(position).to_bytes())) }
    }
}

impl From<pb::GameState> for State {
    fn from(message: pb::GameState) -> Self {
        let game = message.game.map(|game| match game {
            pb::game_state::Game::Azul(state) => (Game::Azul, state.encode_to_vec()),
            pb::game_state::Game::SummerPavilion(state) => {
                (Game::SummerPavilion, state.encode_to_vec())
            }
        });
        Self { game }
    }
}

/// The bytes of a field. Copies them once; the general decoder would copy twice.
fn read_bytes(
    wire_type: WireType,
    buf: &mut impl Buf,
    ctx: DecodeContext,
) -> Result<Vec<u8>, DecodeError> {
    check_wire_type(WireType::LengthDelimited, wire_type)?;
    let length = decode_varint(buf)?;
    let mut bytes = Vec::new();
    match usize::try_from(length).ok().filter(|&length| length <= buf.remaining()) {
        Some(length) => {
            bytes.reserve_exact(length);
            bytes.put(buf.take(length));
        }
        // Only the general decoder can make the error for missing bytes: a length of 1 and no bytes.
        None => prost::encoding::bytes::merge(wire_type, &mut bytes, &mut [1].as_slice(), ctx)?,
    }
    Ok(bytes)
}

impl Message for State {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        if let Some((game, bytes)) = &self.game {
            encode_key(*game as u32, WireType::LengthDelimited, buf);
            encode_varint(bytes.len() as u64, buf);
            buf.put_slice(bytes);
        }
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        let found = match tag {
            1 => Game::Azul,
            2 => Game::SummerPavilion,
            _ => return skip_field(wire_type, tag, buf, ctx),
        };
        let mut bytes = read_bytes(wire_type, buf, ctx)?;
        // Protobuf merges repeated messages, which is the same as concatenating their bytes.
        if let Some((game, mut before)) = self.game.take().filter(|&(game, _)| game == found) {
            before.append(&mut bytes);
            self.game = Some((game, before));
            return Ok(());
        }
        self.game = Some((found, bytes));
        Ok(())
    }

    fn encoded_len(&self) -> usize {
        self.game.as_ref().map_or(0, |(game, bytes)| {
            key_len(*game as u32) + encoded_len_varint(bytes.len() as u64) + bytes.len()
        })
    }

    fn clear(&mut self) {
        self.game = None;
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use azulejo_rules::parts::{PlayerCount, Seat, Seed, Seeded, Side};

    use super::{OfBytes, azul, pavilion};

    fn assert_read<S: OfBytes + PartialEq + Debug>(setup: &S) {
        assert_eq!(S::of_bytes(&setup.to_bytes()).as_ref(), Some(setup));
    }

    /// The general decoder would hide a failure: it reads them too, but slowly.
    #[test]
    fn the_fast_reader_reads_every_state_that_the_writer_writes() {
        let seed = Seed::from_number(7);
        let sides = Side::ALL.into_iter();
        let rules = sides.flat_map(|side| PlayerCount::ALL.map(|players| (side, players)));
        for (side, players) in rules {
            let mut position = azul::Position::new(azul::Rules::new(side, players), Seat::First);
            while position.end().is_none() {
                position.deal_all(&mut Seeded(&seed), &mut ());
                assert_read(&azul::Setup::from(&position));
                position.play(position.legal_moves()[0], &mut ()).unwrap();
                assert_read(&azul::Setup::from(&position));
            }
            let rules = pavilion::Rules::new(side, players);
            let mut position = pavilion::Position::new(rules, Seat::First);
            while position.end().is_none() {
                position.deal_all(&mut Seeded(&seed), &mut ());
                assert_read(&pavilion::Setup::from(&position));
                position.play(position.legal_moves()[0], &mut ()).unwrap();
                assert_read(&pavilion::Setup::from(&position));
            }
        }
    }
}
