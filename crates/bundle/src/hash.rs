//! How files are identified: a set by its canonical hash (spec: facade.md "Hash"), one text by its plain digest.
//!
//! Invariant: two sets have the same hash only when they hold the same paths with the same bytes.

use holdpoint_text::{hash_records, hex};
use sha2::{Digest, Sha256};

use crate::Files;

/// `sha256:` and 64 hex digits over paths and texts in byte order.
pub fn content_hash(files: &Files) -> String {
    hash_records(files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
}

/// `sha256:` and 64 hex digits over the bytes of one text, as `sha256sum` has it.
pub fn text_hash(text: &str) -> String {
    bytes_hash(text.as_bytes())
}

/// The same over bytes that are no text.
pub fn bytes_hash(bytes: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn empty_and_boundaries() {
        let empty = content_hash(&Files::new());
        assert_eq!(empty, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let left = Files::from([("ab".to_owned(), "c".to_owned())]);
        let right = Files::from([("a".to_owned(), "bc".to_owned())]);
        assert_ne!(content_hash(&left), content_hash(&right));
    }

    proptest! {
        #[test]
        fn distinguishes(left: std::collections::BTreeMap<String, String>, right: std::collections::BTreeMap<String, String>) {
            prop_assert_eq!(left == right, content_hash(&left) == content_hash(&right));
        }
    }
}
