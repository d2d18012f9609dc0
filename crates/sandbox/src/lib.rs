//! Runs extension code in a JavaScript realm without authority (spec: ifc-sdk.md §6).
//!
//! Owns the engine, the realm, `ctx` and `bim`, the gate before each call, the budgets, and natively the child process
//! around all of it. Refuses to know manifests, tests and operators: it is given a [`Program`], prepared where the
//! checker lives, and answers an [`Outcome`], judged there. Invariants: no string is ever compiled; nothing of the host
//! is reachable but what `sdk-v1.json` lists; SDK code never calls a function that extension code can replace; a call
//! that fails delivers no effect; a passed limit can't be caught.

mod activation;
mod arguments;
mod bim;
pub mod budget;
pub mod built;
mod call;
#[cfg(not(target_arch = "wasm32"))]
pub mod child;
mod ctx;
mod entity;
mod entry;
mod error;
mod failure;
mod gate;
mod heap;
mod host;
mod json;
mod meter;
mod realm;
mod requests;
mod sandbox;
mod texts;

pub use activation::{Activation, NoCallWaitsError};
pub use error::CODES;
pub use holdpoint_sdk::run::{ModelFile, Outcome, Program, TestRun};
pub use meter::passed;
pub use requests::{CallStep, Came, NetworkReply, NoAnswer, OpenRequest, Waits};
pub use sandbox::{OpenError, Sandbox};
