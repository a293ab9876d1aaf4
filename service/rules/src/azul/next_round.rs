//! "C. Preparing the next round", and the deals of every round.

use crate::parts::{
    BadDeal, Chance, Factory, Filled, Outcomes, Source, TILES_PER_FACTORY, Tiles, Witness,
};

use super::{Color, Event, GameEnd, Phase, Position};

impl Position {
    /// After the tiling: the game is over, or the next round waits for its deal.
    ///
    /// Ruling B9: a completed row comes before the round limit, and that before the lack of tiles.
    pub(super) fn end_round(&mut self, witness: &mut impl Witness<Event>) {
        self.start = self.next_start();
        self.turn = self.start;
        self.marker = None;
        if self.boards.iter().any(|board| board.wall.has_complete_row()) {
            self.end_game(GameEnd::RowCompleted, witness);
        } else if self.round == self.rules.round_limit {
            self.end_game(GameEnd::RoundLimit, witness);
        } else if self.stock.is_empty() {
            // Ruling A5: without a single tile nothing could ever change again.
            self.end_game(GameEnd::NoTiles, witness);
        } else {
            self.round += 1;
            self.phase = Phase::Deal;
            witness.saw(Event::RoundBegan { round: self.round, start: self.start });
        }
    }

    /// The factory display that waits to be filled.
    #[must_use]
    pub fn awaiting_deal(&self) -> Option<Factory> {
        match self.phase {
            Phase::Deal => Factory::of(self.rules.players)
                .iter()
                .copied()
                .find(|factory| self.factory(*factory).is_empty()),
            Phase::Offer | Phase::Tiling | Phase::Over(_) => None,
        }
    }

    /// Fills the next factory display by chance. Does nothing if no deal is due.
    pub fn deal(&mut self, chance: &mut impl Chance<Color>, witness: &mut impl Witness<Event>) {
        if let Some(factory) = self.awaiting_deal() {
            let lid = self.stock.discards;
            let filled = self.stock.fill(TILES_PER_FACTORY, chance);
            self.dealt(factory, filled, lid, witness);
        }
    }

    /// Fills every factory display that waits.
    pub fn deal_all(&mut self, chance: &mut impl Chance<Color>, witness: &mut impl Witness<Event>) {
        while self.phase == Phase::Deal {
            self.deal(chance, witness);
        }
    }

    /// Fills the next factory display with these tiles, if they can be drawn.
    pub fn deal_exactly(
        &mut self,
        tiles: Tiles<Color>,
        witness: &mut impl Witness<Event>,
    ) -> Result<(), BadDeal<Color>> {
        let factory = self.awaiting_deal().ok_or(BadDeal::NotDue)?;
        let lid = self.stock.discards;
        let filled = self.stock.fill_with(TILES_PER_FACTORY, tiles)?;
        self.dealt(factory, filled, lid, witness);
        Ok(())
    }

    /// Every outcome of the next deal with its probability; none if no deal is due.
    #[must_use]
    pub fn deal_outcomes(&self) -> Option<Outcomes<Color>> {
        self.awaiting_deal().map(|_| self.stock.outcomes(TILES_PER_FACTORY))
    }

    fn dealt(
        &mut self,
        factory: Factory,
        filled: Filled<Color>,
        lid: Tiles<Color>,
        witness: &mut impl Witness<Event>,
    ) {
        if filled.tipped_after.is_some() {
            witness.saw(Event::LidTipped { tiles: lid });
        }
        self.offer[Source::Factory(factory).index()] = filled.tiles;
        witness.saw(Event::Dealt { factory, tiles: filled.tiles });
        // Factory displays for which there is no tile stay empty, without a deal of their own.
        if self.awaiting_deal().is_none() || self.stock.is_empty() {
            self.phase = Phase::Offer;
        }
    }
}
