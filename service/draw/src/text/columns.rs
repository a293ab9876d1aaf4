//! Boards side by side.

use crate::options::columns;

/// The width of a board; two of them and the gap fit into 80 columns.
pub(super) const BOARD: usize = 37;

/// The width of a line in columns; color codes do not count.
fn width(line: &str) -> usize {
    let mut hidden = false;
    let mut shown = 0;
    for letter in line.chars() {
        match (hidden, letter) {
            (false, '\u{1b}') => hidden = true,
            (false, _) => shown += columns(letter),
            (true, 'm') => hidden = false,
            (true, _) => {}
        }
    }
    shown
}

/// The line, padded with spaces.
pub(super) fn padded(line: &str, room: usize) -> String {
    format!("{line}{}", " ".repeat(room.saturating_sub(width(line))))
}

/// A left and a right part of one line of a board.
pub(super) fn spread(left: &str, right: &str) -> String {
    format!("{}{right}", padded(left, BOARD.saturating_sub(width(right))))
}

/// The boards, two per row, all of the same height.
pub(super) fn abreast(boards: &[Vec<String>]) -> Vec<String> {
    let mut lines = Vec::new();
    for pair in boards.chunks(2) {
        lines.push(String::new());
        match pair {
            [left, right] => lines.extend(left.iter().zip(right).map(|(left, right)| {
                format!("{}  |  {right}", padded(left, BOARD)).trim_end().to_owned()
            })),
            alone => lines.extend(alone.iter().flatten().map(|line| line.trim_end().to_owned())),
        }
    }
    lines
}

/// One text, each line ended.
pub(super) fn joined(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.trim_end(), "\n"]).collect()
}
