//! Many games side by side.

use azulejo_play::{Arrays, Batch as Play, BatchOptions, Learner, StartSeat};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::arguments::{self, Whole};
use crate::arrays::{Owned, Seen, reading, require_numpy, slice_mut};
use crate::error::{in_use, raise, wrong_type};
use crate::game::Game;
use crate::layout::Layout;

/// Many games of one ruleset side by side, for learning. A finished game starts again at once.
///
/// All arrays are the same ones and are written in place, without the GIL, so copy what has to
/// last: `obs`, `mask`, `seat`, `reward`, `done`, and `final_obs` if asked for.
///
/// - `start`: the seat that starts: a number, "rotating" or "random".
/// - `returns`: the rewards: "win", "margin" or "points", as in `Game.returns`.
/// - `view`: observations begin with the seat that has to decide ("seat"), or with seat 0 ("table").
/// - `raw`: observations are bytes instead of scaled float32.
/// - `learner`: a seat, "rotating" or "random": only this seat is yours, and `opponents`, a house bot,
///   plays the others.
/// - `final_obs`: keep the last observations of finished games.
///
/// >>> import azulejo
/// >>> batch = azulejo.Batch("azul-colored-2", 16, seed=1)
/// >>> for _ in range(100):
/// ...     batch.step(batch.sample())
/// >>> batch.obs.shape, batch.mask.shape, batch.reward.shape
/// ((16, 171), (16, 180), (16, 2))
#[derive(Debug)]
#[pyclass(module = "azulejo")]
pub(crate) struct Batch {
    play: Play,
    obs: Seen,
    mask: Owned<u8>,
    seat: Owned<u8>,
    reward: Owned<f32>,
    done: Owned<u8>,
    last: Option<Seen>,
    actions: Owned<i64>,
}

/// What a step does.
enum Task<'a> {
    Observe,
    Reset(u64),
    Step64(&'a [i64]),
    Step32(&'a [i32]),
    Step16(&'a [u16]),
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (
        ruleset, games, *, seed=None, start=None, returns="win", view="seat", raw=false, learner=None,
        opponents="random", final_obs=false,
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        py: Python<'_>,
        ruleset: &str,
        games: Whole,
        seed: Option<&Bound<'_, PyAny>>,
        start: Option<&Bound<'_, PyAny>>,
        returns: &str,
        view: &str,
        raw: bool,
        learner: Option<&Bound<'_, PyAny>>,
        opponents: &str,
        final_obs: bool,
    ) -> PyResult<Self> {
        require_numpy(py)?;
        let opponents = arguments::house_bot(opponents)?;
        let players = arguments::players(ruleset)?;
        let learner = learner.map(|seat| read_seat(seat, players)).transpose()?;
        let options = BatchOptions {
            seed: arguments::number(seed)?,
            start: start.map(|seat| read_seat(seat, players)).transpose()?.unwrap_or_default(),
            returns: arguments::parse(returns)?,
            view: arguments::parse(view)?,
            learner: learner.map(|seat| Learner { seat, opponents }),
        };
        let games = games.to("the number of games", Play::MOST_GAMES)?;
        let play = py.detach(|| Play::new(ruleset, games, &options)).map_err(raise)?;
        let (games, size) = (play.len(), play.observation_size());
        let mut batch = Self {
            obs: Seen::zeros(py, raw, games, size)?,
            mask: Owned::seen_as(py, games, Some(play.action_count()), Some("bool"))?,
            seat: Owned::zeros(py, games, None)?,
            reward: Owned::zeros(py, games, Some(play.players()))?,
            done: Owned::seen_as(py, games, None, Some("bool"))?,
            last: final_obs.then(|| Seen::zeros(py, raw, games, size)).transpose()?,
            actions: Owned::zeros(py, games, None)?,
            play,
        };
        batch.run(py, &Task::Observe)?;
        Ok(batch)
    }

    /// Observations `[games, observation_size]` of the seats that have to decide.
    #[getter]
    fn obs(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(Self::read(slf)?.obs.view(slf.py()))
    }

    /// Legal moves `[games, action_count]`, bool.
    #[getter]
    fn mask(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(Self::read(slf)?.mask.view(slf.py()))
    }

    /// The seats that have to decide `[games]`, uint8.
    #[getter]
    fn seat(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(Self::read(slf)?.seat.view(slf.py()))
    }

    /// What a game that has just ended is worth to each seat `[games, players]`, float32; else zero.
    #[getter]
    fn reward(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(Self::read(slf)?.reward.view(slf.py()))
    }

    /// Whether a game has just ended `[games]`, bool. The other arrays show the next game already.
    #[getter]
    fn done(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(Self::read(slf)?.done.view(slf.py()))
    }

    /// The last observations of games that have just ended; None unless asked for.
    #[getter]
    fn final_obs(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        Ok(Self::read(slf)?.last.as_ref().map(|last| last.view(slf.py())))
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

    /// The number of action ids.
    #[getter]
    fn action_count(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::read(slf)?.play.action_count())
    }

    /// The length of an observation.
    #[getter]
    fn observation_size(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::read(slf)?.play.observation_size())
    }

    /// Where each part of a position is in its observation.
    fn layout(slf: &Bound<'_, Self>) -> PyResult<Layout> {
        let layout = Self::read(slf)?.play.layout();
        Layout::of(slf.py(), &layout)
    }

    /// The number of games.
    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::read(slf)?.play.len())
    }

    /// Plays one move in every game: a flat array of int64, int32 or uint16.
    ///
    /// Raises `PlayError` if one of them is illegal; then none is played.
    fn step(slf: &Bound<'_, Self>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        const WHAT: &str = "the array of actions";
        let py = slf.py();
        let mut batch = slf.try_borrow_mut().map_err(|_| in_use("batch"))?;
        let array = actions.cast::<PyUntypedArray>();
        let element = array.map_err(|_| wrong_actions())?.dtype();
        if element.is_equiv_to(&numpy::dtype::<i64>(py)) {
            let array = reading::<i64, numpy::Ix1>(WHAT, actions)?;
            batch.run(py, &Task::Step64(array.as_slice()?))
        } else if element.is_equiv_to(&numpy::dtype::<i32>(py)) {
            let array = reading::<i32, numpy::Ix1>(WHAT, actions)?;
            batch.run(py, &Task::Step32(array.as_slice()?))
        } else if element.is_equiv_to(&numpy::dtype::<u16>(py)) {
            let array = reading::<u16, numpy::Ix1>(WHAT, actions)?;
            batch.run(py, &Task::Step16(array.as_slice()?))
        } else {
            Err(wrong_actions())
        }
    }

    /// Starts all games again and writes all arrays.
    #[pyo3(signature = (seed=None))]
    fn reset(slf: &Bound<'_, Self>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let seed = arguments::number(seed)?;
        let mut batch = slf.try_borrow_mut().map_err(|_| in_use("batch"))?;
        batch.run(slf.py(), &Task::Reset(seed))
    }

    /// A random legal action of each game, always in the same array of int64.
    fn sample(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let mut batch = slf.try_borrow_mut().map_err(|_| in_use("batch"))?;
        let Self { play, mask, actions, .. } = &mut *batch;
        let mut masks = mask.write(py)?;
        let mut written = actions.write(py)?;
        let masks: &[u8] = slice_mut("the array of masks", &mut masks)?;
        let chosen = slice_mut("the array of actions", &mut written)?;
        py.detach(|| play.sample(masks, chosen)).map_err(raise)?;
        Ok(actions.view(py))
    }

    /// A copy of one game.
    fn game(slf: &Bound<'_, Self>, index: Whole) -> PyResult<Game> {
        let batch = Self::read(slf)?;
        let index = index.to("the game", batch.play.len() - 1)?;
        batch.play.game(index).map(Game::from).map_err(raise)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let play = &Self::read(slf)?.play;
        Ok(format!("<azulejo.Batch of {} games of {}>", play.len(), play.ruleset().key()))
    }
}

