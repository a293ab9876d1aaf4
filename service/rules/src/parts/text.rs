use arrayvec::ArrayVec;
use thiserror::Error;

use super::{PlayerCount, Seat, Side, TileColor, Tiles};

/// A text that could not be parsed, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("at character {at}: expected {expected}")]
pub struct BadText {
    /// The character at which parsing failed, counted from 1.
    pub at: usize,
    pub expected: &'static str,
}

/// A word of a text, and its position.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    pub text: &'a str,
    /// The character at which it begins, counted from 1.
    pub at: usize,
}

/// A text read word by word.
#[derive(Clone, Debug)]
pub struct Text<'a> {
    rest: &'a str,
    at: usize,
}

impl<'a> Text<'a> {
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { rest: text, at: 1 }
    }

    /// The next word, if there is one.
    pub fn next_word(&mut self) -> Option<Word<'a>> {
        let trimmed = self.rest.trim_start();
        self.at += self.rest[..self.rest.len() - trimmed.len()].chars().count();
        let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        let (word, rest) = trimmed.split_at(end);
        self.rest = rest;
        let at = self.at;
        self.at += word.chars().count();
        (!word.is_empty()).then_some(Word { text: word, at })
    }

    /// The next word; it is an error if the text ends here.
    pub fn word(&mut self, expected: &'static str) -> Result<Word<'a>, BadText> {
        self.next_word().ok_or(BadText { at: self.at, expected })
    }

    /// The next word must be this one.
    pub fn keyword(&mut self, keyword: &'static str) -> Result<(), BadText> {
        let word = self.word(keyword)?;
        if word.text == keyword { Ok(()) } else { Err(word.expected(keyword)) }
    }

    /// The side and the number of players: `colored 2`.
    pub fn table(&mut self) -> Result<(Side, PlayerCount), BadText> {
        const SIDE: &str = "colored or gray";
        const PLAYERS: &str = "2, 3 or 4 players";
        let side = self.word(SIDE)?;
        let side = Side::from_name(side.text).ok_or(side.expected(SIDE))?;
        let players = self.word(PLAYERS)?;
        let count = PlayerCount::of(players.number(PLAYERS)?);
        Ok((side, count.ok_or(players.expected(PLAYERS))?))
    }

    /// A heap of tiles after its name: `bag B17Y2`.
    pub fn heap<C: TileColor>(&mut self, name: &'static str) -> Result<Tiles<C>, BadText> {
        self.keyword(name)?;
        self.word("tiles, or '-' for none")?.tiles()
    }

    /// A seat after its name: `turn 0`.
    pub fn seat(&mut self, name: &'static str) -> Result<Seat, BadText> {
        self.keyword(name)?;
        self.word("a seat")?.seat()
    }

    /// A seat or the center after its name: `marker center`.
    pub fn seat_or_center(&mut self, name: &'static str) -> Result<Option<Seat>, BadText> {
        self.keyword(name)?;
        let word = self.word("center or a seat")?;
        if word.text == "center" { Ok(None) } else { word.seat().map(Some) }
    }

    /// A number after its name: `drawn 20`.
    pub fn number<N: core::str::FromStr>(&mut self, name: &'static str) -> Result<N, BadText> {
        const EXPECTED: &str = "a number in range";
        self.keyword(name)?;
        self.word(EXPECTED)?.number(EXPECTED)
    }

    /// One word, read by `read`, and nothing else.
    pub fn only<T>(
        mut self,
        read: impl FnOnce(Word<'a>) -> Result<T, BadText>,
    ) -> Result<T, BadText> {
        let value = read(self.word("a word")?)?;
        self.end().map(|()| value)
    }

    /// The text must end here.
    pub fn end(&mut self) -> Result<(), BadText> {
        self.next_word().map_or(Ok(()), |word| Err(word.expected("the end")))
    }
}

impl<'a> Word<'a> {
    #[must_use]
    pub fn expected(&self, expected: &'static str) -> BadText {
        BadText { at: self.at, expected }
    }

    /// A part of this word, from character `skip` on.
    #[must_use]
    pub fn part(&self, text: &'a str, skip: usize) -> Self {
        Self { text, at: self.at + skip }
    }

    /// The parts of this word between the separators.
    pub fn parts(self, separator: char) -> impl Iterator<Item = Self> {
        let mut at = self.at;
        self.text.split(separator).map(move |text| {
            let part = Self { text, at };
            at += text.chars().count() + 1;
            part
        })
    }

    pub fn number<N: core::str::FromStr>(&self, expected: &'static str) -> Result<N, BadText> {
        let plain = self.text.bytes().all(|byte| byte.is_ascii_digit());
        self.text.parse().ok().filter(|_| plain).ok_or(self.expected(expected))
    }

    pub fn seat(&self) -> Result<Seat, BadText> {
        const EXPECTED: &str = "a seat, 0 to 3";
        Seat::at(self.number(EXPECTED)?).ok_or(self.expected(EXPECTED))
    }

    /// Heaps of tiles with `/` between them: `BBYR/-/K4`.
    pub fn heaps<C: TileColor, const N: usize>(self) -> Result<ArrayVec<Tiles<C>, N>, BadText> {
        let mut heaps = ArrayVec::new();
        for part in self.parts('/') {
            let full = part.expected("no more heaps of tiles");
            heaps.try_push(part.tiles()?).map_err(|_| full)?;
        }
        Ok(heaps)
    }

    /// Letters, each with an optional count: `BBYR`, `B2YR`, `B17`; `-` means no tiles.
    pub fn tiles<C: TileColor>(&self) -> Result<Tiles<C>, BadText> {
        if self.text == "-" {
            return Ok(Tiles::EMPTY);
        }
        let mut tiles = Tiles::EMPTY;
        let mut letters = self.text.chars().enumerate().peekable();
        while let Some((skip, letter)) = letters.next() {
            let bad = |expected| BadText { at: self.at + skip, expected };
            let color = C::from_letter(letter).ok_or(bad("the letter of a color"))?;
            let mut count = None;
            while let Some(digit) = letters.peek().and_then(|&(_, digit)| digit.to_digit(10)) {
                letters.next();
                count = Some((count.unwrap_or(0) * 10 + digit).min(1_000));
            }
            if count == Some(0) {
                return Err(bad("a count of at least 1 after the letter"));
            }
            let total = u32::from(tiles.count(color)) + count.unwrap_or(1);
            match u8::try_from(total) {
                Ok(total) if total <= C::EACH => tiles.put(color, total - tiles.count(color)),
                _ => return Err(bad("no more tiles of a color than the box holds")),
            }
        }
        if tiles.is_empty() { Err(self.expected("tiles, or '-' for none")) } else { Ok(tiles) }
    }
}
