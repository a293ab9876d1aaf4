use core::fmt;

use super::ordinal;

ordinal! {
    /// The side of the player boards; all players use the same one.
    pub enum Side { Colored, Gray }
}

impl Side {
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.name() == name)
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Colored => "colored",
            Self::Gray => "gray",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
