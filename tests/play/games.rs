//! One game.

use azulejo_play::{Chance, Game, HouseBot, Returns, Ruleset, Start};
use azulejo_rules::parts::Seat;

use crate::transcript::{Choices, seeded, seen};

fn keys() -> impl Iterator<Item = String> {
    Ruleset::all().into_iter().map(|ruleset| ruleset.key())
}

fn explicit(ruleset: &str) -> Game {
    Game::new(ruleset, Start { chance: Chance::Explicit, seat: 0 }).unwrap()
}

#[test]
fn a_clone_in_the_middle_of_a_game_continues_with_the_same_deals() {
    for key in keys() {
        let mut game = Game::new(&key, Start::default()).unwrap();
        let mut choices = Choices::new(1);
        let mut copy = None;
        let mut actions = Vec::new();
        for step in 0.. {
            if game.is_terminal() {
                break;
            }
            if step == 20 {
                copy = Some((game.clone(), Choices::new(77)));
                choices = Choices::new(77);
            }
            game.legal_actions(&mut actions);
            game.apply(actions[choices.below(actions.len())]).unwrap();
        }
        let (mut copy, mut choices) = copy.unwrap();
        while !copy.is_terminal() {
            copy.legal_actions(&mut actions);
            copy.apply(actions[choices.below(actions.len())]).unwrap();
        }
        assert_eq!(copy.text(), game.text(), "{key}");
    }
}

#[test]
fn with_explicit_chance_the_caller_deals_and_the_probabilities_sum_to_one() {
    for key in keys() {
        let mut game = explicit(&key);
        let mut choices = Choices::new(3);
        let (mut deals, mut actions) = (0, Vec::new());
        while !game.is_terminal() {
            if game.is_chance() {
                assert_eq!(game.current_player(), None);
                let outcomes = game.chance_outcomes().unwrap();
                let sum: f64 = outcomes.iter().map(|(_, probability)| probability).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{key}: {sum}");
                game.apply_outcome(&outcomes[choices.below(outcomes.len())].0).unwrap();
                deals += 1;
            } else {
                game.legal_actions(&mut actions);
                game.apply(actions[choices.below(actions.len())]).unwrap();
            }
        }
        assert!(deals > 5, "{key}");
    }
}

#[test]
fn the_same_seed_deals_the_same_as_the_arena_whatever_is_played() {
    let (one, other) = (seeded("azul-colored-2", 7), seeded("azul-colored-2", 7));
    assert_eq!(one.text(), other.text());
    assert_ne!(one.text(), seeded("azul-colored-2", 8).text());
    let digits = format!("07{}", "0".repeat(62));
    let chance = Chance::seed(&digits).unwrap();
    let named = Game::new("azul-colored-2", Start { chance, seat: 0 }).unwrap();
    assert_eq!(named.text(), one.text(), "a number is its first byte");
}

#[test]
fn a_move_can_be_named_by_its_id_or_in_the_notation() {
    for key in keys() {
        let game = seeded(&key, 5);
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        for &action in &actions {
            let text = game.action_text(action).unwrap();
            assert_eq!(game.action_id(&text), Ok(action), "{key}: {text}");
            let (mut by_id, mut by_text) = (game.clone(), game.clone());
            by_id.apply(action).unwrap();
            by_text.apply_text(&text).unwrap();
            assert_eq!(by_id.text(), by_text.text());
        }
    }
}

#[test]
fn returns_are_zero_until_the_end_and_then_sum_to_zero_for_winners_and_losers() {
    for key in keys() {
        let mut game = seeded(&key, 2);
        let seats = game.players();
        assert_eq!(game.returns(Returns::Win), vec![0.0; seats]);
        game.play_out(9);
        let (returns, ranks) = (game.returns(Returns::Win), game.ranks());
        assert!(returns.iter().sum::<f32>().abs() < 1e-6, "{returns:?}");
        for (value, rank) in returns.iter().zip(&ranks) {
            assert!((*value > 0.0) == (*rank == 1), "{returns:?} {ranks:?}");
        }
        let points: Vec<f32> = game.scores().into_iter().map(f32::from).collect();
        assert_eq!(game.returns(Returns::Points), points);
        let margins = (0..seats).map(|seat| {
            let others = (0..seats).filter(|&other| other != seat).map(|other| points[other]);
            points[seat] - others.fold(f32::MIN, f32::max)
        });
        assert_eq!(game.returns(Returns::Margin), margins.collect::<Vec<_>>());
    }
}

#[test]
fn a_position_is_rebuilt_from_its_text_its_message_and_its_observation() {
    for key in keys() {
        let mut game = seeded(&key, 11);
        let mut choices = Choices::new(11);
        let mut actions = Vec::new();
        while !game.is_terminal() {
            let parsed = Game::parse(&game.text(), Chance::Explicit).unwrap();
            assert_eq!(parsed, game);
            assert_eq!(Game::from_state(&game.state(), Chance::Explicit).unwrap(), game, "{key}");
            let (_, observation) = seen(&game);
            let seen = Game::from_observation(&key, &observation, Chance::Explicit).unwrap();
            assert_eq!(seen, game, "{key}");
            game.legal_actions(&mut actions);
            game.apply(actions[choices.below(actions.len())]).unwrap();
        }
    }
}

#[test]
fn a_house_bot_plays_a_legal_move_and_greedy_beats_random() {
    let mut wins = 0;
    for seed in 0..20 {
        let mut game = seeded("azul-colored-2", seed);
        while let Some(seat) = game.current_player() {
            let bot = if seat == Seat::First.index() { HouseBot::Greedy } else { HouseBot::Random };
            let action = game.best_move(bot, seed).unwrap();
            game.apply(action).unwrap();
        }
        wins += u32::from(game.ranks()[0] == 1);
    }
    assert!(wins >= 19, "{wins} of 20");
}

#[test]
fn another_seat_can_start() {
    let start = Start { chance: Chance::numbered(1), seat: 2 };
    let game = Game::new("summer-pavilion-gray-3", start).unwrap();
    assert_eq!(game.current_player(), Some(2));
}

#[test]
fn chance_as_text_continues_with_the_same_deals() {
    for key in keys() {
        for chance in ["auto:00000000000000ff".to_owned(), format!("seed:{}", "0a".repeat(32))] {
            let start = Start { chance: chance.parse().unwrap(), seat: 0 };
            let mut game = Game::new(&key, start).unwrap();
            for number in 0..30 {
                game.apply(game.best_move(HouseBot::Random, number).unwrap()).unwrap();
            }
            let stored = game.chance().to_string().parse().unwrap();
            let mut copy = Game::parse(&game.text(), stored).unwrap();
            for number in 0.. {
                let Ok(action) = game.best_move(HouseBot::Random, number) else { break };
                game.apply(action).unwrap();
                copy.apply(action).unwrap();
            }
            assert_eq!(copy.text(), game.text(), "{key}");
        }
    }
}
