//! `ListRulesets` and `NewGame`.

use azulejo_engine::{Ruleset, Table};
use azulejo_rules::parts::{PlayerCount, Side};
use azulejo_rules::{azul, pavilion};
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use pb::new_game_request::Chance;

use crate::caller::{list_rulesets, made, new_game, seed};
use crate::either_game::tables;

#[test]
fn there_are_twelve_rulesets_each_with_its_name_and_its_action_space() {
    let known = tables().map(|(side, players)| {
        let rules = azul::Rules::new(side, players);
        (Ruleset::Azul(rules), "Azul", azul::action_count(side, players))
    });
    let known = known.chain(tables().map(|(side, players)| {
        let rules = pavilion::Rules::new(side, players);
        let actions = pavilion::action_count(side, players);
        (Ruleset::SummerPavilion(rules), "Summer Pavilion", actions)
    }));

    let listed = list_rulesets().rulesets;

    assert_eq!(listed.len(), 12);
    for (info, (ruleset, game, actions)) in listed.into_iter().zip(known) {
        assert_eq!(Ruleset::read(info.ruleset).unwrap(), ruleset);
        assert_eq!(info.action_count, u32::from(actions));
        let players = ruleset.players().seats();
        assert_eq!(info.name, format!("{game}, {} side, {players} players", ruleset.side()));
    }
}

#[test]
fn the_action_spaces_are_as_large_as_they_were_published() {
    let counts: Vec<u32> = list_rulesets().rulesets.iter().map(|info| info.action_count).collect();

    assert_eq!(counts, [180, 240, 300, 205, 265, 325, 498, 510, 522, 1110, 1122, 1134]);
}

#[test]
fn every_listed_ruleset_can_be_started_from_every_seat() {
    for info in list_rulesets().rulesets {
        let seats = Ruleset::read(info.ruleset).unwrap().players().seats();
        for start_seat in 0..u32::try_from(seats).unwrap() {
            let chance = Some(Chance::Seed(seed(u64::from(start_seat))));
            let request = pb::NewGameRequest { ruleset: info.ruleset, start_seat, chance };

            let answer = new_game(&request).unwrap();

            let due = answer.due.unwrap().due;
            assert_eq!(due, Some(game::due::Due::Seat(start_seat)), "{}", info.name);
            let table = Table::read(answer.state).unwrap();
            assert_eq!(Some(table.ruleset().message()), info.ruleset);
        }
    }
}

#[test]
fn without_seed_or_displays_the_engine_makes_a_seed_and_returns_it() {
    for info in list_rulesets().rulesets {
        let request = |chance| pb::NewGameRequest { ruleset: info.ruleset, start_seat: 1, chance };

        let fresh = new_game(&request(None)).unwrap();

        let key = game::seed::Seed::Key(made().bytes().to_vec());
        assert_eq!(fresh.seed, Some(game::Seed { seed: Some(key) }));
        let again = new_game(&request(fresh.seed.clone().map(Chance::Seed))).unwrap();
        assert_eq!(again, pb::NewGameResponse { seed: None, ..fresh });
    }
}

#[test]
fn other_seeds_deal_other_games_and_a_number_is_the_seed_of_its_bytes() {
    let ruleset = list_rulesets().rulesets[0].ruleset;
    let by = |seed| {
        let chance = Some(Chance::Seed(seed));
        new_game(&pb::NewGameRequest { ruleset, start_seat: 0, chance }).unwrap()
    };
    let mut key = vec![0; 32];
    (key[0], key[1]) = (1, 2);

    assert_ne!(by(seed(1)), by(seed(2)));
    assert_eq!(by(game::Seed { seed: Some(game::seed::Seed::Key(key)) }), by(seed(513)));
}

#[test]
fn omitted_fields_of_a_ruleset_have_defaults() {
    let rules = game::AzulRules { version: 0, side: 1, players: 3, round_limit: 0 };
    let ruleset = Some(game::Ruleset { game: Some(game::ruleset::Game::Azul(rules)) });

    let answer = new_game(&pb::NewGameRequest { ruleset, start_seat: 0, chance: None }).unwrap();

    let Some(game::game_state::Game::Azul(state)) = answer.state.unwrap().game else { panic!() };
    let told = game::AzulRules { version: 1, round_limit: 50, ..rules };
    assert_eq!(state.rules, Some(told), "a state carries them always");
    let rules = azul::Rules::new(Side::Colored, PlayerCount::Three);
    assert_eq!(azul::Rules::try_from(told), Ok(rules));
}
