use thiserror::Error;

/// A field of a message that is not valid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}: {problem}")]
pub struct BadField {
    /// From the request to the field: `state.azul.boards[1].lines[2].color`.
    pub path: String,
    pub problem: Problem,
}

/// What is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    #[error("this field is required")]
    Missing,
    #[error("unknown {of} value: {found}")]
    NoSuchValue { found: i32, of: &'static str },
    #[error("{found} is not between {least} and {most}")]
    OutOfRange { found: u64, least: u64, most: u64 },
    #[error("{found} entries, but {expected} are expected")]
    WrongCount { found: usize, expected: usize },
    #[error("{found} entries are more than {most}")]
    TooMany { found: usize, most: usize },
    #[error("more than {most} entries")]
    MoreThan { most: usize },
    #[error("{found} bytes, but a seed has 32")]
    SeedLength { found: usize },
    #[error("version {found} of the rules is unknown: this engine plays by version {known}")]
    UnknownVersion { found: u32, known: u32 },
    #[error("this field must not be set in this phase")]
    NotNow,
    #[error("another board holds it already")]
    HeldTwice,
    #[error("the bytes are not a message of this type")]
    NoMessage,
    #[error("this belongs to the other game")]
    OtherGame,
    #[error("{found} bytes are more than {most}")]
    TooLong { found: usize, most: usize },
    #[error("{found} characters are more than {most}")]
    TooManyCharacters { found: usize, most: usize },
    #[error("a control character cannot be shown")]
    ControlCharacter,
}

impl BadField {
    #[must_use]
    pub fn new(path: &str, problem: Problem) -> Self {
        Self { path: path.to_owned(), problem }
    }

    #[must_use]
    pub fn missing(path: &str) -> Self {
        Self::new(path, Problem::Missing)
    }

    /// The same field, with the path extended by the outer field.
    #[must_use]
    pub fn within(self, outer: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { path: format!("{outer}{dot}{}", self.path), ..self }
    }

    /// The same field, with the path extended by entry `index` of the list `outer`.
    #[must_use]
    pub fn within_entry(self, outer: &str, index: usize) -> Self {
        self.within(&format!("{outer}[{index}]"))
    }
}

/// A number in a range.
pub(crate) fn in_range(path: &str, found: u32, least: u8, most: u8) -> Result<u8, BadField> {
    u8::try_from(found).ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        let problem =
            Problem::OutOfRange { found: found.into(), least: least.into(), most: most.into() };
        BadField::new(path, problem)
    })
}

/// Number `found` of `all`, which boards count from 1.
pub(crate) fn counted<T: Copy>(path: &str, found: u32, all: &[T]) -> Result<T, BadField> {
    let number = in_range(path, found, 1, all.len() as u8)?;
    Ok(all[usize::from(number) - 1])
}

/// The value of an enum; 0 is UNSPECIFIED.
pub(crate) fn named<T: Copy>(
    path: &str,
    found: i32,
    all: &[T],
    of: &'static str,
) -> Result<T, BadField> {
    let index = usize::try_from(found).ok().and_then(|found| found.checked_sub(1));
    let value = index.and_then(|index| all.get(index)).copied();
    value.ok_or_else(|| match found {
        0 => BadField::missing(path),
        _ => BadField::new(path, Problem::NoSuchValue { found, of }),
    })
}

/// The same where UNSPECIFIED means none.
pub(crate) fn named_or_none<T: Copy>(
    path: &str,
    found: i32,
    all: &[T],
    of: &'static str,
) -> Result<Option<T>, BadField> {
    if found == 0 { Ok(None) } else { named(path, found, all, of).map(Some) }
}

/// A list of exactly this many.
pub(crate) fn exactly<T>(path: &str, list: &[T], expected: usize) -> Result<(), BadField> {
    let found = list.len();
    if found == expected {
        return Ok(());
    }
    Err(BadField::new(path, Problem::WrongCount { found, expected }))
}

/// A list of at most this many.
pub(crate) fn at_most<T>(path: &str, list: &[T], most: usize) -> Result<(), BadField> {
    let found = list.len();
    if found <= most { Ok(()) } else { Err(BadField::new(path, Problem::TooMany { found, most })) }
}

/// An enum value as a number; 0 is UNSPECIFIED.
pub(crate) const fn value(index: usize) -> i32 {
    index as i32 + 1
}

/// A number as the board counts it, from 1.
pub(crate) const fn number(index: usize) -> u32 {
    index as u32 + 1
}
