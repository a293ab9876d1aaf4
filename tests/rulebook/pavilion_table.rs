//! A table of Summer Pavilion laid out for a test: what is not mentioned lies in the bag, and the
//! supply is full.

use azulejo_rules::parts::{Factory, PlayerCount, Seat, Seeded, Side, Tiles};
use azulejo_rules::pavilion::{
    BoardSetup, Color, Event, IllegalMove, Phase, Position, Rules, SUPPLY_SPACES, Setup, Star,
};

use crate::table::{any_seed, drawn, heaps, tiles};

#[derive(Clone, Debug)]
pub(crate) struct Table {
    setup: Setup,
    supply: Option<Tiles<Color>>,
}

pub(crate) fn colored(players: PlayerCount) -> Table {
    Table::of(Side::Colored, players)
}

pub(crate) fn gray(players: PlayerCount) -> Table {
    Table::of(Side::Gray, players)
}

impl Table {
    fn of(side: Side, players: PlayerCount) -> Self {
        let setup = Setup {
            rules: Rules::new(side, players),
            phase: Phase::Play,
            round: 1,
            turn: Seat::First,
            start: Seat::First,
            token: None,
            passed: [].into_iter().collect(),
            bag: Tiles::EMPTY,
            tower: Tiles::EMPTY,
            drawn: 0,
            supply: Tiles::EMPTY,
            center: Tiles::EMPTY,
            factories: Factory::of(players).iter().map(|_| Tiles::EMPTY).collect(),
            boards: players.iter().map(|_| BoardSetup::default()).collect(),
        };
        Self { setup, supply: None }
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Setup)) -> Self {
        change(&mut self.setup);
        self
    }

    pub(crate) fn phase(self, phase: Phase) -> Self {
        self.with(|table| table.phase = phase)
    }

    pub(crate) fn round(self, round: u8) -> Self {
        self.with(|table| table.round = round)
    }

    /// Who started the round, and is to move unless [`Self::turn`] says otherwise.
    pub(crate) fn start(self, seat: Seat) -> Self {
        self.with(|table| (table.start, table.turn) = (seat, seat))
    }

    pub(crate) fn turn(self, seat: Seat) -> Self {
        self.with(|table| table.turn = seat)
    }

    pub(crate) fn token(self, seat: Seat) -> Self {
        self.with(|table| table.token = Some(seat))
    }

    pub(crate) fn passed(self, seats: &[Seat]) -> Self {
        self.with(|table| table.passed = seats.iter().copied().collect())
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

    pub(crate) fn tower(self, text: &str) -> Self {
        self.with(|table| table.tower = tiles(text))
    }

    pub(crate) fn supply(mut self, text: &str) -> Self {
        self.supply = Some(tiles(text));
        self
    }

    fn board(self, seat: Seat, change: impl FnOnce(&mut BoardSetup)) -> Self {
        self.with(|table| change(&mut table.boards[seat.index()]))
    }

    pub(crate) fn points(self, seat: Seat, points: u16) -> Self {
        self.board(seat, |board| board.points = points)
    }

    pub(crate) fn hand(self, seat: Seat, text: &str) -> Self {
        self.board(seat, |board| board.hand = tiles(text))
    }

    /// The six spaces of a star, from the first: `.OO...`.
    pub(crate) fn star(self, seat: Seat, star: Star, drawing: &str) -> Self {
        self.board(seat, |board| board.stars[star.index()] = drawn(drawing))
    }

    /// The seven stars of a seat, in their order.
    pub(crate) fn stars(self, seat: Seat, drawings: [&str; 7]) -> Self {
        self.board(seat, |board| board.stars = drawings.map(drawn))
    }

    /// A table of four with all 132 tiles on the boards: the first seat's center star is full, and
    /// so are all stars of the other three.
    pub(crate) fn all_tiles_laid() -> Self {
        let mut table = colored(PlayerCount::Four).round(5).supply("-");
        for seat in [Seat::Second, Seat::Third, Seat::Fourth] {
            table = table.stars(seat, FULL_BOARD);
        }
        table.star(Seat::First, Star::Center, FULL_BOARD[6])
    }

    /// Fills the supply if need be, puts all other tiles into the bag, and counts what was drawn
    /// without any reshuffle.
    pub(crate) fn setup(mut self) -> Setup {
        let table = &mut self.setup;
        let boards = table.boards.iter().map(tiles_of);
        let mut outside = sum(boards.chain(table.factories.iter().copied()).chain([table.center]));
        let left = Tiles::full_box() - outside - table.tower;
        table.supply = self.supply.unwrap_or_else(|| left.multisets(SUPPLY_SPACES).next().unwrap());
        outside += table.supply;
        table.bag = left - table.supply;
        table.drawn = outside.total().into();
        self.setup
    }

    pub(crate) fn position(self) -> Position {
        Position::try_from(&self.setup()).unwrap()
    }
}

pub(crate) const FULL_BOARD: [&str; 7] =
    ["OOOOOO", "RRRRRR", "BBBBBB", "YYYYYY", "GGGGGG", "PPPPPP", "ORBYGP"];

fn sum(heaps: impl Iterator<Item = Tiles<Color>>) -> Tiles<Color> {
    heaps.fold(Tiles::EMPTY, |all, heap| all + heap)
}

fn tiles_of(board: &BoardSetup) -> Tiles<Color> {
    let laid = board.stars.iter().flatten().flatten().map(|&color| Tiles::of(color, 1));
    sum(laid.chain([board.hand]))
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

fn tiles_in(position: &Position) -> Tiles<Color> {
    let players = position.rules().players;
    let factories = Factory::of(players).iter().map(|&factory| position.factory(factory));
    let boards = players.iter().map(|seat| position.board(seat).tiles());
    let stock = [position.stock().bag, position.stock().discards];
    sum(factories.chain(boards).chain(stock).chain([position.supply(), position.center()]))
}

/// Fills every display that waits: supply and factories, or the supply alone.
pub(crate) fn deal_all(position: &mut Position) -> Vec<Event> {
    let mut events = Vec::new();
    position.deal_all(&mut Seeded(&any_seed()), &mut events);
    assert_eq!(tiles_in(position), Tiles::full_box());
    events
}

/// Points of the tiles that were laid, in order.
pub(crate) fn points_for_tiles(events: &[Event]) -> Vec<u16> {
    let mut all = Vec::new();
    for event in events {
        if let Event::Placed { points, .. } = *event {
            all.push(points);
        }
    }
    all
}

pub(crate) fn sizes(position: &Position) -> Vec<u8> {
    let factories = Factory::of(position.rules().players).iter();
    factories.map(|&factory| position.factory(factory).total()).collect()
}
