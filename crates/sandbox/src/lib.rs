//! Runs extension code in a JavaScript realm without authority.
