//! What came of a run: a table and verdicts for people, or one line of JSON.

use anyhow::{Result, bail};
use serde::Serialize;

use super::LoadLadder;
use super::check::{Times, Verdict, Wrong};
use super::grounds::Used;
use super::swarm::{Counts, Notes};
use crate::output::{grouped, print_table};

/// A run has to be so long, in seconds, for its memory to be judged: what is over is remembered for
/// a minute.
const JUDGED: f64 = 300.0;
/// Memory that grows by more than this from the first minute to the last one is not flat.
const GROWTH: f64 = 1.25;

/// The time that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) seconds: f64,
    pub(super) moves: u64,
    pub(super) resumes: u64,
    pub(super) swarm_cpu_seconds: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct Report {
    bots: u32,
    pools: Vec<String>,
    seconds: f64,
    turns_per_second: f64,
    moves_acknowledged: usize,
    matches: usize,
    /// From when an answer was sent to its receipt.
    submit_p50_us: u64,
    submit_p99_us: u64,
    submit_p999_us: u64,
    submit_max_us: u64,
    charged_beyond_thought: Times,
    #[serde(flatten)]
    counts: Counts,
    server: Used,
    server_memory_kib_a_bot: Option<u64>,
    server_memory_kib_a_game: Option<u64>,
    swarm_cpu_seconds: Option<f64>,
    swarm_memory_kib: Option<u64>,
    pub(super) verdicts: Vec<Verdict>,
}

impl Report {
    pub(super) fn of(
        load: &LoadLadder,
        notes: &Notes,
        measured: &Measured,
        swarm_memory_kib: Option<u64>,
        server: Used,
        mut verdicts: Vec<Verdict>,
    ) -> Result<Self> {
        let times = Times::of(&notes.journal)?;
        verdicts.extend([times.verdict(), time_outs(&notes.counts), games(&notes.counts)]);
        verdicts.extend([deals(&notes.counts), memory(&server, measured.seconds)]);
        let trips = &notes.round_trips;
        let grown = server.memory_kib_last.zip(server.memory_kib_empty);
        let grown = grown.map(|(last, empty)| last.saturating_sub(empty));
        let seats: u64 = load.pools.iter().map(|pool| pool.players() as u64).sum();
        let games = u64::from(load.bots * load.games_at_once) * load.pools.len() as u64 / seats;
        Ok(Self {
            bots: load.bots,
            pools: load.pools.iter().map(ToString::to_string).collect(),
            seconds: measured.seconds,
            turns_per_second: measured.moves as f64 / measured.seconds,
            moves_acknowledged: notes.journal.promises.len(),
            matches: notes.journal.matches.len(),
            submit_p50_us: trips.value_at_quantile(0.5),
            submit_p99_us: trips.value_at_quantile(0.99),
            submit_p999_us: trips.value_at_quantile(0.999),
            submit_max_us: trips.max(),
            charged_beyond_thought: times,
            counts: Counts { resumes: measured.resumes, ..notes.counts },
            server_memory_kib_a_bot: grown.map(|kib| kib / u64::from(load.bots)),
            server_memory_kib_a_game: grown.and_then(|kib| kib.checked_div(games)),
            server,
            swarm_cpu_seconds: measured.swarm_cpu_seconds,
            swarm_memory_kib,
            verdicts,
        })
    }

    pub(super) fn print(&self) {
        say!(
            "{} bots in {}: {:.0} turns a second for {:.0} s; {} moves in {} matches",
            grouped(self.bots.into()),
            self.pools.join(", "),
            self.turns_per_second,
            self.seconds,
            grouped(self.moves_acknowledged as u64),
            grouped(self.matches as u64)
        );
        let Times { p50_us, p99_us, p999_us, max_us, .. } = self.charged_beyond_thought;
        let row = |what: &str, micros: [u64; 4]| {
            let millis = micros.map(|micros| format!("{:.1}", micros as f64 / 1_000.0));
            [vec![what.to_owned()], millis.to_vec()].concat()
        };
        let trip =
            [self.submit_p50_us, self.submit_p99_us, self.submit_p999_us, self.submit_max_us];
        print_table(
            &["milliseconds", "50 %", "99 %", "99.9 %", "worst"],
            [
                row("charged beyond what was thought", [p50_us, p99_us, p999_us, max_us]),
                row("from an answer to its receipt", trip),
            ],
        );
        self.print_use();
        print_verdicts(&self.verdicts);
    }

