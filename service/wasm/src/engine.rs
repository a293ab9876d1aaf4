//! Everything that one instance of the module owns.

use std::cell::RefCell;
use std::str::FromStr;

use azulejo_play::{Chance, Game, HouseBot, PlayError};

use crate::Failure;
use crate::batches::Table;
use crate::slab::Slab;

/// The most bytes of one input.
const MOST_INPUT: usize = 1 << 26;
/// No list of legal moves, mask or observation is longer.
const LONGEST: usize = 2048;

/// Everything that one instance of the module owns. The host writes `input` and reads the others.
#[derive(Debug)]
pub struct Engine {
    pub(crate) games: Slab<Game>,
    pub(crate) batches: Slab<Table>,
    input: Vec<u8>,
    /// Texts, numbers of variable length, and errors.
    pub(crate) output: Vec<u8>,
    /// At fixed addresses, so that a host need not ask for them.
    pub(crate) legal: Vec<u16>,
    pub(crate) mask: Vec<u8>,
    pub(crate) raw: Vec<u8>,
    pub(crate) scaled: Vec<f32>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new());
}

/// Calls the engine. A failure becomes `-1`, and its JSON the output.
#[inline]
pub(crate) fn call(run: impl FnOnce(&mut Engine) -> Result<u32, Failure>) -> i32 {
    ENGINE.with(|engine| {
        // Only the host's clock is called from inside; a host must not call back.
        let Ok(mut engine) = engine.try_borrow_mut() else { return -1 };
        match run(&mut engine) {
            Ok(value) => value.cast_signed(),
            Err(failure) => {
                engine.output = failure.json();
                -1
            }
        }
    })
}

/// The engine of this thread, for tests.
#[cfg(test)]
pub(crate) fn read<T>(look: impl FnOnce(&mut Engine) -> T) -> T {
    ENGINE.with_borrow_mut(look)
}

impl Engine {
    fn new() -> Self {
        #[cfg(target_family = "wasm")]
        azulejo_play::clock::replace(crate::exports::clock);
        Self {
            games: Slab::default(),
            batches: Slab::default(),
            input: vec![0; LONGEST],
            output: Vec::new(),
            legal: vec![0; LONGEST],
            mask: vec![0; LONGEST],
            raw: vec![0; LONGEST],
            scaled: vec![0.0; LONGEST],
        }
    }

    /// The address of the input, which has at least this many bytes.
    pub fn make_room(&mut self, bytes: u32) -> Result<u32, Failure> {
        let bytes = bytes as usize;
        if bytes > self.input.len() {
            let more = bytes - self.input.len();
            if bytes > MOST_INPUT || self.input.try_reserve(more).is_err() {
                return Err(Failure::OutOfMemory { bytes });
            }
            self.input.resize(bytes, 0);
        }
        Ok(address(&self.input))
    }

    #[cfg(test)]
    pub(crate) fn input(&mut self) -> &mut [u8] {
        &mut self.input
    }

    /// The first bytes of the input.
    pub(crate) fn bytes(&self, length: u32) -> Result<&[u8], Failure> {
        let size = self.input.len();
        self.input.get(..length as usize).ok_or(Failure::Input { length, size })
    }

    /// The first bytes of the input, as text.
    pub(crate) fn text(&self, length: u32) -> Result<&str, Failure> {
        std::str::from_utf8(self.bytes(length)?).map_err(|_| Failure::NotText)
    }

    /// Where the host finds: output, its length, legal moves, mask, raw and scaled observation.
    #[must_use]
    pub fn place(&self, which: u32) -> u32 {
        match which {
            0 => address(&self.output),
            1 => small(self.output.len()),
            2 => address(&self.legal),
            3 => address(&self.mask),
            4 => address(&self.raw),
            5 => address(&self.scaled),
            _ => 0,
        }
    }

    pub(crate) fn write(&mut self, output: impl Into<Vec<u8>>) -> u32 {
        self.output = output.into();
        small(self.output.len())
    }

