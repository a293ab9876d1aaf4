//! The house bots: strong as promised, repeatable, and without hidden information.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use azulejo_bots::search::Search;
use azulejo_bots::{Budget, Dice, Game, HouseBot};
use azulejo_rules::parts::{PlayerCount, Seat, Side};
use azulejo_rules::{azul, pavilion};
use rstest::rstest;

const FAST: HouseBot = HouseBot::Strong { budget: Budget::Nodes(300), threads: 1 };

fn azul(side: Side, players: PlayerCount) -> azul::Position {
    azul::Position::new(azul::Rules::new(side, players), Seat::First)
}

fn pavilion(side: Side, players: PlayerCount) -> pavilion::Position {
    pavilion::Position::new(pavilion::Rules::new(side, players), Seat::First)
}

/// Plays a game and returns its end.
fn play<G: Game>(start: G, bots: &[HouseBot], seed: u64) -> G {
    let mut position = start;
    let mut chance = Dice::new(seed);
    for turn in 0.. {
        position.deal(&mut chance);
        let Some(seat) = position.to_move() else { break };
        let action = bots[seat.index()].choose(&position, seed ^ turn << 32).unwrap();
        position.play(action);
    }
    assert!(position.is_over());
    position
}

/// Victories of `bot` over `others` with rotating seats, a shared one counting half.
fn victories<G: Game>(start: G, bot: HouseBot, others: HouseBot, games: u32) -> f64 {
    let seats = start.players().seats();
    let mut victories = 0.0;
    for game in 0..u64::from(games) {
        let seat = usize::try_from(game).unwrap() % seats;
        let mut bots = vec![others; seats];
        bots[seat] = bot;
        let points = play(start, &bots, game).value();
        let best = points[..seats].iter().copied().fold(f32::MIN, f32::max);
        let shared = points[..seats].iter().filter(|&&other| other >= best).count();
        if points[seat] >= best {
            victories += 1.0 / f64::from(u8::try_from(shared).unwrap());
        }
    }
    victories / f64::from(games)
}

#[test]
fn greedy_beats_random() {
    assert!(
        victories(azul(Side::Colored, PlayerCount::Two), HouseBot::Greedy, HouseBot::Random, 200)
            >= 0.95
    );
    assert!(
        victories(
            pavilion(Side::Colored, PlayerCount::Two),
            HouseBot::Greedy,
            HouseBot::Random,
            200
        ) >= 0.95
    );
}

/// Three hundred lines a move are a fraction of what it thinks in 100 ms, and enough already.
#[test]
fn strong_beats_greedy_even_when_it_thinks_little() {
    assert!(victories(azul(Side::Colored, PlayerCount::Two), FAST, HouseBot::Greedy, 60) >= 0.75);
    assert!(
        victories(pavilion(Side::Colored, PlayerCount::Two), FAST, HouseBot::Greedy, 40) >= 0.7
    );
}

#[rstest]
fn every_bot_finishes_every_game(
    #[values(Side::Colored, Side::Gray)] side: Side,
    #[values(PlayerCount::Two, PlayerCount::Three, PlayerCount::Four)] players: PlayerCount,
) {
    let quick = HouseBot::Strong { budget: Budget::Nodes(20), threads: 1 };
    let bots = [quick, HouseBot::Greedy, HouseBot::Random, quick];

    for seed in 0..5 {
        play(azul(side, players), &bots, seed);
        play(pavilion(side, players), &bots, seed);
    }
}

/// Inside a round of Azul nothing is dealt: trees differ by the first impressions of their threads,
/// and by how ties are broken on the way to the end of the round. The same seed is the same tree.
#[test]
fn the_threads_of_the_strong_bot_do_not_all_think_the_same() {
    let mut position = azul(Side::Colored, PlayerCount::Two);
    position.deal_all(&mut Dice::new(5), &mut ());
    let visits = |mut search: Search<azul::Position>| {
        (0..500).for_each(|_| search.visit());
        search.visits().map(|(_, visits)| visits).collect::<Vec<_>>()
    };

    let first = visits(Search::new(position, 1).unwrap());
    let second = visits(Search::varied(position, 2).unwrap());
    let third = visits(Search::varied(position, 3).unwrap());

    assert_eq!(first, visits(Search::new(position, 1).unwrap()));
    assert!(first != second && second != third && first != third);
}

#[test]
fn the_same_seed_and_number_of_nodes_give_the_same_move() {
    for threads in [1, 2, 3] {
        let bot = HouseBot::Strong { budget: Budget::Nodes(400), threads };
        let mut position = pavilion(Side::Gray, PlayerCount::Three);
        position.deal_all(&mut Dice::new(5), &mut ());

        let first = bot.choose(&position, 9);

        assert!((0..5).all(|_| bot.choose(&position, 9) == first));
    }
}

/// The number of tiles drawn so far decides the next draw of a seed; a bot must not care.
#[test]
fn a_bot_chooses_by_what_lies_on_the_table_alone() {
    let mut position = azul(Side::Colored, PlayerCount::Two);
    position.deal_all(&mut Dice::new(3), &mut ());
    let mut setup = azul::Setup::from(&position);
    setup.round = 3;
    let early = azul::Position::try_from(&setup).unwrap();
    setup.drawn = 60;
    let late = azul::Position::try_from(&setup).unwrap();

    for bot in [HouseBot::Random, HouseBot::Greedy, FAST] {
        assert_eq!(bot.choose(&early, 1), bot.choose(&late, 1));
    }
}

#[rstest]
#[case::usual("strong", Some("strong"))]
#[case::the_same_by_time("strong:100", Some("strong"))]
#[case::by_time("strong:250", Some("strong:250"))]
#[case::by_lines("strong:5000n", Some("strong:5000n"))]
#[case::greedy("greedy", Some("greedy"))]
#[case::no_time("strong:0", None)]
#[case::no_lines("strong:0n", None)]
#[case::budget_of_another("greedy:5", None)]
#[case::no_number("strong:soon", None)]
#[case::stranger("stockfish", None)]
fn a_bot_is_known_by_its_name(#[case] name: &str, #[case] known: Option<&str>) {
    let bot = name.parse::<HouseBot>().ok();
    assert_eq!(bot.map(|bot| bot.to_string()).as_deref(), known);
}

#[test]
fn no_bot_chooses_before_a_deal_or_after_the_end() {
    let waiting = azul(Side::Colored, PlayerCount::Two);
    let over = play(waiting, &[HouseBot::Greedy; 2], 1);

    for bot in [HouseBot::Random, HouseBot::Greedy, FAST] {
        assert_eq!(bot.choose(&waiting, 1), None);
        assert_eq!(bot.choose(&over, 1), None);
    }
}
