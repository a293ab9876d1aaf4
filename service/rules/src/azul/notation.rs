//! One line of text for a position and for a move.
//!
//! A position is a list of words, each value after its name:
//! `azul colored 2 round 1/50 offer turn 0 start 0 marker center drawn 20 bag … lid - center -
//! factories B2YR/BYKW/… seat points 0 wall ...../… lines -/-/R2/-/- floor - seat …`.
//! Tiles are letters with counts (B Y R K W), `-` is nothing.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::parts::{BadText, PerSeat, PlayerCount, Side, Source, Text, TileColor, Word};

use super::{
    BadPosition, BoardSetup, Color, Column, Destination, GameEnd, Move, Phase, Position, Row,
    Rules, Setup,
};

/// A text that describes no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadNotation {
    #[error(transparent)]
    Text(#[from] BadText),
    #[error("invalid Azul position: {0}")]
    Position(#[from] BadPosition),
}

/// As at the head of a record: `azul colored 2 limit 50`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { side, players, round_limit } = self;
        write!(f, "azul {side} {} limit {round_limit}", players.seats())
    }
}

impl Rules {
    /// Parses the game, the side and the number of players; the round limit is elsewhere.
    pub(super) fn read(text: &mut Text<'_>) -> Result<(Side, PlayerCount), BadText> {
        text.keyword("azul")?;
        text.table()
    }
}

const PHASE_EXPECTED: &str = "deal, offer, tiling, over:row, over:limit or over:tiles";

impl Phase {
    const ALL: [Self; 6] = [
        Self::Deal,
        Self::Offer,
        Self::Tiling,
        Self::Over(GameEnd::RowCompleted),
        Self::Over(GameEnd::RoundLimit),
        Self::Over(GameEnd::NoTiles),
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Deal => "deal",
            Self::Offer => "offer",
            Self::Tiling => "tiling",
            Self::Over(GameEnd::RowCompleted) => "over:row",
            Self::Over(GameEnd::RoundLimit) => "over:limit",
            Self::Over(GameEnd::NoTiles) => "over:tiles",
        }
    }

    fn read(word: Word<'_>) -> Result<Self, BadText> {
        let found = Self::ALL.into_iter().find(|phase| phase.name() == word.text);
        found.ok_or(word.expected(PHASE_EXPECTED))
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(self).fmt(f)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { side, players, round_limit } = self.rules;
        write!(f, "azul {side} {} round {}/{round_limit}", players.seats(), self.round)?;
        write!(f, " {}", self.phase)?;
        write!(f, " turn {} start {} marker ", self.turn.index(), self.start.index())?;
        match self.marker {
            None => f.write_str("center")?,
            Some(seat) => write!(f, "{}", seat.index())?,
        }
        write!(f, " drawn {} bag {} lid {}", self.drawn, self.bag, self.lid)?;
        write!(f, " center {} factories ", self.center)?;
        for (index, tiles) in self.factories.iter().enumerate() {
            write!(f, "{}{tiles}", if index == 0 { "" } else { "/" })?;
        }
        self.boards.iter().try_for_each(|board| write!(f, " {board}"))
    }
}

impl fmt::Display for BoardSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat points {} wall ", self.points)?;
        for (index, row) in self.wall.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "/" })?;
            for cell in row {
                write!(f, "{}", cell.map_or('.', TileColor::letter))?;
            }
        }
        f.write_str(" lines ")?;
        for (index, line) in self.lines.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "/" })?;
            match line {
                None => f.write_str("-")?,
                Some((color, tiles)) => write!(f, "{}{tiles}", color.letter())?,
            }
        }
        write!(f, " floor {}", self.floor)
    }
}

impl FromStr for Position {
    type Err = BadNotation;

    fn from_str(text: &str) -> Result<Self, BadNotation> {
        Ok(Self::try_from(&text.parse::<Setup>()?)?)
    }
}

impl FromStr for Setup {
    type Err = BadText;

    fn from_str(text: &str) -> Result<Self, BadText> {
        let text = &mut Text::new(text);
        let (side, players) = Rules::read(text)?;
        text.keyword("round")?;
        let (round, round_limit) = read_round(text.word("round/limit")?)?;
        let phase = Phase::read(text.word(PHASE_EXPECTED)?)?;
        let (turn, start) = (text.seat("turn")?, text.seat("start")?);
        let marker = text.seat_or_center("marker")?;
        let drawn = text.number("drawn")?;
        let (bag, lid, center) = (text.heap("bag")?, text.heap("lid")?, text.heap("center")?);
        text.keyword("factories")?;
        let factories = text.word("factory displays")?.heaps()?;
        let mut boards = PerSeat::new();
        for _ in players.iter() {
            boards.push(BoardSetup::read(text)?);
        }
        text.end()?;
        Ok(Self {
            rules: Rules { side, players, round_limit },
            phase,
            round,
            turn,
            start,
            marker,
            bag,
            lid,
            drawn,
            center,
            factories,
            boards,
        })
    }
}

