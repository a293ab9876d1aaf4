//! Validation: external input is a [`Setup`]; it becomes a [`Position`] only here, and only
//! if every invariant holds. From a position that passed, the rules can always go on, and whatever
//! they lead to passes again. Not every position that passes can be reached by playing.

use arrayvec::ArrayVec;

use crate::parts::{
    Factory, MAX_FACTORIES, PerSeat, Seat, Side, Stock, TILES_PER_FACTORY, Tally, TileColor, Tiles,
};

use super::board::Line;
use super::{
    BadPosition, Color, Column, FLOOR_SPACES, GameEnd, PatternLine, Phase, PlayerBoard, Position,
    Row, Rules, Wall,
};

/// A position that is not validated yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub rules: Rules,
    pub phase: Phase,
    pub round: u8,
    /// The seat that has to decide; before a deal and after the end, the start seat.
    pub turn: Seat,
    pub start: Seat,
    pub marker: Option<Seat>,
    pub bag: Tiles<Color>,
    pub lid: Tiles<Color>,
    pub drawn: u32,
    pub center: Tiles<Color>,
    pub factories: ArrayVec<Tiles<Color>, MAX_FACTORIES>,
    pub boards: PerSeat<BoardSetup>,
}

/// A player board that is not validated yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardSetup {
    pub points: u16,
    pub wall: [[Option<Color>; 5]; 5],
    /// Color and number of tiles of each pattern line.
    pub lines: [Option<(Color, u8)>; 5],
    pub floor: Tiles<Color>,
}

impl TryFrom<&Setup> for Position {
    type Error = BadPosition;

    fn try_from(setup: &Setup) -> Result<Self, BadPosition> {
        setup.check_table()?;
        let mut position = Self::new(setup.rules, setup.start);
        position.phase = setup.phase;
        position.round = setup.round;
        position.turn = setup.turn;
        position.marker = setup.marker;
        position.stock = Stock { bag: setup.bag, discards: setup.lid, drawn: setup.drawn };
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
        let Rules { players, round_limit: limit, side: _ } = self.rules;
        let (boards, factories) = (self.boards.len(), self.factories.len());
        if boards != players.seats() {
            return Err(BadPosition::BoardCount { players, found: boards });
        }
        if factories != Factory::of(players).len() {
            return Err(BadPosition::FactoryCount { players, found: factories });
        }
        if limit == 0 {
            return Err(BadPosition::NoRounds);
        }
        if !(1..=limit).contains(&self.round) {
            return Err(BadPosition::RoundOutOfRange { round: self.round, limit });
        }
        if !players.has(self.turn) {
            return Err(BadPosition::TurnSeat { seat: self.turn });
        }
        if !players.has(self.start) {
            return Err(BadPosition::StartSeat { seat: self.start });
        }
        match self.marker {
            Some(seat) if !players.has(seat) => Err(BadPosition::MarkerSeat { seat }),
            _ => Ok(()),
        }
    }
}

impl BoardSetup {
    fn check(&self, seat: Seat, side: Side) -> Result<PlayerBoard, BadPosition> {
        let tiles = self.floor.total();
        if tiles > FLOOR_SPACES {
            return Err(BadPosition::FloorOverfull { seat, tiles });
        }
        let wall = self.check_wall(seat, side)?;
        let (points, most) = (self.points, wall.most_points());
        if points > most {
            return Err(BadPosition::PointsOutOfRange { seat, points, most });
        }
        let lines = self.check_lines(seat, &wall)?;
        Ok(PlayerBoard { wall, floor: self.floor, points, lines })
    }

    fn check_wall(&self, seat: Seat, side: Side) -> Result<Wall, BadPosition> {
        let mut wall = Wall::default();
        for (row, cells) in Row::ALL.into_iter().zip(self.wall) {
            for (column, cell) in Column::ALL.into_iter().zip(cells) {
                let Some(color) = cell else { continue };
                match side {
                    // Where each color has its place, none can be twice in a row or a column.
                    Side::Colored if Wall::column_of(row, color) != column => {
                        return Err(BadPosition::WallColorMisplaced { seat, row, column, color });
                    }
                    Side::Gray if wall.holds(row, color) => {
                        return Err(BadPosition::ColorTwiceInRow { seat, row, color });
                    }
                    Side::Gray if wall.shows_in_column(column, color) => {
                        return Err(BadPosition::ColorTwiceInColumn { seat, column, color });
                    }
                    Side::Colored | Side::Gray => wall.place(row, column, color),
                }
            }
        }
        Ok(wall)
    }

    fn check_lines(&self, seat: Seat, wall: &Wall) -> Result<[Line; 5], BadPosition> {
        let mut lines = [Line::EMPTY; 5];
        for (row, line) in Row::ALL.into_iter().zip(self.lines) {
            let Some((color, tiles)) = line else { continue };
            if !(1..=row.spaces()).contains(&tiles) {
                return Err(BadPosition::LineLength { seat, row, tiles });
            }
            if wall.holds(row, color) {
                return Err(BadPosition::LineColorOnWall { seat, row, color });
            }
            lines[row.index()] = Line::holding(color, tiles);
        }
        Ok(lines)
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
        let tally: Tally<Color> = self.heaps().collect();
        let each = u16::from(Color::EACH);
        if let Some(color) = Color::ALL.into_iter().find(|&color| tally.count(color) != each) {
            return Err(BadPosition::TilesNotConserved { color, found: tally.count(color) });
        }
        self.check_drawn()
    }

