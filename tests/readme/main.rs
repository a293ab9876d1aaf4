//! Runs the samples of the READMEs and compares their output. A line that ends in `…` is compared up
//! to there.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The files whose `console` blocks are run.
const WITH_SAMPLES: [&str; 3] = ["README.md", "service/cli/README.md", "service/engine/README.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text_of(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// A command as from a terminal: with the variables that cargo sets for a test, some dependencies
/// would be compiled again.
fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let is_ours = |prefix: &str| name.to_string_lossy().starts_with(prefix);
        if is_ours("CARGO_PKG_") || is_ours("CARGO_MANIFEST_") || is_ours("CARGO_CRATE_") {
            command.env_remove(&name);
        }
    }
    command.current_dir(root());
    command
}

/// The commands of all `console` blocks, each with the output below it.
fn samples(readme: &str) -> Vec<(String, Vec<String>)> {
    let mut samples: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            samples.push((command.to_owned(), Vec::new()));
        } else if inside {
            samples.last_mut().expect("a block begins with a command").1.push(line.to_owned());
        }
    }
    samples
}

/// A server on a free port, stopped with the test.
struct Server {
    process: Child,
    /// Kept open, as a terminal would be.
    _output: BufReader<ChildStdout>,
    address: String,
}

impl Server {
    fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(flags: &[&str]) -> Self {
        let mut process = command("cargo")
            .args(["run", "--quiet", "--release", "--", "serve"])
            .args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"])
            .args(["--store", "memory"])
            .args(flags)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let address = (&mut output)
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, address) = line.split_once("http://")?;
                Some(address.trim_end_matches('/').to_owned())
            })
            .expect("the server prints its address");
        Self { process, _output: output, address }
    }

    /// The same text, with the server's real address.
    fn here(&self, text: &str) -> String {
        text.replace("127.0.0.1:7700", &self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // `cargo run` becomes the program itself, so this is its id.
        let _ended = self.process.kill().and_then(|()| self.process.wait());
    }
}

/// What the command prints, without the output of cargo. `azulejo` is the program of this checkout.
fn run(line: &str) -> Vec<String> {
    const PROGRAM: &str = "cargo run --quiet --release --";
    let quiet = match line.strip_prefix("azulejo ") {
        Some(arguments) => format!("{PROGRAM} {arguments}"),
        None => line.replacen("cargo run --release --", PROGRAM, 1),
    };
    let output = command("sh").args(["-c", &quiet]).output().unwrap();
    let bytes = [output.stdout, output.stderr].concat();
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

fn agrees(shown: &str, seen: &str) -> bool {
    shown.strip_suffix('…').map_or(shown == seen, |beginning| seen.starts_with(beginning))
}

#[test]
fn every_command_of_a_readme_prints_what_the_readme_shows() {
    let server = Server::start();
    for file in WITH_SAMPLES {
        let samples = samples(&text_of(file));
        assert!(!samples.is_empty(), "{file} has no samples");
        for (line, shown) in samples {
            let seen = run(&server.here(&line));

            let same = shown.len() == seen.len()
                && shown.iter().zip(&seen).all(|(shown, seen)| agrees(shown, seen));
            assert!(same, "{file}\n$ {line}\nshown: {shown:#?}\nseen: {seen:#?}");
        }
    }
}

#[test]
fn the_picture_of_the_readme_is_what_the_program_draws() {
    assert!(text_of("README.md").contains("(service/draw/board.svg)"), "the README has no picture");
    let folder = tempfile::tempdir().unwrap();
    let pictures = folder.path().to_str().unwrap();

    run(&format!("azulejo play strong:300n greedy --seed 7 --plain --svg {pictures}"));

    let drawn = std::fs::read_to_string(folder.path().join("053.svg")).unwrap();
    let is_same = drawn == text_of("service/draw/board.svg");
    assert!(is_same, "draw it again, as service/draw/README.md says");
}

#[test]
fn the_two_commands_of_the_readme_work() {
    let readme = text_of("README.md");
    for command in ["cargo run --release -- serve --demo", "tests/run"] {
        assert!(readme.contains(&format!("\n{command} ")), "the README does not mention {command}");
    }

    let seen = run("cargo run --release -- play strong greedy");
    assert!(seen.iter().any(|line| line.contains("The game is over")), "{seen:#?}");
    let help = run("tests/run --help");
    assert!(help.iter().any(|line| line.contains("--quick")), "{help:#?}");
}

#[test]
fn the_first_bot_of_the_readme_plays_a_whole_game() {
    let readme = text_of("README.md");
    let bot = readme.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let server = Server::start();

    let played = Command::new("python3").args(["-c", &server.here(bot)]).output().unwrap();

    let printed = String::from_utf8(played.stdout).unwrap();
    let totals: Vec<u32> = serde_json::from_str(&printed)
        .unwrap_or_else(|_| panic!("{printed}\n{}", String::from_utf8_lossy(&played.stderr)));
    assert_eq!(totals.len(), 3);
    assert!(totals.iter().all(|&total| total > 0), "{totals:?}");
}

/// A running match of the demo.
fn running_match(server: &Server) -> String {
    for _ in 0..300 {
        let url = format!("http://{}/azulejo.arena.v1.MatchesService/ListMatches", server.address);
        let json = "content-type: application/json";
        let body = r#"{"status":"MATCH_STATUS_PLAYING"}"#;
        let listed = Command::new("curl").args(["-s", "-H", json, "-d", body, &url]).output();
        let listed: serde_json::Value =
            serde_json::from_slice(&listed.unwrap().stdout).unwrap_or_default();
        if let Some(id) = listed["matches"][0]["id"].as_str() {
            return id.to_owned();
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("the demo bots never met");
}

#[test]
fn curl_watches_a_running_match_as_the_readme_says() {
    let readme = text_of("README.md");
    let line = readme.lines().find(|line| line.contains("/WatchMatch"));
    let line = line.expect("the README shows how to watch a match");
    let server = Server::start_with(&["--demo"]);
    let line = server.here(line).replace("MATCH_ID", &running_match(&server));

    let seen = command("timeout").args(["60", "sh", "-c", &line]).output().unwrap();

    let text = String::from_utf8(seen.stdout).unwrap();
    let events: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(events.first().is_some_and(|first| first["snapshot"]["match"]["id"].is_string()));
    assert!(events.iter().any(|event| event["moveMade"]["state"].is_object()), "{text}");
    assert!(events.last().is_some_and(|last| last["matchEnded"]["match"]["id"].is_string()));
}
