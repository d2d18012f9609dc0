//! The one hash of the product (spec: facade.md "Hash").
//!
//! Invariant: two lists of records have the same hash only when they hold the same fields; lengths in front of each
//! field keep the fields apart.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// `sha256:` and 64 hex digits over the fields of all records in order, each as its 8-byte big-endian length and bytes.
///
/// ```
/// let empty = holdpoint_text::hash_records([]);
/// assert_eq!(empty, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
/// ```
pub fn hash_records<'r>(records: impl IntoIterator<Item = (&'r str, &'r str)>) -> String {
    let mut hasher = Sha256::new();
    for (name, value) in records {
        for field in [name, value] {
            hasher.update((field.len() as u64).to_be_bytes());
            hasher.update(field.as_bytes());
        }
    }
    format!("sha256:{}", hex(&hasher.finalize()))
}

/// Two lower-case hex digits a byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_kept_apart() {
        assert_ne!(hash_records([("ab", "c")]), hash_records([("a", "bc")]));
        assert_ne!(hash_records([("a", "b")]), hash_records([("a", "b"), ("", "")]));
    }
}