/// `3/50`: the round and the last one that may be played.
fn read_round(word: Word<'_>) -> Result<(u8, u8), BadText> {
    const EXPECTED: &str = "round/limit, like 1/50";
    let mut numbers = word.parts('/').map(|part| part.number(EXPECTED));
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(round), Some(limit), None) => Ok((round?, limit?)),
        _ => Err(word.expected(EXPECTED)),
    }
}

impl BoardSetup {
    fn read(text: &mut Text<'_>) -> Result<Self, BadText> {
        text.keyword("seat")?;
        let points = text.number("points")?;
        text.keyword("wall")?;
        let wall = five(text.word(WALL_EXPECTED)?, WALL_EXPECTED, read_wall_row)?;
        text.keyword("lines")?;
        let lines = five(text.word(LINES_EXPECTED)?, LINES_EXPECTED, read_line)?;
        let floor = text.heap("floor")?;
        Ok(Self { points, wall, lines, floor })
    }
}

const WALL_EXPECTED: &str = "five rows of a wall with '/' between them";
const LINES_EXPECTED: &str = "five pattern lines with '/' between them";

fn five<T: Default + Copy>(
    word: Word<'_>,
    expected: &'static str,
    read: impl Fn(Word<'_>) -> Result<T, BadText>,
) -> Result<[T; 5], BadText> {
    let mut all = [T::default(); 5];
    let mut parts = word.parts('/');
    for one in &mut all {
        *one = read(parts.next().ok_or(word.expected(expected))?)?;
    }
    parts.next().map_or(Ok(all), |extra| Err(extra.expected(expected)))
}

fn read_wall_row(word: Word<'_>) -> Result<[Option<Color>; 5], BadText> {
    let mut row = [None; 5];
    let mut letters = word.text.chars().enumerate();
    for cell in &mut row {
        let (skip, letter) = letters.next().ok_or(word.expected("five cells"))?;
        let bad = BadText { at: word.at + skip, expected: "'.' or the letter of a color" };
        *cell = if letter == '.' { None } else { Some(Color::from_letter(letter).ok_or(bad)?) };
    }
    if letters.next().is_some() { Err(word.expected("five cells")) } else { Ok(row) }
}

/// `-`, or a color with its number of tiles: `R2`.
fn read_line(word: Word<'_>) -> Result<Option<(Color, u8)>, BadText> {
    const EXPECTED: &str = "'-' or a color with a number of tiles, like R2";
    if word.text == "-" {
        return Ok(None);
    }
    let mut letters = word.text.chars();
    let color = letters.next().and_then(Color::from_letter).ok_or(word.expected(EXPECTED))?;
    Ok(Some((color, word.part(letters.as_str(), 1).number(EXPECTED)?)))
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Take { source, color, destination: Destination::Line(row) } => {
                write!(f, "{source}{}{}", color.letter(), row.spaces())
            }
            Self::Take { source, color, destination: Destination::Floor } => {
                write!(f, "{source}{}f", color.letter())
            }
            Self::PlaceTile { row, column } => {
                write!(f, "r{}c{}", row.spaces(), column.index() + 1)
            }
        }
    }
}

impl FromStr for Move {
    type Err = BadText;

    fn from_str(text: &str) -> Result<Self, BadText> {
        Text::new(text).only(Self::read)
    }
}

impl Move {
    pub(super) fn read(word: Word<'_>) -> Result<Self, BadText> {
        let mut letters = word.text.chars().enumerate();
        let mut next = |expected| {
            let end = BadText { at: word.at + word.text.chars().count(), expected };
            letters
                .next()
                .ok_or(end)
                .map(|(skip, letter)| (letter, BadText { at: word.at + skip, expected }))
        };
        let (first, bad) = next("a source (c, 1 to 9) or a placement like r3c5")?;
        let action = if first == 'r' {
            let (row, bad_row) = next("a row, 1 to 5")?;
            let (c, bad_c) = next("c and a column")?;
            let (column, bad_column) = next("a column, 1 to 5")?;
            let row = from_1(row).and_then(Row::at).ok_or(bad_row)?;
            let column = from_1(column).and_then(Column::at).ok_or(bad_column)?;
            if c != 'c' {
                return Err(bad_c);
            }
            Self::PlaceTile { row, column }
        } else {
            let source = Source::from_letter(first).ok_or(bad)?;
            let (color, bad_color) = next("the letter of a color")?;
            let color = Color::from_letter(color).ok_or(bad_color)?;
            let (to, bad_to) = next("a pattern line, 1 to 5, or f for the floor line")?;
            let destination = match to {
                'f' => Destination::Floor,
                line => Destination::Line(from_1(line).and_then(Row::at).ok_or(bad_to)?),
            };
            Self::Take { source, color, destination }
        };
        match letters.next() {
            None => Ok(action),
            Some((skip, _)) => Err(BadText { at: word.at + skip, expected: "the end of the move" }),
        }
    }
}

/// A digit that counts from 1, as a number that counts from 0.
fn from_1(digit: char) -> Option<usize> {
    (digit.to_digit(10)? as usize).checked_sub(1)
}
