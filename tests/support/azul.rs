use azulejo_rules::azul::{
    BoardSetup, Color, Destination, Event, Move, Phase, Position, Record, Row, Rules, Setup, Step,
    action_count, observation_size,
};
use azulejo_rules::parts::{
    Factory, Layout, PerSeat, PlayerCount, Seat, Seed, Seeded, Side, Source, TILES_PER_FACTORY,
    Tiles,
};

use crate::{Observed, Playable, Random, Ways};

impl Playable for Position {
    type Color = Color;
    type Move = Move;
    type Step = Step;
    type Record = Record;

    const NAME: &'static str = "azul";
    const TILES: usize = 100;

    fn start(side: Side, players: PlayerCount, start: Seat) -> Self {
        Self::new(Rules::new(side, players), start)
    }

    /// Four walls that lack one cell a row, so that 20 tiles are left for 36 places; some of them
    /// lie on pattern lines already.
    fn scarce(side: Side, random: &mut Random) -> Self {
        let mut left = Tiles::full_box();
        let mut boards: PerSeat<BoardSetup> = PerSeat::new();
        for seat in 0..4 {
            let mut board = BoardSetup::default();
            for (row, color) in (0..5).flat_map(|row| Color::ALL.map(|color| (row, color))) {
                if color.index() != (row + seat) % 5 {
                    board.wall[row][(color.index() + row) % 5] = Some(color);
                    left.remove(color, 1);
                }
            }
            boards.push(board);
        }
        for (seat, board) in boards.iter_mut().enumerate() {
            for row in 0..5 {
                let color = Color::ALL[(row + seat) % 5];
                let tiles = u8::try_from(random.below(row + 1)).unwrap().min(left.count(color));
                if tiles > 0 && tiles < left.total() && random.below(3) > 0 {
                    board.lines[row] = Some((color, tiles));
                    left.remove(color, tiles);
                }
            }
        }
        let mut lid = Tiles::EMPTY;
        for (color, count) in left.iter() {
            lid.put(color, u8::try_from(random.below(usize::from(count) + 1)).unwrap());
        }
        let setup = Setup {
            rules: Rules::new(side, PlayerCount::Four),
            phase: Phase::Deal,
            round: 8,
            turn: Seat::First,
            start: Seat::First,
            marker: None,
            bag: left - lid,
            lid,
            drawn: 100,
            center: Tiles::EMPTY,
            factories: [Tiles::EMPTY; 9].into(),
            boards,
        };
        Self::try_from(&setup).unwrap()
    }

    fn side(&self) -> Side {
        self.rules().side
    }

    fn players(&self) -> PlayerCount {
        self.rules().players
    }

    fn awaits_deal(&self) -> bool {
        self.awaiting_deal().is_some()
    }

    fn is_over(&self) -> bool {
        self.end().is_some()
    }

    fn to_move(&self) -> Option<Seat> {
        Self::to_move(self)
    }

    fn moves(&self) -> Vec<Move> {
        self.legal_moves().to_vec()
    }

    fn count_moves(&self) -> usize {
        Self::count_moves(self) as usize
    }

    fn is_eager(action: Move) -> bool {
        match action {
            Move::Take { destination, .. } => destination != Destination::Floor,
            Move::PlaceTile { .. } => true,
        }
    }

    fn price(&self, action: Move) -> u8 {
        match action {
            Move::Take { destination: Destination::Line(row), .. } => row.spaces(),
            Move::Take { destination: Destination::Floor, .. } | Move::PlaceTile { .. } => 0,
        }
    }

    fn accepts(&self, action: Move) -> bool {
        self.check(action).is_ok()
    }

    fn play(&mut self, action: Move, seen: &mut Vec<Observed>) -> bool {
        let before = *self;
        let mut events = Vec::new();
        let accepted = Self::play(self, action, &mut events).is_ok();
        let last_take = before.phase() == Phase::Offer && self.phase() != Phase::Offer;
        let from_center = matches!(action, Move::Take { source: Source::Center, .. });
        if last_take && before.marker().is_none() && !from_center {
            seen.push(Observed::MarkerNotTaken);
        }
        if events.iter().any(|event| matches!(event, Event::LineDropped { .. })) {
            seen.push(Observed::GraySpecialCase);
        }
        accepted
    }

    fn play_unseen(&mut self, action: Move) {
        self.play_unchecked(action, &mut ());
    }

