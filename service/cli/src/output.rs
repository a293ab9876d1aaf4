//! What a measuring verb prints: a table for people, or one line of JSON.

use anyhow::{Result, anyhow};
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

pub(crate) fn print_json(value: &impl Serialize) -> Result<()> {
    println!("{}", serde_json::to_string(value)?);
    Ok(())
}

/// Rows under a header; every column but the first is a number and stands to the right.
pub(crate) fn print_table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
}

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = (0..digits.len())
        .filter(|at| (digits.len() - at).is_multiple_of(3) || *at == 0)
        .zip((1..=digits.len()).filter(|end| (digits.len() - end).is_multiple_of(3)))
        .map(|(from, to)| &digits[from..to])
        .collect();
    groups.join(",")
}

/// A progress bar on standard error; it stays hidden where nobody watches a terminal.
pub(crate) fn progress(steps: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}");
    let bar = ProgressBar::new(steps).with_message(what);
    style.map_or(bar.clone(), |style| bar.with_style(style))
}

/// An error about a text, with the place pointed at where it is known.
pub(crate) fn pointing_at(
    text: &str,
    at: Option<usize>,
    why: &impl std::fmt::Display,
) -> anyhow::Error {
    match at {
        None => anyhow!("{why}"),
        Some(at) => anyhow!("{why}\n  {text}\n  {:>at$}", '^'),
    }
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn large_numbers_are_grouped_by_thousands() {
        let texts = [0, 12, 999, 1_000, 27_362_541, 100_000].map(grouped);
        assert_eq!(texts, ["0", "12", "999", "1,000", "27,362,541", "100,000"]);
    }
}
