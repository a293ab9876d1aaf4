//! A game whose kind is known.

use std::sync::OnceLock;

use azulejo_bots::Dice;
use azulejo_engine::{HouseBot, Ruleset, Side};
use azulejo_rules::parts::{PerSeat, Seat};

use crate::game::{layout, read_seat};
use crate::position::{MOST_IDS, Position};
use crate::{Chance, Outcome, PlayError, Returns};

/// A game whose kind is known: see [`crate::Game`].
#[derive(Clone, Debug)]
pub struct Single<P> {
    pub(crate) position: P,
    pub(crate) chance: Chance,
}

impl<P: Position> Single<P> {
    pub(crate) fn at(position: P, chance: Chance) -> Self {
        let mut game = Self { position, chance };
        game.chance.deal(&mut game.position);
        game
    }

    pub(crate) fn seats(&self) -> usize {
        self.position.players().seats()
    }

    pub(crate) fn action_count(&self) -> usize {
        self.position.action_count()
    }

    pub(crate) fn observation_size(&self) -> usize {
        self.position.observation_size()
    }

    pub(crate) fn is_terminal(&self) -> bool {
        self.position.is_over()
    }

    pub(crate) fn is_chance(&self) -> bool {
        self.position.awaits_deal()
    }

    pub(crate) fn current_player(&self) -> Option<usize> {
        self.position.to_move().map(Seat::index)
    }

    pub(crate) fn legal_actions(&self, actions: &mut Vec<u16>) {
        actions.resize(MOST_IDS, 0);
        let count = self.position.write_ids(actions);
        actions.truncate(count);
    }

    pub(crate) fn write_actions(&self, actions: &mut [u16]) -> Result<usize, PlayError> {
        if actions.len() < MOST_IDS {
            let (what, expected, found) = ("the list of actions", MOST_IDS, actions.len());
            return Err(PlayError::Length { what, expected, found });
        }
        Ok(self.position.write_ids(actions))
    }

    pub(crate) fn write_mask(&self, mask: &mut [u8]) -> Result<u32, PlayError> {
        check_length("the mask", self.action_count(), mask.len())?;
        Ok(self.position.write_mask(mask))
    }

    pub(crate) fn apply(&mut self, action: u16) -> Result<(), PlayError> {
        self.play(self.move_of(action)?)
    }

    pub(crate) fn apply_text(&mut self, text: &str) -> Result<(), PlayError> {
        self.play(self.read(text)?)
    }

    fn play(&mut self, action: P::Move) -> Result<(), PlayError> {
        self.position.check(action).map_err(|refusal| {
            let action = P::move_text(action);
            PlayError::Illegal { action, refusal }
        })?;
        self.position.play(action);
        self.chance.deal(&mut self.position);
        Ok(())
    }

    fn move_of(&self, action: u16) -> Result<P::Move, PlayError> {
        let count = self.action_count();
        let no_such = || PlayError::NoSuchAction { id: action.into(), count };
        self.position.action(action).ok_or_else(no_such)
    }

    fn read(&self, text: &str) -> Result<P::Move, PlayError> {
        self.position.parse_move(text).ok_or_else(|| PlayError::BadMove { text: text.to_owned() })
    }

    pub(crate) fn action_text(&self, action: u16) -> Result<String, PlayError> {
        self.move_of(action).map(P::move_text)
    }

    pub(crate) fn action_id(&self, text: &str) -> Result<u16, PlayError> {
        let id = self.position.known_id(self.read(text)?);
        id.ok_or_else(|| PlayError::BadMove { text: text.to_owned() })
    }

    pub(crate) fn chance_outcomes(&self) -> Result<Vec<Outcome>, PlayError> {
        if self.is_chance() { Ok(self.position.outcomes()) } else { Err(PlayError::NoDealDue) }
    }

