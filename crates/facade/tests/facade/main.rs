//! The methods, on the sample cases, on changed inputs and on stored transcripts.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

mod authoring;
mod crew_mutations;
mod gateway_corpus;
mod kind_corpus;
mod mutations;
mod script_corpus;
mod transcripts;
#[path = "../../fuzz/walk.rs"]
mod walk;

use holdpoint_facade::Shell;

/// All that native programs can call.
static SHELL: Shell = holdpoint_facade::native_shell!(holdpoint_kinds);
