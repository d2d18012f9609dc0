//! The scripted model server: plays transcripts over the providers' protocols, no key needed, deterministic
//! (spec: gateway.md §10 "Scripted provider").
//!
//! It is the default upstream and the test bench: faults, odd wire forms and pacing are part of a transcript.
//! Invariant: the answer depends on what a request says; only `times`, the played cache and the log remember requests.

mod blocks;
mod bundle;
mod follow;
mod local;
mod play;
mod script;
mod server;
mod tokens;
mod wire;

pub use play::said;
pub use script::{LoadError, Transcript, load};
pub use server::{Running, ServeError, ServerOptions, run, serve};
