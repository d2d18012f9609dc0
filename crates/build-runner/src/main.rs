//! The build runner over the check of apps.

use std::process::ExitCode;

fn main() -> ExitCode {
    holdpoint_build_runner::start::main(holdpoint_build_runner::of_apps)
}
