use azulejo_rules::parts::{
    Factory, Layout, PerSeat, PlayerCount, Seat, SeatSet, Seed, Seeded, Side, Source,
    TILES_PER_FACTORY, Tiles,
};
use azulejo_rules::pavilion::{
    BoardSetup, Color, Display, Event, Move, Phase, Position, Record, Rules, SUPPLY_SPACES, Setup,
    Space, Star, Step, action_count, cost, observation_size,
};

use crate::{Observed, Playable, Random, Ways};

impl Playable for Position {
    type Color = Color;
    type Move = Move;
    type Step = Step;
    type Record = Record;

    const NAME: &'static str = "summer-pavilion";
    const TILES: usize = 132;

    fn start(side: Side, players: PlayerCount, start: Seat) -> Self {
        Self::new(Rules::new(side, players), start)
    }

    /// Four boards whose outer stars lack one cheap space each: 12 tiles are left, ten of them for
    /// the supply, so that the first bonus leaves it short.
    fn scarce(side: Side, random: &mut Random) -> Self {
        let mut left = Tiles::full_box();
        let mut boards = PerSeat::new();
        for _ in 0..4 {
            let mut board = BoardSetup::default();
            for (star, color) in Color::ALL.into_iter().enumerate() {
                let gap = random.below(3);
                for space in (0..6).filter(|&space| space != gap) {
                    board.stars[star][space] = Some(color);
                    left.remove(color, 1);
                }
            }
            boards.push(board);
        }
        for board in &mut boards {
            let color = random.pick(&Color::ALL);
            let tiles = left.count(color).min(1);
            board.hand.put(color, tiles);
            left.remove(color, tiles);
        }
        let setup = Setup {
            rules: Rules::new(side, PlayerCount::Four),
            phase: Phase::Deal,
            round: 4,
            turn: Seat::First,
            start: Seat::First,
            token: None,
            passed: SeatSet::NONE,
            bag: left,
            tower: Tiles::EMPTY,
            drawn: 132,
            supply: Tiles::EMPTY,
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
        action != Move::Pass
    }

    fn price(&self, action: Move) -> u8 {
        match action {
            Move::Place { star, space, .. } => cost(self.side(), star, space),
            Move::Take { .. } | Move::TakeBonus(_) | Move::Pass | Move::Keep(_) => 0,
        }
    }

    fn accepts(&self, action: Move) -> bool {
        self.check(action).is_ok()
    }

    fn play(&mut self, action: Move, seen: &mut Vec<Observed>) -> bool {
        let before = *self;
        let mut events = Vec::new();
        let accepted = Self::play(self, action, &mut events).is_ok();
        let last_take = before.phase() == Phase::Acquire && self.phase() != Phase::Acquire;
        let from_center = matches!(action, Move::Take { source: Source::Center, .. });
        if last_take && before.token().is_none() && !from_center {
            seen.push(Observed::MarkerNotTaken);
        }
        if events.iter().any(|event| matches!(event, Event::BonusEarned { tiles: 3, .. })) {
            seen.push(Observed::BonusOfThree);
        }
        if self.phase() == Phase::Play && self.supply().total() < SUPPLY_SPACES {
            seen.push(Observed::ShortSupply);
        }
        accepted
    }

    fn play_unseen(&mut self, action: Move) {
        self.play_unchecked(action, &mut ());
    }

    fn deal(&mut self, seed: &Seed, seen: &mut Vec<Observed>) -> Tiles<Color> {
        let display = self.awaiting_deal().unwrap();
        let (bag, supply) = (self.stock().bag.total(), self.supply());
        Self::deal(self, &mut Seeded(seed), &mut ());
        let (tiles, room) = match display {
            Display::Supply => (self.supply() - supply, SUPPLY_SPACES - supply.total()),
            Display::Factory(factory) => (self.factory(factory), TILES_PER_FACTORY),
        };
        if bag > 0 && bag < tiles.total() {
            seen.push(Observed::TippedInTheMiddle);
        }
        if tiles.total() < room {
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
        let mut ids = vec![7; azulejo_rules::pavilion::MOST_IDS];
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
        let heaps = [
            stock.bag.total(),
            stock.discards.total(),
            self.center().total(),
            self.supply().total(),
        ];
        let factories = Factory::of(self.players()).iter().map(|&at| self.factory(at).total());
        let boards = self.players().iter().map(|seat| {
            let board = self.board(seat);
            let laid = Star::ALL.iter().map(|&star| {
                Space::ALL.iter().filter(|&&space| board.color_at(star, space).is_some()).count()
            });
            laid.sum::<usize>() + usize::from(board.hand().total())
        });
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
