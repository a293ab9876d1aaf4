use std::fmt::Display;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::scored::Scored;

/// A game as the reference engine reads it.
#[derive(Debug)]
pub(crate) struct Transcript {
    /// Every position with its moves, the last one too.
    visited: Vec<(String, Vec<String>)>,
    game: Value,
}

impl Transcript {
    pub(crate) fn new(name: &str) -> Self {
        let game = json!({ "name": name, "record": null, "seed": null });
        Self { visited: Vec::new(), game }
    }

    pub(crate) fn visit<G: Scored>(&mut self, position: &G) {
        let moves = position.moves().iter().map(ToString::to_string).collect();
        self.visited.push((position.to_string(), moves));
    }

    /// The seed of the deals: the number's eight bytes, the lowest first, then zeros.
    pub(crate) fn dealt_by(&mut self, number: u64) {
        let first_bytes = format!("{:016x}", number.swap_bytes());
        self.game["seed"] = format!("{first_bytes:0<64}").into();
    }

    pub(crate) fn recorded(&mut self, record: &impl Display) {
        self.game["record"] = record.to_string().into();
    }

    pub(crate) fn steps<S: Display>(&mut self, steps: &[S]) {
        let shown = self.visited.iter().zip(steps).map(|((position, moves), step)| {
            json!({ "position": position, "moves": moves, "step": step.to_string() })
        });
        self.game["steps"] = shown.collect();
    }

    pub(crate) fn end<G: Scored>(&mut self, last: &G) {
        let standing = last.standing();
        self.game["start"] = self.visited[0].0.clone().into();
        self.game["final"] = last.to_string().into();
        self.game["totals"] = standing.totals.into();
        self.game["ranks"] = standing.ranks.into();
        self.game["winners"] = standing.winners.into();
    }
}

/// The reference engine, in a process of its own.
#[derive(Debug)]
pub(crate) struct Checker(Child);

impl Checker {
    pub(crate) fn start() -> Self {
        let child = Command::new("python3")
            // No byte code beside the sources.
            .args(["-B", concat!(env!("CARGO_MANIFEST_DIR"), "/reference/check.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Self(child.unwrap())
    }

    pub(crate) fn check(&mut self, transcript: &Transcript) {
        let written = writeln!(self.0.stdin.as_mut().unwrap(), "{}", transcript.game);
        if written.is_err() {
            // It has found a difference and is gone.
            self.conclude();
        }
    }

    /// Waits for its verdict.
    pub(crate) fn finish(mut self, seeds: u64) {
        let verdict = self.conclude();
        eprint!("seeds 0 to {}: {verdict}", seeds - 1);
    }

    fn conclude(&mut self) -> String {
        drop(self.0.stdin.take());
        let mut said = String::new();
        self.0.stdout.as_mut().unwrap().read_to_string(&mut said).unwrap();
        self.0.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
        assert!(self.0.wait().unwrap().success(), "{said}");
        said
    }
}
