//! The processor time of a server, by the names of its threads.

use std::time::Duration;

/// Processor time of all threads of a process whose names pass.
pub(crate) fn time_of(process: u32, counts: impl Fn(&str) -> bool) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let time = |thread: std::io::Result<std::fs::DirEntry>| {
        let thread = thread.unwrap().path();
        let name = std::fs::read_to_string(thread.join("comm")).ok()?;
        // Nanoseconds on a processor; a thread may have ended meanwhile.
        let times = std::fs::read_to_string(thread.join("schedstat")).ok()?;
        let nanos = times.split(' ').next()?.parse().ok()?;
        counts(name.trim()).then(|| Duration::from_nanos(nanos))
    };
    threads.filter_map(time).sum()
}

/// Processor time of the whole process.
pub(crate) fn time(process: u32) -> Duration {
    time_of(process, |_| true)
}
