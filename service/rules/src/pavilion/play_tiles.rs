//! "Phase 2: play tiles and score".

use crate::parts::Witness;

use super::star::{cost, group_size, reward};
use super::{Color, Event, IllegalMove, Move, MoveList, Phase, Position, Space, Star};

impl Position {
    #[inline]
    pub(super) fn collect_places(&self, moves: &mut MoveList) {
        self.for_each_payment(|star, space, color, _, (least, most)| {
            for naturals in least..=most {
                moves.push(Move::Place { star, space, color, naturals });
            }
        });
    }

    /// Every color that can be laid on every space, with the price and how many natural tiles may
    /// pay it, least and most; in ascending order of action ids.
    #[inline]
    pub(super) fn for_each_payment(
        &self,
        mut payment: impl FnMut(Star, Space, Color, u8, (u8, u8)),
    ) {
        let board = &self.boards[self.turn.index()];
        let (side, wild) = (self.rules.side, self.wild_color());
        let at_hand = board.hand.presence();
        let purses = Color::ALL.map(|color| board.purse(wild, color));
        for &star in &Star::ALL {
            let colors = board.open_colors(side, star).common(at_hand);
            let dearest = colors.present().map(|color| purses[color.index()].most()).max();
            let Some(most) = dearest else { continue };
            for space in board.free_spaces(side, star, most) {
                let price = cost(side, star, space);
                for color in colors.present() {
                    if let Some(naturals) = purses[color.index()].pay(price) {
                        payment(star, space, color, price, naturals);
                    }
                }
            }
        }
    }

    pub(super) fn check_place(
        &self,
        star: Star,
        space: Space,
        color: Color,
        naturals: u8,
    ) -> Result<(), IllegalMove> {
        let board = &self.boards[self.turn.index()];
        if board.is_covered(star, space) {
            return Err(IllegalMove::SpaceCovered { star, space });
        }
        if !board.open_colors(self.rules.side, star).holds(color) {
            return Err(IllegalMove::ColorNotTaken { star, color });
        }
        let price = cost(self.rules.side, star, space);
        let payment = board.purse(self.wild_color(), color).pay(price);
        let (least, most) = payment.ok_or(IllegalMove::TooFewTiles { color, price })?;
        if !(least..=most).contains(&naturals) {
            return Err(IllegalMove::NaturalsOutOfRange { naturals, least, most });
        }
        Ok(())
    }

    /// Lays one tile and pays for it: all others of the price go to the tower.
    #[inline]
    pub(super) fn place(
        &mut self,
        star: Star,
        space: Space,
        color: Color,
        naturals: u8,
        witness: &mut impl Witness<Event>,
    ) {
        let seat = self.turn;
        let wild = self.wild_color();
        let wilds = cost(self.rules.side, star, space) - naturals;
        let board = &mut self.boards[seat.index()];
        board.hand.remove(color, naturals);
        board.hand.remove(wild, wilds);
        self.stock.discards.put(color, naturals - 1);
        self.stock.discards.put(wild, wilds);
        board.lay(star, space, color);
        let points = group_size(board.star_cells(star), space);
        board.points += points;
        witness.saw(Event::Placed { seat, star, space, color, wilds, points });
        let earned = reward(board.covered, star, space);
        if earned > 0 {
            witness.saw(Event::BonusEarned { seat, tiles: earned });
        }
        // Ruling C4: a supply that has fewer gives what it has.
        match earned.min(self.supply.total()) {
            0 => self.end_turn(witness),
            due => self.phase = Phase::Bonus { due },
        }
    }

    /// The next player who has not passed; before that the supply is topped up.
    ///
    /// Ruling C4: after every turn of phase 2, passes included.
    pub(super) fn end_turn(&mut self, witness: &mut impl Witness<Event>) {
        let players = self.rules.players;
        if self.passed.is_everyone(players) {
            return self.end_round(witness);
        }
        self.turn = self.turn.clockwise(players);
        while self.passed.holds(self.turn) {
            self.turn = self.turn.clockwise(players);
        }
        self.phase = Phase::TopUp;
        self.go_on_after_deal(witness);
    }
}
