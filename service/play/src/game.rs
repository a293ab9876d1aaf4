//! One game of either kind.

mod single;

use azulejo_engine::draw::{Options, TextOptions};
use azulejo_engine::{HouseBot, Record, Ruleset, Table};
use azulejo_rules::parts::{Layout, PlayerCount, Seat};
use azulejo_rules::{azul, pavilion};

use crate::{Chance, Outcome, PlayError, Returns};
pub(crate) use single::{Single, check_length, play_out};

/// Runs the same code on the game of either kind.
macro_rules! on {
    ($game:expr, $single:ident => $body:expr) => {
        match $game {
            Game::Azul($single) => $body,
            Game::SummerPavilion($single) => $body,
        }
    };
}

/// A game, at any point of it.
#[derive(Clone, Debug)]
pub enum Game {
    Azul(Single<azul::Position>),
    SummerPavilion(Single<pavilion::Position>),
}

/// How a game starts.
#[derive(Clone, Debug)]
pub struct Start {
    pub chance: Chance,
    /// The seat that starts.
    pub seat: usize,
}

impl Default for Start {
    fn default() -> Self {
        Self { chance: Chance::numbered(0), seat: 0 }
    }
}

impl Game {
    /// A new game of the ruleset with this key: `azul-colored-2`, `summer-pavilion-gray-4`, …
    pub fn new(ruleset: &str, start: Start) -> Result<Self, PlayError> {
        Self::of(read_ruleset(ruleset)?, start)
    }

    pub fn of(ruleset: Ruleset, start: Start) -> Result<Self, PlayError> {
        let seat = read_seat(ruleset.players(), start.seat)?;
        Ok(Self::at(Table::new(ruleset, seat), start.chance))
    }

    /// The game at a position in the notation.
    pub fn parse(text: &str, chance: Chance) -> Result<Self, PlayError> {
        let table = text.parse().map_err(PlayError::BadPosition)?;
        Ok(Self::at(table, chance))
    }

    /// The game at the position of an encoded `GameState` of the API, such as that of a bot's turn.
    pub fn from_state(state: &[u8], chance: Chance) -> Result<Self, PlayError> {
        let table = Table::decode(state).map_err(|bad| PlayError::BadState { bad })?;
        Ok(Self::at(table, chance))
    }

    /// The game at the position of an observation.
    pub fn from_observation(
        ruleset: &str,
        values: &[u8],
        chance: Chance,
    ) -> Result<Self, PlayError> {
        let bad = |bad: &dyn std::fmt::Display| PlayError::BadObservation(bad.to_string());
        let table = match read_ruleset(ruleset)? {
            Ruleset::Azul(rules) => azul::Position::from_observation(rules, values)
                .map_err(|problem| bad(&problem))?
                .into(),
            Ruleset::SummerPavilion(rules) => pavilion::Position::from_observation(rules, values)
                .map_err(|problem| bad(&problem))?
                .into(),
        };
        Ok(Self::at(table, chance))
    }

    /// The position as an encoded `GameState` message.
    #[must_use]
    pub fn state(&self) -> Vec<u8> {
        self.table().encode()
    }

    /// Verifies the record of a game or match: every deal against the seed, every move, the result and
    /// the arena's part. Returns the game at its last position.
    pub fn verify(record: &str) -> Result<Self, PlayError> {
        let table = Record::read(record)?.verify().map_err(PlayError::FalseRecord)?;
        Ok(Self::at(table, Chance::Explicit))
    }

    /// The game at this position.
    #[must_use]
    pub fn at(table: Table, chance: Chance) -> Self {
        match table {
            Table::Azul(position) => Self::Azul(Single::at(position, chance)),
            Table::SummerPavilion(position) => Self::SummerPavilion(Single::at(position, chance)),
        }
    }

    /// The position.
    #[must_use]
    pub fn table(&self) -> Table {
        on!(self, game => game.position.into())
    }

    #[must_use]
    pub fn ruleset(&self) -> Ruleset {
        self.table().ruleset()
    }

    #[must_use]
    pub fn chance(&self) -> &Chance {
        on!(self, game => &game.chance)
    }

    #[must_use]
    pub fn players(&self) -> usize {
        on!(self, game => game.seats())
    }

    /// The length of the mask.
    #[must_use]
    pub fn action_count(&self) -> usize {
        on!(self, game => game.action_count())
    }

    /// The length of an observation.
    #[must_use]
    pub fn observation_size(&self) -> usize {
        on!(self, game => game.observation_size())
    }

    /// Where each part of a position is in its observation.
    #[must_use]
    pub fn layout(&self) -> Layout {
        layout(self.ruleset())
    }

    #[must_use]
    pub fn is_terminal(&self) -> bool {
        on!(self, game => game.is_terminal())
    }

    /// Whether tiles are to be dealt. Only with [`Chance::Explicit`].
    #[must_use]
    pub fn is_chance(&self) -> bool {
        on!(self, game => game.is_chance())
    }

    /// The seat that has to decide; `None` before a deal and after the end.
    #[must_use]
    pub fn current_player(&self) -> Option<usize> {
        on!(self, game => game.current_player())
    }

