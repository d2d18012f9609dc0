//! The check of apps beside the real build: a runner without a check of its own, and the rig beside it.

use std::path::PathBuf;

use pico_args::Arguments;

use crate::process::{Fault, cargo, command, root, run as run_to_end};
use crate::stack::free_port;
use crate::test::selection;
use crate::{Done, own, runner, tools};

/// Where the runner keeps packages from one run to the next.
const STATE: &str = "target/bench/apps-truth";
const PORT: u16 = 8_950;
/// The runner that takes any project as it is.
const PROGRAM: &str = "any-project-runner";
const RIG: &str = "holdpoint-bench";
const CATALOG: &str = "2026-11";

/// Builds the runner, starts it, judges the projects, ends it.
pub fn run(mut words: Arguments) -> Done {
    let catalog: String = words.opt_value_from_str("--catalog")?.unwrap_or_else(|| CATALOG.to_owned());
    let only: Option<String> = words.opt_value_from_str("--only")?;
    let from = std::env::current_dir()?;
    let places: Vec<PathBuf> = crate::rest(words)?.iter().map(|place| from.join(place)).collect();
    tools::npm_packages()?;
    run_to_end(cargo().args(["build", "--bin", PROGRAM, "--bin", RIG]).args(selection()))?;
    let built = tools::target_dir().join("debug");
    let state = root().join(STATE);
    own::folder(&state)?;
    let registry = runner::registry().ok_or_else(|| Fault::told("Builds need the registry of npm."))?;
    let place = runner::Place { port: free_port(PORT)?, state, registry };
    let running =
        place.start(&built.join(PROGRAM)).ok_or_else(|| Fault::told("Without a build runner there is no truth."))?;
    let mut rig = command(built.join(RIG));
    rig.args(["apps-truth", "--runner", &place.url()]);
    rig.arg("--token-file").arg(place.state.join(runner::TOKEN)).args(["--registry", &place.registry]);
    rig.args(["--catalog", &catalog]).args(only.iter().flat_map(|only| ["--only", only])).args(&places);
    let done = run_to_end(&mut rig);
    drop(running);
    done
}