    /// Every place where tiles can be.
    fn heaps(&self) -> impl Iterator<Item = Tiles<Color>> {
        let stock = [self.stock.bag, self.stock.discards];
        let boards = self.rules.players.iter().map(|seat| self.board(seat).tiles());
        stock.into_iter().chain(self.offer).chain(boards)
    }

    /// Each tile outside bag and lid was drawn; no round draws more than the factories hold.
    fn check_drawn(&self) -> Result<(), BadPosition> {
        let factories = Factory::of(self.rules.players).len();
        let a_round = factories as u32 * u32::from(TILES_PER_FACTORY);
        let inside = self.stock.bag.total() + self.stock.discards.total();
        let least = Color::ALL.len() as u32 * u32::from(Color::EACH) - u32::from(inside);
        let most = a_round * u32::from(self.round) - self.still_to_deal();
        let drawn = self.stock.drawn;
        if (least..=most).contains(&drawn) {
            return Ok(());
        }
        Err(BadPosition::DrawnOutOfRange { drawn, least, most })
    }

    /// Places on the factory displays that this round's deal has not reached.
    fn still_to_deal(&self) -> u32 {
        match self.phase {
            Phase::Deal => {
                let displays = Factory::of(self.rules.players).iter();
                let empty = displays.filter(|&&display| self.factory(display).is_empty());
                empty.count() as u32 * u32::from(TILES_PER_FACTORY)
            }
            Phase::Offer | Phase::Tiling | Phase::Over(_) => 0,
        }
    }

    fn check_phase(&self) -> Result<(), BadPosition> {
        match self.phase {
            Phase::Deal => self.check_deal(),
            Phase::Offer => {
                if self.offer_is_empty() {
                    return Err(BadPosition::OfferEmpty);
                }
                self.check_no_row(self.rules.players.iter())
            }
            Phase::Tiling => self.check_tiling(),
            Phase::Over(end) => self.check_over(end),
        }
    }

    fn check_deal(&self) -> Result<(), BadPosition> {
        let Some(next) = self.awaiting_deal().filter(|_| !self.stock.is_empty()) else {
            return Err(BadPosition::NothingToDeal);
        };
        for &factory in Factory::of(self.rules.players) {
            let full = self.factory(factory).total() == TILES_PER_FACTORY;
            if (factory < next) != full || factory > next && !self.factory(factory).is_empty() {
                return Err(BadPosition::DealOutOfOrder { factory });
            }
        }
        if !self.center().is_empty() {
            return Err(BadPosition::OfferNotEmpty);
        }
        self.check_settled(self.rules.players.iter())?;
        self.check_no_row(self.rules.players.iter())?;
        self.check_between_rounds()
    }

    fn check_tiling(&self) -> Result<(), BadPosition> {
        if self.rules.side == Side::Colored {
            return Err(BadPosition::TilingOnColoredWall);
        }
        if !self.offer_is_empty() {
            return Err(BadPosition::OfferNotEmpty);
        }
        let seat = self.turn;
        let line = self.board(seat).first_complete_line();
        if !line.is_some_and(|(row, color)| self.can_place(seat, row, color)) {
            return Err(BadPosition::NothingToPlace { seat });
        }
        let order = || self.rules.players.clockwise_from(self.next_start());
        self.check_settled(order().take_while(|&before| before != seat))?;
        self.check_no_row(order().skip_while(|&before| before != seat).skip(1))
    }

    fn check_over(&self, end: GameEnd) -> Result<(), BadPosition> {
        if !self.offer_is_empty() {
            return Err(BadPosition::OfferNotEmpty);
        }
        self.check_settled(self.rules.players.iter())?;
        self.check_between_rounds()?;
        let row = self.check_no_row(self.rules.players.iter()).is_err();
        let last_round = self.round == self.rules.round_limit;
        let reached = match end {
            GameEnd::RowCompleted => row,
            GameEnd::RoundLimit => !row && last_round,
            GameEnd::NoTiles => !row && !last_round && self.stock.is_empty(),
        };
        if reached { Ok(()) } else { Err(BadPosition::EndNotReached { end }) }
    }

    fn check_between_rounds(&self) -> Result<(), BadPosition> {
        if self.marker.is_some() {
            return Err(BadPosition::MarkerNotReturned);
        }
        if self.turn == self.start { Ok(()) } else { Err(BadPosition::TurnNotStart) }
    }

    fn check_settled(&self, seats: impl Iterator<Item = Seat>) -> Result<(), BadPosition> {
        for seat in seats {
            let board = self.board(seat);
            if let Some((row, _)) = board.first_complete_line() {
                return Err(BadPosition::LineNotTiled { seat, row });
            }
            if !board.floor.is_empty() {
                return Err(BadPosition::FloorNotCleared { seat });
            }
        }
        Ok(())
    }

    fn check_no_row(&self, mut seats: impl Iterator<Item = Seat>) -> Result<(), BadPosition> {
        seats
            .find(|&seat| self.board(seat).wall.has_complete_row())
            .map_or(Ok(()), |seat| Err(BadPosition::RowAlreadyComplete { seat }))
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        let Position { boards, offer, stock, rules, phase, round, turn, start, marker } = *position;
        let factories = Factory::of(rules.players).len();
        Self {
            rules,
            phase,
            round,
            turn,
            start,
            marker,
            bag: stock.bag,
            lid: stock.discards,
            drawn: stock.drawn,
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
            wall: board.wall.cells(),
            lines: Row::ALL.map(|row| match board.line(row) {
                PatternLine::Empty => None,
                PatternLine::Holding { color, tiles } => Some((color, tiles)),
            }),
            floor: board.floor,
        }
    }
}