    fn print_use(&self) {
        let Counts { resumes, hurried, seats_finished, seats_called_off, seats_failed, .. } =
            self.counts;
        say!(
            "seats: {seats_finished} finished, {seats_failed} forfeited or not begun, \
             {seats_called_off} called off; {resumes} resumes, {} kills, {hurried} hurried answers",
            self.server.kills
        );
        let mib =
            |kib: Option<u64>| kib.map_or_else(|| "?".to_owned(), |kib| (kib / 1024).to_string());
        let cpu = |cpu: Option<f64>| cpu.map_or_else(|| "?".to_owned(), |cpu| format!("{cpu:.0}"));
        say!(
            "server: {} MiB empty, {} in the first minute, {} in the last ({} KiB a bot, {} KiB a \
             game), {} s of processor time",
            mib(self.server.memory_kib_empty),
            mib(self.server.memory_kib_first),
            mib(self.server.memory_kib_last),
            self.server_memory_kib_a_bot.unwrap_or_default(),
            self.server_memory_kib_a_game.unwrap_or_default(),
            cpu(self.server.cpu_seconds)
        );
        say!(
            "swarm: {} MiB, {} s of processor time",
            mib(self.swarm_memory_kib),
            cpu(self.swarm_cpu_seconds)
        );
    }
}

fn time_outs(counts: &Counts) -> Verdict {
    Verdict {
        item: "time-outs",
        holds: Some(counts.time_outs_by_the_server == 0),
        says: format!(
            "{} time-outs, {} of them caused by the server",
            counts.time_outs, counts.time_outs_by_the_server
        ),
        next: "somebody paid for time that it did not use: look at the receipts of its match",
    }
}

fn games(counts: &Counts) -> Verdict {
    let mut wrong = Wrong::default();
    for _ in 0..counts.seats_server_error {
        wrong.is(|| "a match was ended by an error of the server".to_owned());
    }
    for _ in 0..counts.seated {
        wrong.is(|| "a seat waits for the end of its match".to_owned());
    }
    let good = format!("{} seats played to the end", counts.seats_finished);
    Verdict::on("games", good, &wrong, "look at the log of the arena for the reason")
}

fn deals(counts: &Counts) -> Verdict {
    let mut wrong = Wrong::default();
    for _ in 0..counts.deals_unfair {
        wrong.is(|| "deals are not those that the arena had committed to".to_owned());
    }
    let good = format!("{} seats checked their deals", counts.deals_checked);
    Verdict::on("deals", good, &wrong, "`azulejo verify` names what is wrong with the record")
}

fn memory(server: &Used, seconds: f64) -> Verdict {
    let next = "let it run for longer; if it still grows, look for what is never forgotten";
    let Some((first, last)) = server.memory_kib_first.zip(server.memory_kib_last) else {
        return Verdict::unknown("memory", "not measured".to_owned(), next);
    };
    let growth = last as f64 / first as f64;
    let says = format!("the last minute needs {growth:.2} times the memory of the first");
    if seconds < JUDGED {
        let says = format!("{says}; judged in runs of {JUDGED:.0} s or more");
        return Verdict::unknown("memory", says, next);
    }
    Verdict { item: "memory", holds: Some(growth <= GROWTH), says, next }
}

pub(super) fn print_verdicts(verdicts: &[Verdict]) {
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

/// An error that says what to do next, if anything does not hold.
pub(super) fn judged(verdicts: &[Verdict]) -> Result<()> {
    let failed: Vec<&Verdict> =
        verdicts.iter().filter(|verdict| verdict.holds == Some(false)).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let advice = |verdict: &&Verdict| format!("\n  {}: {}", verdict.item, verdict.next);
    let advice: String = failed.iter().map(advice).collect();
    bail!("{} of {} verdicts fail; next:{advice}", failed.len(), verdicts.len())
}
