//! A project in its database: bundles of any kind, their revisions and ways back, what is said about them.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

mod faults;
mod gate;
mod inverse;
mod kit;
mod list;
mod log;
mod model;
mod once;
mod proposals;
mod session;
mod stored;
#[path = "../support/mod.rs"]
mod support;
mod told;
