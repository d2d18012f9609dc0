//! Rules that look at one thing each.

pub(super) mod characters;
pub(super) mod entrypoint;
pub(super) mod files;
pub(super) mod names;
pub(super) mod python;
pub(super) mod schema;
pub(super) mod usage;

/// Only white space, with or without a byte order mark in front.
pub(super) fn is_blank(text: &str) -> bool {
    text.strip_prefix('\u{feff}').unwrap_or(text).trim().is_empty()
}
