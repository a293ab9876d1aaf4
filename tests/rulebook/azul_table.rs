//! A table of Azul laid out for a test: what is not mentioned lies in the bag.

use azulejo_rules::azul::{
    BoardSetup, Color, Destination, Event, IllegalMove, Move, Phase, Position, Row, Rules, Setup,
};
use azulejo_rules::parts::{Factory, PlayerCount, Seat, Seeded, Side, Tiles};

use crate::table::{any_seed, drawn, heaps, tiles};

#[derive(Clone, Debug)]
pub(crate) struct Table(Setup);

pub(crate) fn colored(players: PlayerCount) -> Table {
    Table::of(Side::Colored, players)
}

pub(crate) fn gray(players: PlayerCount) -> Table {
    Table::of(Side::Gray, players)
}

impl Table {
    fn of(side: Side, players: PlayerCount) -> Self {
        Self(Setup {
            rules: Rules::new(side, players),
            phase: Phase::Offer,
            // Late enough for every wall that a test can lay out.
            round: 5,
            turn: Seat::First,
            start: Seat::First,
            marker: None,
            bag: Tiles::EMPTY,
            lid: Tiles::EMPTY,
            drawn: 0,
            center: Tiles::EMPTY,
            factories: Factory::of(players).iter().map(|_| Tiles::EMPTY).collect(),
            boards: players.iter().map(|_| BoardSetup::default()).collect(),
        })
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Setup)) -> Self {
        change(&mut self.0);
        self
    }

    pub(crate) fn phase(self, phase: Phase) -> Self {
        self.with(|table| table.phase = phase)
    }

    pub(crate) fn round(self, round: u8, limit: u8) -> Self {
        self.with(|table| {
            table.round = round;
            table.rules.round_limit = limit;
        })
    }

    /// Who started the round, and is to move unless [`Self::turn`] says otherwise.
    pub(crate) fn start(self, seat: Seat) -> Self {
        self.with(|table| (table.start, table.turn) = (seat, seat))
    }

    pub(crate) fn turn(self, seat: Seat) -> Self {
        self.with(|table| table.turn = seat)
    }

    pub(crate) fn marker(self, seat: Seat) -> Self {
        self.with(|table| table.marker = Some(seat))
    }

    /// The first factory displays, with spaces between them; the others are empty.
    pub(crate) fn factories(self, text: &str) -> Self {
        self.with(|table| {
            table.factories.iter_mut().zip(heaps(text)).for_each(|(place, heap)| *place = heap);
        })
    }

    pub(crate) fn center(self, text: &str) -> Self {
        self.with(|table| table.center = tiles(text))
    }

    pub(crate) fn lid(self, text: &str) -> Self {
        self.with(|table| table.lid = tiles(text))
    }

    fn board(self, seat: Seat, change: impl FnOnce(&mut BoardSetup)) -> Self {
        self.with(|table| change(&mut table.boards[seat.index()]))
    }

    pub(crate) fn points(self, seat: Seat, points: u16) -> Self {
        self.board(seat, |board| board.points = points)
    }

    pub(crate) fn wall(self, seat: Seat, drawing: [&str; 5]) -> Self {
        self.board(seat, |board| board.wall = drawing.map(drawn))
    }

    /// A pattern line, like `R2`.
    pub(crate) fn line(self, seat: Seat, row: Row, text: &str) -> Self {
        self.board(seat, |board| board.lines[row.index()] = tiles(text).iter().next())
    }

    pub(crate) fn floor(self, seat: Seat, text: &str) -> Self {
        self.board(seat, |board| board.floor = tiles(text))
    }

    /// Puts all other tiles into the bag, and counts what was drawn without any reshuffle.
    pub(crate) fn setup(mut self) -> Setup {
        let boards = self.0.boards.iter().map(tiles_of);
        let outside = sum(boards.chain(self.0.factories.iter().copied()).chain([self.0.center]));
        self.0.bag = Tiles::full_box() - outside - self.0.lid;
        self.0.drawn = outside.total().into();
        self.0
    }

    pub(crate) fn position(self) -> Position {
        Position::try_from(&self.setup()).unwrap()
    }

    /// Lets the second seat take the last tile of the round, so that the walls are tiled.
    pub(crate) fn settle(self) -> (Position, Vec<Event>) {
        let held = self.0.marker.unwrap_or(Seat::Second);
        let mut position = self.turn(Seat::Second).marker(held).center("K").position();
        let events = play(&mut position, "cKf");
        (position, events)
    }
}

