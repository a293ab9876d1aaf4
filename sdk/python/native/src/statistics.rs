//! Playouts, counted.

use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use azulejo_play::{Game as Play, HouseBot, PlayError, Start, Statistics, playouts_in};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::arguments::{self, Whole};
use crate::error::{raise, wrong_type};

/// Threads that one call may start.
const MOST_THREADS: usize = 1_024;
const MOST_GAMES: usize = 100_000_000;
/// Slices of which a single look at signals is made.
const MOST_SLICES: usize = 16;

/// Plays games between house bots and returns their statistics.
///
/// `bots` play the seats in turn, a single one plays all: "random", "greedy", "strong:100n", … The
/// result depends on the seed, not on the number of threads (except for bots that think for a time).
/// Ctrl-C ends it within seconds, and with "strong" after the games that are being played.
///
/// >>> import azulejo
/// >>> played = azulejo.playouts("azul-colored-2", 200, ["greedy", "random"], seed=1)
/// >>> played.games, played.wins[0] > played.wins[1]
/// (200, True)
#[pyfunction]
#[pyo3(signature = (ruleset, games=Whole::Small(1_000), bots=None, *, seed=None, threads=Whole::Small(1)),
    text_signature = "(ruleset, games=1000, bots=None, *, seed=None, threads=1)")]
pub(crate) fn playouts<'py>(
    py: Python<'py>,
    ruleset: &str,
    games: Whole,
    bots: Option<&Bound<'py, PyAny>>,
    seed: Option<&Bound<'py, PyAny>>,
    threads: Whole,
) -> PyResult<Bound<'py, PyAny>> {
    let start = Start { chance: azulejo_play::Chance::Explicit, seat: 0 };
    let game = Play::new(ruleset, start).map_err(raise)?;
    of(py, &game, games, bots, seed, threads)
}

pub(crate) fn of<'py>(
    py: Python<'py>,
    start: &Play,
    games: Whole,
    bots: Option<&Bound<'py, PyAny>>,
    seed: Option<&Bound<'py, PyAny>>,
    threads: Whole,
) -> PyResult<Bound<'py, PyAny>> {
    let seats = start.players();
    let bots = bots.map_or_else(|| Ok(vec![HouseBot::Random]), |bots| read_bots(bots, seats))?;
    let seed = arguments::number(seed)?;
    let games = games.to("the number of games", MOST_GAMES)?;
    let threads = threads.to("the number of threads", MOST_THREADS)?.max(1);
    let playouts = Playouts { start, bots: &bots, seed, threads };
    let played = playouts.play(py, games)?;
    let names: Vec<String> = bots.iter().map(ToString::to_string).collect();
    let arguments = (
        start.ruleset().key(),
        names,
        seats,
        PyBytes::new_with(py, played.scores.len(), |to| copy(&played.scores, to))?,
        PyBytes::new_with(py, played.ranks.len(), |to| copy(&played.ranks, to))?,
        PyBytes::new_with(py, played.lengths.len(), |to| copy(&played.lengths, to))?,
        PyBytes::new_with(py, played.rounds.len(), |to| copy(&played.rounds, to))?,
    );
    py.import("azulejo.statistics")?.getattr("Statistics")?.call_method1("of", arguments)
}

#[expect(clippy::unnecessary_wraps, reason = "as `PyBytes::new_with` wants it")]
fn copy(from: &[u8], to: &mut [u8]) -> PyResult<()> {
    to.copy_from_slice(from);
    Ok(())
}

/// Games that are played in slices, with a look at signals after each.
struct Playouts<'a> {
    start: &'a Play,
    bots: &'a [HouseBot],
    seed: u64,
    threads: usize,
}

/// The numbers of many games, as bytes.
#[derive(Default)]
struct Played {
    scores: Vec<u8>,
    ranks: Vec<u8>,
    lengths: Vec<u8>,
    rounds: Vec<u8>,
}

impl Playouts<'_> {
    fn play(&self, py: Python<'_>, games: usize) -> PyResult<Played> {
        /// Games that a thread plays in less than a second.
        const RANDOM: usize = 4_096;
        const GREEDY: usize = 256;
        let slow = self.bots.iter().any(|bot| matches!(bot, HouseBot::Strong { .. }));
        let random = self.bots.iter().all(|bot| *bot == HouseBot::Random);
        let each = if random { RANDOM } else { GREEDY };
        let slice = if slow { self.threads } else { each * self.threads.min(MOST_SLICES) };
        let mut played = Played::default();
        let mut first = 0;
        // Zero games are refused.
        while first < games || games == 0 {
            let games = first..games.min(first + slice);
            first = games.end;
            for part in py.detach(|| self.slice(games, slow)) {
                played.append(&part.map_err(raise)?)?;
            }
            py.check_signals()?;
        }
        Ok(played)
    }

    /// A thread for each game, if one takes long.
    fn slice(&self, games: Range<usize>, slow: bool) -> Vec<Result<Statistics, PlayError>> {
        let Self { start, bots, seed, threads } = *self;
        if !slow || games.len() < 2 {
            return vec![playouts_in(start, games, bots, seed, threads)];
        }
        let one = move |game: usize| playouts_in(start, game..game + 1, bots, seed, 1);
        thread::scope(|scope| {
            let running: Vec<_> = games
                .map(|game| {
                    let builder = thread::Builder::new();
                    builder.spawn_scoped(scope, move || one(game)).map_err(|_| game)
                })
                .collect();
            let end = |thread: Result<thread::ScopedJoinHandle<'_, _>, usize>| match thread {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                // Without another thread, this one plays the game.
                Err(game) => one(game),
            };
            running.into_iter().map(end).collect()
        })
    }
}

impl Played {
    fn append(&mut self, part: &Statistics) -> PyResult<()> {
        extend(&mut self.scores, part.scores.iter().map(|score| score.to_ne_bytes()))?;
        extend(&mut self.ranks, part.ranks.iter().map(|&rank| [rank]))?;
        extend(&mut self.lengths, part.lengths.iter().map(|length| length.to_ne_bytes()))?;
        extend(&mut self.rounds, part.rounds.iter().map(|&round| [round]))
    }
}

/// Appends numbers, or raises `MemoryError`.
fn extend<const N: usize>(
    bytes: &mut Vec<u8>,
    numbers: impl ExactSizeIterator<Item = [u8; N]>,
) -> PyResult<()> {
    bytes.try_reserve(numbers.len() * N).map_err(|_| PyMemoryError::new_err(()))?;
    bytes.extend(numbers.flatten());
    Ok(())
}

/// The name of one bot, or a list of names.
fn read_bots(given: &Bound<'_, PyAny>, seats: usize) -> PyResult<Vec<HouseBot>> {
    const WRONG: &str = "bots is a list of names of house bots";
    if let Ok(name) = given.cast::<PyString>() {
        return Ok(vec![arguments::house_bot(&name.to_string_lossy())?]);
    }
    let too_many = |found| {
        let (what, least) = ("the number of bots", 1);
        raise(PlayError::OutOfRange { what, least, most: seats, found })
    };
    let read = |name: &Bound<'_, PyAny>| match name.cast::<PyString>() {
        Ok(name) => arguments::house_bot(&name.to_string_lossy()),
        Err(_) => Err(wrong_type(WRONG)),
    };
    arguments::list(given, seats, too_many, read, WRONG)
}
