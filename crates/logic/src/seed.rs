//! A purpose to an independent random stream.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// A stream of random numbers that depends on nothing but the root seed and the words given.
///
/// Streams are told apart by hashing, never by adding to a seed: neighbouring seeds share nothing.
pub fn stream(root: u64, words: &[&str]) -> ChaCha8Rng {
    let mut hash = Sha256::new();
    hash.update(root.to_le_bytes());
    for word in words {
        hash.update((word.len() as u64).to_le_bytes());
        hash.update(word.as_bytes());
    }
    ChaCha8Rng::from_seed(hash.finalize().into())
}

/// The first 128 bits of a SHA-256 digest, as 32 hexadecimal digits.
pub fn digest(parts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        let part = part.as_ref();
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or_default();
    hash.finalize()[..16].iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
