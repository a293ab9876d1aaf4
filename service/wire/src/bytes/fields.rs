//! The fields of a position, by type, and the table that reads and writes all of them.

use arrayvec::ArrayVec;
use azulejo_rules::parts::{PlayerCount, Seat, SeatSet, TileColor, Tiles};

use super::{Value, Writer};
use crate::shared::seat_number;

/// A field of a position.
pub(crate) trait Field: Sized {
    /// The value of a field that is not in the message.
    const ABSENT: Self;

    /// Reads it. `again`: it is in the message already, which only lists may be.
    fn read(&mut self, value: Value<'_>, again: bool, players: PlayerCount) -> Option<()>;
    fn write(&self, tag: u8, players: PlayerCount, writer: &mut Writer);
}

impl Field for u8 {
    const ABSENT: Self = 0;

    fn read(&mut self, value: Value<'_>, again: bool, _players: PlayerCount) -> Option<()> {
        *self = Self::try_from(value.number()?).ok()?;
        (!again).then_some(())
    }

    fn write(&self, tag: u8, _players: PlayerCount, writer: &mut Writer) {
        writer.number(tag, (*self).into());
    }
}

impl Field for u32 {
    const ABSENT: Self = 0;

    fn read(&mut self, value: Value<'_>, again: bool, _players: PlayerCount) -> Option<()> {
        *self = value.number()?;
        (!again).then_some(())
    }

    fn write(&self, tag: u8, _players: PlayerCount, writer: &mut Writer) {
        writer.number(tag, *self);
    }
}

impl Field for Seat {
    const ABSENT: Self = Self::First;

    fn read(&mut self, value: Value<'_>, again: bool, players: PlayerCount) -> Option<()> {
        *self = Self::try_at(players, value.number()?).ok()?;
        (!again).then_some(())
    }

    fn write(&self, tag: u8, _players: PlayerCount, writer: &mut Writer) {
        writer.number(tag, seat_number(*self));
    }
}

impl Field for SeatSet {
    const ABSENT: Self = Self::NONE;

    fn read(&mut self, value: Value<'_>, again: bool, players: PlayerCount) -> Option<()> {
        let numbers = value.nested()?.bytes();
        let seats = numbers.iter().map(|&number| Seat::try_at(players, number.into()).ok());
        *self = seats.collect::<Option<Self>>()?;
        (!again && numbers.len() <= players.seats()).then_some(())
    }

    fn write(&self, tag: u8, players: PlayerCount, writer: &mut Writer) {
        if !self.is_empty() {
            let seats = players.iter().filter(|&seat| self.holds(seat));
            let seats: ArrayVec<u8, 4> = seats.map(|seat| seat.index() as u8).collect();
            writer.bytes(tag, &seats);
        }
    }
}

impl<C: TileColor> Field for Tiles<C> {
    const ABSENT: Self = Self::EMPTY;

    fn read(&mut self, value: Value<'_>, again: bool, _players: PlayerCount) -> Option<()> {
        *self = value.tiles()?;
        (!again).then_some(())
    }

    fn write(&self, tag: u8, _players: PlayerCount, writer: &mut Writer) {
        writer.tiles(tag, *self);
    }
}

impl<C: TileColor, const N: usize> Field for ArrayVec<Tiles<C>, N> {
    const ABSENT: Self = Self::new_const();

    fn read(&mut self, value: Value<'_>, _again: bool, _players: PlayerCount) -> Option<()> {
        self.try_push(value.tiles()?).ok()
    }

    fn write(&self, tag: u8, _players: PlayerCount, writer: &mut Writer) {
        for &tiles in self {
            writer.tiles(tag, tiles);
        }
    }
}

/// Implements [`OfBytes`](crate::state::OfBytes) for the `Setup` of a game from the numbers of its
/// fields in the proto file: a new field of a state is one line, in `later`.
///
/// The game provides `read_rules`, `write_rules`, `read_phase`, `phase_value`, `read_board` and
/// `write_board`. The phase and how the game ended, or what is due, are two fields of the message;
/// the `holder` of the marker or token is a flag of the boards.
macro_rules! state_encoding {
    (
        phase: $phase:literal,
        $($tag:literal $field:ident,)*
        boards: $boards:literal, holder: $holder:ident,
        detail: $detail:literal,
        later: { $($later_tag:literal $later:ident,)* }
    ) => {
        impl OfBytes for Setup {
            fn of_bytes(bytes: &[u8]) -> Option<Self> {
                let mut reader = Reader::new(bytes);
                let (1, Value::Nested(rules)) = reader.field()? else { return None };
                let rules = read_rules(rules)?;
                let players = rules.players;
                let mut setup = Self {
                    rules,
                    phase: Phase::Deal,
                    boards: ArrayVec::new(),
                    $holder: None,
                    $($field: Field::ABSENT,)*
                    $($later: Field::ABSENT,)*
                };
                let (mut last, mut phase, mut detail) = (1, 0, 0);
                while !reader.is_empty() {
                    let (field, value) = reader.field()?;
                    if field < last {
                        return None;
                    }
                    let again = field == last;
                    last = field;
                    match field {
                        $phase if !again => phase = value.number()?,
                        $($tag => setup.$field.read(value, again, players)?,)*
                        $boards => {
                            let (board, holds) = read_board(value.nested()?)?;
                            if holds {
                                let seat = Seat::try_at(players, setup.boards.len() as u32).ok()?;
                                setup.$holder = setup.$holder.xor(Some(seat));
                                setup.$holder?;
                            }
                            setup.boards.try_push(board).ok()?;
                        }
                        $detail if !again => detail = value.number()?,
                        $($later_tag => setup.$later.read(value, again, players)?,)*
                        _ => return None,
                    }
                }
                setup.phase = read_phase(phase, detail)?;
                let is_complete = setup.round > 0
                    && setup.factories.len() == Factory::of(players).len()
                    && setup.boards.len() == players.seats();
                is_complete.then_some(setup)
            }

            fn to_bytes(&self) -> Vec<u8> {
                // No `..`: a new part of a position must not compile until it is written here.
                let Self { rules, phase, boards, $holder, $($field,)* $($later,)* } = self;
                let mut writer = Writer::new();
                let (phase, detail) = phase_value(*phase);
                writer.nested(1, |writer| write_rules(writer, *rules));
                writer.number($phase, phase);
                $($field.write($tag, rules.players, &mut writer);)*
                for (seat, board) in rules.players.iter().zip(boards) {
                    let holds = *$holder == Some(seat);
                    writer.nested($boards, |writer| write_board(writer, board, holds));
                }
                writer.number($detail, detail);
                $($later.write($later_tag, rules.players, &mut writer);)*
                writer.finish()
            }
        }
    };
}

pub(crate) use state_encoding;
