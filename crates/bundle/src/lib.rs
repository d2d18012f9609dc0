//! Paths, files and the canonical hash of a bundle.
