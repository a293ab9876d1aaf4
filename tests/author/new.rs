//! `new`: a bot project that the other commands accept as it is.

use rstest::rstest;

use crate::tool::{azulejo, root};

fn made(language: &str, folder: &std::path::Path, options: &[&str]) -> String {
    let bot = folder.join("my-bot").display().to_string();
    let sdk = root().join("sdk").display().to_string();
    let said = azulejo(&[&["new", language, &bot, "--sdk", &sdk], options].concat());
    assert!(said.success, "{}", said.err);
    assert!(said.out.contains("azulejo play"), "{}", said.out);
    bot
}

#[rstest]
#[case::python("python")]
#[case::go("go")]
#[case::js("js")]
#[case::rust("rust")]
fn a_new_bot_plays_without_changes(#[case] language: &str) {
    let folder = tempfile::tempdir().unwrap();
    let bot = made(language, folder.path(), &[]);
    let said = azulejo(&["play", &bot, "random", "--plain"]);
    assert!(said.success, "{}", said.err);
    assert!(said.out.contains("The game is over"), "{}", said.out);
    assert!(said.out.contains("│ my-bot "), "{}", said.out);
}

#[rstest]
#[case::python("python")]
#[case::go("go")]
#[case::js("js")]
#[case::rust("rust")]
fn a_new_bot_with_a_search_wins_every_game_against_random(#[case] language: &str) {
    let folder = tempfile::tempdir().unwrap();
    let bot = made(language, folder.path(), &["--with", "search"]);
    let said = azulejo(&["match", &bot, "random", "--games", "2"]);
    assert!(said.success, "{}", said.err);
    let row = said.out.lines().find(|line| line.contains("my-bot")).unwrap_or_default();
    assert!(row.contains("100.0 %"), "{}", said.out);
}

#[test]
fn nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let bot = made("python", folder.path(), &[]);
    let said = azulejo(&["new", "go", &bot]);
    assert!(!said.success);
    assert!(said.err.contains("nothing was changed"), "{}", said.err);
    assert!(!folder.path().join("my-bot/main.go").exists());
}

#[rstest]
#[case::python("python", "requirements.txt", "azulejo-sdk==0.1.0")]
#[case::go("go", "go.mod", "sdk/go v0.1.0")]
#[case::js("js", "package.json", "\"azulejo-sdk\": \"0.1.0\"")]
#[case::rust("rust", "Cargo.toml", "azulejo-sdk = \"0.1.0\"")]
fn without_a_checkout_the_sdk_is_a_dependency_by_version(
    #[case] language: &str,
    #[case] file: &str,
    #[case] dependency: &str,
) {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot");
    let said = azulejo(&["new", language, &bot.display().to_string()]);
    assert!(said.success, "{}", said.err);
    assert!(said.out.contains("not published yet"), "{}", said.out);
    let text = std::fs::read_to_string(bot.join(file)).unwrap();
    assert!(text.contains(dependency), "{text}");
    let readme = std::fs::read_to_string(bot.join("README.md")).unwrap();
    assert!(readme.contains("not published yet") && !readme.contains("{{"), "{readme}");
}

#[test]
fn a_name_that_is_not_valid_in_every_language_is_refused() {
    let said = azulejo(&["new", "rust", "7 dwarfs"]);
    assert!(!said.success);
    assert!(said.err.contains("is not a valid bot name"), "{}", said.err);
}
