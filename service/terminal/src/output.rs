//! Printing: lines, tables, JSON, progress bars, and pointers into invalid text.

use std::fmt;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow};
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

/// Prints a line. If standard output is closed (`azulejo … | head`), the process exits.
#[macro_export]
macro_rules! say {
    () => { $crate::output::write_out(format_args!("\n")) };
    ($($text:tt)*) => { $crate::output::write_out(format_args!("{}\n", format_args!($($text)*))) };
}

/// Clean-up before this process exits without running destructors.
static BEFORE_EXIT: OnceLock<fn()> = OnceLock::new();

/// Registers a function to call before the process exits because standard output is closed. Only the
/// first call has an effect.
pub fn before_exit(clean_up: fn()) {
    BEFORE_EXIT.get_or_init(|| clean_up);
}

/// Like [`say!`], but without a line break, for a prompt.
pub fn write_out(text: fmt::Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    if out.write_fmt(text).and_then(|()| out.flush()).is_err() {
        if let Some(clean_up) = BEFORE_EXIT.get() {
            clean_up();
        }
        std::process::exit(0);
    }
}

/// Prints a text and ignores errors: a server keeps running if its standard output is closed.
pub fn try_print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _unwritten = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

pub fn print_json(value: &impl Serialize) -> Result<()> {
    say!("{}", serde_json::to_string(value)?);
    Ok(())
}

/// An error if the file cannot be written. Its contents are not changed.
pub fn check_writable(path: &Path) -> Result<()> {
    let new = !path.exists();
    let opened = File::options().append(true).create(true).open(path);
    opened.with_context(|| format!("cannot write {}", path.display()))?;
    if new {
        std::fs::remove_file(path)?;
    }
    Ok(())
}

/// Creates a file; the error names it.
pub fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Prints a table. All columns but the first are right-aligned.
pub fn print_table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    say!("{table}");
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = (0..digits.len())
        .filter(|at| (digits.len() - at).is_multiple_of(3) || *at == 0)
        .zip((1..=digits.len()).filter(|end| (digits.len() - end).is_multiple_of(3)))
        .map(|(from, to)| &digits[from..to])
        .collect();
    groups.join(",")
}

/// A progress bar on standard error; hidden if that is not a terminal.
pub fn progress(steps: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}");
    let bar = ProgressBar::new(steps).with_message(what);
    style.map_or(bar.clone(), |style| bar.with_style(style))
}

/// An error about a text, with an arrow that points at the position, if it is known.
pub fn pointing_at(text: &str, at: Option<usize>, why: &impl fmt::Display) -> anyhow::Error {
    at.map_or_else(|| anyhow!("{why}"), |at| anyhow!("{why}\n{}", pointer(text, at)))
}

/// The text around character `at`, counted from 1, and an arrow below it.
pub fn pointer(text: &str, at: usize) -> String {
    const CHARS_BEFORE: usize = 48;
    const MAX_CHARS: usize = 72;
    let skipped = at.saturating_sub(1 + CHARS_BEFORE);
    let visible = |letter: char| if letter.is_control() { ' ' } else { letter };
    let shown: String = text.chars().skip(skipped).take(MAX_CHARS).map(visible).collect();
    format!("  {shown}\n  {}^", " ".repeat(at.saturating_sub(1 + skipped)))
}

#[cfg(test)]
mod tests {
    use super::{grouped, pointer};

    #[test]
    fn the_arrow_points_at_the_character_also_in_a_long_line() {
        assert_eq!(pointer("BBX", 3), "  BBX\n    ^");
        let far = format!("{}X", " ".repeat(99_999));
        let shown = pointer(&far, 100_000);
        let (line, arrow) = shown.split_once('\n').unwrap();
        assert_eq!(line.chars().position(|c| c == 'X'), arrow.chars().position(|c| c == '^'));
    }

    #[test]
    fn large_numbers_are_grouped_by_thousands() {
        let texts = [0, 12, 999, 1_000, 27_362_541, 100_000].map(grouped);
        assert_eq!(texts, ["0", "12", "999", "1,000", "27,362,541", "100,000"]);
    }
}
