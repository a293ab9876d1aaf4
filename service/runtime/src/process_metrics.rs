//! Memory, processor time, open files and threads of this process, read from `/proc` when metrics
//! are collected. (The collector of the library takes 15 s of a first build for these few lines.)

use std::fs;

use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{Counter, Gauge, Opts};
use rustix::process::{Resource, getrlimit};

/// Linux reports times in these ticks on all supported platforms.
const TICKS_PER_SECOND: f64 = 100.0;

/// The metrics that Prometheus expects of every process, under its own names.
#[derive(Debug)]
pub(crate) struct ProcessMetrics {
    cpu: Counter,
    open_files: Gauge,
    max_files: Gauge,
    virtual_memory: Gauge,
    resident_memory: Gauge,
    threads: Gauge,
    start: Gauge,
}

/// The fields of `/proc/self/stat` that are used.
#[derive(Debug, PartialEq)]
struct Stat {
    cpu_ticks: f64,
    threads: f64,
    started_ticks: f64,
    virtual_bytes: f64,
    resident_pages: f64,
}

impl ProcessMetrics {
    pub(crate) fn new() -> Result<Self, prometheus::Error> {
        let gauge = |name: &str, help: &str| Gauge::with_opts(Opts::new(name, help));
        Ok(Self {
            cpu: Counter::with_opts(Opts::new(
                "process_cpu_seconds_total",
                "Total user and system CPU time spent in seconds.",
            ))?,
            open_files: gauge("process_open_fds", "Number of open file descriptors.")?,
            max_files: gauge("process_max_fds", "Maximum number of open file descriptors.")?,
            virtual_memory: gauge("process_virtual_memory_bytes", "Virtual memory in bytes.")?,
            resident_memory: gauge("process_resident_memory_bytes", "Resident memory in bytes.")?,
            threads: gauge("process_threads", "Number of threads.")?,
            start: gauge(
                "process_start_time_seconds",
                "Start time of the process since the Unix epoch in seconds.",
            )?,
        })
    }

    fn each(&self) -> [&dyn Collector; 7] {
        let Self { cpu, open_files, max_files, virtual_memory, resident_memory, threads, start } =
            self;
        [cpu, open_files, max_files, virtual_memory, resident_memory, threads, start]
    }

    /// None where there is no `/proc`.
    #[allow(clippy::cast_precision_loss, reason = "metrics are floating-point numbers")]
    fn refresh(&self) -> Option<()> {
        let stat = Stat::of(&fs::read_to_string("/proc/self/stat").ok()?)?;
        let spent = stat.cpu_ticks / TICKS_PER_SECOND - self.cpu.get();
        self.cpu.inc_by(spent.max(0.0));
        self.threads.set(stat.threads);
        self.virtual_memory.set(stat.virtual_bytes);
        self.resident_memory.set(stat.resident_pages * rustix::param::page_size() as f64);
        self.open_files.set(fs::read_dir("/proc/self/fd").ok()?.count() as f64);
        let most = getrlimit(Resource::Nofile).current;
        self.max_files.set(most.map_or(f64::INFINITY, |most| most as f64));
        let system = fs::read_to_string("/proc/stat").ok()?;
        let booted: f64 =
            system.lines().find_map(|line| line.strip_prefix("btime "))?.parse().ok()?;
        self.start.set(booted + stat.started_ticks / TICKS_PER_SECOND);
        Some(())
    }
}

impl Stat {
    /// The name in brackets may contain anything, so that fields are counted from its end.
    fn of(text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        // As proc(5) numbers them: the first one after the name is 3.
        let field = |number: usize| fields.get(number - 3)?.parse::<f64>().ok();
        Some(Self {
            cpu_ticks: field(14)? + field(15)?,
            threads: field(20)?,
            started_ticks: field(22)?,
            virtual_bytes: field(23)?,
            resident_pages: field(24)?,
        })
    }
}

impl Collector for ProcessMetrics {
    fn desc(&self) -> Vec<&Desc> {
        self.each().into_iter().flat_map(Collector::desc).collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let _unknown = self.refresh();
        self.each().into_iter().flat_map(Collector::collect).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_after_a_name_with_spaces_and_brackets() {
        let text = "7 (a) b) S 1 7 7 0 -1 0 0 0 0 0 120 30 0 0 20 0 11 0 4242 1048576 256 0";
        let expected = Stat {
            cpu_ticks: 150.0,
            threads: 11.0,
            started_ticks: 4242.0,
            virtual_bytes: 1_048_576.0,
            resident_pages: 256.0,
        };
        assert_eq!(Stat::of(text), Some(expected));
    }

    #[test]
    fn this_process_has_a_start_memory_threads_and_open_files() {
        let metrics = ProcessMetrics::new().unwrap();
        assert_eq!(metrics.collect().len(), 7);
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let age = now.as_secs_f64() - metrics.start.get();
        assert!((-2.0..86_400.0).contains(&age), "{age}");
        assert!(metrics.resident_memory.get() > 1e6, "{metrics:?}");
        assert!(metrics.virtual_memory.get() >= metrics.resident_memory.get(), "{metrics:?}");
        assert!(metrics.threads.get() >= 1.0 && metrics.open_files.get() >= 3.0, "{metrics:?}");
        assert!(metrics.max_files.get() > metrics.open_files.get(), "{metrics:?}");
    }
}
