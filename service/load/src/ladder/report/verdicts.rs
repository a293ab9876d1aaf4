//! Verdicts on a run, and how they are printed.

use anyhow::{Result, bail};

use crate::ladder::check::{Problems, Verdict};
use crate::ladder::swarm::Counts;
use crate::ladder::target::ServerUsage;

/// Memory is judged in runs of at least this many seconds: finished matches are cached for a minute.
const SHORTEST_RUN: f64 = 300.0;
/// Maximum growth of the memory from the first minute to the last.
const MAX_GROWTH: f64 = 1.25;

/// Verdicts that do not depend on the store.
pub(super) fn of_run(counts: &Counts, server: &ServerUsage, seconds: f64) -> [Verdict; 4] {
    [time_outs(counts), games(counts), deals(counts), memory(server, seconds)]
}

fn time_outs(counts: &Counts) -> Verdict {
    Verdict {
        item: "time-outs",
        holds: Some(counts.time_outs_by_the_server == 0),
        says: format!(
            "{} time-outs, {} of them caused by the server",
            counts.time_outs, counts.time_outs_by_the_server
        ),
        next: "a bot was charged for time that it did not use: inspect the receipts of its match",
    }
}

fn games(counts: &Counts) -> Verdict {
    let mut problems = Problems::default();
    for _ in 0..counts.seats_server_error {
        problems.add(|| "a match was ended by an error of the server".to_owned());
    }
    for _ in 0..counts.seated {
        problems.add(|| "a seat has not received the end of its match".to_owned());
    }
    let good = format!("{} seats played to the end", counts.seats_finished);
    Verdict::on("games", good, &problems, "the log of the arena has the reason")
}

fn deals(counts: &Counts) -> Verdict {
    let mut problems = Problems::default();
    for _ in 0..counts.deals_unfair {
        problems.add(|| "deals do not match the arena's commitment".to_owned());
    }
    let good = format!("{} seats verified their deals", counts.deals_checked);
    Verdict::on("deals", good, &problems, "`azulejo verify` names the defect of the record")
}

fn memory(server: &ServerUsage, seconds: f64) -> Verdict {
    let next = "repeat it with a longer run; if it still grows, look for what is never released";
    let Some((first, last)) = server.memory_kib_first.zip(server.memory_kib_last) else {
        return Verdict::unknown("memory", "not measured".to_owned(), next);
    };
    let growth = last as f64 / first as f64;
    let says = format!("{growth:.2} times the memory of the first minute in the last");
    if seconds < SHORTEST_RUN {
        let says = format!("{says}; judged in runs of {SHORTEST_RUN:.0} s or more");
        return Verdict::unknown("memory", says, next);
    }
    Verdict { item: "memory", holds: Some(growth <= MAX_GROWTH), says, next }
}

pub(in crate::ladder) fn print_verdicts(verdicts: &[Verdict]) {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED).set_header(["item", "verdict", ""]);
    for Verdict { item, holds, says, .. } in verdicts {
        let word = match holds {
            Some(true) => "holds",
            Some(false) => "FAILS",
            None => "unknown",
        };
        table.add_row([item, word, says.as_str()]);
    }
    say!("{table}");
}

/// An error with advice for every verdict that does not hold.
pub(in crate::ladder) fn fail_unless_all_hold(verdicts: &[Verdict]) -> Result<()> {
    let failed: Vec<&Verdict> =
        verdicts.iter().filter(|verdict| verdict.holds == Some(false)).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let advice = |verdict: &&Verdict| format!("\n  {}: {}", verdict.item, verdict.next);
    let advice: String = failed.iter().map(advice).collect();
    bail!("{} of {} verdicts fail; next:{advice}", failed.len(), verdicts.len())
}
