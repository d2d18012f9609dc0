//! Lines, line diff with changed words, unified diffs.
