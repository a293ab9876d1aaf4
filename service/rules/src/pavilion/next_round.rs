//! "Phase 3: prepare the next round", and every deal.

use core::fmt;

use crate::parts::{
    BadDeal, Chance, Factory, Filled, Outcomes, Seat, SeatSet, Source, TILES_PER_FACTORY, Tiles,
    Witness,
};

use super::wild_color::ROUNDS;
use super::{Color, Event, Phase, Position};

/// Spaces of the supply.
pub const SUPPLY_SPACES: u8 = 10;

/// What a deal fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Display {
    Supply,
    Factory(Factory),
}

impl fmt::Display for Display {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Supply => f.write_str("supply"),
            Self::Factory(factory) => write!(f, "factory {factory}"),
        }
    }
}

impl Position {
    /// The seat that starts the next phase 2 and the next round: the holder of the token.
    #[inline]
    pub(super) fn next_start(&self) -> Seat {
        self.token.unwrap_or(self.start)
    }

    /// Everyone has passed: the next round waits for its deal, or the game is over.
    pub(super) fn end_round(&mut self, witness: &mut impl Witness<Event>) {
        self.start = self.next_start();
        self.turn = self.start;
        self.token = None;
        self.passed = SeatSet::NONE;
        if self.round == ROUNDS {
            return self.end_game(witness);
        }
        self.round += 1;
        self.phase = Phase::Deal;
        let wild = self.wild_color();
        witness.saw(Event::RoundBegan { round: self.round, start: self.start, wild });
        self.go_on_after_deal(witness);
    }

    /// The display that waits to be filled: the supply first, then the factory displays in order.
    ///
    /// A display for which there are no tiles stays as it is, and is not dealt.
    #[must_use]
    pub fn awaiting_deal(&self) -> Option<Display> {
        let short = self.supply.total() < SUPPLY_SPACES;
        match self.phase {
            Phase::Deal | Phase::TopUp if self.stock.is_empty() => None,
            Phase::Deal | Phase::TopUp if short => Some(Display::Supply),
            Phase::Deal => Factory::of(self.rules.players)
                .iter()
                .copied()
                .find(|&factory| self.factory(factory).is_empty())
                .map(Display::Factory),
            Phase::TopUp
            | Phase::Acquire
            | Phase::Play
            | Phase::Bonus { .. }
            | Phase::Keep
            | Phase::Over => None,
        }
    }

    /// If nothing is left to deal, continues with the phase after the deal.
    ///
    /// Ruling C5: if there is nothing at all to take, phase 1 is skipped.
    pub(super) fn go_on_after_deal(&mut self, witness: &mut impl Witness<Event>) {
        if self.awaiting_deal().is_some() {
            return;
        }
        if self.phase == Phase::TopUp {
            self.phase = Phase::Play;
        } else if self.offer_is_empty() {
            self.begin_placing(witness);
        } else {
            self.phase = Phase::Acquire;
        }
    }

    /// Fills the next display by chance. Does nothing if no deal is due.
    pub fn deal(&mut self, chance: &mut impl Chance<Color>, witness: &mut impl Witness<Event>) {
        if let Some(display) = self.awaiting_deal() {
            let tower = self.stock.discards;
            let filled = self.stock.fill(self.room(display), chance);
            self.dealt(display, filled, tower, witness);
        }
    }

    /// Fills every display that waits.
    pub fn deal_all(&mut self, chance: &mut impl Chance<Color>, witness: &mut impl Witness<Event>) {
        while matches!(self.phase, Phase::Deal | Phase::TopUp) {
            self.deal(chance, witness);
        }
    }

    /// Fills the next display with these tiles, if they can be drawn.
    pub fn deal_exactly(
        &mut self,
        tiles: Tiles<Color>,
        witness: &mut impl Witness<Event>,
    ) -> Result<(), BadDeal<Color>> {
        let display = self.awaiting_deal().ok_or(BadDeal::NotDue)?;
        let tower = self.stock.discards;
        let filled = self.stock.fill_with(self.room(display), tiles)?;
        self.dealt(display, filled, tower, witness);
        Ok(())
    }

    /// Every outcome of the next deal with its probability; none if no deal is due.
    #[must_use]
    pub fn deal_outcomes(&self) -> Option<Outcomes<Color>> {
        self.awaiting_deal().map(|display| self.stock.outcomes(self.room(display)))
    }

    fn room(&self, display: Display) -> u8 {
        match display {
            Display::Supply => SUPPLY_SPACES - self.supply.total(),
            Display::Factory(_) => TILES_PER_FACTORY,
        }
    }

    fn dealt(
        &mut self,
        display: Display,
        filled: Filled<Color>,
        tower: Tiles<Color>,
        witness: &mut impl Witness<Event>,
    ) {
        if filled.tipped_after.is_some() {
            witness.saw(Event::TowerTipped { tiles: tower });
        }
        match display {
            Display::Supply => self.supply += filled.tiles,
            Display::Factory(factory) => {
                self.offer[Source::Factory(factory).index()] = filled.tiles;
            }
        }
        witness.saw(Event::Dealt { display, tiles: filled.tiles });
        self.go_on_after_deal(witness);
    }
}
