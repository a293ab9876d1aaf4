use azulejo_rules::parts::Seat;

use crate::LastMove;

/// Options of a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub theme: Theme,
    /// The names of the seats, in order; the default is `Player 1` to `Player 4`.
    pub names: Vec<String>,
    /// The move to highlight. A move of the other game highlights nothing.
    pub last: Option<LastMove>,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    Light,
    Dark,
    /// As the viewer prefers, by a media query in the picture.
    #[default]
    Auto,
}

/// Options of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    /// Whether to use ANSI colors. The letters are the same without them.
    pub color: bool,
    /// As in [`Options::names`].
    pub names: Vec<String>,
}

/// The name of a seat, or its number counted from 1.
pub(crate) fn name(names: &[String], seat: Seat) -> String {
    names
        .get(seat.index())
        .map(|name| clean(name))
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| format!("Player {}", seat.index() + 1))
}

/// Without control characters: XML forbids them, and a terminal would interpret them.
fn clean(name: &str) -> String {
    let visible = |letter: &char| !letter.is_control() && !is_invisible(*letter);
    name.trim().chars().filter(visible).collect()
}

/// Characters that change the direction of the text after them, and those that XML forbids.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// The width of a character in columns of a terminal: East Asian scripts and emoji take two.
pub(crate) fn columns(letter: char) -> usize {
    match letter {
        '\u{0300}'..='\u{036f}' | '\u{200b}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

/// The text, truncated to this many columns, with an ellipsis if something is cut.
pub(crate) fn fitted(text: &str, room: usize) -> String {
    if text.chars().map(columns).sum::<usize>() <= room {
        return text.to_owned();
    }
    let mut width = 1;
    let fits = |letter: &char| {
        width += columns(*letter);
        width <= room
    };
    text.chars().take_while(fits).chain(['…']).collect()
}
