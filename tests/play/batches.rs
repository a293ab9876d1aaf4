//! Many games side by side.

use azulejo_play::{
    Arrays, Batch, BatchOptions, HouseBot, Learner, Observations, Returns, Ruleset, StartSeat, View,
};

/// Arrays of a batch.
struct Rows {
    observations: Vec<u8>,
    masks: Vec<u8>,
    seats: Vec<u8>,
    rewards: Vec<f32>,
    ends: Vec<u8>,
    last: Vec<u8>,
    actions: Vec<i64>,
}

impl Rows {
    fn of(batch: &Batch) -> Self {
        let (games, size) = (batch.len(), batch.observation_size());
        Self {
            observations: vec![0; games * size],
            masks: vec![0; games * batch.action_count()],
            seats: vec![0; games],
            rewards: vec![0.0; games * batch.players()],
            ends: vec![0; games],
            last: vec![0; games * size],
            actions: vec![0; games],
        }
    }

    fn arrays(&mut self) -> Arrays<'_> {
        Arrays {
            observations: Observations::Raw(&mut self.observations),
            masks: &mut self.masks,
            seats: &mut self.seats,
            rewards: &mut self.rewards,
            ends: &mut self.ends,
            last: Some(Observations::Raw(&mut self.last)),
        }
    }

    fn random_step(&mut self, batch: &mut Batch) {
        batch.sample(&self.masks, &mut self.actions).unwrap();
        let actions = self.actions.clone();
        batch.step(&actions, &mut self.arrays()).unwrap();
    }
}

fn batch(ruleset: &str, games: usize, options: &BatchOptions) -> (Batch, Rows) {
    let mut batch = Batch::new(ruleset, games, options).unwrap();
    let mut rows = Rows::of(&batch);
    batch.observe(&mut rows.arrays()).unwrap();
    (batch, rows)
}

#[test]
fn the_arrays_show_what_each_game_shows_by_itself() {
    for ruleset in Ruleset::all() {
        let (mut batch, mut rows) = batch(&ruleset.key(), 8, &BatchOptions::default());
        let (size, actions) = (batch.observation_size(), batch.action_count());
        for _ in 0..300 {
            rows.random_step(&mut batch);
            for index in 0..8 {
                let game = batch.game(index).unwrap();
                let seat = game.current_player().unwrap();
                assert_eq!(usize::from(rows.seats[index]), seat);
                let (mut mask, mut values) = (vec![0; actions], vec![0; size]);
                game.write_mask(&mut mask).unwrap();
                game.observe(seat, &mut values).unwrap();
                assert_eq!(rows.masks[index * actions..][..actions], mask);
                assert_eq!(rows.observations[index * size..][..size], values);
            }
        }
    }
}

#[test]
fn a_batch_plays_the_same_games_as_single_ones() {
    let (mut batch, mut rows) = batch("summer-pavilion-gray-4", 3, &BatchOptions::default());
    for _ in 0..500 {
        let mut games: Vec<_> = (0..3).map(|index| batch.game(index).unwrap()).collect();
        rows.random_step(&mut batch);
        for (index, game) in games.iter_mut().enumerate() {
            game.apply(u16::try_from(rows.actions[index]).unwrap()).unwrap();
            let players = batch.players();
            let rewards = &rows.rewards[index * players..][..players];
            assert_eq!(rewards, game.returns(Returns::Win));
            assert_eq!(rows.ends[index] == 1, game.is_terminal());
            if !game.is_terminal() {
                assert_eq!(batch.game(index).unwrap().text(), game.text());
            }
        }
    }
}

#[test]
fn scaled_observations_are_the_raw_ones_divided_by_the_scales_of_the_layout() {
    let (mut batch, mut rows) = batch("azul-gray-2", 4, &BatchOptions::default());
    let mut scaled = vec![0.0; rows.observations.len()];
    for _ in 0..100 {
        rows.random_step(&mut batch);
        let raw = rows.observations.clone();
        let mut arrays = rows.arrays();
        arrays.observations = Observations::Scaled(&mut scaled);
        batch.observe(&mut arrays).unwrap();
        let scales = batch.layout().scales().collect::<Vec<u8>>();
        for (index, (&raw, &value)) in raw.iter().zip(&scaled).enumerate() {
            let expected = f32::from(raw) / f32::from(scales[index % scales.len()]);
            assert!((value - expected).abs() < 1e-6, "{index}: {value} {expected}");
        }
    }
}

