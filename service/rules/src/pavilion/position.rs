//! Validation: external input is a [`Setup`]; it becomes a [`Position`] only here, and only
//! if every invariant holds. From a position that passed, the rules can always go on, and whatever
//! they lead to passes again. Not every position that passes can be reached by playing.

use arrayvec::ArrayVec;

use crate::parts::{
    Factory, MAX_FACTORIES, PerSeat, Seat, SeatSet, Side, Stock, TILES_PER_FACTORY, Tally,
    TileColor, Tiles,
};

use super::moves::{CORNERS, MOST_BONUS_TILES};
use super::{
    BadPosition, Color, Display, FEWEST_POINTS, Phase, PlayerBoard, Position, ROUNDS, Rules,
    SUPPLY_SPACES, Space, Star,
};

/// A position that is not validated yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub rules: Rules,
    pub phase: Phase,
    pub round: u8,
    /// The seat that has to decide; before a deal, the seat after it; after the end, the start seat.
    pub turn: Seat,
    pub start: Seat,
    pub token: Option<Seat>,
    pub passed: SeatSet,
    pub bag: Tiles<Color>,
    pub tower: Tiles<Color>,
    pub drawn: u32,
    pub supply: Tiles<Color>,
    pub center: Tiles<Color>,
    pub factories: ArrayVec<Tiles<Color>, MAX_FACTORIES>,
    pub boards: PerSeat<BoardSetup>,
}

/// A player board that is not validated yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSetup {
    pub points: u16,
    pub hand: Tiles<Color>,
    /// By star and space.
    pub stars: [[Option<Color>; 6]; 7],
}

impl Default for BoardSetup {
    fn default() -> Self {
        Self::from(&PlayerBoard::EMPTY)
    }
}

impl TryFrom<&Setup> for Position {
    type Error = BadPosition;

    fn try_from(setup: &Setup) -> Result<Self, BadPosition> {
        setup.check_table()?;
        let mut position = Self::new(setup.rules, setup.start);
        position.phase = setup.phase;
        position.round = setup.round;
        position.turn = setup.turn;
        position.token = setup.token;
        position.passed = setup.passed;
        position.stock = Stock { bag: setup.bag, discards: setup.tower, drawn: setup.drawn };
        position.supply = setup.supply;
        position.offer[0] = setup.center;
        position.offer[1..=setup.factories.len()].copy_from_slice(&setup.factories);
        for (seat, board) in setup.rules.players.iter().zip(&setup.boards) {
            position.boards[seat.index()] = board.check(seat, setup.rules.side)?;
        }
        position.check_tiles()?;
        position.check_phase()?;
        Ok(position)
    }
}

impl Setup {
    fn check_table(&self) -> Result<(), BadPosition> {
        let players = self.rules.players;
        let (boards, factories) = (self.boards.len(), self.factories.len());
        if boards != players.seats() {
            return Err(BadPosition::BoardCount { players, found: boards });
        }
        if factories != Factory::of(players).len() {
            return Err(BadPosition::FactoryCount { players, found: factories });
        }
        if !(1..=ROUNDS).contains(&self.round) {
            return Err(BadPosition::RoundOutOfRange { round: self.round });
        }
        if !players.has(self.turn) {
            return Err(BadPosition::TurnSeat { seat: self.turn });
        }
        if !players.has(self.start) {
            return Err(BadPosition::StartSeat { seat: self.start });
        }
        if let Some(seat) = self.token.filter(|&seat| !players.has(seat)) {
            return Err(BadPosition::TokenSeat { seat });
        }
        let stranger = |seat: &Seat| self.passed.holds(*seat) && !players.has(*seat);
        match Seat::ALL.into_iter().find(stranger) {
            Some(seat) => Err(BadPosition::PassedSeat { seat }),
            None => Ok(()),
        }
    }
}

impl BoardSetup {
    fn check(&self, seat: Seat, side: Side) -> Result<PlayerBoard, BadPosition> {
        let points = self.points;
        let mut board = PlayerBoard { points, hand: self.hand, ..PlayerBoard::EMPTY };
        for (star, spaces) in Star::ALL.into_iter().zip(self.stars) {
            for (space, tile) in Space::ALL.into_iter().zip(spaces) {
                let Some(color) = tile else { continue };
                if !board.open_colors(side, star).holds(color) {
                    return Err(BadPosition::StarColor { seat, star, space, color });
                }
                board.lay(star, space, color);
            }
        }
        let most = board.most_points();
        if !(FEWEST_POINTS..=most).contains(&points) {
            return Err(BadPosition::PointsOutOfRange { seat, points, most });
        }
        Ok(board)
    }
}