    pub(crate) fn game(&self, game: u32) -> Result<&Game, Failure> {
        self.games.get(game).ok_or(Failure::Handle(game))
    }

    #[inline]
    pub(crate) fn game_mut(&mut self, game: u32) -> Result<&mut Game, Failure> {
        self.games.get_mut(game).ok_or(Failure::Handle(game))
    }

    pub(crate) fn add_game(&mut self, game: Game) -> Result<u32, Failure> {
        self.games.insert(game).ok_or(Failure::TooMany("games"))
    }

    /// Games and batches that were not freed.
    #[must_use]
    pub fn living(&self) -> u32 {
        small(self.games.count() + self.batches.count())
    }
}

/// A number that is known to be small.
pub(crate) fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// An address inside the module's memory, which has 32 bits.
pub(crate) fn address<T>(items: &[T]) -> u32 {
    small(items.as_ptr().addr())
}

/// Lines of options in a fixed order. An empty line is the default.
#[derive(Debug)]
pub(crate) struct Options<'a>(std::str::Split<'a, char>);

impl<'a> Options<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        Self(text.split('\n'))
    }

    pub(crate) fn text(&mut self) -> &'a str {
        self.0.next().unwrap_or_default()
    }

    /// A number; `None` if the line is empty.
    pub(crate) fn number<T: FromStr>(&mut self, what: &'static str) -> Result<Option<T>, Failure> {
        let text = self.text();
        if text.is_empty() {
            return Ok(None);
        }
        text.parse().map(Some).map_err(|_| unknown(what, text, "a number in range"))
    }

    /// A value whose type has its own errors; `None` if the line is empty.
    pub(crate) fn read<T: FromStr<Err = PlayError>>(&mut self) -> Result<Option<T>, Failure> {
        let text = self.text();
        if text.is_empty() { Ok(None) } else { Ok(Some(text.parse()?)) }
    }

    /// A seat; `None` if the line is empty. A number of no seat is refused as such, not as a text.
    pub(crate) fn seat<T: FromStr>(
        &mut self,
        expected: &'static str,
    ) -> Result<Option<T>, Failure> {
        let text = self.text();
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            _ if text.is_empty() => Ok(None),
            Ok(seat) => Ok(Some(seat)),
            Err(_) if is_number => Err(Failure::NoSuchSeat(text.to_owned())),
            Err(_) => Err(unknown("seat", text, expected)),
        }
    }

    pub(crate) fn chance(&mut self) -> Result<Chance, Failure> {
        let text = self.text();
        let expected = "auto:NUMBER, seed:NUMBER, seed:HEXADECIMAL or explicit";
        match text.split_once(':') {
            None if text == "explicit" => Ok(Chance::Explicit),
            Some(("auto", number)) => number
                .parse()
                .map(Chance::numbered)
                .map_err(|_| unknown("seed", number, "a number from 0 to 2^64 - 1")),
            Some(("seed", seed)) => Ok(Chance::seed(seed)?),
            None | Some(_) => Err(unknown("chance", text, expected)),
        }
    }
}

pub(crate) fn bot(name: &str) -> Result<HouseBot, Failure> {
    let expected = "random, greedy, strong, strong:MILLISECONDS or strong:ITERATIONSn";
    name.parse().map_err(|_| unknown("bot", name, expected))
}

fn unknown(what: &'static str, value: &str, expected: &'static str) -> Failure {
    PlayError::Unknown { what, value: value.to_owned(), expected }.into()
}

/// Fails instead of ending the instance if this much memory is not left.
pub(crate) fn check_memory(bytes: usize) -> Result<(), Failure> {
    let mut probe = Vec::<u8>::new();
    probe.try_reserve_exact(bytes).map_err(|_| Failure::OutOfMemory { bytes })?;
    // Not removed by the optimiser.
    std::hint::black_box(&probe);
    Ok(())
}
