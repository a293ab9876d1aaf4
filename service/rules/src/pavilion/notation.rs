//! One line of text for a position and for a move.
//!
//! A position is a list of words, each value after its name:
//! `summer-pavilion colored 2 round 1 acquire turn 0 start 0 token center passed - drawn 30 bag …
//! tower - supply … center - factories BG2P/… seat points 5 hand - stars ....../.RR.../… seat …`.
//! Tiles are letters with counts (O R B Y G P), `-` is nothing; stars stand clockwise from the
//! orange one with the center last, each with its spaces 1 to 6.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::parts::{BadText, PerSeat, Seat, SeatSet, Source, Text, TileColor, Word};

use super::{
    BadPosition, BoardSetup, Color, MOST_BONUS_TILES, Move, Phase, Position, Rules, Setup, Space,
    Star,
};

/// A text that describes no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadNotation {
    #[error(transparent)]
    Text(#[from] BadText),
    #[error("invalid Summer Pavilion position: {0}")]
    Position(#[from] BadPosition),
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { side, players } = self;
        write!(f, "summer-pavilion {side} {}", players.seats())
    }
}

impl Rules {
    pub(super) fn read(text: &mut Text<'_>) -> Result<Self, BadText> {
        text.keyword("summer-pavilion")?;
        text.table().map(|(side, players)| Self { side, players })
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Deal => "deal",
            Self::Acquire => "acquire",
            Self::Play => "play",
            Self::Bonus { due } => return write!(f, "bonus:{due}"),
            Self::Keep => "keep",
            Self::TopUp => "top-up",
            Self::Over => "over",
        })
    }
}

const PHASE_EXPECTED: &str = "deal, acquire, play, bonus:1 to bonus:3, keep, top-up or over";

impl Phase {
    fn read(word: Word<'_>) -> Result<Self, BadText> {
        Ok(match word.text {
            "deal" => Self::Deal,
            "acquire" => Self::Acquire,
            "play" => Self::Play,
            "keep" => Self::Keep,
            "top-up" => Self::TopUp,
            "over" => Self::Over,
            other => (1..=MOST_BONUS_TILES)
                .zip(["bonus:1", "bonus:2", "bonus:3"])
                .find(|&(_, name)| name == other)
                .map(|(due, _)| Self::Bonus { due })
                .ok_or(word.expected(PHASE_EXPECTED))?,
        })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(self).fmt(f)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} round {} {}", self.rules, self.round, self.phase)?;
        write!(f, " turn {} start {} token ", self.turn.index(), self.start.index())?;
        match self.token {
            None => f.write_str("center")?,
            Some(seat) => write!(f, "{}", seat.index())?,
        }
        f.write_str(if self.passed.is_empty() { " passed -" } else { " passed " })?;
        for seat in Seat::ALL.into_iter().filter(|&seat| self.passed.holds(seat)) {
            write!(f, "{}", seat.index())?;
        }
        write!(f, " drawn {} bag {} tower {}", self.drawn, self.bag, self.tower)?;
        write!(f, " supply {} center {} factories ", self.supply, self.center)?;
        for (index, tiles) in self.factories.iter().enumerate() {
            write!(f, "{}{tiles}", if index == 0 { "" } else { "/" })?;
        }
        self.boards.iter().try_for_each(|board| write!(f, " {board}"))
    }
}

impl fmt::Display for BoardSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat points {} hand {} stars ", self.points, self.hand)?;
        for (index, star) in self.stars.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "/" })?;
            for tile in star {
                write!(f, "{}", tile.map_or('.', TileColor::letter))?;
            }
        }
        Ok(())
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
        let rules = Rules::read(text)?;
        let round = text.number("round")?;
        let phase = Phase::read(text.word(PHASE_EXPECTED)?)?;
        let (turn, start) = (text.seat("turn")?, text.seat("start")?);
        let token = text.seat_or_center("token")?;
        text.keyword("passed")?;
        let passed = read_passed(text.word("seats, or '-' for none")?)?;
        let drawn = text.number("drawn")?;
        let (bag, tower) = (text.heap("bag")?, text.heap("tower")?);
        let (supply, center) = (text.heap("supply")?, text.heap("center")?);
        text.keyword("factories")?;
        let factories = text.word("factory displays")?.heaps()?;
        let mut boards = PerSeat::new();
        for _ in rules.players.iter() {
            boards.push(BoardSetup::read(text)?);
        }
        text.end()?;
        Ok(Self {
            rules,
            phase,
            round,
            turn,
            start,
            token,
            passed,
            bag,
            tower,
            drawn,
            supply,
            center,
            factories,
            boards,
        })
    }
}