impl Position {
    fn check_tiles(&self) -> Result<(), BadPosition> {
        for &factory in Factory::of(self.rules.players) {
            let tiles = self.factory(factory).total();
            if tiles > TILES_PER_FACTORY {
                return Err(BadPosition::FactoryOverfull { factory, tiles });
            }
        }
        let displays = Factory::of(self.rules.players).iter();
        let empty = displays.filter(|&&display| self.factory(display).is_empty()).count() as u8;
        let (tiles, most) = (self.center().total(), (TILES_PER_FACTORY - 1) * empty);
        if tiles > most {
            return Err(BadPosition::CenterOverfull { tiles, most });
        }
        if self.supply.total() > SUPPLY_SPACES {
            return Err(BadPosition::SupplyOverfull { tiles: self.supply.total() });
        }
        let tally: Tally<Color> = self.heaps().collect();
        let each = u16::from(Color::EACH);
        if let Some(color) = Color::ALL.into_iter().find(|&color| tally.count(color) != each) {
            return Err(BadPosition::TilesNotConserved { color, found: tally.count(color) });
        }
        self.check_drawn()
    }

    /// Every place where tiles can be.
    fn heaps(&self) -> impl Iterator<Item = Tiles<Color>> {
        let stock = [self.stock.bag, self.stock.discards, self.supply];
        let boards = &self.boards[..self.rules.players.seats()];
        let boards = boards.iter().flat_map(|board| board.laid.into_iter().chain([board.hand]));
        stock.into_iter().chain(self.offer).chain(boards)
    }

    /// Each tile outside bag and tower was drawn: for the supply at first, for the factory displays
    /// each round, and once for each bonus tile that the boards have earned.
    fn check_drawn(&self) -> Result<(), BadPosition> {
        let factories = Factory::of(self.rules.players).len() as u32;
        let a_round = factories * u32::from(TILES_PER_FACTORY);
        let inside = self.stock.bag.total() + self.stock.discards.total();
        let least = Color::ALL.len() as u32 * u32::from(Color::EACH) - u32::from(inside);
        let earned = self.rules.players.iter().map(|seat| u32::from(self.board(seat).rewards()));
        let supply = u32::from(self.supply.total());
        let most = (a_round * u32::from(self.round) + earned.sum::<u32>() + supply)
            .saturating_sub(self.still_to_draw());
        let drawn = self.stock.drawn;
        if (least..=most).contains(&drawn) {
            return Ok(());
        }
        Err(BadPosition::DrawnOutOfRange { drawn, least, most })
    }

    /// Tiles of this round, and bonus tiles due, that are yet to be drawn: places on the factory
    /// displays that the deal has not reached, and those that the bonus will leave in the supply.
    fn still_to_draw(&self) -> u32 {
        match self.phase {
            Phase::Deal => {
                let displays = Factory::of(self.rules.players).iter();
                let empty = displays.filter(|&&display| self.factory(display).is_empty());
                empty.count() as u32 * u32::from(TILES_PER_FACTORY)
            }
            Phase::Bonus { due } => due.into(),
            Phase::Acquire | Phase::Play | Phase::Keep | Phase::TopUp | Phase::Over => 0,
        }
    }

    fn check_phase(&self) -> Result<(), BadPosition> {
        self.check_kept()?;
        match self.phase {
            Phase::Deal => self.check_deal(),
            Phase::Acquire => self.check_acquire(),
            Phase::Play => self.check_placing().and_then(|()| self.check_supply()),
            Phase::Bonus { due } => self.check_placing().and_then(|()| self.check_due(due)),
            Phase::Keep => self.check_keeping(),
            Phase::TopUp => {
                self.check_placing()?;
                self.awaiting_deal().map(|_| ()).ok_or(BadPosition::NothingToDeal)
            }
            Phase::Over => self.check_over(),
        }
    }

