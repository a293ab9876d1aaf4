//! Small cases for `check.py`, which solves them with `scipy`.

use std::io::Write as _;

use azulejo_arena::pairing::{Dice as _, shuffle};
use serde_json::json;

use crate::chance::Chance;
use crate::{Played, games};

const BOTS: [&str; 6] = ["a/a", "b/b", "c/c", "d/d", "e/e", "house/greedy"];

#[test]
fn small_cases_are_written_for_another_solver() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tests");
    std::fs::create_dir_all(&path).unwrap();
    let mut file = std::fs::File::create(path.join("standings.jsonl")).unwrap();
    for case in 0..40 {
        let dice = &mut Chance(case);
        let seats = 2 + dice.below(3);
        let all: Vec<Played<'_>> = (0..5 + dice.below(40) as u64)
            .map(|number| {
                let mut bots = BOTS;
                shuffle(&mut bots, dice);
                // One-sided in every fourth case: the order of the names decides.
                let mut place = |bot: &str| match case % 4 {
                    0 => 1 + u8::try_from(BOTS.iter().position(|b| *b == bot).unwrap()).unwrap(),
                    _ => 1 + u8::try_from(dice.below(4)).unwrap(),
                };
                let places: Vec<u8> = bots[..seats].iter().map(|bot| place(bot)).collect();
                (number, number, bots[..seats].iter().copied().zip(places).collect())
            })
            .collect();
        let standings = games(&all).fit();
        let games: Vec<_> = all.iter().map(|(_, _, seats)| seats).collect();
        let line = json!({ "games": games, "seats": seats, "standings": standings });
        writeln!(file, "{line}").unwrap();
    }
}
