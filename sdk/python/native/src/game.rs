//! One game.

use azulejo_play::{Chance, Game as Play, Returns, Ruleset, Start};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyInt, PyList, PyTuple};

use crate::arguments::{self, Action, Whole};
use crate::arrays::{require_numpy, slice_mut, writing};
use crate::error::{in_use, raise, wrong_type};
use crate::layout::Layout;
use crate::statistics;

/// One game of Azul or Azul: Summer Pavilion, at any point of it.
///
/// `ruleset` is a key such as "azul-colored-2" or "summer-pavilion-gray-4"; `azulejo.RULESETS` has
/// all of them. `chance` says who deals: "auto" is a small, fast generator, "seed" deals as the
/// arena does, and "explicit" leaves the deals to you (`is_chance`). The same seed and moves give the
/// same game; without a seed, the deals are random.
///
/// >>> import azulejo
/// >>> game = azulejo.Game("azul-colored-2", seed=7)
/// >>> while not game.is_terminal:
/// ...     game.apply(game.legal_actions()[0])
/// >>> len(game.scores())
/// 2
#[derive(Debug)]
#[pyclass(module = "azulejo")]
pub(crate) struct Game {
    pub(crate) play: Play,
}

impl From<Play> for Game {
    fn from(play: Play) -> Self {
        Self { play }
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (ruleset, *, seed=None, chance="auto", start_seat=Whole::Small(0)),
        text_signature = "(ruleset, *, seed=None, chance='auto', start_seat=0)")]
    fn new(
        ruleset: &str,
        seed: Option<&Bound<'_, PyAny>>,
        chance: &str,
        start_seat: Whole,
    ) -> PyResult<Self> {
        let chance = arguments::chance(chance, seed)?;
        let seat = start_seat.seat(arguments::players(ruleset)?)?;
        Play::new(ruleset, Start { chance, seat }).map(Self::from).map_err(raise)
    }

    /// The game at a position in the notation.
    ///
    /// >>> game = azulejo.Game("azul-gray-3", seed=1)
    /// >>> azulejo.Game.parse(game.text()) == game
    /// True
    #[staticmethod]
    #[pyo3(signature = (text, *, seed=None, chance="auto"))]
    fn parse(text: &str, seed: Option<&Bound<'_, PyAny>>, chance: &str) -> PyResult<Self> {
        let chance = arguments::chance(chance, seed)?;
        Play::parse(text, chance).map(Self::from).map_err(raise)
    }

    /// The game at the position of an observation: raw values, as bytes or as a flat array of uint8.
    ///
    /// >>> game = azulejo.Game("azul-colored-2", seed=1)
    /// >>> azulejo.Game.from_observation("azul-colored-2", game.observe()) == game
    /// True
    #[staticmethod]
    #[pyo3(signature = (ruleset, observation, *, seed=None, chance="auto"))]
    fn from_observation(
        ruleset: &str,
        observation: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        chance: &str,
    ) -> PyResult<Self> {
        let values = arguments::bytes(observation)?;
        let chance = arguments::chance(chance, seed)?;
        Play::from_observation(ruleset, &values, chance).map(Self::from).map_err(raise)
    }

    /// The game at a state: a `GameState` message, such as `turn.state` of a bot, or its bytes. With
    /// chance="explicit", each `play_out` of a copy draws deals of its own.
    ///
    /// >>> game = azulejo.Game("azul-colored-2", seed=1)
    /// >>> azulejo.Game.from_state(game.state()) == game
    /// True
    #[staticmethod]
    #[pyo3(signature = (state, *, seed=None, chance="auto"))]
    fn from_state(
        state: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        chance: &str,
    ) -> PyResult<Self> {
        let encoded = arguments::message(state)?;
        let chance = arguments::chance(chance, seed)?;
        Play::from_state(encoded.as_bytes(), chance).map(Self::from).map_err(raise)
    }

    /// The key of the ruleset.
    #[getter]
    fn ruleset(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(Self::read(slf)?.play.ruleset().key())
    }

    /// The number of players.
    #[getter]
    fn players(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::read(slf)?.play.players())
    }

    /// The number of action ids, which is the length of the mask.
    #[getter]
    fn action_count(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::read(slf)?.play.action_count())
    }

    /// The length of an observation.
    #[getter]
    fn observation_size(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::read(slf)?.play.observation_size())
    }

    /// Whether the game is over.
    #[getter]
    fn is_terminal(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Ok(Self::read(slf)?.play.is_terminal())
    }

    /// Whether tiles are to be dealt: only with chance="explicit".
    #[getter]
    fn is_chance(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Ok(Self::read(slf)?.play.is_chance())
    }

    /// The seat that has to decide, counted from 0; None before a deal and after the end.
    #[getter]
    fn current_player(slf: &Bound<'_, Self>) -> PyResult<Option<usize>> {
        Ok(Self::read(slf)?.play.current_player())
    }

    /// The round, counted from 1.
    #[getter]
    fn round(slf: &Bound<'_, Self>) -> PyResult<u8> {
        Ok(Self::read(slf)?.play.round())
    }

    /// The ids of all legal moves, in ascending order. Empty if no seat has to decide.
    ///
    /// >>> game = azulejo.Game("azul-colored-2", seed=7)
    /// >>> game.legal_actions() == [i for i, legal in enumerate(game.mask()) if legal]
    /// True
    fn legal_actions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        let py = slf.py();
        let mut actions = Vec::with_capacity(128);
        Self::read(slf)?.play.legal_actions(&mut actions);
        let known = ids(py);
        PyList::new(py, actions.into_iter().map(|id| &known[usize::from(id)]))
    }

    /// A byte per action id: 1 if the move is legal. `numpy.frombuffer(game.mask(), bool)` is an array.
    fn mask<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        let game = Self::read(slf)?;
        PyBytes::new_with(slf.py(), game.play.action_count(), |mask| {
            game.play.write_mask(mask).map(|_| ()).map_err(raise)
        })
    }

    /// Writes the mask into a flat array of uint8.
    fn mask_into(slf: &Bound<'_, Self>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        require_numpy(slf.py())?;
        let mut array = writing::<u8>("the mask", out)?;
        let mask = slice_mut("the mask", &mut array)?;
        Self::read(slf)?.play.write_mask(mask).map(|_| ()).map_err(raise)
    }

    /// Plays a move, by its id or in the notation, and deals as far as chance allows.
    ///
    /// Raises `PlayError` if the move is illegal; `rule` names the rule, and nothing changes.
    ///
    /// >>> game = azulejo.Game("azul-colored-2", seed=7)
    /// >>> game.apply(game.action_text(game.legal_actions()[0]))
    /// >>> game.current_player
    /// 1
    fn apply(slf: &Bound<'_, Self>, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let count = Self::read(slf)?.play.action_count();
        let action = arguments::action(action, count)?;
        let applied = match &action {
            Action::Id(id) => Self::write(slf)?.play.apply(*id),
            Action::Text(text) => Self::write(slf)?.play.apply_text(text),
        };
        applied.map_err(raise)
    }

    /// A copy that continues with the same deals.
    fn clone(slf: &Bound<'_, Self>) -> PyResult<Self> {
        let game = Self::read(slf)?;
        Ok(Self { play: game.play.clone() })
    }

    fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Self> {
        Self::clone(slf)
    }

    fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::clone(slf)
    }

    /// With the exact state of the generator.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let restore = slf.py().import("azulejo._native")?.getattr("restore")?;
        let game = Self::read(slf)?;
        Ok((restore, (game.play.text(), game.play.chance().to_string())))
    }

    /// The move with this id, in the notation.
    fn action_text(slf: &Bound<'_, Self>, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let count = Self::read(slf)?.play.action_count();
        let id = arguments::action_id(action, count)?;
        Self::read(slf)?.play.action_text(id).map_err(raise)
    }

    /// The id of a move in the notation. It need not be legal now.
    fn action_id(slf: &Bound<'_, Self>, text: &str) -> PyResult<u16> {
        Self::read(slf)?.play.action_id(text).map_err(raise)
    }

    /// Every outcome of the deal that is due, as text, with its exact probability.
    ///
    /// >>> game = azulejo.Game("azul-colored-2", chance="explicit")
    /// >>> outcomes = game.chance_outcomes()
    /// >>> len(outcomes), round(sum(probability for _, probability in outcomes), 9)
    /// (70, 1.0)
    fn chance_outcomes(slf: &Bound<'_, Self>) -> PyResult<Vec<(String, f64)>> {
        Self::read(slf)?.play.chance_outcomes().map_err(raise)
    }

    /// Deals these tiles: one of `chance_outcomes`.
    fn apply_outcome(slf: &Bound<'_, Self>, tiles: &str) -> PyResult<()> {
        let applied = Self::write(slf)?.play.apply_outcome(tiles);
        applied.map_err(raise)
    }

    /// Deals one display at random, with chance="explicit".
    #[pyo3(signature = (seed=None))]
    fn sample_outcome(slf: &Bound<'_, Self>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let seed = arguments::number(seed)?;
        let applied = Self::write(slf)?.play.sample_outcome(seed);
        applied.map_err(raise)
    }

    /// What the game is worth to each seat; all zero until it is over.
    ///
    /// "win": the winners share 1, the others share -1. "margin": the lead over the best of the
    /// others. "points": the points.
    #[pyo3(signature = (kind="win"))]
    fn returns(slf: &Bound<'_, Self>, kind: &str) -> PyResult<Vec<f32>> {
        Ok(Self::read(slf)?.play.returns(arguments::parse::<Returns>(kind)?))
    }

    /// The points of each seat: before the end, with the bonuses that are complete by now.
    fn scores(slf: &Bound<'_, Self>) -> PyResult<Vec<u16>> {
        Ok(Self::read(slf)?.play.scores())
    }

    /// The rank of each seat, 1 for the leader; equal seats share a rank.
    fn ranks<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        // A Vec<u8> would become bytes.
        let ranks: Vec<u16> = Self::read(slf)?.play.ranks().into_iter().map(u16::from).collect();
        Ok(ranks.into_pyobject(slf.py())?.into_any())
    }

    /// The position as a seat sees it, raw values: by default the seat that has to decide, or seat 0.
    ///
    /// >>> game = azulejo.Game("azul-colored-2", seed=7)
    /// >>> len(game.observe()) == game.observation_size == game.layout().size
    /// True
    #[pyo3(signature = (seat=None))]
    fn observe<'py>(slf: &Bound<'py, Self>, seat: Option<Whole>) -> PyResult<Bound<'py, PyBytes>> {
        let game = Self::read(slf)?;
        let seat = game.viewer(seat)?;
        PyBytes::new_with(slf.py(), game.play.observation_size(), |values| {
            game.play.observe(seat, values).map_err(raise)
        })
    }

    /// Writes the observation into a flat array: of uint8 for raw values, of float32 for scaled ones.
    #[pyo3(signature = (out, seat=None))]
    fn observe_into(
        slf: &Bound<'_, Self>,
        out: &Bound<'_, PyAny>,
        seat: Option<Whole>,
    ) -> PyResult<()> {
        const WHAT: &str = "the observation";
        let py = slf.py();
        require_numpy(py)?;
        let game = Self::read(slf)?;
        let seat = game.viewer(seat)?;
        let array = out.cast::<PyUntypedArray>();
        if array.is_ok_and(|array| array.dtype().is_equiv_to(&numpy::dtype::<f32>(py))) {
            let mut array = writing::<f32>(WHAT, out)?;
            return game.play.observe_scaled(seat, slice_mut(WHAT, &mut array)?).map_err(raise);
        }
        let mut array = writing::<u8>(WHAT, out)?;
        game.play.observe(seat, slice_mut(WHAT, &mut array)?).map_err(raise)
    }

    /// Where each part of a position is in its observation.
    ///
    /// >>> game = azulejo.Game("azul-colored-2", seed=7)
    /// >>> game.layout().sections[0].offset
    /// 0
    fn layout(slf: &Bound<'_, Self>) -> PyResult<Layout> {
        let layout = Self::read(slf)?.play.layout();
        Layout::of(slf.py(), &layout)
    }

    /// A hash that is the same for positions that differ only in the order of factory displays.
    fn hash(slf: &Bound<'_, Self>) -> PyResult<u64> {
        Ok(Self::read(slf)?.play.hash())
    }

    /// The position in the notation; `Game.parse` reads it.
    fn text(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(Self::read(slf)?.play.text())
    }

    /// The position as a `GameState` message, as the engine as a service takes it.
    fn state<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let message = py.import("azulejo.game")?.getattr("GameState")?;
        let state = Self::read(slf)?.play.state();
        message.call_method1("FromString", (PyBytes::new(py, &state),))
    }

    /// A picture of the table. Notebooks show it by themselves.
    fn svg(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(Self::read(slf)?.play.svg())
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(Self::read(slf)?.play.svg())
    }

    /// The move that a house bot chooses: "random", "greedy", "strong", which thinks for 100 ms,
    /// "strong:250" for 250 ms, or "strong:5000n" for 5,000 iterations. It cannot be interrupted while
    /// it thinks, so the most is 60,000 ms or 1,000,000 iterations.
    ///
    /// >>> game = azulejo.Game("azul-colored-2", seed=7)
    /// >>> game.best_move("greedy", seed=1) in game.legal_actions()
    /// True
    #[pyo3(signature = (bot="greedy", *, seed=None))]
    fn best_move(
        slf: &Bound<'_, Self>,
        bot: &str,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u16> {
        let (bot, seed) = (arguments::house_bot(bot)?, arguments::number(seed)?);
        let play = Self::copied(slf)?;
        slf.py().detach(|| play.best_move(bot, seed)).map_err(raise)
    }

    /// Plays random moves to the end, and returns their number. The seed decides the moves and the
    /// deals, whatever the game's chance and its own seed are.
    ///
    /// >>> start = azulejo.Game("azul-colored-2", seed=7).text()
    /// >>> one, other = (azulejo.Game.parse(start, seed=seed) for seed in (1, 2))
    /// >>> one.play_out(3) == other.play_out(3), one == other
    /// (True, True)
    #[pyo3(signature = (seed=None))]
    fn play_out(slf: &Bound<'_, Self>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<u32> {
        let seed = arguments::number(seed)?;
        Ok(Self::write(slf)?.play.play_out(seed))
    }

    /// Plays games from here to the end, between house bots, and returns their statistics. The game
    /// itself does not change. See `azulejo.playouts`.
    #[pyo3(signature = (games, bots=None, *, seed=None, threads=Whole::Small(1)),
        text_signature = "($self, games, bots=None, *, seed=None, threads=1)")]
    fn playouts<'py>(
        slf: &Bound<'py, Self>,
        games: Whole,
        bots: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        threads: Whole,
    ) -> PyResult<Bound<'py, PyAny>> {
        statistics::of(slf.py(), &Self::copied(slf)?, games, bots, seed, threads)
    }

    /// Whether the positions are the same. How the next deals come about does not count.
    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        Ok(Self::read(slf)?.play == Self::read(other)?.play)
    }

    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(Self::read(slf)?.play.drawing())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("<azulejo.Game {}>", Self::read(slf)?.play.text()))
    }
}

