//! Archives: the events of a finished match as one compressed value. A match is read far less often
//! than it is stored, and its events compress to about a tenth.

use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// Far more than any match has: the size of an archive that is read is not trusted.
const MOST_BYTES: u64 = 64 << 20;

/// The events of a finished match, as they are stored: JSON, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unarchived {
    /// The number of the match.
    pub number: i64,
    /// None if an event is missing.
    pub events: Option<Vec<Vec<u8>>>,
}

/// What replaces the events of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    /// The number of the match.
    pub number: i64,
    /// How many events it replaces. More may have been added meanwhile.
    pub entries: i64,
    /// None if its events are damaged: they stay as they are, for people to look at.
    pub events: Option<Vec<u8>>,
}

impl Unarchived {
    /// Compresses the events. Takes milliseconds.
    #[must_use]
    pub fn pack(self) -> Archive {
        let Self { number, events } = self;
        let packed = events.as_deref().and_then(|events| {
            let packed = pack(events).ok()?;
            // The rows are deleted afterwards.
            unpack(&packed).is_ok_and(|unpacked| unpacked == events).then_some(packed)
        });
        let entries = events.map_or(0, |events| events.len());
        Archive { number, entries: i64::try_from(entries).unwrap_or(i64::MAX), events: packed }
    }
}

fn pack(events: &[Vec<u8>]) -> io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    for event in events {
        packed.write_all(event)?;
        packed.write_all(b"\n")?;
    }
    packed.finish()
}

/// The events of an archive.
pub(super) fn unpack(archive: &[u8]) -> io::Result<Vec<Vec<u8>>> {
    let mut lines = Vec::new();
    GzDecoder::new(archive).take(MOST_BYTES).read_to_end(&mut lines)?;
    let Some(lines) = lines.strip_suffix(b"\n") else {
        return if lines.is_empty() {
            Ok(Vec::new())
        } else {
            Err(io::ErrorKind::InvalidData.into())
        };
    };
    Ok(lines.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(texts: &[&str]) -> Vec<Vec<u8>> {
        texts.iter().map(|text| text.as_bytes().to_vec()).collect()
    }

    #[test]
    fn an_archive_contains_the_events_in_their_order() {
        for texts in [&["{}"][..], &["{\"a\":1}", "{}", "{\"b\":\"ü\\n\"}"], &[]] {
            let archive = Unarchived { number: 7, events: Some(events(texts)) }.pack();
            assert_eq!(archive.number, 7);
            assert_eq!(unpack(&archive.events.unwrap()).unwrap(), events(texts));
        }
    }

    #[test]
    fn events_that_would_not_come_back_are_not_packed() {
        for damaged in [None, Some(events(&["{\n}"])), Some(events(&["{}", "\n"]))] {
            assert_eq!(Unarchived { number: 7, events: damaged }.pack().events, None);
        }
    }

    #[test]
    fn a_damaged_archive_is_an_error() {
        let packed = pack(&events(&["{\"a\":1}", "{\"b\":2}"])).unwrap();
        assert!(unpack(&packed[..packed.len() - 3]).is_err());
        assert!(unpack(b"no archive").is_err());
        let mut flipped = packed;
        flipped[12] ^= 1;
        assert!(unpack(&flipped).is_err());
    }
}
