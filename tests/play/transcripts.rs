//! The digests that the tests of all SDKs compare with.

use std::collections::BTreeMap;

use azulejo_play::Ruleset;

use crate::transcript::{Choices, GAMES, Transcript, seeded, seen};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../service/play/tests/transcripts.json");

pub(crate) fn stored() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(FILE).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn digest(ruleset: &str) -> String {
    let mut transcript = Transcript::default();
    let mut actions = Vec::new();
    for seed in 0..GAMES {
        let mut game = seeded(ruleset, seed);
        let mut choices = Choices::new(seed);
        while !game.is_terminal() {
            let (mask, observation) = seen(&game);
            transcript.position(&game.text(), &mask, &observation, game.hash());
            game.legal_actions(&mut actions);
            game.apply(actions[choices.below(actions.len())]).unwrap();
        }
        transcript.end(&game.text(), &game.scores());
    }
    transcript.digest()
}

/// `AZULEJO_WRITE_TRANSCRIPTS=1` writes the file again.
#[test]
fn two_hundred_games_of_each_ruleset_have_the_digest_that_all_sdks_expect() {
    let keys = Ruleset::all().into_iter().map(|ruleset| ruleset.key());
    let digests: BTreeMap<String, String> = keys.map(|key| (key.clone(), digest(&key))).collect();
    #[expect(clippy::disallowed_methods, reason = "a switch of this test")]
    if std::env::var("AZULEJO_WRITE_TRANSCRIPTS").is_ok() {
        let text = serde_json::to_string_pretty(&digests).unwrap();
        std::fs::write(FILE, text + "\n").unwrap();
    }
    assert_eq!(digests, stored());
}
