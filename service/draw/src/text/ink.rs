//! Letters, with colors if the terminal supports them.

use std::fmt::Write;

use azulejo_rules::parts::{Factory, PlayerCount, TileColor, Tiles};

#[derive(Clone, Copy, Debug)]
pub(super) struct Ink {
    pub(super) color: bool,
}

impl Ink {
    /// A tile: its letter, on its color.
    pub(super) fn tile(self, color: impl TileColor) -> String {
        let letter = color.letter();
        self.paint(ground(letter), letter)
    }

    /// A color that is printed on the board: its letter in lower case.
    pub(super) fn print(self, color: impl TileColor) -> String {
        let letter = color.letter();
        self.paint(fore(letter), letter.to_ascii_lowercase())
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: impl std::fmt::Display) -> String {
        if self.color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
    }

    /// Every tile by its letter.
    pub(super) fn tiles<C: TileColor>(self, tiles: Tiles<C>) -> String {
        tiles.iter().map(|(color, count)| self.tile(color).repeat(usize::from(count))).collect()
    }

    /// The factory displays of a table in one line.
    pub(super) fn displays<C: TileColor>(
        self,
        players: PlayerCount,
        display: impl Fn(Factory) -> Tiles<C>,
    ) -> String {
        let mut line = String::from("Factories");
        for &factory in Factory::of(players) {
            let tiles = display(factory);
            let missing = 4_u8.saturating_sub(tiles.total());
            let _ = write!(line, " {factory}:{}", self.tiles(tiles));
            line.extend(std::iter::repeat_n('-', missing.into()));
        }
        line
    }

    /// The center; the star is the starting player marker, or token.
    pub(super) fn center<C: TileColor>(self, center: Tiles<C>, marker: bool) -> String {
        format!("Center    {}{}", if marker { "* " } else { "" }, self.tiles(center))
    }
}

/// ANSI codes of a tile: a light or dark letter on its color.
const fn ground(letter: char) -> &'static str {
    match letter {
        'B' => "1;97;44",
        'Y' => "1;30;103",
        'R' => "1;97;41",
        'K' => "1;97;100",
        'W' => "1;30;107",
        'O' => "1;30;48;5;208",
        'G' => "1;30;42",
        'P' => "1;97;45",
        _ => "1",
    }
}

const fn fore(letter: char) -> &'static str {
    match letter {
        'B' => "34",
        'Y' => "33",
        'R' => "31",
        'K' => "90",
        'W' => "37",
        _ => "2",
    }
}
