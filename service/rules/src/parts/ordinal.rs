/// Declares an enum whose variants are numbered from 0, with conversions to and from numbers.
///
/// An enum rather than a number, so that the compiler knows the range: a value need not be
/// checked again, and an array that it indexes needs no bounds check.
macro_rules! ordinal {
    ($(#[$meta:meta])* $visibility:vis enum $name:ident { $($(#[$note:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        $visibility enum $name { $($(#[$note])* $variant),+ }

        impl $name {
            /// All of them, in order.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            /// Its number, counted from 0.
            #[must_use]
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The one with this number, counted from 0.
            #[must_use]
            #[inline]
            pub const fn at(index: usize) -> Option<Self> {
                if index < Self::ALL.len() { Some(Self::ALL[index]) } else { None }
            }
        }
    };
}

pub(crate) use ordinal;
