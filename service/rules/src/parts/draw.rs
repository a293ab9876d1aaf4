//! The draw: chooses a tile of the bag.
//!
//! A pure function of the seed, the number of tiles drawn so far and the bag. Tile `i` comes from
//! block `i` of the ChaCha20 key stream (RFC 8439) with the seed as key and a nonce of zeros, read
//! as sixteen little-endian words. With `n` tiles in the bag the first word below the largest
//! multiple of `n` that fits in 32 bits decides: the tile is number `word mod n` when the bag is
//! laid out by color. If all sixteen words are refused, the nonce, a little-endian number, is
//! incremented and the same block is read again.

use chacha20::cipher::{KeyIvInit, StreamCipherCore};
use chacha20::variants::Ietf;
use chacha20::{ChaChaCore, R20};

use super::{Seed, TileColor, Tiles};

const BLOCK: usize = 64;

/// The source of chance.
pub trait Chance<C> {
    /// One tile of the bag, which is never empty; `drawn` tiles were drawn before.
    fn draw(&mut self, bag: Tiles<C>, drawn: u32) -> C;
}

/// Chance decided by a seed: the draw of every reproducible game.
#[derive(Clone, Copy, Debug)]
pub struct Seeded<'a>(pub &'a Seed);

impl<C: TileColor> Chance<C> for Seeded<'_> {
    fn draw(&mut self, bag: Tiles<C>, drawn: u32) -> C {
        draw(self.0, drawn, bag).unwrap_or(C::ALL[0])
    }
}

/// Tile number `drawn` of the game with this seed, from this bag; `None` if the bag is empty.
#[must_use]
pub fn draw<C: TileColor>(seed: &Seed, drawn: u32, bag: Tiles<C>) -> Option<C> {
    let tiles = u32::from(bag.total());
    if tiles == 0 {
        return None;
    }
    (0u64..)
        .find_map(|nonce| fair_number(key_stream_block(seed, nonce, drawn), tiles))
        .and_then(|number| bag.nth(number))
}

/// A number below `n`, all equally likely; `None` if all words are refused.
fn fair_number(block: [u8; BLOCK], n: u32) -> Option<u32> {
    let limit = (1u64 << 32) / u64::from(n) * u64::from(n);
    block
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .find(|&word| u64::from(word) < limit)
        .map(|word| word % n)
}

fn key_stream_block(seed: &Seed, nonce: u64, block: u32) -> [u8; BLOCK] {
    let mut nonce_bytes = [0; 12];
    nonce_bytes[..8].copy_from_slice(&nonce.to_le_bytes());
    // Block by block: as a stream the cipher would refuse its last block.
    let mut cipher = ChaChaCore::<R20, Ietf>::new(seed.bytes().into(), &nonce_bytes.into());
    cipher.set_block_pos(block);
    let mut stream = [0; BLOCK].into();
    cipher.write_keystream_block(&mut stream);
    stream.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8439, appendix A.1, test vectors 1 and 2: zero key, zero nonce, blocks 0 and 1.
    #[test]
    fn the_key_stream_is_that_of_rfc_8439() {
        let seed = Seed::new([0; 32]);
        assert_eq!(
            key_stream_block(&seed, 0, 0)[..8],
            [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90]
        );
        assert_eq!(
            key_stream_block(&seed, 0, 1)[..8],
            [0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51, 0x38, 0x7a]
        );
    }

    #[test]
    fn a_word_beyond_the_largest_multiple_is_refused_for_the_next() {
        let mut block = [0xff; BLOCK];
        block[4..8].copy_from_slice(&7u32.to_le_bytes());
        assert_eq!(fair_number(block, 100), Some(7));
        assert_eq!(fair_number([0xff; BLOCK], 100), None);
        assert_eq!(fair_number([0xff; BLOCK], 64), Some(63));
    }

    #[test]
    fn the_last_block_of_the_counter_can_be_reached() {
        let seed = Seed::from_number(1);
        assert_ne!(key_stream_block(&seed, 0, u32::MAX), key_stream_block(&seed, 0, 0));
        assert_ne!(
            key_stream_block(&seed, 0, u32::MAX - 1),
            key_stream_block(&seed, 1, u32::MAX - 1)
        );
    }
}