/// `-`, or the seats in order: `02`.
fn read_passed(word: Word<'_>) -> Result<SeatSet, BadText> {
    const EXPECTED: &str = "'-' or seats in order, like 02";
    if word.text == "-" {
        return Ok(SeatSet::NONE);
    }
    let mut least = 0;
    let mut passed = SeatSet::NONE;
    for (skip, digit) in word.text.chars().enumerate() {
        let number = digit.to_digit(10).filter(|&number| number >= least);
        let seat = number.and_then(|number| Seat::at(number as usize));
        let bad = BadText { at: word.at + skip, expected: EXPECTED };
        passed.insert(seat.ok_or(bad)?);
        least = number.ok_or(bad)? + 1;
    }
    Ok(passed)
}

impl BoardSetup {
    fn read(text: &mut Text<'_>) -> Result<Self, BadText> {
        const EXPECTED: &str = "seven stars with '/' between them";
        text.keyword("seat")?;
        let (points, hand) = (text.number("points")?, text.heap("hand")?);
        text.keyword("stars")?;
        let word = text.word(EXPECTED)?;
        let mut parts = word.parts('/');
        let mut stars = [[None; 6]; 7];
        for star in &mut stars {
            *star = read_star(parts.next().ok_or(word.expected(EXPECTED))?)?;
        }
        match parts.next() {
            None => Ok(Self { points, hand, stars }),
            Some(extra) => Err(extra.expected(EXPECTED)),
        }
    }
}

fn read_star(word: Word<'_>) -> Result<[Option<Color>; 6], BadText> {
    let mut star = [None; 6];
    let mut letters = word.text.chars().enumerate();
    for tile in &mut star {
        let (skip, letter) = letters.next().ok_or(word.expected("six spaces"))?;
        let bad = BadText { at: word.at + skip, expected: "'.' or the letter of a color" };
        *tile = if letter == '.' { None } else { Some(Color::from_letter(letter).ok_or(bad)?) };
    }
    if letters.next().is_some() { Err(word.expected("six spaces")) } else { Ok(star) }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Take { source, color } => write!(f, "{source}{}", color.letter()),
            Self::Place { star, space, color, naturals } => {
                let (star, space, color) = (star.letter(), space.number(), color.letter());
                write!(f, "{star}{space}:{color}{naturals}")
            }
            Self::TakeBonus(tiles) => write!(f, "+{tiles}"),
            Self::Pass => f.write_str("pass"),
            Self::Keep(tiles) => write!(f, "={tiles}"),
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
        if word.text == "pass" {
            return Ok(Self::Pass);
        }
        if let Some(tiles) = word.text.strip_prefix('+') {
            return word.part(tiles, 1).tiles().map(Self::TakeBonus);
        }
        if let Some(tiles) = word.text.strip_prefix('=') {
            return word.part(tiles, 1).tiles().map(Self::Keep);
        }
        if word.text.contains(':') { Self::read_place(word) } else { Self::read_take(word) }
    }

    fn read_take(word: Word<'_>) -> Result<Self, BadText> {
        const EXPECTED: &str = "a move: 3G, R3:R2, +BP, =BP3 or pass";
        let mut letters = word.text.chars();
        let source = letters.next().and_then(Source::from_letter).ok_or(word.expected(EXPECTED))?;
        let color = letters.next().and_then(Color::from_letter);
        let bad = |skip, expected| BadText { at: word.at + skip, expected };
        let color = color.ok_or(bad(1, "the letter of a color"))?;
        match letters.next() {
            None => Ok(Self::Take { source, color }),
            Some(_) => Err(bad(2, "the end of the move")),
        }
    }

    fn read_place(word: Word<'_>) -> Result<Self, BadText> {
        let mut letters = word.text.chars().enumerate();
        let mut next = |expected| {
            let end = BadText { at: word.at + word.text.chars().count(), expected };
            let letter = letters.next();
            letter
                .ok_or(end)
                .map(|(skip, letter)| (letter, BadText { at: word.at + skip, expected }))
        };
        let (star, bad_star) = next("the letter of a star, C for the center")?;
        let (space, bad_space) = next("a space, 1 to 6")?;
        let (colon, bad_colon) = next("':' between space and tiles")?;
        let (color, bad_color) = next("the letter of a color")?;
        let (naturals, bad_naturals) = next("a number of tiles, 1 to 6")?;
        let number = |digit: char| digit.to_digit(7).filter(|&number| number > 0);
        let star = Star::from_letter(star).ok_or(bad_star)?;
        let space = number(space).and_then(|number| Space::at(number as usize - 1));
        let space = space.ok_or(bad_space)?;
        if colon != ':' {
            return Err(bad_colon);
        }
        let color = Color::from_letter(color).ok_or(bad_color)?;
        let naturals = number(naturals).ok_or(bad_naturals)? as u8;
        match letters.next() {
            None => Ok(Self::Place { star, space, color, naturals }),
            Some((skip, _)) => Err(BadText { at: word.at + skip, expected: "the end of the move" }),
        }
    }
}