    fn deal(&mut self, seed: &Seed, seen: &mut Vec<Observed>) -> Tiles<Color> {
        let factory = self.awaiting_deal().unwrap();
        let bag = self.stock().bag.total();
        Self::deal(self, &mut Seeded(seed), &mut ());
        let tiles = self.factory(factory);
        if bag > 0 && bag < tiles.total() {
            seen.push(Observed::TippedInTheMiddle);
        }
        if tiles.total() < TILES_PER_FACTORY {
            seen.push(Observed::ShortDeal);
        }
        tiles
    }

    fn deal_exactly(&mut self, tiles: Tiles<Color>) -> bool {
        Self::deal_exactly(self, tiles, &mut ()).is_ok()
    }

    fn outcomes(&self) -> (Ways<Color>, u64) {
        let outcomes: Vec<_> = self.deal_outcomes().into_iter().flatten().collect();
        let all = outcomes.first().map_or(0, |outcome| outcome.all_ways);
        (outcomes.iter().map(|outcome| (outcome.tiles, outcome.ways)).collect(), all)
    }

    fn tell(&mut self, step: Step) -> Vec<String> {
        let mut events: Vec<Event> = Vec::new();
        match step {
            Step::Deal(tiles) => Self::deal_exactly(self, tiles, &mut events).unwrap(),
            Step::Move(action) => Self::play(self, action, &mut events).unwrap(),
        }
        events.iter().map(|event| format!("{event:?}")).collect()
    }

    fn action_count(&self) -> u16 {
        action_count(self.side(), self.players())
    }

    fn action_id(&self, action: Move) -> Option<u16> {
        action.action_id(self.side())
    }

    fn action_at(&self, id: u16) -> Option<Move> {
        Move::from_action_id(self.side(), self.players(), id)
    }

    fn mask(&self) -> (Vec<u8>, u32) {
        // What was there before must not matter.
        let mut mask = vec![7; usize::from(self.action_count())];
        let moves = self.write_mask(&mut mask);
        (mask, moves)
    }

    fn ids(&self) -> Vec<u16> {
        let mut ids = vec![7; azulejo_rules::azul::MOST_IDS];
        let count = self.write_ids(&mut ids);
        ids.truncate(count);
        ids
    }

    fn layout(&self) -> Layout {
        self.rules().layout()
    }

    fn observation(&self, viewer: Seat) -> Vec<u8> {
        let rules = self.rules();
        let mut values = vec![7; observation_size(rules.side, rules.players)];
        self.write_observation(viewer, &mut values);
        values
    }

    fn rebuilt_from(&self, values: &[u8]) -> Result<Self, String> {
        Self::from_observation(self.rules(), values).map_err(|bad| bad.to_string())
    }

    fn hash(&self) -> u64 {
        self.canonical_hash()
    }

    fn with_factories_exchanged(&self, one: usize, other: usize) -> Option<Self> {
        let mut setup = Setup::from(self);
        setup.factories.swap(one, other);
        Self::try_from(&setup).ok()
    }

    fn tiles_in_sight(&self) -> usize {
        let stock = self.stock();
        let factories = Factory::of(self.players()).iter().map(|&at| self.factory(at).total());
        let boards = self.players().iter().map(|seat| {
            let board = self.board(seat);
            let lines = Row::ALL.map(|row| match board.line(row) {
                azulejo_rules::azul::PatternLine::Empty => 0,
                azulejo_rules::azul::PatternLine::Holding { tiles, .. } => usize::from(tiles),
            });
            lines.iter().sum::<usize>()
                + board.wall().tiles() as usize
                + usize::from(board.floor().total())
        });
        let heaps = [stock.bag.total(), stock.discards.total(), self.center().total()];
        heaps.into_iter().chain(factories).map(usize::from).chain(boards).sum()
    }

    fn regated(&self) -> Result<Self, String> {
        Self::try_from(&Setup::from(self)).map_err(|bad| bad.to_string())
    }

    fn drawn(&self) -> u32 {
        self.stock().drawn
    }

    fn winners(&self) -> usize {
        self.score().winners.len()
    }

    fn rounds(&self) -> u8 {
        self.round()
    }

    fn deal_step(tiles: Tiles<Color>) -> Step {
        Step::Deal(tiles)
    }

    fn move_step(action: Move) -> Step {
        Step::Move(action)
    }

    fn record(&self, start: Seat, steps: Vec<Step>) -> Record {
        Record { rules: self.rules(), start, steps }
    }

    fn replay(record: &Record) -> Result<Self, String> {
        record.replay().map_err(|bad| bad.to_string())
    }
}
