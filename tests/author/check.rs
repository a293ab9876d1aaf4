//! `check`: sound bots pass, and a bot with a defect fails the item for that defect.

use rstest::rstest;
use serde_json::Value;

use crate::tool::{azulejo, broken, example, go_example, js_example, python_example};

fn checked(bot: &str, more: &[&str]) -> (bool, Value, String) {
    let said = azulejo(&[&["check", bot, "--json"], more].concat());
    let report = serde_json::from_str(&said.out);
    let report = report.unwrap_or_else(|_| panic!("{}\n{}", said.out, said.err));
    (said.success, report, said.err)
}

fn verdicts<'a>(report: &'a Value, verdict: &str) -> Vec<&'a str> {
    let items = report["items"].as_array().unwrap().iter();
    let items = items.filter(|item| item["verdict"] == verdict);
    items.map(|item| item["item"].as_str().unwrap()).collect()
}

#[rstest]
#[case::rust(example("greedy"))]
#[case::python(python_example("greedy_bot.py"))]
#[case::go(go_example("greedy"))]
#[case::js(js_example("greedy.js"))]
#[case::without_an_sdk(broken(""))]
fn a_sound_bot_passes_every_item(#[case] bot: String) {
    let (success, report, error) = checked(&bot, &[]);
    assert!(success && report["passed"] == true, "{report} {error}");
    assert_eq!(verdicts(&report, "passed").len(), 11, "{report}");
}

/// With the shortest clock, so that a bot that does not answer forfeits soon.
#[rstest]
#[case("plays", "ends-at-once", "exited before it connected")]
#[case("plays", "never-answers", "its clock ran out")]
#[case("plays", "answers-illegally", "three answers to one turn were no legal moves")]
#[case("clock", "thinks-too-long", "its clock ran out")]
#[case("slow-link", "has-no-patience", "exited")]
#[case("cut-stream", "ends-on-a-cut", "before its answer arrived")]
#[case("duplicates", "dies-of-duplicates", "every event was sent twice")]
#[case("restart", "ignores-the-snapshot", "the server was restarted")]
#[case("stale-turn", "repeats-stale-answers", "although that turn was over")]
#[case("refused-answer", "dies-of-a-refusal", "an answer was refused")]
#[case("crash", "forgets-after-a-crash", "killed and started again")]
#[case("stop", "ignores-sigterm", "it was still running")]
#[case("idle", "never-rests", "% of a core")]
fn a_defect_fails_the_item_that_checks_for_it(
    #[case] item: &str,
    #[case] defect: &str,
    #[case] word: &str,
) {
    let (success, report, error) = checked(&broken(defect), &["--only", item, "--time", "bullet"]);
    assert!(!success && report["passed"] == false, "{report}");
    assert_eq!(verdicts(&report, "failed"), [item], "{report}");
    let seen = report["items"][0]["seen"].as_str().unwrap();
    assert!(seen.contains(word), "{seen}");
    assert!(report["items"][0]["advice"].as_str().is_some_and(|advice| !advice.is_empty()));
    assert!(error.contains(&format!("FAILS {item}")), "{error}");
}

#[test]
fn a_bot_that_cannot_play_without_faults_is_not_tested_further() {
    let (success, report, _) = checked(&broken("ends-at-once"), &[]);
    assert!(!success);
    assert_eq!(verdicts(&report, "failed"), ["plays"]);
    assert_eq!(verdicts(&report, "not_applicable").len(), 10, "{report}");
}