#[test]
fn one_illegal_action_refuses_the_whole_step() {
    let (mut batch, mut rows) = batch("azul-colored-2", 5, &BatchOptions::default());
    batch.sample(&rows.masks, &mut rows.actions).unwrap();
    let good = rows.actions.clone();
    let before: Vec<String> = (0..5).map(|index| batch.game(index).unwrap().text()).collect();
    let illegal = rows.masks[3 * 180..4 * 180].iter().position(|&bit| bit == 0).unwrap();
    for bad in [i64::try_from(illegal).unwrap(), -1, 180, i64::MAX, i64::MIN] {
        let mut actions = good.clone();
        actions[3] = bad;
        let error = batch.step(&actions, &mut rows.arrays()).unwrap_err();
        assert!(["ILLEGAL_MOVE", "NO_SUCH_ACTION"].contains(&error.reason()), "{error}");
    }
    assert_eq!(batch.step(&good[1..], &mut rows.arrays()).unwrap_err().reason(), "WRONG_COUNT");
    let mut short = rows.arrays();
    short.masks = &mut [];
    assert_eq!(batch.step(&good, &mut short).unwrap_err().reason(), "WRONG_COUNT");
    let after: Vec<String> = (0..5).map(|index| batch.game(index).unwrap().text()).collect();
    assert_eq!(after, before);
    batch.step(&good, &mut rows.arrays()).unwrap();
}

/// A mask that the caller has changed changes no game.
#[test]
fn a_changed_mask_makes_no_illegal_move_legal() {
    let (mut batch, mut rows) = batch("azul-colored-2", 1, &BatchOptions::default());
    rows.masks.fill(1);
    let mut refused = 0;
    for action in 0..180i64 {
        let mut copy = batch.clone();
        refused += u32::from(copy.step(&[action], &mut Rows::of(&batch).arrays()).is_err());
    }
    assert!(refused > 50, "{refused}");
    batch.sample(&[255; 180], &mut [0]).unwrap();
}

#[test]
fn a_learner_decides_for_its_own_seat_only_and_the_last_observation_is_its_own() {
    let learner = Some(Learner { seat: StartSeat::Rotating, opponents: HouseBot::Greedy });
    let options = BatchOptions { learner, ..BatchOptions::default() };
    let (mut batch, mut rows) = batch("azul-colored-3", 2, &options);
    let size = batch.observation_size();
    let viewer = batch.layout().section("viewer").unwrap().offset;
    let mut ended = [0usize; 2];
    while ended.iter().sum::<usize>() < 12 {
        for (&seat, ended) in rows.seats.iter().zip(&ended) {
            assert_eq!(usize::from(seat), ended % 3, "the seat rotates");
        }
        rows.random_step(&mut batch);
        for (game, ended) in ended.iter_mut().enumerate().filter(|&(game, _)| rows.ends[game] == 1)
        {
            let last = &rows.last[game * size..][..size];
            assert_eq!(last[viewer + *ended % 3], 1, "seen by the learner");
            *ended += 1;
        }
    }
}

#[test]
fn a_learner_that_rotates_does_not_always_start_in_games_whose_start_rotates() {
    let learner = Some(Learner { seat: StartSeat::Rotating, opponents: HouseBot::Random });
    let start = StartSeat::Rotating;
    let (mut batch, mut rows) =
        batch("azul-colored-2", 1, &BatchOptions { start, learner, ..BatchOptions::default() });
    let mut seen = std::collections::HashSet::new();
    for _ in 0..4 {
        let starts = batch.game(0).unwrap().text().contains(" start 1 ");
        seen.insert((rows.seats[0], starts));
        while {
            rows.random_step(&mut batch);
            rows.ends[0] == 0
        } {}
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
}

#[test]
fn the_same_seed_gives_the_same_games_and_a_view_from_the_table_is_not_rotated() {
    let options = BatchOptions { seed: 3, start: StartSeat::Random, ..BatchOptions::default() };
    let (mut one, mut rows) = batch("azul-gray-4", 6, &options);
    let (mut other, mut same) = batch("azul-gray-4", 6, &options);
    for _ in 0..200 {
        rows.random_step(&mut one);
        same.random_step(&mut other);
    }
    assert_eq!(rows.observations, same.observations);
    one.reset(4, &mut rows.arrays()).unwrap();
    assert_ne!(rows.observations, same.observations);
    let options = BatchOptions { view: View::Table, ..options };
    let (mut table, mut rows) = batch("azul-gray-4", 6, &options);
    let (size, viewer) =
        (table.observation_size(), table.layout().section("viewer").unwrap().offset);
    for _ in 0..50 {
        rows.random_step(&mut table);
        assert!(rows.observations.chunks(size).all(|values| values[viewer] == 1));
    }
}
