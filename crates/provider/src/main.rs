//! `holdpoint-provider TRANSCRIPTS…`: the scripted model server alone, on any free port; `--version` says which it is.
//! It is built without the checks and the sandbox that `holdpoint provider` brings along, so that a first start need not
//! wait for them.
#![allow(clippy::print_stdout)] // it talks to the person who started it

use std::ffi::OsString;
use std::process::ExitCode;

use holdpoint_provider::{ServerOptions, run};

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--version") {
        println!("holdpoint-provider {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    match run(ServerOptions { transcripts: arguments.into_iter().map(Into::into).collect(), port: 0 }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("holdpoint-provider: {error}");
            ExitCode::FAILURE
        }
    }
}
