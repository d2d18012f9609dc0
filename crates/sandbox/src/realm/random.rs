//! Randomness of tests (spec: ifc-sdk.md §6.3): xoshiro128**, seeded with the first 16 bytes of SHA-256 of a text.

use std::cell::Cell;

use sha2::{Digest, Sha256};

/// The generator; the state is four words.
#[derive(Debug)]
pub(super) struct Xoshiro(Cell<[u32; 4]>);

impl Xoshiro {
    /// The same text gives the same numbers. The words are little-endian.
    pub(super) fn seeded(text: &str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let mut state = [0; 4];
        for (word, bytes) in state.iter_mut().zip(digest.chunks_exact(4)) {
            *word = bytes.iter().rev().fold(0, |word, byte| (word << 8) | u32::from(*byte));
        }
        Self(Cell::new(state))
    }

    /// The next number in [0, 1), with 32 bits.
    pub(super) fn next(&self) -> f64 {
        let mut s = self.0.get();
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 9;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(11);
        self.0.set(s);
        f64::from(result) / 4_294_967_296.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_published_generator() {
        // Reference output of xoshiro128** for the state 1, 2, 3, 4.
        let generator = Xoshiro(Cell::new([1, 2, 3, 4]));
        let drawn: Vec<f64> = (0..3).map(|_| generator.next() * 4_294_967_296.0).collect();
        assert_eq!(drawn, [11520.0, 0.0, 5_927_040.0]);
        assert_eq!(Xoshiro::seeded("a").next().to_bits(), Xoshiro::seeded("a").next().to_bits());
        assert_ne!(Xoshiro::seeded("a").0.get(), Xoshiro::seeded("b").0.get());
    }
}
