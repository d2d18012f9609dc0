//! The build runner: an HTTP service that installs, checks, builds and tests Vite projects (spec: app-builder.md §6).
//!
//! A project is text that a model wrote, so everything of it that runs does so in a [`jail`]. The runner keeps nothing
//! but caches and loses nothing when they go; who asks is known by one token. Owns processes, folders and sockets.
//! Knows nothing of revisions, storage and publishing, and takes the check of a project as a function ([`Policy`]).

pub mod codes;
pub mod jail;
pub mod layer;
pub mod limits;
pub mod manifest;
pub mod output;
pub mod start;
pub mod wire;

mod command;
mod jobs;
mod machine;
mod policy;
mod prepare;
mod server;
mod stages;
mod time;
mod tree;
mod watch;
mod work;

pub use machine::{MachineError, MachineOptions};
pub use policy::{Policy, PolicyAnswer, PolicyInput, accept_as_it_is, of_apps};
pub use server::{RunnerOptions, Server, ServerError};
pub use stages::PackageSet;
