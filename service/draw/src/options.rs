use azulejo_rules::parts::Seat;

use crate::LastMove;

/// What a picture is told besides the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub theme: Theme,
    /// The names of the seats, from the first; a seat without one is `Player 1` to `Player 4`.
    pub names: Vec<String>,
    /// What to highlight. A move of the other game highlights nothing.
    pub last: Option<LastMove>,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    Light,
    Dark,
    /// As the reader's system says, by a media query inside the picture.
    #[default]
    Auto,
}

/// What a text is told besides the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    /// Whether the terminal understands ANSI colors. The letters are there in any case.
    pub color: bool,
    /// As in [`Options::names`].
    pub names: Vec<String>,
}

/// The name of a seat, or its number for people.
pub(crate) fn name(names: &[String], seat: Seat) -> String {
    names
        .get(seat.index())
        .map(|name| clean(name))
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| format!("Player {}", seat.index() + 1))
}

/// Without control characters: XML forbids them, and a terminal would obey them.
fn clean(name: &str) -> String {
    let visible = |letter: &char| !letter.is_control() && !is_invisible(*letter);
    name.trim().chars().filter(visible).collect()
}

/// Characters that would turn the direction of the text after them, and those XML has no place for.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// How wide a character is, in columns of a terminal: the scripts of East Asia and emoji take two.
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

/// The beginning of a text that fits into so many columns, with an ellipsis if something is cut.
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
