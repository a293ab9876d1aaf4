//! Cursors for pages of a table. Entries move between two requests, so a cursor names the last entry
//! of a page instead of an offset: no entry is repeated or skipped because others moved.

use std::fmt;
use std::str::FromStr;

use crate::names::Player;

/// The last entry of a page: its sort key and its player.
#[derive(Clone, Debug, PartialEq)]
pub struct Cursor {
    pub key: f64,
    pub player: Player,
}

impl Cursor {
    /// Whether it is before this entry: keys are in descending order, equal keys ordered by name.
    #[must_use]
    pub fn is_before(&self, key: f64, player: &Player) -> bool {
        key.total_cmp(&self.key).reverse().then_with(|| player.cmp(&self.player)).is_gt()
    }
}

/// A text that is not a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadCursor;

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}.{}", self.key.to_bits(), self.player)
    }
}

impl FromStr for Cursor {
    type Err = BadCursor;

    fn from_str(text: &str) -> Result<Self, BadCursor> {
        let (bits, player) = text.split_once('.').ok_or(BadCursor)?;
        let bits = u64::from_str_radix(bits, 16).map_err(|_| BadCursor)?;
        let player = player.parse().map_err(|_| BadCursor)?;
        Ok(Self { key: f64::from_bits(bits), player })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(key: f64, player: &str) -> Cursor {
        Cursor { key, player: player.parse().unwrap() }
    }

    #[test]
    fn a_cursor_is_read_from_its_own_text() {
        for key in [0.0, -0.0, 1.5, -17.25, f64::MAX] {
            let written = cursor(key, "ann/bot@v1.2").to_string();
            assert_eq!(written.parse::<Cursor>().unwrap().to_string(), written);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "50", "zz.ann/bot@1", "3ff0000000000000", "3ff0000000000000.ann"] {
            assert_eq!(text.parse::<Cursor>(), Err(BadCursor), "{text}");
        }
    }

    #[test]
    fn the_next_page_begins_with_lower_keys_and_later_names() {
        let last = cursor(10.0, "bob/b@1");
        assert!(last.is_before(9.0, &"ann/a@1".parse().unwrap()));
        assert!(last.is_before(10.0, &"cid/c@1".parse().unwrap()));
        assert!(!last.is_before(10.0, &"bob/b@1".parse().unwrap()));
        assert!(!last.is_before(10.0, &"ann/a@1".parse().unwrap()));
        assert!(!last.is_before(11.0, &"zoe/z@1".parse().unwrap()));
    }
}