impl Batch {
    /// To read. Of its own accord, pyo3 would raise a `RuntimeError`.
    fn read<'py>(slf: &Bound<'py, Self>) -> PyResult<PyRef<'py, Self>> {
        slf.try_borrow().map_err(|_| in_use("batch"))
    }

    /// Writes the arrays without the GIL.
    fn run(&mut self, py: Python<'_>, task: &Task<'_>) -> PyResult<()> {
        let Self { play, obs, mask, seat, reward, done, last, .. } = self;
        let (mut obs, mut mask, mut seat) = (obs.write(py)?, mask.write(py)?, seat.write(py)?);
        let (mut reward, mut done) = (reward.write(py)?, done.write(py)?);
        let mut last = last.as_ref().map(|last| last.write(py)).transpose()?;
        let mut arrays = Arrays {
            observations: obs.observations()?,
            masks: slice_mut("the array of masks", &mut mask)?,
            seats: slice_mut("the array of seats", &mut seat)?,
            rewards: slice_mut("the array of rewards", &mut reward)?,
            ends: slice_mut("the array of ends", &mut done)?,
            last: last.as_mut().map(crate::arrays::Written::observations).transpose()?,
        };
        py.detach(|| match *task {
            Task::Observe => play.observe(&mut arrays),
            Task::Reset(seed) => play.reset(seed, &mut arrays),
            Task::Step64(actions) => play.step(actions, &mut arrays),
            Task::Step32(actions) => play.step(actions, &mut arrays),
            Task::Step16(actions) => play.step(actions, &mut arrays),
        })
        .map_err(raise)
    }
}

fn wrong_actions() -> PyErr {
    wrong_type("the array of actions must be a flat numpy array of int64, int32 or uint16")
}

/// A seat by number, or how it is chosen.
fn read_seat(given: &Bound<'_, PyAny>, players: usize) -> PyResult<StartSeat> {
    if let Ok(name) = given.extract::<String>() {
        return arguments::parse(&name);
    }
    let wrong = |_| wrong_type("a seat is a number, \"rotating\" or \"random\"");
    given.extract::<Whole>().map_err(wrong)?.seat(players).map(StartSeat::Fixed)
}
