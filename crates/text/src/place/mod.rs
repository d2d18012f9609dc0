//! Where the hunks of a patch belong in the lines of a text (spec: text-engine.md §7).

use serde::Serialize;

/// The rung of the ladder on which a place was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub enum Rung {
    Exact,
    Blank,
    Whitespace,
    Unicode,
    Near,
    Fuzz1,
    Fuzz2,
}