    pub(crate) fn apply_outcome(&mut self, tiles: &str) -> Result<(), PlayError> {
        if !self.is_chance() {
            return Err(PlayError::NoDealDue);
        }
        let bad = || PlayError::BadTiles { text: tiles.to_owned() };
        let dealt = self.position.deal_exactly(tiles).ok_or_else(bad)?;
        dealt.map_err(|refusal| PlayError::BadDeal { tiles: tiles.to_owned(), refusal })
    }

    pub(crate) fn sample_outcome(&mut self, number: u64) -> Result<(), PlayError> {
        if !self.is_chance() {
            return Err(PlayError::NoDealDue);
        }
        self.position.deal_one(&mut Dice::new(number));
        Ok(())
    }

    pub(crate) fn returns(&self, returns: Returns) -> Vec<f32> {
        let mut values = vec![0.0; self.seats()];
        if self.is_terminal() {
            returns.write(&self.position, &mut values);
        }
        values
    }

    pub(crate) fn scores(&self) -> Vec<u16> {
        self.position.standing().0.to_vec()
    }

    pub(crate) fn ranks(&self) -> Vec<u8> {
        let ranks: PerSeat<u8> = self.position.standing().1;
        ranks.to_vec()
    }

    pub(crate) fn observe(&self, seat: usize, values: &mut [u8]) -> Result<(), PlayError> {
        let seat = read_seat(self.position.players(), seat)?;
        check_length("the observation", self.observation_size(), values.len())?;
        self.position.write_observation(seat, values);
        Ok(())
    }

    pub(crate) fn observe_scaled(&self, seat: usize, values: &mut [f32]) -> Result<(), PlayError> {
        let size = self.observation_size();
        check_length("the observation", size, values.len())?;
        let mut raw = [0; MOST_VALUES];
        self.observe(seat, &mut raw[..size])?;
        let factors = factors(self.position.ruleset());
        for ((value, &raw), &factor) in values.iter_mut().zip(&raw).zip(factors) {
            *value = f32::from(raw) * factor;
        }
        Ok(())
    }

    pub(crate) fn hash(&self) -> u64 {
        azulejo_bots::Game::hash(&self.position)
    }

    pub(crate) fn best_move(&self, bot: HouseBot, seed: u64) -> Result<u16, PlayError> {
        let chosen = bot.choose(&self.position, seed);
        chosen.map(|action| self.position.id(action)).ok_or_else(|| self.no_turn())
    }

    fn no_turn(&self) -> PlayError {
        let why = if self.is_terminal() { "the game is over" } else { "a deal is due" };
        PlayError::NoTurn { why }
    }

    pub(crate) fn play_out(&mut self, seed: u64) -> u32 {
        play_out(&mut self.position, &mut Dice::new(seed), &mut P::Moves::default())
    }
}

/// The most values of an observation: those of Summer Pavilion's gray side for four players.
const MOST_VALUES: usize = 1_150;

/// What raw values are multiplied by. Layouts have names, so they are made once for each ruleset.
fn factors(ruleset: Ruleset) -> &'static [f32] {
    static FACTORS: [OnceLock<Vec<f32>>; 12] = [const { OnceLock::new() }; 12];
    let (game, side, players) = match ruleset {
        Ruleset::Azul(rules) => (0, rules.side, rules.players),
        Ruleset::SummerPavilion(rules) => (1, rules.side, rules.players),
    };
    let index = game * 6 + usize::from(side == Side::Gray) * 3 + players.seats() - 2;
    let scales = || layout(ruleset).scales().map(|scale| 1.0 / f32::from(scale)).collect();
    FACTORS[index].get_or_init(scales)
}

/// Random moves and deals to the end. Returns the number of moves.
pub(crate) fn play_out<P: Position>(
    position: &mut P,
    dice: &mut Dice,
    moves: &mut P::Moves,
) -> u32 {
    let mut steps = 0;
    loop {
        position.deal(dice);
        if position.is_over() {
            return steps;
        }
        position.list(moves);
        position.play(moves[dice.below(moves.len())]);
        steps += 1;
    }
}

pub(crate) const fn check_length(
    what: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), PlayError> {
    if found == expected { Ok(()) } else { Err(PlayError::Length { what, expected, found }) }
}