    /// The round, counted from 1.
    #[must_use]
    pub fn round(&self) -> u8 {
        self.table().round()
    }

    /// The ids of all legal moves, in ascending order, instead of what the list contained.
    pub fn legal_actions(&self, actions: &mut Vec<u16>) {
        on!(self, game => game.legal_actions(actions));
    }

    /// The same into the beginning of a list with room for [`MOST_IDS`](crate::MOST_IDS). Returns their number.
    pub fn write_actions(&self, actions: &mut [u16]) -> Result<usize, PlayError> {
        on!(self, game => game.write_actions(actions))
    }

    /// Writes a byte for each action id, 1 if the move is legal, and returns the number of these.
    pub fn write_mask(&self, mask: &mut [u8]) -> Result<u32, PlayError> {
        on!(self, game => game.write_mask(mask))
    }

    /// Plays a move, and deals as far as chance allows.
    pub fn apply(&mut self, action: u16) -> Result<(), PlayError> {
        on!(self, game => game.apply(action))
    }

    /// Plays a move in the notation: `3B2`.
    pub fn apply_text(&mut self, action: &str) -> Result<(), PlayError> {
        on!(self, game => game.apply_text(action))
    }

    /// The move with this id, in the notation.
    pub fn action_text(&self, action: u16) -> Result<String, PlayError> {
        on!(self, game => game.action_text(action))
    }

    /// The id of a move in the notation. It need not be legal now.
    pub fn action_id(&self, text: &str) -> Result<u16, PlayError> {
        on!(self, game => game.action_id(text))
    }

    /// Every outcome of the deal that is due, with its exact probability.
    pub fn chance_outcomes(&self) -> Result<Vec<Outcome>, PlayError> {
        on!(self, game => game.chance_outcomes())
    }

    /// Deals these tiles: `B2YR`.
    pub fn apply_outcome(&mut self, tiles: &str) -> Result<(), PlayError> {
        on!(self, game => game.apply_outcome(tiles))
    }

    /// Deals one display at random, for games in which the caller decides.
    pub fn sample_outcome(&mut self, number: u64) -> Result<(), PlayError> {
        on!(self, game => game.sample_outcome(number))
    }

    /// What the game is worth to each seat; all zero until it is over.
    #[must_use]
    pub fn returns(&self, returns: Returns) -> Vec<f32> {
        on!(self, game => game.returns(returns))
    }

    /// The points of each seat: before the end, with the bonuses that are complete by now.
    #[must_use]
    pub fn scores(&self) -> Vec<u16> {
        on!(self, game => game.scores())
    }

    /// The rank of each seat, 1 for the leader; equal seats share a rank.
    #[must_use]
    pub fn ranks(&self) -> Vec<u8> {
        on!(self, game => game.ranks())
    }

    /// Writes the position as a seat sees it: raw values.
    pub fn observe(&self, seat: usize, values: &mut [u8]) -> Result<(), PlayError> {
        on!(self, game => game.observe(seat, values))
    }

    /// The same, scaled.
    pub fn observe_scaled(&self, seat: usize, values: &mut [f32]) -> Result<(), PlayError> {
        on!(self, game => game.observe_scaled(seat, values))
    }

    /// A hash that is the same for positions that differ only in the order of factory displays.
    #[must_use]
    pub fn hash(&self) -> u64 {
        on!(self, game => game.hash())
    }

    /// The position in the notation; [`Game::parse`] reads it.
    #[must_use]
    pub fn text(&self) -> String {
        on!(self, game => game.position.to_string())
    }

    /// A picture of the table.
    #[must_use]
    pub fn svg(&self) -> String {
        self.table().svg(&Options::default())
    }

    /// The table as text for people.
    #[must_use]
    pub fn drawing(&self) -> String {
        self.table().text(&TextOptions::default())
    }

    /// The move that a house bot chooses.
    pub fn best_move(&self, bot: HouseBot, seed: u64) -> Result<u16, PlayError> {
        on!(self, game => game.best_move(bot, seed))
    }

    /// Plays random moves to the end, and returns their number. The seed decides the moves and the
    /// deals, whatever the game's chance is.
    pub fn play_out(&mut self, seed: u64) -> u32 {
        on!(self, game => game.play_out(seed))
    }
}

/// Two games are equal if their positions are: how the next deals come about does not count.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.table() == other.table()
    }
}

pub(crate) fn read_ruleset(key: &str) -> Result<Ruleset, PlayError> {
    Ruleset::from_key(key).ok_or_else(|| PlayError::NoSuchRuleset { key: key.to_owned() })
}

pub(crate) fn layout(ruleset: Ruleset) -> Layout {
    match ruleset {
        Ruleset::Azul(rules) => rules.layout(),
        Ruleset::SummerPavilion(rules) => rules.layout(),
    }
}

pub(crate) fn read_seat(players: PlayerCount, seat: usize) -> Result<Seat, PlayError> {
    let found = Seat::at(seat).filter(|&seat| players.has(seat));
    found.ok_or(PlayError::NoSuchSeat { seat, seats: players.seats() })
}
