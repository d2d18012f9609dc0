//! Rules that look at one thing each.

pub(super) mod capabilities;
mod expected;
pub(super) mod icon;
pub(super) mod markup;
pub(super) mod references;
pub(super) mod unused;
