//! The arrays that a batch writes.

use azulejo_rules::parts::Layout;
use pulp::Arch;

use crate::PlayError;
use crate::game::check_length;

/// The arrays that a batch writes, with the games one after the other.
#[derive(Debug)]
pub struct Arrays<'a> {
    /// What the seat that has to decide sees.
    pub observations: Observations<'a>,
    /// A byte for each action id of each game: 1 if the move is legal.
    pub masks: &'a mut [u8],
    /// The seat that has to decide.
    pub seats: &'a mut [u8],
    /// What the game that has just ended is worth to each seat; zero while it goes on.
    pub rewards: &'a mut [f32],
    /// 1 if a game has just ended. The other arrays show the game that has begun instead.
    pub ends: &'a mut [u8],
    /// The last observations of the games that have just ended; others are left as they are.
    pub last: Option<Observations<'a>>,
}

/// Observations, as raw values or as numbers that are rarely above 1.
#[derive(Debug)]
pub enum Observations<'a> {
    Raw(&'a mut [u8]),
    Scaled(&'a mut [f32]),
}

/// The lengths that belong to one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    pub(super) games: usize,
    pub(super) observation: usize,
    pub(super) mask: usize,
    pub(super) seats: usize,
}

/// Converts raw values.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    arch: Arch,
    /// What each value is multiplied by.
    factors: Vec<f32>,
    raw: Vec<u8>,
}

impl Scale {
    pub(crate) fn of(layout: &Layout) -> Self {
        let factors = layout.scales().map(|scale| 1.0 / f32::from(scale)).collect();
        Self { arch: Arch::new(), factors, raw: vec![0; layout.size] }
    }

    /// Writes values by way of raw ones, which are converted all at once.
    #[inline]
    pub(crate) fn write(&mut self, values: &mut [f32], write: impl FnOnce(&mut [u8])) {
        let Self { arch, factors, raw } = self;
        write(raw);
        arch.dispatch(|| {
            for ((value, &raw), &factor) in values.iter_mut().zip(&*raw).zip(&*factors) {
                *value = f32::from(raw) * factor;
            }
        });
    }
}

impl Observations<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Raw(values) => values.len(),
            Self::Scaled(values) => values.len(),
        }
    }

    /// Writes the observation of one game.
    #[inline]
    pub(super) fn write(&mut self, game: usize, scale: &mut Scale, write: impl FnOnce(&mut [u8])) {
        let size = scale.raw.len();
        let range = game * size..(game + 1) * size;
        match self {
            Self::Raw(values) => write(&mut values[range]),
            Self::Scaled(values) => scale.write(&mut values[range], write),
        }
    }
}

impl Arrays<'_> {
    pub(super) fn check(&self, lengths: Lengths) -> Result<(), PlayError> {
        let Lengths { games, observation, mask, seats } = lengths;
        check_length("the array of observations", games * observation, self.observations.len())?;
        check_length("the array of masks", games * mask, self.masks.len())?;
        check_length("the array of seats", games, self.seats.len())?;
        check_length("the array of rewards", games * seats, self.rewards.len())?;
        check_length("the array of ends", games, self.ends.len())?;
        let last = self.last.as_ref();
        last.map_or(Ok(()), |last| {
            check_length("the array of last observations", games * observation, last.len())
        })
    }
}
