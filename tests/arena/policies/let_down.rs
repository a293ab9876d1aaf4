//! A bot whose opponent did not begin the match.

use azulejo_arena::names::BotId;
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;

use super::arena::{TestArena, bot, hello, told};
use crate::edge::Request;

const POOL: &str = "azul-colored-2-blitz";

impl TestArena {
    /// Time passes, and these bots answer pings.
    fn wait_with(&mut self, bots: &[&BotId], seconds: u32) {
        for _ in 0..seconds * 20 {
            let outputs = self.wait(50);
            for bot in bots {
                for (_, event) in told(&outputs, bot) {
                    if let Some(Told::Ping(ping)) = &event.event {
                        let (bot, ping, received) =
                            ((*bot).clone(), ping.number, super::one_match::at(self.now).time);
                        let ended = Vec::new();
                        self.ask(Request::Heartbeat { bot, ping, ended, received }).unwrap();
                    }
                }
            }
        }
    }

    fn matches(&self) -> usize {
        self.store.rows.matches.len()
    }
}

/// The match of `honest` with a bot that does not begin it is called off.
fn let_down() -> (TestArena, BotId) {
    let mut arena = TestArena::of(&["honest", "absent", "new"]);
    let (honest, absent) = (bot("honest"), bot("absent"));
    arena.open(&honest, hello(POOL, 1));
    arena.open(&absent, hello(POOL, 1));
    arena.wait(50);
    let id = arena.store.rows.matches.keys().next().unwrap().clone();
    arena.ready(&honest, &id).unwrap();
    arena.wait_with(&[&honest, &absent], 16);
    assert_eq!(arena.matches(), 1, "the absent bot waits");
    (arena, honest)
}

#[test]
fn it_meets_a_bot_that_has_never_begun_a_match_only_after_ten_seconds() {
    let (mut arena, honest) = let_down();
    arena.wait_with(&[&honest], 1);
    let new = bot("new");
    arena.open(&new, hello(POOL, 1));
    arena.wait_with(&[&honest, &new], 7);
    assert_eq!(arena.matches(), 1, "a proven opponent may still come");
    arena.wait_with(&[&honest, &new], 5);
    assert_eq!(arena.matches(), 2, "none has come");
}
