//! `holdpoint-provider TRANSCRIPTS…`: the scripted model server alone, on any free port. It is built without the
//! checks and the sandbox that `holdpoint provider` brings along, so that a first start need not wait for them.

use std::process::ExitCode;

use holdpoint_provider::{Options, run};

fn main() -> ExitCode {
    let transcripts = std::env::args_os().skip(1).map(Into::into).collect();
    match run(Options { transcripts, port: 0 }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("holdpoint-provider: {error}");
            ExitCode::FAILURE
        }
    }
}