impl Game {
    /// To read. Of its own accord, pyo3 would raise a `RuntimeError`.
    fn read<'py>(slf: &Bound<'py, Self>) -> PyResult<PyRef<'py, Self>> {
        slf.try_borrow().map_err(|_| in_use("game"))
    }

    fn write<'py>(slf: &Bound<'py, Self>) -> PyResult<PyRefMut<'py, Self>> {
        slf.try_borrow_mut().map_err(|_| in_use("game"))
    }

    /// A copy to work on while the game itself is free.
    pub(crate) fn copied(slf: &Bound<'_, Self>) -> PyResult<Play> {
        Ok(Self::read(slf)?.play.clone())
    }

    fn viewer(&self, seat: Option<Whole>) -> PyResult<usize> {
        match seat {
            Some(seat) => seat.seat(self.play.players()),
            None => Ok(self.play.current_player().unwrap_or_default()),
        }
    }
}

/// All action ids as objects: making one costs more than finding the moves.
fn ids(py: Python<'_>) -> &[Py<PyInt>] {
    static IDS: PyOnceLock<Vec<Py<PyInt>>> = PyOnceLock::new();
    IDS.get_or_init(py, || (0..MOST_ACTIONS).map(|id| PyInt::new(py, id).unbind()).collect())
}

