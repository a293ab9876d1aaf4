//! Whole games through the calls alone lead where the rules lead, however the deals are decided.

use azulejo_engine::Table;
use azulejo_rules::parts::{PlayerCount, Seat, Seed, Side};
use azulejo_rules::{azul, pavilion};
use azulejo_tests::Random;
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use pb::apply_request::{Action, Chance as AfterMove};
use pb::deal_request::Chance as ForDeal;
use pb::new_game_request::Chance as ForGame;
use rstest::rstest;

use crate::caller::{apply, deal, legal_moves, new_game, seed, sent};
use crate::either_game::{OnWire, count};

const GAMES: u64 = 6;

/// A game to be played: the rules themselves beside the calls.
struct Game<G> {
    truth: G,
    seed: u64,
    random: Random,
    /// For failures.
    name: String,
}

impl<G: OnWire> Game<G> {
    fn new(side: Side, players: PlayerCount, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let start = random.pick(&Seat::ALL[..players.seats()]);
        let name = format!("{} {side} {players:?} seed {seed} start {}", G::NAME, start.index());
        Self { truth: G::start(side, players, start), seed, random, name }
    }

    fn request(&self, chance: ForGame) -> pb::NewGameRequest {
        let table: Table = self.truth.into();
        let start = match table {
            Table::Azul(position) => position.start(),
            Table::SummerPavilion(position) => position.start(),
        };
        let start_seat = u32::try_from(start.index()).unwrap();
        let (ruleset, chance) = (Some(table.ruleset().message()), Some(chance));
        pb::NewGameRequest { ruleset, start_seat, chance }
    }

    fn deal_one(&mut self) {
        self.truth.deal(&Seed::from_number(self.seed), &mut Vec::new());
    }

    fn deal_all(&mut self) {
        while self.truth.awaits_deal() {
            self.deal_one();
        }
    }

    /// Plays a move by the rules, and returns it in one of three forms.
    fn choose(&mut self, state: &game::GameState) -> Action {
        let listed = legal_moves(state).unwrap().moves;
        let moves = self.truth.moves();
        assert_eq!(listed.len(), moves.len(), "{}", self.name);
        let at = self.random.below(moves.len());
        assert!(self.truth.play(moves[at], &mut Vec::new()), "{}", self.name);
        let legal = listed[at].clone();
        match self.random.below(3) {
            0 => Action::Move(sent(&legal.r#move.unwrap())),
            1 => Action::ActionId(legal.action_id),
            _ => Action::Notation(legal.notation),
        }
    }

    fn check(&self, state: Option<game::GameState>, due: Option<game::Due>) -> game::GameState {
        let state = state.unwrap();
        assert_eq!(state, self.truth.message(), "{}: {}", self.name, self.truth);
        let seat = self.truth.to_move().map(|seat| u32::try_from(seat.index()).unwrap());
        match due.and_then(|due| due.due).unwrap() {
            game::due::Due::Seat(found) => assert_eq!(Some(found), seat, "{}", self.name),
            game::due::Due::Deal(_) => assert!(self.truth.awaits_deal(), "{}", self.name),
            game::due::Due::GameOver(_) => assert!(self.truth.is_over(), "{}", self.name),
        }
        state
    }
}

fn request(
    state: game::GameState,
    action: Option<Action>,
    chance: Option<AfterMove>,
) -> pb::ApplyRequest {
    pb::ApplyRequest { state: Some(state), action, chance, ..pb::ApplyRequest::default() }
}

/// Deals by the seed that is sent with each call. Returns moves and what was dealt after them.
fn play_by_seed<G: OnWire>(game: &mut Game<G>) -> Vec<(Option<Action>, game::Displays)> {
    let mut told = Vec::new();
    let answer = new_game(&game.request(ForGame::Seed(seed(game.seed)))).unwrap();
    assert_eq!(answer.seed, None, "the caller has the seed already");
    told.push((None, G::displays(&answer.events)));
    game.deal_all();
    let mut state = game.check(answer.state, answer.due);
    while !game.truth.is_over() {
        let action = Some(game.choose(&state));
        let chance = Some(AfterMove::Seed(seed(game.seed)));
        let request = request(state, action.clone(), chance);
        let answer = apply(&request).unwrap_or_else(|bad| panic!("{}: {bad}", game.name));
        told.push((action, G::displays(&answer.events)));
        game.deal_all();
        state = game.check(answer.state, answer.due);
    }
    told
}

/// Every display by a call of its own.
fn play_step_by_step<G: OnWire>(game: &mut Game<G>) {
    let none = ForGame::Displays(G::displays(&[]));
    let answer = new_game(&game.request(none)).unwrap();
    assert_eq!(answer.events, [], "{}", game.name);
    let mut state = game.check(answer.state, answer.due);
    while !game.truth.is_over() {
        if game.truth.awaits_deal() {
            let chance = Some(ForDeal::Seed(seed(game.seed)));
            let request = pb::DealRequest { state: Some(state), chance, max_displays: 1 };
            let answer = deal(&request).unwrap_or_else(|bad| panic!("{}: {bad}", game.name));
            assert_eq!(count(&G::displays(&answer.events)), 1, "{}", game.name);
            game.deal_one();
            state = game.check(answer.state, answer.due);
        } else {
            let action = Some(game.choose(&state));
            let request = request(state, action, None);
            let answer = apply(&request).unwrap_or_else(|bad| panic!("{}: {bad}", game.name));
            assert_eq!(count(&G::displays(&answer.events)), 0, "{}", game.name);
            state = game.check(answer.state, answer.due);
        }
    }
}

/// The displays of another game with the same seed, given with each call.
fn play_by_displays<G: OnWire>(
    game: &mut Game<G>,
    told: Vec<(Option<Action>, game::Displays)>,
) -> game::GameState {
    let mut state = game::GameState::default();
    for (action, displays) in told {
        let (next, due) = if action.is_none() {
            let answer = new_game(&game.request(ForGame::Displays(displays))).unwrap();
            (answer.state, answer.due)
        } else {
            // The same choices again: the generator has the same seed.
            assert_eq!(action, Some(game.choose(&state)), "{}", game.name);
            let chance = Some(AfterMove::Displays(displays));
            let request = request(state, action, chance);
            let answer = apply(&request).unwrap_or_else(|bad| panic!("{}: {bad}", game.name));
            (answer.state, answer.due)
        };
        game.deal_all();
        state = game.check(next, due);
    }
    state
}

fn play_all_ways<G: OnWire>(side: Side, players: PlayerCount) {
    for number in 0..GAMES {
        let game = || Game::<G>::new(side, players, number);
        let mut by_seed = game();
        let told = play_by_seed(&mut by_seed);
        let last = play_by_displays(&mut game(), told);
        assert_eq!(last, by_seed.truth.message(), "{}", by_seed.name);

        let mut by_step = game();
        play_step_by_step(&mut by_step);
        assert_eq!(by_step.truth, by_seed.truth, "{}", by_seed.name);
    }
}

#[rstest]
fn azul_by_seed_by_single_deals_and_by_given_displays_is_the_same_game(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    play_all_ways::<azul::Position>(side, players);
}

#[rstest]
fn summer_pavilion_by_seed_by_single_deals_and_by_given_displays_is_the_same_game(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    play_all_ways::<pavilion::Position>(side, players);
}