    /// A player who has passed keeps four tiles at most. Between rounds and in a finished game, that
    /// is every player.
    fn check_kept(&self) -> Result<(), BadPosition> {
        let all = matches!(self.phase, Phase::Deal | Phase::Over);
        let has_passed = |seat: &Seat| all || self.passed.holds(*seat);
        for seat in self.rules.players.iter().filter(has_passed) {
            let tiles = self.board(seat).hand.total();
            if tiles > CORNERS {
                return Err(BadPosition::TooManyKept { seat, tiles });
            }
        }
        Ok(())
    }

    fn check_deal(&self) -> Result<(), BadPosition> {
        let next = self.awaiting_deal().ok_or(BadPosition::NothingToDeal)?;
        for &factory in Factory::of(self.rules.players) {
            let (display, tiles) = (Display::Factory(factory), self.factory(factory).total());
            if tiles != if display < next { TILES_PER_FACTORY } else { 0 } {
                return Err(BadPosition::DealOutOfOrder { display });
            }
        }
        if !self.center().is_empty() {
            return Err(BadPosition::OfferNotEmpty);
        }
        self.check_between_rounds()
    }

    fn check_between_rounds(&self) -> Result<(), BadPosition> {
        if !self.passed.is_empty() {
            return Err(BadPosition::PassedTooEarly);
        }
        if self.token.is_some() {
            return Err(BadPosition::TokenNotReturned);
        }
        if self.turn == self.start { Ok(()) } else { Err(BadPosition::TurnNotStart) }
    }

    fn check_acquire(&self) -> Result<(), BadPosition> {
        if self.offer_is_empty() {
            return Err(BadPosition::OfferEmpty);
        }
        if !self.passed.is_empty() {
            return Err(BadPosition::PassedTooEarly);
        }
        // The supply is filled before any factory display.
        let tiles = self.supply.total();
        if tiles < SUPPLY_SPACES { Err(BadPosition::SupplyShort { tiles }) } else { Ok(()) }
    }

    /// What holds throughout phase 2.
    fn check_placing(&self) -> Result<(), BadPosition> {
        if !self.offer_is_empty() {
            return Err(BadPosition::OfferNotEmpty);
        }
        let seat = self.turn;
        if self.passed.holds(seat) { Err(BadPosition::TurnPassed { seat }) } else { Ok(()) }
    }

    /// A turn of phase 2 begins with ten tiles in the supply, or none in bag and tower.
    fn check_supply(&self) -> Result<(), BadPosition> {
        let tiles = self.supply.total();
        if tiles < SUPPLY_SPACES && !self.stock.is_empty() {
            return Err(BadPosition::SupplyShort { tiles });
        }
        Ok(())
    }

    fn check_due(&self, due: u8) -> Result<(), BadPosition> {
        if !(1..=MOST_BONUS_TILES.min(self.supply.total())).contains(&due) {
            return Err(BadPosition::BonusOutOfRange { due });
        }
        let seat = self.turn;
        if self.board(seat).rewards() < due {
            return Err(BadPosition::BonusNotEarned { seat, due });
        }
        Ok(())
    }

    fn check_keeping(&self) -> Result<(), BadPosition> {
        self.check_placing()?;
        self.check_supply()?;
        let (seat, hand) = (self.turn, self.board(self.turn).hand);
        if hand.total() <= CORNERS || hand.colors() == 1 {
            return Err(BadPosition::NothingToKeep { seat });
        }
        Ok(())
    }

    fn check_over(&self) -> Result<(), BadPosition> {
        if !self.offer_is_empty() {
            return Err(BadPosition::OfferNotEmpty);
        }
        self.check_between_rounds()?;
        if self.round == ROUNDS { Ok(()) } else { Err(BadPosition::EndNotReached) }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        let Position {
            boards,
            offer,
            supply,
            stock,
            rules,
            phase,
            round,
            turn,
            start,
            token,
            passed,
        } = *position;
        let factories = Factory::of(rules.players).len();
        Self {
            rules,
            phase,
            round,
            turn,
            start,
            token,
            passed,
            bag: stock.bag,
            tower: stock.discards,
            drawn: stock.drawn,
            supply,
            center: offer[0],
            factories: offer.into_iter().skip(1).take(factories).collect(),
            boards: boards.iter().take(rules.players.seats()).map(BoardSetup::from).collect(),
        }
    }
}

impl From<&PlayerBoard> for BoardSetup {
    fn from(board: &PlayerBoard) -> Self {
        Self {
            points: board.points,
            hand: board.hand,
            stars: Star::ALL.map(|star| Space::ALL.map(|space| board.color_at(star, space))),
        }
    }
}
