//! `azulejo check`: is a bot fit for a ladder, on a bad day too?

mod bench;
mod faults;
mod items;
mod link;
mod process;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum as _};
use serde::Serialize;

use crate::author::{Program, Running, build, run_until_told};
use crate::output::print_json;
use bench::Bench;
use items::{Item, Outcome};

/// Try a bot of your own: does it play, and does it get over what a network does to bots?
///
/// The bot is started as by `azulejo play`, once for each item, and plays in an arena inside this
/// command, over a connection that is slow, cut or doubled as the item says. The items are the same
/// for every language; whoever uses an SDK should pass all of them. Ends with code 1 if one fails.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  azulejo check ./mybot
  azulejo check \"python3 bot.py\" --only plays --only restart
  azulejo check ./mybot --json")]
pub(crate) struct Check {
    /// A path or a command: ./mybot, ./bot.py, \"go run .\"
    #[arg(value_parser = |text: &str| text.parse::<Program>())]
    bot: Program,
    /// Only this; may be given several times.
    #[arg(long, value_enum, value_name = "ITEM")]
    only: Vec<Item>,
    /// Print one line of JSON instead of a line for each item.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    running: Running,
}

#[derive(Debug, Serialize)]
struct Report {
    bot: String,
    passed: bool,
    items: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    item: Item,
    verdict: Verdict,
    /// What was seen.
    seen: String,
    /// What to do about it; empty if there is nothing to do.
    #[serde(skip_serializing_if = "str::is_empty")]
    advice: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Passed,
    Failed,
    NotApplicable,
}

impl Check {
    pub(crate) fn run(&self) -> Result<()> {
        let report = run_until_told(self.try_all())?;
        if self.json {
            print_json(&report)?;
        }
        report.conclude(self.json)
    }

    async fn try_all(&self) -> Result<Report> {
        build(&self.bot).await?;
        let bench = Bench { program: &self.bot, running: &self.running };
        let all = if self.only.is_empty() { Item::value_variants() } else { &self.only };
        let mut items: Vec<Line> = Vec::new();
        for &item in all {
            let in_vain = items
                .iter()
                .any(|line| line.item == Item::Plays && line.verdict == Verdict::Failed);
            let line = if in_vain {
                let seen = "it has to play whole games in peace first".to_owned();
                Line { item, verdict: Verdict::NotApplicable, seen, advice: "" }
            } else {
                Line::of(item, item.run(&bench).await)
            };
            if !self.json {
                line.print();
            }
            items.push(line);
        }
        let passed = items.iter().all(|line| line.verdict != Verdict::Failed);
        Ok(Report { bot: self.bot.name.clone(), passed, items })
    }
}

impl Line {
    fn of(item: Item, outcome: Result<Outcome>) -> Self {
        match outcome {
            Ok(Outcome::Passed(seen)) => Self { item, verdict: Verdict::Passed, seen, advice: "" },
            Ok(Outcome::NotApplicable(seen)) => {
                Self { item, verdict: Verdict::NotApplicable, seen, advice: "" }
            }
            Err(error) => {
                let seen = format!("{error:#}");
                Self { item, verdict: Verdict::Failed, seen, advice: item.advice() }
            }
        }
    }

    fn print(&self) {
        let verdict = match self.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed => "FAILED",
            Verdict::NotApplicable => "not applicable",
        };
        say!("{verdict:<15} {:<15} {}", name(self.item), self.seen);
        if !self.advice.is_empty() {
            say!("{:<31} What to do: {}.", "", self.advice);
        }
    }
}

impl Report {
    /// One line for all of it; an error if the bot fails.
    fn conclude(&self, quietly: bool) -> Result<()> {
        let count = |verdict| self.items.iter().filter(|line| line.verdict == verdict).count();
        let (passed, spared) = (count(Verdict::Passed), count(Verdict::NotApplicable));
        let failed: Vec<String> = self
            .items
            .iter()
            .filter(|line| line.verdict == Verdict::Failed)
            .map(|line| name(line.item))
            .collect();
        if !failed.is_empty() {
            bail!(
                "{} FAILS {}; {passed} passed, {spared} not applicable",
                self.bot,
                failed.join(", ")
            );
        }
        if !quietly {
            say!("\n{} is fit to play: {passed} passed, {spared} not applicable.", self.bot);
        }
        Ok(())
    }
}

fn name(item: Item) -> String {
    item.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}
