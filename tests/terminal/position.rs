//! `azulejo position`: a position as one line of text, as JSON and as a picture.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use azulejo_tests::process::program;
use rstest::rstest;
use serde_json::Value;

/// The command with this on its standard input.
fn run_with(input: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(program());
    command.arg("position").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that reads no input may have ended already.
    let _ended = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[track_caller]
fn printed_with(input: &str, arguments: &[&str]) -> String {
    let output = run_with(input, arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

#[track_caller]
fn printed(arguments: &[&str]) -> String {
    printed_with("", arguments)
}

/// What is printed about a command that fails, without `error: `.
#[track_caller]
fn error_with(input: &str, arguments: &[&str]) -> String {
    let output = run_with(input, arguments);
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap().trim_end().to_owned()
}

#[track_caller]
fn error(arguments: &[&str]) -> String {
    error_with("", arguments)
}

#[rstest]
fn every_new_game_is_printed_as_text_and_as_json_and_read_again(
    #[values("azul", "summer-pavilion")] game: &str,
    #[values("colored", "gray")] board: &str,
    #[values("2", "3", "4")] players: &str,
) {
    let table = ["new", "--game", game, "--board", board, "--players", players, "--seed", "7"];

    let text = printed(&table);
    let json = printed(&["json", &text]);

    assert!(text.starts_with(&format!("{game} {board} {players} round 1")), "{text}");
    assert_eq!(printed(&table), text, "the seed decides");
    assert_eq!(printed_with(&json, &["text", "-"]), text);
    let state: Value = serde_json::from_str(&json).unwrap();
    let inside = if game == "azul" { "azul" } else { "summerPavilion" };
    let boards = state[inside]["boards"].as_array().unwrap();
    assert_eq!(boards.len().to_string(), players);
    assert_eq!(state[inside]["turnSeat"], 0, "also what has its default value is written");
}

#[test]
fn a_new_game_without_a_seed_is_another_one_each_time() {
    assert_ne!(printed(&["new"]), printed(&["new"]));
}

#[test]
fn a_json_state_is_read_from_a_file() {
    let folder = std::env::temp_dir().join(format!("azulejo-position-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("state.json");
    let text = printed(&["new", "--seed", "3"]);
    std::fs::write(&file, printed(&["json", &text])).unwrap();

    assert_eq!(printed(&["text", file.to_str().unwrap()]), text);

    std::fs::remove_dir_all(&folder).unwrap();
    let missing = error(&["text", file.to_str().unwrap()]);
    assert!(missing.contains(&format!("cannot read {}", file.display())), "{missing}");
}

#[test]
fn a_json_state_may_omit_what_is_empty() {
    let text = printed(&["new", "--seed", "3"]);
    let mut state: Value = serde_json::from_str(&printed(&["json", &text])).unwrap();
    for heap in ["lid", "center"] {
        state["azul"].as_object_mut().unwrap().remove(heap).unwrap();
    }
    for board in state["azul"]["boards"].as_array_mut().unwrap() {
        *board = serde_json::json!({});
    }

    assert_eq!(printed_with(&state.to_string(), &["text", "-"]), text);
}

#[test]
fn a_position_is_drawn_for_a_terminal_and_as_svg() {
    let text = printed(&["new", "--game", "summer-pavilion", "--seed", "7"]);

    let plain = printed(&["show", &text, "--plain"]);
    let svg = printed(&["show", &text, "--svg"]);

    assert!(plain.contains("Player 1") && plain.contains("Player 2"), "{plain}");
    assert!(!plain.contains('\u{1b}'), "no colors: {plain}");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"), "{svg}");
}

#[rstest]
#[case::show("show")]
#[case::json("json")]
fn a_text_that_cannot_be_read_is_pointed_at(#[case] verb: &str) {
    let said = error(&[verb, "azul gray 5 round"]);

    let expected =
        "at character 11: expected 2, 3 or 4 players\n  azul gray 5 round\n            ^";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn a_word_that_is_wrong_far_along_the_line_is_pointed_at() {
    let text = printed(&["new", "--seed", "7"]).replace(" floor - seat ", " floor ? seat ");
    let at = text.find('?').unwrap();

    let said = error(&["show", &text]);

    let lines: Vec<&str> = said.lines().collect();
    let [.., shown, arrow] = lines.as_slice() else { panic!("{said}") };
    assert!(said.contains(&format!("at character {}: expected", at + 1)), "{said}");
    assert_eq!(shown.find('?'), arrow.find('^'), "{said}");
}

#[rstest]
#[case::a_tile_too_few("Y16", "Y15", "invalid Azul position: there are 19 yellow tiles, not 20")]
#[case::no_such_seat("turn 0", "turn 3", "invalid Azul position: ")]
fn an_illegal_position_is_refused_by_its_rule(
    #[case] right: &str,
    #[case] wrong: &str,
    #[case] expected: &str,
) {
    let text = printed(&["new", "--seed", "7"]);
    assert!(text.contains(right), "{text}");

    let said = error(&["show", &text.replacen(right, wrong, 1)]);

    assert!(said.contains(expected), "{said}");
    assert!(!said.contains('^'), "no place of the text is wrong: {said}");
}

#[rstest]
#[case::no_json("hello", "the JSON is not a GameState", "line 1 column 1")]
#[case::an_unknown_field("{\"chess\":{}}", "the JSON is not a GameState", "chess")]
#[case::no_game("{}", "error: game: ", "this field is required")]
#[case::no_rules("{\"azul\":{}}", "error: azul.rules: ", "this field is required")]
fn a_json_state_that_is_wrong_is_refused_with_the_field(
    #[case] json: &str,
    #[case] field: &str,
    #[case] problem: &str,
) {
    let said = error_with(json, &["text", "-"]);

    assert!(said.contains(field) && said.contains(problem), "{said}");
}

#[test]
fn a_json_state_of_an_illegal_position_is_refused_with_the_field() {
    let text = printed(&["new", "--seed", "7"]);
    let mut state: Value = serde_json::from_str(&printed(&["json", &text])).unwrap();
    state["azul"]["boards"][1]["points"] = 3.into();

    let said = error_with(&state.to_string(), &["text", "-"]);

    assert!(said.starts_with("error: azul.boards[1].points: invalid Azul position: "), "{said}");
}
