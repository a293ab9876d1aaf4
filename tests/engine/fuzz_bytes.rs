//! Bytes that are nearly a message.

use azulejo_tests::Random;

/// One or two changes; `other` is a message to take pieces from.
pub(crate) fn changed(mut bytes: Vec<u8>, other: &[u8], random: &mut Random) -> Vec<u8> {
    for _ in 0..=random.below(2) {
        change(&mut bytes, other, random);
    }
    bytes
}

fn byte(random: &mut Random) -> u8 {
    u8::try_from(random.below(256)).unwrap_or(0)
}

/// A piece of at most 64 bytes.
fn piece(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let from = random.below(bytes.len() + 1);
    let length = random.below(64).min(bytes.len() - from);
    bytes[from..from + length].to_vec()
}

fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let inside = at.min(bytes.len().saturating_sub(1));
    match random.below(12) {
        0..=3 => bytes.iter_mut().skip(inside).take(1).for_each(|b| *b ^= 1 << random.below(8)),
        4..=7 => bytes.iter_mut().skip(inside).take(1).for_each(|b| *b = byte(random)),
        8 => bytes.insert(at, byte(random)),
        9 => {
            let end = (at + 1 + random.below(8)).min(bytes.len());
            drop(bytes.drain(at.min(end)..end));
        }
        10 => {
            let source = if random.below(2) == 0 { bytes.clone() } else { other.to_vec() };
            let piece = piece(&source, random);
            drop(bytes.splice(at..at, piece));
        }
        _ => bytes.truncate(at),
    }
}
