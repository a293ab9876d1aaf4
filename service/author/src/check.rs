//! `azulejo check`: stress-tests a bot.

mod faults;
mod items;
mod link;
mod process;
mod trial;

use anyhow::{Result, bail};
use azulejo_terminal::output::print_json;
use clap::{Args, ValueEnum as _};
use serde::Serialize;

use crate::{BotArgs, Program, build, run_until_signal};
use items::{Item, ItemOutcome};
use trial::TrialSetup;

/// Stress-test your bot: does it play, and does it survive disconnects, restarts and crashes?
///
/// The bot is started as by `azulejo play`, once per item, and plays in an arena inside this command,
/// with the faults of that item. The items are the same for every language; a bot that uses an SDK
/// should pass all of them. The exit code is 1 if an item fails.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  azulejo check ./mybot
  azulejo check \"python3 bot.py\" --only plays --only restart
  azulejo check ./mybot --json")]
pub struct Check {
    /// The bot, a path or a command: ./mybot, ./bot.py, "go run ."
    #[arg(value_parser = |text: &str| text.parse::<Program>())]
    bot: Program,
    /// Run only this item; can be repeated. Default: all items.
    #[arg(long, value_enum, value_name = "ITEM")]
    only: Vec<Item>,
    /// Print one line of JSON instead of one line per item.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    bot_args: BotArgs,
}

#[derive(Debug, Serialize)]
struct CheckReport {
    bot: String,
    passed: bool,
    items: Vec<ItemResult>,
}

#[derive(Debug, Serialize)]
struct ItemResult {
    item: Item,
    verdict: Verdict,
    /// What happened.
    seen: String,
    /// How to fix a failure; empty if the item did not fail.
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
    pub fn run(&self) -> Result<()> {
        let report = run_until_signal(self.run_items())?;
        if self.json {
            print_json(&report)?;
        }
        report.conclude(self.json)
    }

    async fn run_items(&self) -> Result<CheckReport> {
        build(&self.bot).await?;
        let setup = TrialSetup { program: &self.bot, bot_args: &self.bot_args };
        let all = if self.only.is_empty() { Item::value_variants() } else { &self.only };
        let mut items: Vec<ItemResult> = Vec::new();
        for &item in all {
            let cannot_play = items
                .iter()
                .any(|line| line.item == Item::Plays && line.verdict == Verdict::Failed);
            let line = if cannot_play {
                let seen = "skipped: the bot must first play complete games (`plays`)".to_owned();
                ItemResult { item, verdict: Verdict::NotApplicable, seen, advice: "" }
            } else {
                ItemResult::of(item, item.run(&setup).await)
            };
            if !self.json {
                line.print();
            }
            items.push(line);
        }
        let passed = items.iter().all(|line| line.verdict != Verdict::Failed);
        Ok(CheckReport { bot: self.bot.name.clone(), passed, items })
    }
}

impl ItemResult {
    fn of(item: Item, outcome: Result<ItemOutcome>) -> Self {
        match outcome {
            Ok(ItemOutcome::Passed(seen)) => {
                Self { item, verdict: Verdict::Passed, seen, advice: "" }
            }
            Ok(ItemOutcome::NotApplicable(seen)) => {
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
            say!("{:<31} Fix: {}.", "", self.advice);
        }
    }
}

impl CheckReport {
    /// Prints a summary; an error if an item failed.
    fn conclude(&self, quiet: bool) -> Result<()> {
        let count = |verdict| self.items.iter().filter(|line| line.verdict == verdict).count();
        let (passed, skipped) = (count(Verdict::Passed), count(Verdict::NotApplicable));
        let failed: Vec<String> = self
            .items
            .iter()
            .filter(|line| line.verdict == Verdict::Failed)
            .map(|line| name(line.item))
            .collect();
        if !failed.is_empty() {
            bail!(
                "{} FAILS {}; {passed} passed, {skipped} not applicable",
                self.bot,
                failed.join(", ")
            );
        }
        if !quiet {
            say!(
                "\n{} is ready for a ladder: {passed} passed, {skipped} not applicable.",
                self.bot
            );
        }
        Ok(())
    }
}

fn name(item: Item) -> String {
    item.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}
