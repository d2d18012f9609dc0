//! A project in its database: bundles of any kind, their revisions and ways back, what is said about them.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

mod artifacts;
mod builds;
mod faults;
mod gate;
mod interleavings;
mod inverse;
mod kept;
mod kit;
mod list;
mod log;
mod model;
mod once;
mod proposals;
mod publishes;
mod retention;
mod session;
mod slug;
mod stored;
#[path = "../support/mod.rs"]
mod support;
mod told;
mod uploads;
mod working;