/// The actions of Summer Pavilion's gray side for four players.
const MOST_ACTIONS: u16 = 1_134;

/// Reads what `Game.__reduce__` wrote.
#[pyfunction]
pub(crate) fn restore(text: &str, chance: &str) -> PyResult<Game> {
    let chance: Chance = arguments::parse(chance)?;
    Play::parse(text, chance).map(Game::from).map_err(raise)
}

/// Verifies the record of a game or of a match, offline: every deal against the seed, every move, the
/// result, and for a match the commitment of the arena, nonces, clocks and forfeits.
///
/// Returns the game at its last position. Raises `PlayError` with the reason `BAD_RECORD` if the text is
/// not a record, and `FALSE_RECORD` if anything in it is not true.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, record: &Bound<'_, PyAny>) -> PyResult<Game> {
    let text = if let Ok(text) = record.extract::<String>() {
        text
    } else if let Ok(bytes) = record.cast::<PyBytes>() {
        String::from_utf8_lossy(bytes.as_bytes()).into_owned()
    } else {
        return Err(wrong_type("a record is a line of JSON, as str or bytes"));
    };
    py.detach(|| Play::verify(&text)).map(Game::from).map_err(raise)
}

/// The keys of all rulesets.
#[pyfunction]
pub(crate) fn ruleset_keys(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Ruleset::all().into_iter().map(|ruleset| ruleset.key()))
}
