//! Search trees with the network outside.

use azulejo_play::{Batch, Game as PlayGame, PlayError, Search as Play, SearchOptions};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::arguments::{self, Whole};
use crate::arrays::{Owned, check_shape, reading, require_numpy, slice_mut, zeros};
use crate::error::{in_use, raise, wrong_type};
use crate::game::Game;

/// Search trees (PUCT), one for each game, that grow side by side; the network is yours.
///
/// `request` writes the positions that the network has to evaluate into `obs` and `mask`, and `submit`
/// takes its results. Deals are sampled, so a tree averages over what is not known yet. All games must
/// have the same ruleset.
///
/// - `exploration`: the weight of the priors.
/// - `noise`, `alpha`: the share and the parameter of Dirichlet noise at the root, for self-play.
/// - `outcomes`: the most different deals after one move that a tree keeps.
///
/// >>> import azulejo, numpy
/// >>> games = [azulejo.Game("azul-colored-2", seed=seed) for seed in range(4)]
/// >>> search = azulejo.Search(games, seed=1)
/// >>> logits = numpy.zeros(search.mask.shape, numpy.float32)
/// >>> values = numpy.zeros((4, 2), numpy.float32)
/// >>> for _ in range(33):
/// ...     ready = search.request()
/// ...     search.submit(logits, values)
/// >>> search.visits().sum(axis=1).tolist()
/// [32, 32, 32, 32]
#[derive(Debug)]
#[pyclass(module = "azulejo")]
pub(crate) struct Search {
    play: Play,
    obs: Owned<f32>,
    mask: Owned<u8>,
    ready: Owned<u8>,
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (games, *, exploration=1.5, noise=0.0, alpha=0.3, outcomes=Whole::Small(8), seed=None),
        text_signature = "(games, *, exploration=1.5, noise=0.0, alpha=0.3, outcomes=8, seed=None)")]
    fn new(
        py: Python<'_>,
        games: &Bound<'_, PyAny>,
        exploration: f32,
        noise: f32,
        alpha: f32,
        outcomes: Whole,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        const MOST_OUTCOMES: usize = 100_000;
        require_numpy(py)?;
        let seed = arguments::number(seed)?;
        let outcomes = outcomes.to("outcomes", MOST_OUTCOMES)?;
        let options = SearchOptions { exploration, noise, alpha, outcomes, seed };
        let games = read_games(games)?;
        let play = py.detach(|| Play::new(&games, options)).map_err(raise)?;
        let trees = play.len();
        Ok(Self {
            obs: Owned::zeros(py, trees, Some(play.observation_size()))?,
            mask: Owned::seen_as(py, trees, Some(play.action_count()), Some("bool"))?,
            ready: Owned::seen_as(py, trees, None, Some("bool"))?,
            play,
        })
    }

    /// Observations `[trees, observation_size]`, float32, of the positions to evaluate.
    #[getter]
    fn obs(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(Self::read(slf)?.obs.view(slf.py()))
    }

    /// Their legal moves `[trees, action_count]`, bool.
    #[getter]
    fn mask(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(Self::read(slf)?.mask.view(slf.py()))
    }

    /// Which trees have a position to evaluate `[trees]`, bool.
    #[getter]
    fn ready(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(Self::read(slf)?.ready.view(slf.py()))
    }

    /// The number of trees.
    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::read(slf)?.play.len())
    }

    /// Descends every tree to a position that the network has to evaluate, and writes `obs`, `mask` and
    /// `ready`. Returns the number of trees that are ready: others met only finished games.
    fn request(slf: &Bound<'_, Self>) -> PyResult<usize> {
        let py = slf.py();
        let mut search = slf.try_borrow_mut().map_err(|_| in_use("search"))?;
        let Self { play, obs, mask, ready } = &mut *search;
        let (mut obs, mut mask, mut ready) = (obs.write(py)?, mask.write(py)?, ready.write(py)?);
        let observations = slice_mut("the array of observations", &mut obs)?;
        let masks = slice_mut("the array of masks", &mut mask)?;
        let ready = slice_mut("the array of ready trees", &mut ready)?;
        py.detach(|| play.request(observations, masks, ready)).map_err(raise)
    }

    /// The results of the network, float32: `logits` `[trees, action_count]`, larger for better moves,
    /// and `values` `[trees, players]`, the expected return of each seat, clockwise from the one that
    /// has to decide. Rows of trees that are not ready are ignored.
    fn submit(
        slf: &Bound<'_, Self>,
        logits: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let py = slf.py();
        let mut search = slf.try_borrow_mut().map_err(|_| in_use("search"))?;
        let play = &mut search.play;
        let logits = reading::<f32, numpy::Ix2>("the array of logits", logits)?;
        check_shape("the array of logits", &logits, [play.len(), play.action_count()])?;
        let values = reading::<f32, numpy::Ix2>("the array of values", values)?;
        check_shape("the array of values", &values, [play.len(), play.players()])?;
        let (logits, values) = (logits.as_slice()?, values.as_slice()?);
        py.detach(|| play.submit(logits, values)).map_err(raise)
    }

    /// How often each action of the root was visited `[trees, action_count]`, uint32: a new array.
    fn visits<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let search = Self::read(slf)?;
        let play = &search.play;
        let array = zeros(slf.py(), (play.len(), play.action_count()))?;
        play.visits(array.readwrite().as_slice_mut()?).map_err(raise)?;
        Ok(array)
    }

    /// The mean return of each seat `[trees, players]`, float32: a new array. Seats are absolute.
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let search = Self::read(slf)?;
        let play = &search.play;
        let array = zeros(slf.py(), (play.len(), play.players()))?;
        play.values(array.readwrite().as_slice_mut()?).map_err(raise)?;
        Ok(array)
    }

    /// Begins a new tree at the position of this game.
    fn restart(slf: &Bound<'_, Self>, tree: Whole, game: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut search = slf.try_borrow_mut().map_err(|_| in_use("search"))?;
        let tree = tree.to("the tree", search.play.len() - 1)?;
        let game = game.cast::<Game>().map_err(|_| wrong_type("not an azulejo.Game"))?;
        search.play.restart(tree, &Game::copied(game)?).map_err(raise)
    }

    /// The game at the position that a tree has to have evaluated, for evaluations without a network;
    /// its deals are explicit. None if the tree waits for nothing.
    fn leaf(slf: &Bound<'_, Self>, tree: Whole) -> PyResult<Option<Game>> {
        let search = Self::read(slf)?;
        let tree = tree.below(search.play.len());
        Ok(tree.and_then(|tree| search.play.leaf(tree)).map(Game::from))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("<azulejo.Search of {} trees>", Self::read(slf)?.play.len()))
    }
}

impl Search {
    /// To read. Of its own accord, pyo3 would raise a `RuntimeError`.
    fn read<'py>(slf: &Bound<'py, Self>) -> PyResult<PyRef<'py, Self>> {
        slf.try_borrow().map_err(|_| in_use("search"))
    }
}

fn read_games(given: &Bound<'_, PyAny>) -> PyResult<Vec<PlayGame>> {
    let wrong = || wrong_type("games is a list of azulejo.Game");
    let most = Batch::MOST_GAMES;
    let mut games = Vec::new();
    for game in given.try_iter().map_err(|_| wrong())? {
        if games.len() == most {
            let (what, found) = ("the number of games", most + 1);
            return Err(raise(PlayError::OutOfRange { what, least: 1, most, found }));
        }
        let game = game?;
        let game = Game::copied(game.cast::<Game>().map_err(|_| wrong())?)?;
        games.try_reserve(1).map_err(|_| PyMemoryError::new_err(()))?;
        games.push(game);
    }
    Ok(games)
}
