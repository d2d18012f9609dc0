//! Whether a Unicode character name exists: what a Python grammar asks of `"\N{…}"`.
//!
//! Owns the set of names, as hashes. It has the name and the one function of the crate that the grammar depends on;
//! `docs/decisions/0008` says why. Names are those of the Unicode character database with its aliases, in capitals or
//! small letters. Invariant: every name of the database is known; a text that is none passes once in 100,000.
//!
//! ```
//! assert!(unicode_names2::character("latin small letter a").is_some());
//! assert!(unicode_names2::character("LATIN SMALL LETER A").is_none());
//! ```

mod hash;
mod ruled;

/// Sorted, four bytes each (build.rs).
static HASHES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/hashes.bin"));

/// Something if the name exists, always U+FFFD: a set of hashes does not know which character it is.
pub fn character(name: &str) -> Option<char> {
    let (hashes, _) = HASHES.as_chunks::<4>();
    let known = ruled::is_name(name)
        || hashes.binary_search_by_key(&hash::hash(name), |bytes| u32::from_le_bytes(*bytes)).is_ok();
    known.then_some(char::REPLACEMENT_CHARACTER)
}
