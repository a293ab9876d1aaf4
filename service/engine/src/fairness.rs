//! Fair deals by commit and reveal: the arena commits to a secret before it receives the seats'
//! nonces, and reveals it afterwards. Secret and nonces give the seed, and with it every deal.

use std::fmt;
use std::str::FromStr;

use azulejo_rules::parts::Seed;
use data_encoding::HEXLOWER;
use hkdf::Hkdf;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

const COMMIT: &[u8] = b"azulejo-commit-v1";
const DEAL: &[u8] = b"azulejo-deal-v1";

/// 32 bytes: a secret, a nonce, a hash. Written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Bytes32(pub [u8; 32]);

/// A text that is not 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected 64 hexadecimal digits")]
pub struct NotBytes32;

impl Bytes32 {
    /// SHA-256 of these bytes.
    #[must_use]
    pub fn hash_of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

/// The commitment, published before the first deal: SHA-256 of the text "azulejo-commit-v1", the
/// match id and the secret.
#[must_use]
pub fn commitment(match_id: &str, secret: &Bytes32) -> Bytes32 {
    let mut hash = Sha256::new();
    hash.update(COMMIT);
    hash.update(match_id.as_bytes());
    hash.update(secret.0);
    Bytes32(hash.finalize().into())
}

/// The seed of a match: HKDF-SHA256 of the secret, with the match id as salt and, as info, the
/// text "azulejo-deal-v1" and the nonces in the order of the seats. A seat without a nonce adds
/// nothing.
#[must_use]
pub fn seed(match_id: &str, secret: &Bytes32, nonces: &[Option<Bytes32>]) -> Seed {
    let nonces = nonces.iter().flatten().flat_map(|nonce| nonce.0);
    let info: Vec<u8> = DEAL.iter().copied().chain(nonces).collect();
    let mut key = [0; 32];
    // Fails only for output of more than 255 blocks.
    let _made = Hkdf::<Sha256>::new(Some(match_id.as_bytes()), &secret.0).expand(&info, &mut key);
    Seed::new(key)
}

impl fmt::Display for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

/// It may be a secret, so debug output hides it.
impl fmt::Debug for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bytes32(..)")
    }
}

impl FromStr for Bytes32 {
    type Err = NotBytes32;

    fn from_str(text: &str) -> Result<Self, NotBytes32> {
        let mut bytes = [0; 32];
        // Lower case only: a record with another spelling would have another digest.
        let decoded = (text.len() == 64).then(|| HEXLOWER.decode_mut(text.as_bytes(), &mut bytes));
        decoded.and_then(Result::ok).ok_or(NotBytes32)?;
        Ok(Self(bytes))
    }
}

impl TryFrom<String> for Bytes32 {
    type Error = NotBytes32;

    fn try_from(text: String) -> Result<Self, NotBytes32> {
        text.parse()
    }
}

impl From<Bytes32> for String {
    fn from(bytes: Bytes32) -> Self {
        bytes.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATCH: &str = "aaaaaaaaaaaaaaaa";

    /// Computed by another program: `hashlib` and `hmac` of Python.
    #[test]
    fn commitment_and_seed_match_those_of_another_program() {
        let secret = Bytes32(std::array::from_fn(|index| index as u8));
        let nonces = [Some(Bytes32([1; 32])), None, Some(Bytes32([2; 32]))];
        let expected = "c28edc73da27bc5f47814a5b1d598a8c0baff71af4f4225c7e8c295d162865c4";
        assert_eq!(commitment(MATCH, &secret).to_string(), expected);
        assert_eq!(
            seed(MATCH, &secret, &nonces).to_hex(),
            "7cd3c8fcf20a8d7f80749d8c3b51f8022e3fe9e99b9764cf97042b1749d76914"
        );
    }

    #[test]
    fn every_nonce_and_its_seat_change_the_seed() {
        let secret = Bytes32([7; 32]);
        let (one, two) = (Some(Bytes32([1; 32])), Some(Bytes32([2; 32])));
        let made = |nonces: &[Option<Bytes32>]| seed(MATCH, &secret, nonces).to_hex();
        assert_ne!(made(&[one, two]), made(&[two, one]));
        assert_ne!(made(&[one, two]), made(&[one]));
        assert_ne!(made(&[one]), seed("bbbbbbbbbbbbbbbb", &secret, &[one]).to_hex());
    }

    #[test]
    fn bytes_have_only_one_spelling() {
        let bytes = Bytes32([0xab; 32]);
        assert_eq!(bytes.to_string().parse(), Ok(bytes));
        assert_eq!("AB".repeat(32).parse::<Bytes32>(), Err(NotBytes32));
        assert_eq!("ab".repeat(31).parse::<Bytes32>(), Err(NotBytes32));
    }
}
