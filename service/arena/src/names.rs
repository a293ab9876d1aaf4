//! Names of owners, bots, versions and matches. A value of these types has been checked. They are
//! copied all the time, so a clone costs no allocation.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The owner of the house bots; the name is reserved.
pub const HOUSE: &str = "house";

/// Names that only the arena itself may use: others would be taken for it.
const RESERVED: [&str; 13] = [
    HOUSE,
    "server",
    "admin",
    "administrator",
    "azulejo",
    "moderator",
    "official",
    "organiser",
    "organizer",
    "root",
    "staff",
    "support",
    "system",
];

/// The longest name, in characters.
pub const LONGEST: usize = 32;

/// The length of a match id, in characters.
const ID_LENGTH: usize = 16;

/// The owner of bots: `a-z`, `0-9`, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Owner(Arc<str>);

/// A bot: `owner/name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BotId {
    owner: Owner,
    text: Arc<str>,
}

/// The version that a bot declares. It never changes, and ratings belong to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Version(Arc<str>);

/// The id of a match: sixteen characters of `a-z` and `2-7`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MatchId([u8; ID_LENGTH]);

/// A version of a bot: `owner/name@version`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Player {
    pub bot: BotId,
    pub version: Version,
}

/// Why a text is not a valid name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadName {
    #[error("is empty")]
    Empty,
    #[error("is longer than {LONGEST} characters")]
    TooLong,
    #[error("may contain only a-z, 0-9, - and _, and must begin with a letter or digit")]
    Characters,
    #[error("may contain only A-Z, a-z, 0-9 and . _ + -")]
    VersionCharacters,
    #[error("must be owner/name")]
    NoOwner,
    #[error("must be owner/name@version")]
    NoVersion,
    #[error("must be sixteen characters of a-z and 2-7")]
    MatchId,
}

/// The part of a token that is not secret: everything before its second underscore.
#[must_use]
pub fn public_part(token: &str) -> &str {
    token.match_indices('_').nth(1).map_or(token, |(end, _)| &token[..end])
}

/// A name without what is easily overlooked: dashes, and digits that look like letters.
fn look(name: &str) -> String {
    let letter = |character: char| match character {
        '0' => 'o',
        '1' | 'l' => 'i',
        '3' => 'e',
        '4' => 'a',
        '5' | 'z' => 's',
        '7' => 't',
        other => other,
    };
    name.chars().filter(|character| !matches!(character, '-' | '_')).map(letter).collect()
}

/// Random bytes as text: five bits of each byte become a letter or digit.
pub(crate) fn letters(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(letter(byte))).collect()
}

const fn letter(byte: u8) -> u8 {
    const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    ALPHABET[(byte % 32) as usize]
}

/// Whether it is a control character, or changes the direction of text.
pub(crate) fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn check(text: &str) -> Result<(), BadName> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    match text.as_bytes() {
        [] => Err(BadName::Empty),
        [_, rest @ ..] if rest.len() >= LONGEST => Err(BadName::TooLong),
        [first, rest @ ..] => {
            let all = rest.iter().all(|&byte| is_plain(byte) || byte == b'-' || byte == b'_');
            if is_plain(*first) && all { Ok(()) } else { Err(BadName::Characters) }
        }
    }
}

impl BotId {
    pub fn new(owner: &Owner, name: &str) -> Result<Self, BadName> {
        check(name)?;
        Ok(Self { owner: owner.clone(), text: format!("{owner}/{name}").into() })
    }

    #[must_use]
    pub const fn owner(&self) -> &Owner {
        &self.owner
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is a house bot.
    #[must_use]
    pub fn is_house(&self) -> bool {
        self.owner.as_str() == HOUSE
    }
}

impl MatchId {
    /// An id made of random bytes.
    #[must_use]
    pub fn from_random(bytes: [u8; ID_LENGTH]) -> Self {
        Self(bytes.map(letter))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        // Always valid: only letters and digits are stored.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl Owner {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is a reserved name or looks like one, as `h0use` and `admin-` do.
    #[must_use]
    pub fn is_reserved(&self) -> bool {
        let looks = look(&self.0);
        RESERVED.iter().any(|name| look(name) == looks)
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
        check(text).map(|()| Self(text.into()))
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
            _ if !text.as_bytes().iter().all(fits) => Err(BadName::VersionCharacters),
            _ => Ok(Self(text.into())),
        }
    }
}

impl FromStr for MatchId {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let fits = |byte: u8| byte.is_ascii_lowercase() || (b'2'..=b'7').contains(&byte);
        let id = text.as_bytes().try_into().map_err(|_| BadName::MatchId)?;
        if text.bytes().all(fits) { Ok(Self(id)) } else { Err(BadName::MatchId) }
    }
}

/// Conversions to and from text.
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
    #[case::script("<script>alert(1)</script>", BadName::Characters)]
    #[case::right_to_left("abc\u{202e}def", BadName::Characters)]
    #[case::capitals("Alice", BadName::Characters)]
    #[case::space("a b", BadName::Characters)]
    #[case::slash("a/b", BadName::Characters)]
    #[case::dash_first("-a", BadName::Characters)]
    #[case::newline("a\n", BadName::Characters)]
    fn a_name_is_plain_or_refused(#[case] name: impl AsRef<str>, #[case] problem: BadName) {
        assert_eq!(name.as_ref().parse::<Owner>(), Err(problem));
    }

    #[test]
    fn names_that_look_like_reserved_ones_are_reserved() {
        for name in ["house", "h0use", "house-", "admin", "adm1n", "azu1ej0", "organiser", "5erver"]
        {
            assert!(name.parse::<Owner>().unwrap().is_reserved(), "{name}");
        }
        for name in ["alice", "houses", "adminton", "azul"] {
            assert!(!name.parse::<Owner>().unwrap().is_reserved(), "{name}");
        }
    }

    #[test]
    fn a_bot_is_named_after_its_owner() {
        let bot: BotId = "alice/my-bot_2".parse().unwrap();
        assert_eq!((bot.owner().as_str(), bot.as_str()), ("alice", "alice/my-bot_2"));
        assert_eq!("alice".parse::<BotId>(), Err(BadName::NoOwner));
        assert_eq!("alice/a/b".parse::<BotId>(), Err(BadName::Characters));
        assert_eq!("a".repeat(32).parse::<Owner>().map(|owner| owner.0.len()), Ok(32));
    }

    #[test]
    fn a_match_id_is_read_from_its_own_text() {
        let id = MatchId::from_random([0xff; 16]);
        assert_eq!(id.to_string().parse::<MatchId>(), Ok(id));
        assert_eq!("ABCDEFGHIJKLMNOP".parse::<MatchId>(), Err(BadName::MatchId));
    }

    #[test]
    fn a_version_keeps_its_capitals() {
        assert!("v1.2.3+Linux-x86_64".parse::<Version>().is_ok());
        assert_eq!("v 1".parse::<Version>(), Err(BadName::VersionCharacters));
    }
}
