//! `azulejo replay`: shows a recorded game step by step.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use azulejo_engine::{Moment, words};
use azulejo_rules::parts::Seat;
use azulejo_terminal::output::write_out;
use azulejo_terminal::view::{PictureFolder, View};
use clap::Args;

use crate::verify::read_all;

/// Show a recorded game step by step.
///
/// In a terminal: Enter shows the next step, `b` the previous one, a number that step; `q` quits. If
/// standard input is not a terminal, all steps are printed.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// Record written by `play`, `match` or `export`.
    record: PathBuf,
    /// Number of the record, if the file contains several.
    #[arg(long, default_value = "1", value_name = "N")]
    number: usize,
    /// Start at this step.
    #[arg(long, default_value = "0", value_name = "N")]
    step: usize,
    /// Print all steps without prompts.
    #[arg(long)]
    all: bool,
    /// Write an SVG picture of every step to this folder.
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Print without colors.
    #[arg(long)]
    plain: bool,
}

impl Replay {
    pub(crate) fn run(&self) -> Result<()> {
        let records = read_all(&self.record)?;
        let record = self.number.checked_sub(1).and_then(|index| records.get(index));
        let record = record.with_context(|| {
            format!("there is no record {}: the file contains {}", self.number, records.len())
        })?;
        if let Err(defect) = record.verify() {
            say!("Warning: verification of this record failed: {defect}\n");
        }
        let moments = record.positions().map_err(|defect| anyhow!("{defect}"))?;
        let names: Vec<String> = record.seats.iter().map(|seat| seat.name.clone()).collect();
        let view = View::new(&names, self.plain);
        if let Some(folder) = &self.svg {
            let pictures = PictureFolder::new(folder)?;
            let mut mover = None;
            for (steps, moment) in moments.iter().enumerate() {
                let last = mover.zip(moment.step.and_then(|step| step.as_move()));
                pictures.save(steps, &view.svg(&moment.table, last))?;
                mover = moment.table.to_move();
            }
        }
        let first = self.step.min(moments.len() - 1);
        if self.all || !std::io::stdin().is_terminal() {
            (first..moments.len()).for_each(|at| show(&moments, at, &view));
            return Ok(());
        }
        browse(&moments, first, &view)
    }
}

fn browse(moments: &[Moment], first: usize, view: &View) -> Result<()> {
    let mut at = first;
    loop {
        show(moments, at, view);
        let last = moments.len() - 1;
        write_out(format_args!("step {at} of {last} (Enter, b, a number, q)> "));
        let mut line = String::new();
        if std::io::stdin().read_line(&mut line)? == 0 {
            return Ok(());
        }
        at = match line.trim() {
            "q" | "quit" => return Ok(()),
            "b" => at.saturating_sub(1),
            "" if at + 1 == moments.len() => return Ok(()),
            "" => at + 1,
            text => match text.parse::<usize>() {
                Ok(step) if step < moments.len() => step,
                _ => {
                    say!("Steps are numbered 0 to {}.", moments.len() - 1);
                    at
                }
            },
        };
    }
}

/// Prints a step, its events, and the table after it.
fn show(moments: &[Moment], at: usize, view: &View) {
    let moment = &moments[at];
    if let Some(step) = moment.step {
        let mover = moments[at - 1].table.to_move();
        let who = mover
            .map_or("deal", |seat: Seat| view.names.get(seat.index()).map_or("?", String::as_str));
        say!("\n{at}. {who}: {step}");
        moment.events.iter().for_each(|event| say!("   {}", words::of_event(event, &view.names)));
    }
    say!("{}", view.text(&moment.table));
}