fn sum(heaps: impl Iterator<Item = Tiles<Color>>) -> Tiles<Color> {
    heaps.fold(Tiles::EMPTY, |all, heap| all + heap)
}

fn tiles_of(board: &BoardSetup) -> Tiles<Color> {
    let wall = board.wall.iter().flatten().flatten().map(|&color| Tiles::of(color, 1));
    let lines = board.lines.iter().flatten().map(|&(color, tiles)| Tiles::of(color, tiles));
    sum(wall.chain(lines).chain([board.floor]))
}

/// Plays moves with spaces between them. Tiles are never made or lost on the way.
pub(crate) fn play(position: &mut Position, moves: &str) -> Vec<Event> {
    let mut events = Vec::new();
    for text in moves.split_whitespace() {
        position.play(text.parse().unwrap(), &mut events).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(tiles_in(position), Tiles::full_box(), "after {text}");
    }
    events
}

/// Why a move is refused; the refusal leaves everything as it was.
pub(crate) fn refuse(position: &Position, action: &str) -> IllegalMove {
    let action = action.parse().unwrap();
    let (mut after, mut events) = (*position, Vec::new());
    let refusal = after.play(action, &mut events).unwrap_err();
    assert_eq!((after, after.stock().drawn), (*position, position.stock().drawn));
    assert_eq!(events, []);
    assert!(!position.legal_moves().contains(&action));
    refusal
}

pub(crate) fn tiles_in(position: &Position) -> Tiles<Color> {
    let players = position.rules().players;
    let factories = Factory::of(players).iter().map(|&factory| position.factory(factory));
    let boards = players.iter().map(|seat| position.board(seat).tiles());
    let stock = [position.stock().bag, position.stock().discards, position.center()];
    sum(factories.chain(boards).chain(stock))
}

pub(crate) fn deal_all(position: &mut Position) -> Vec<Event> {
    let mut events = Vec::new();
    position.deal_all(&mut Seeded(&any_seed()), &mut events);
    events
}

/// Fills the factory displays with these tiles, spaces between them.
pub(crate) fn deal(position: &mut Position, factories: &str) {
    heaps(factories).for_each(|heap| position.deal_exactly(heap, &mut ()).unwrap());
}

/// Everyone takes to the floor line until the offer is empty.
pub(crate) fn floor_everything(position: &mut Position) {
    while position.phase() == Phase::Offer {
        let to_floor =
            |action: &Move| matches!(action, Move::Take { destination: Destination::Floor, .. });
        let action = position.legal_moves().iter().copied().find(to_floor).unwrap();
        position.play(action, &mut ()).unwrap();
    }
}

/// Points of the tiles that a seat laid, in order.
pub(crate) fn points_for_tiles(events: &[Event], seat: Seat) -> Vec<u16> {
    let mut all = Vec::new();
    for event in events {
        if let Event::TilePlaced { seat: who, points, .. } = *event
            && who == seat
        {
            all.push(points);
        }
    }
    all
}

/// Penalty of a seat's floor line and what it really lost.
pub(crate) fn floor_loss(events: &[Event], seat: Seat) -> Option<(u16, u16)> {
    for event in events {
        if let Event::FloorCleared { seat: who, penalty, lost } = *event
            && who == seat
        {
            return Some((penalty, lost));
        }
    }
    None
}

pub(crate) fn sizes(position: &Position) -> Vec<u8> {
    let factories = Factory::of(position.rules().players).iter();
    factories.map(|&factory| position.factory(factory).total()).collect()
}

/// The letters of the wall's colors, for a wall that is complete but for one column.
pub(crate) fn wall_without(column: usize) -> [String; 5] {
    ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"].map(|row| {
        let cell = |(index, letter)| if index + 1 == column { '.' } else { letter };
        row.chars().enumerate().map(cell).collect()
    })
}
