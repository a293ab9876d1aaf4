//! The report for people.

use azulejo_terminal::output::{grouped, print_table};

use super::{Cost, DisturbanceReport, LadderReport, print_verdicts};
use crate::ladder::check::ChargedTimes;
use crate::ladder::swarm::Counts;

const UNKNOWN: &str = "?";

fn rounded(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), |value| format!("{value:.digits$}"))
}

fn mib(kib: Option<u64>) -> String {
    kib.map_or_else(|| UNKNOWN.to_owned(), |kib| (kib / 1024).to_string())
}

fn millis(micros: u64) -> String {
    format!("{:.1}", micros as f64 / 1_000.0)
}

impl LadderReport {
    pub(in crate::ladder) fn print(&self) {
        say!(
            "{} bots in {}: {:.0} turns per second for {:.0} s; {} moves in {} matches",
            grouped(self.bots.into()),
            self.pools.join(", "),
            self.turns_per_second,
            self.seconds,
            grouped(self.moves_acknowledged as u64),
            grouped(self.matches as u64)
        );
        let ChargedTimes { p50_us, p99_us, p999_us, max_us, .. } = self.charged_beyond_thought;
        let row = |what: &str, micros: [u64; 4]| {
            [vec![what.to_owned()], micros.map(millis).to_vec()].concat()
        };
        let submit =
            [self.submit_p50_us, self.submit_p99_us, self.submit_p999_us, self.submit_max_us];
        print_table(
            &["milliseconds", "50 %", "99 %", "99.9 %", "maximum"],
            [
                row("charged beyond the think time", [p50_us, p99_us, p999_us, max_us]),
                row("from an answer to its receipt", submit),
            ],
        );
        self.print_usage();
        self.cost.print();
        if let Some(disturbance) = &self.disturbance {
            disturbance.print();
        }
        print_verdicts(&self.verdicts);
    }

    fn print_usage(&self) {
        let Counts { resumes, hurried, seats_finished, seats_called_off, seats_failed, .. } =
            self.counts;
        say!(
            "seats: {seats_finished} finished, {seats_failed} forfeited or not begun, \
             {seats_called_off} called off; {resumes} resumes, {} kills, {hurried} hurried answers",
            self.server.kills
        );
        say!(
            "server: {} MiB empty, {} in the first minute, {} in the last ({} KiB per match), {} s \
             of processor time",
            mib(self.server.memory_kib_empty),
            mib(self.server.memory_kib_first),
            mib(self.server.memory_kib_last),
            rounded(self.server_memory_kib_per_match, 0),
            rounded(self.server.cpu_seconds, 0)
        );
        say!(
            "swarm: {} MiB, {} s of processor time",
            mib(self.swarm_memory_kib),
            rounded(self.swarm_cpu_seconds, 0)
        );
    }
}

impl Cost {
    fn print(&self) {
        say!(
            "cost: {} us of processor time per acknowledged move (yardstick {} us, ratio {}), {} KiB \
             per bot (yardstick {} KiB per connection, ratio {}); without a database server",
            rounded(self.server_cpu_us_per_move, 0),
            rounded(self.yardstick_cpu_us_per_move, 0),
            rounded(self.server_to_yardstick_cpu, 2),
            rounded(self.server_memory_kib_per_bot, 0),
            rounded(self.yardstick_memory_kib_per_connection, 0),
            rounded(self.server_to_yardstick_memory, 2)
        );
    }
}

impl DisturbanceReport {
    fn print(&self) {
        say!(
            "{}: {} successful calls per second, {} refused{}",
            self.disturbance,
            grouped(self.calls_per_second as u64),
            grouped(self.calls_refused),
            self.first_refusal.as_ref().map(|first| format!(" ({first})")).unwrap_or_default()
        );
        let row = |what: &str, without: String, with: String, ratio: Option<f64>| {
            vec![what.to_owned(), without, with, rounded(ratio, 2)]
        };
        let delay = |delay: Option<f64>| rounded(delay.map(|micros| micros / 1_000.0), 2);
        let (without, with) = (&self.quiet, &self.disturbed);
        print_table(
            &["milliseconds, 99.9 %", "quiet", "disturbed", "ratio"],
            [
                row(
                    "delay of the arena's loop",
                    delay(without.loop_delay_p999_us),
                    delay(with.loop_delay_p999_us),
                    self.loop_delay_p999_ratio,
                ),
                row(
                    "from an answer to its receipt",
                    millis(without.submit_p999_us),
                    millis(with.submit_p999_us),
                    self.submit_p999_ratio,
                ),
                row(
                    "charged beyond the think time, 99 %",
                    millis(without.charged_beyond_thought_p99_us),
                    millis(with.charged_beyond_thought_p99_us),
                    None,
                ),
                row(
                    "turns per second",
                    rounded(Some(without.turns_per_second), 0),
                    rounded(Some(with.turns_per_second), 0),
                    self.turns_per_second_ratio,
                ),
                row(
                    "charged beyond the think time",
                    millis(without.charged_beyond_thought_p999_us),
                    millis(with.charged_beyond_thought_p999_us),
                    self.charged_beyond_thought_p999_ratio,
                ),
            ],
        );
    }
}
