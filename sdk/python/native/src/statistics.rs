//! Playouts, counted.

use azulejo_play::{Game as Play, HouseBot, Start};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::arguments;
use crate::error::{raise, wrong_type};

/// Threads that one call may start.
const MOST_THREADS: usize = 1_024;
const MOST_GAMES: usize = 100_000_000;

/// Plays games between house bots and returns their statistics.
///
/// `bots` play the seats in turn, a single one plays all: "random", "greedy", "strong:100n", … The
/// result depends on the seed, not on the number of threads (except for bots that think for a time).
///
/// >>> import azulejo
/// >>> played = azulejo.playouts("azul-colored-2", 200, ["greedy", "random"], seed=1)
/// >>> played.games, played.wins[0] > played.wins[1]
/// (200, True)
#[pyfunction]
#[pyo3(signature = (ruleset, games=1000, bots=None, *, seed=None, threads=1))]
pub(crate) fn playouts<'py>(
    py: Python<'py>,
    ruleset: &str,
    games: i64,
    bots: Option<&Bound<'py, PyAny>>,
    seed: Option<&Bound<'py, PyAny>>,
    threads: i64,
) -> PyResult<Bound<'py, PyAny>> {
    let start = Start { chance: azulejo_play::Chance::Explicit, seat: 0 };
    let game = Play::new(ruleset, start).map_err(raise)?;
    of(py, &game, games, bots, seed, threads)
}

pub(crate) fn of<'py>(
    py: Python<'py>,
    start: &Play,
    games: i64,
    bots: Option<&Bound<'py, PyAny>>,
    seed: Option<&Bound<'py, PyAny>>,
    threads: i64,
) -> PyResult<Bound<'py, PyAny>> {
    let bots = bots.map_or_else(|| Ok(vec![HouseBot::Random]), read_bots)?;
    let seed = arguments::number(seed)?;
    let games = arguments::count("the number of games", games, MOST_GAMES)?;
    let threads = arguments::count("the number of threads", threads, MOST_THREADS)?;
    let start = start.clone();
    let played = py.detach(|| azulejo_play::playouts(&start, games, &bots, seed, threads));
    let played = played.map_err(raise)?;
    let scores: Vec<u8> = played.scores.iter().flat_map(|score| score.to_ne_bytes()).collect();
    let lengths: Vec<u8> = played.lengths.iter().flat_map(|length| length.to_ne_bytes()).collect();
    let names: Vec<String> = bots.iter().map(ToString::to_string).collect();
    let arguments = (
        start.ruleset().key(),
        names,
        played.seats,
        PyBytes::new(py, &scores),
        PyBytes::new(py, &played.ranks),
        PyBytes::new(py, &lengths),
        PyBytes::new(py, &played.rounds),
    );
    py.import("azulejo.statistics")?.getattr("Statistics")?.call_method1("of", arguments)
}

/// The name of one bot, or a list of names.
fn read_bots(given: &Bound<'_, PyAny>) -> PyResult<Vec<HouseBot>> {
    if let Ok(name) = given.cast::<PyString>() {
        return Ok(vec![arguments::house_bot(name.to_str()?)?]);
    }
    let names: Vec<String> =
        given.extract().map_err(|_| wrong_type("bots is a list of names of house bots"))?;
    names.iter().map(|name| arguments::house_bot(name)).collect()
}
