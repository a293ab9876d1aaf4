//! `azulejo replay`: a recorded game, step by step.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use azulejo_engine::{Moment, words};
use azulejo_rules::parts::Seat;
use clap::Args;

use crate::output::write_out;
use crate::verify::read_all;
use crate::view::{Album, View};

/// Watch a recorded game step by step.
///
/// At a terminal: Enter goes on, `b` goes back, a number goes to that step, `q` leaves. Otherwise
/// all steps are printed.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The record, as written by `play` and `match`.
    record: PathBuf,
    /// Which game, if the file holds many.
    #[arg(long, default_value = "1", value_name = "N")]
    number: usize,
    /// Begin at this step.
    #[arg(long, default_value = "0", value_name = "N")]
    step: usize,
    /// Print all steps, and do not ask.
    #[arg(long)]
    all: bool,
    /// Write a picture of every step into this folder.
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// No colors.
    #[arg(long)]
    plain: bool,
}

impl Replay {
    pub(crate) fn run(&self) -> Result<()> {
        let records = read_all(&self.record)?;
        let record = self.number.checked_sub(1).and_then(|index| records.get(index));
        let record = record.with_context(|| {
            format!("there is no game {} in the file: it holds {}", self.number, records.len())
        })?;
        if let Err(defect) = record.verify() {
            say!("Beware, this record is not true: {defect}\n");
        }
        let moments = record.positions().map_err(|defect| anyhow!("{defect}"))?;
        let names: Vec<String> = record.seats.iter().map(|seat| seat.name.clone()).collect();
        let view = View::new(&names, self.plain);
        if let Some(folder) = &self.svg {
            let album = Album::new(folder)?;
            let mut mover = None;
            for (steps, moment) in moments.iter().enumerate() {
                let last = mover.zip(moment.step.and_then(|step| step.as_move()));
                album.add(steps, &view.svg(&moment.table, last))?;
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
                    say!("There are steps 0 to {}.", moments.len() - 1);
                    at
                }
            },
        };
    }
}

/// The step, what it brought about, and the table after it.
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
