//! Names of owners, bots, versions and matches. Whoever holds one need not check it again.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The owner of the house bots.
pub const HOUSE: &str = "house";

/// The longest name, in characters.
pub const LONGEST: usize = 32;

/// The owner of bots: `a-z`, `0-9`, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Owner(String);

/// A bot: `owner/name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BotId {
    owner: Owner,
    text: String,
}

/// A version of a bot, as it declared itself: it never changes, and ratings belong to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Version(String);

/// A match: sixteen of `a-z` and `2-7`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MatchId(String);

/// A version of a bot by its full name, `owner/name@version`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Player {
    pub bot: BotId,
    pub version: Version,
}

/// A text that is no such name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadName {
    #[error("is empty")]
    Empty,
    #[error("is longer than {LONGEST} characters")]
    TooLong,
    #[error("may hold a-z, 0-9, - and _ only, and begins with a letter or a digit")]
    Letters,
    #[error("may hold A-Z, a-z, 0-9, and . _ + - only")]
    VersionLetters,
    #[error("has to be owner/name")]
    NoOwner,
    #[error("has to be owner/name@version")]
    NoVersion,
    #[error("has to be sixteen letters and digits")]
    MatchId,
}

/// What of a token is no secret: everything before its second underscore.
#[must_use]
pub fn public_part(token: &str) -> &str {
    token.match_indices('_').nth(1).map_or(token, |(end, _)| &token[..end])
}

/// Random bytes as letters and digits: five bits of each.
pub(crate) fn letters(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    bytes.iter().map(|&byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// Control characters, and those that turn the direction of writing.
pub(crate) fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn checked(text: &str) -> Result<(), BadName> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    match text.as_bytes() {
        [] => Err(BadName::Empty),
        [_, rest @ ..] if rest.len() >= LONGEST => Err(BadName::TooLong),
        [first, rest @ ..] => {
            let all = rest.iter().all(|&byte| is_plain(byte) || byte == b'-' || byte == b'_');
            if is_plain(*first) && all { Ok(()) } else { Err(BadName::Letters) }
        }
    }
}

impl BotId {
    pub fn new(owner: &Owner, name: &str) -> Result<Self, BadName> {
        checked(name)?;
        Ok(Self { owner: owner.clone(), text: format!("{owner}/{name}") })
    }

    #[must_use]
    pub const fn owner(&self) -> &Owner {
        &self.owner
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it belongs to the house: nobody else can register under that name.
    #[must_use]
    pub fn is_house(&self) -> bool {
        self.owner.as_str() == HOUSE
    }
}

impl MatchId {
    /// The id that these random bits make.
    #[must_use]
    pub fn from_random(bytes: [u8; 16]) -> Self {
        Self(letters(&bytes))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Owner {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Version {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Owner {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        checked(text).map(|()| Self(text.to_owned()))
    }
}

impl FromStr for BotId {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let (owner, name) = text.split_once('/').ok_or(BadName::NoOwner)?;
        Self::new(&owner.parse()?, name)
    }
}

impl FromStr for Version {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"._+-".contains(byte);
        match text.len() {
            0 => Err(BadName::Empty),
            length if length > LONGEST => Err(BadName::TooLong),
            _ if !text.as_bytes().iter().all(fits) => Err(BadName::VersionLetters),
            _ => Ok(Self(text.to_owned())),
        }
    }
}

impl FromStr for MatchId {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let fits = |byte: u8| byte.is_ascii_lowercase() || (b'2'..=b'7').contains(&byte);
        let is_id = text.len() == 16 && text.bytes().all(fits);
        is_id.then(|| Self(text.to_owned())).ok_or(BadName::MatchId)
    }
}

/// Text in and out, checked on the way in.
macro_rules! as_text {
    ($($name:ty),*) => { $(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadName;

            fn try_from(text: String) -> Result<Self, BadName> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.as_str().to_owned()
            }
        }
    )* };
}

as_text!(Owner, BotId, Version, MatchId);

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.bot, self.version)
    }
}

impl FromStr for Player {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let (bot, version) = text.split_once('@').ok_or(BadName::NoVersion)?;
        Ok(Self { bot: bot.parse()?, version: version.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::empty("", BadName::Empty)]
    #[case::ten_thousand("a".repeat(10_000), BadName::TooLong)]
    #[case::one_too_many("a".repeat(33), BadName::TooLong)]
    #[case::script("<script>alert(1)</script>", BadName::Letters)]
    #[case::right_to_left("abc\u{202e}def", BadName::Letters)]
    #[case::capitals("Alice", BadName::Letters)]
    #[case::space("a b", BadName::Letters)]
    #[case::slash("a/b", BadName::Letters)]
    #[case::dash_first("-a", BadName::Letters)]
    #[case::newline("a\n", BadName::Letters)]
    fn a_name_is_plain_or_refused(#[case] name: impl AsRef<str>, #[case] problem: BadName) {
        assert_eq!(name.as_ref().parse::<Owner>(), Err(problem));
    }

    #[test]
    fn a_bot_is_named_after_its_owner() {
        let bot: BotId = "alice/my-bot_2".parse().unwrap();
        assert_eq!((bot.owner().as_str(), bot.as_str()), ("alice", "alice/my-bot_2"));
        assert_eq!("alice".parse::<BotId>(), Err(BadName::NoOwner));
        assert_eq!("alice/a/b".parse::<BotId>(), Err(BadName::Letters));
        assert_eq!("a".repeat(32).parse::<Owner>().map(|owner| owner.0.len()), Ok(32));
    }

    #[test]
    fn an_id_of_a_match_reads_itself() {
        let id = MatchId::from_random([0xff; 16]);
        assert_eq!(id.to_string().parse::<MatchId>(), Ok(id));
        assert_eq!("ABCDEFGHIJKLMNOP".parse::<MatchId>(), Err(BadName::MatchId));
    }

    #[test]
    fn a_version_keeps_its_capitals() {
        assert!("v1.2.3+Linux-x86_64".parse::<Version>().is_ok());
        assert_eq!("v 1".parse::<Version>(), Err(BadName::VersionLetters));
    }
}
