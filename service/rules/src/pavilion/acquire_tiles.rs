//! "Phase 1: acquire tiles".

use crate::parts::{Factory, Source, Tiles, Witness};

use super::{Color, Event, IllegalMove, Move, MoveList, Phase, Position};

impl Position {
    /// Whether nothing is left to take. The token does not count: it is not a tile.
    #[inline]
    pub(super) fn offer_is_empty(&self) -> bool {
        self.offer.iter().all(|tiles| tiles.is_empty())
    }

    #[inline]
    pub(super) fn collect_takes(&self, moves: &mut MoveList) {
        let wild = self.wild_color();
        for (&source, tiles) in Source::of(self.rules.players).iter().zip(&self.offer) {
            let mut others = *tiles;
            let wilds = others.take_all(wild);
            if others.is_empty() && wilds > 0 {
                moves.push(Move::Take { source, color: wild });
            }
            for color in others.present() {
                moves.push(Move::Take { source, color });
            }
        }
    }

    pub(super) fn check_take(&self, source: Source, color: Color) -> Result<(), IllegalMove> {
        if let Source::Factory(factory) = source
            && !Factory::of(self.rules.players).contains(&factory)
        {
            return Err(IllegalMove::NoSuchFactory { factory });
        }
        let tiles = self.offer[source.index()];
        if !tiles.holds(color) {
            return Err(IllegalMove::ColorAbsent { place: source, color });
        }
        if color == self.wild_color() && tiles.colors() > 1 {
            return Err(IllegalMove::WildNotAlone { place: source });
        }
        Ok(())
    }

    #[inline]
    pub(super) fn take(&mut self, source: Source, color: Color, witness: &mut impl Witness<Event>) {
        let seat = self.turn;
        let wild = self.wild_color();
        let place = &mut self.offer[source.index()];
        // All of the color and one wild tile; of wild tiles alone, just one.
        let wilds = u8::from(place.holds(wild));
        let naturals = if color == wild { 0 } else { place.count(color) };
        let taken = Tiles::of(wild, wilds) + Tiles::of(color, naturals);
        *place -= taken;
        if source != Source::Center {
            let rest = place.take();
            self.offer[Source::Center.index()] += rest;
        }
        let tiles = wilds + naturals;
        let board = &mut self.boards[seat.index()];
        board.hand += taken;
        witness.saw(Event::Took { seat, source, color, tiles, wilds });
        if source == Source::Center && self.token.is_none() {
            self.token = Some(seat);
            let lost = board.lose(tiles.into());
            witness.saw(Event::TokenTaken { seat, lost });
        }
        if self.offer_is_empty() {
            self.begin_placing(witness);
        } else {
            self.turn = seat.clockwise(self.rules.players);
        }
    }

    /// Phase 2 begins with the player who took the token this round.
    ///
    /// Ruling C3: if no player took it, the start player begins, and starts the next round too.
    pub(super) fn begin_placing(&mut self, witness: &mut impl Witness<Event>) {
        self.turn = self.next_start();
        self.phase = Phase::Play;
        witness.saw(Event::PlacingBegan { seat: self.turn });
    }
}
