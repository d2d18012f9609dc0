//! `cargo xtask bench`: the rigs, optimised, and how long building takes.

use pico_args::Arguments;

use crate::process::{Fault, cargo, command, run as run_to_end};
use crate::{Done, nothing_more, rest, tools, wasm};

mod apps;
mod build;
mod gateway;
mod model;
mod truth;

const RIGS: &str = "\
cargo xtask bench RIG

  patch      the public patch benchmark; writes docs/bench/patch.md
  text       speed natively, in Node and in Chromium; writes docs/bench/text.md
  check      speed of `bundle.check` in Node, beside packages that do its reading; writes docs/bench/check.md
  sandbox    hostile and honest programs in our sandbox and in others; writes docs/bench/sandbox.md
  crew       speed of crew packages natively and in Node, also of hostile ones; writes docs/bench/crew.md
  crew-slow  tries changed crew packages for those that take long; --inputs, --grown, --over and --seed say how
  model      how long models take to open in Chromium and what they hold, beside npm `web-ifc`, and how busy the page is
             meanwhile; writes docs/bench/model.md
  gateway    what a metered call costs on workerd, beside a Worker that only passes on; writes docs/bench/gateway.md.
             --calls N (1500) of each measurement; --only NAME: these rows alone, and nothing is written
             (stub, plain, ours, portkey, tensorzero, litellm)
  apps       the 25 tasks of the app builder on a stack of their own; writes docs/bench/apps.md and its release gate.
             --model M: of UPSTREAM_BASE_URL, instead of the scripted one; --repeat N; --builds N: warm builds of each
             template, and its first build with a new package; --json: prints, and writes nothing
  apps-speed speed of the check of apps natively and in Node; writes docs/bench/apps-speed.md
  apps-truth the check of apps beside the real build, on the projects of tests/apps/truth; writes docs/bench/apps-truth.md.
             PATH…: folders of projects, or lines of changes to templates, instead; --only TEXT: of an id;
             --catalog V (2026-11)
  scripts    how long a person waits for a script in Chromium, beside its own time; writes docs/bench/scripts.md
  build      how long a new machine waits: first `dev`, `ci` cold and warm, by step; writes docs/bench/build.md
  replay     every real change, diffed by us and applied by git, and the other way round
  slow       looks a minute for inputs that take long";

const CALLS: usize = 1_500;

pub fn run(mut words: Arguments) -> Done {
    let rig = words.subcommand()?.ok_or_else(|| Fault::Usage(RIGS.to_owned()))?;
    let rig = rig.as_str();
    let mut cargo = cargo();
    cargo.args(["run", "--quiet", "--release", "--package", "holdpoint-bench", "--", rig]);
    match rig {
        "apps" => return apps::run(words),
        "apps-truth" => return truth::run(words),
        "gateway" => {
            let calls = words.opt_value_from_str("--calls")?.unwrap_or(CALLS);
            let only: Vec<String> = words.values_from_str("--only")?;
            nothing_more(words)?;
            return gateway::run(calls, &only);
        }
        "model" => {
            nothing_more(words)?;
            return model::run();
        }
        "scripts" => {
            nothing_more(words)?;
            tools::npm_packages()?;
            wasm::build(wasm::Profile::Small)?;
            let mut node = command("node");
            node.args(["--import", "tsx", "tests/web/script-run-bench.ts"]);
            return run_to_end(node.env(tools::CHROMIUM, tools::chromium()?));
        }
        "crew-slow" => {
            cargo.args(rest(words)?);
            return run_to_end(&mut cargo);
        }
        _ => nothing_more(words)?,
    }
    match rig {
        "build" => return build::run(),
        "check" => wasm::for_bench(&["check-extension"])?,
        "sandbox" => wasm::for_bench(&["sandbox"])?,
        "apps-speed" => wasm::for_bench(&["check-app"])?,
        "crew" => wasm::for_bench(&["check-crew"])?,
        "patch" | "text" | "replay" | "slow" => {}
        _ => return Err(Fault::Usage(format!("There is no rig `{rig}`.\n\n{RIGS}"))),
    }
    if matches!(rig, "text" | "sandbox") {
        tools::npm_packages()?;
        cargo.env(tools::CHROMIUM, tools::chromium()?);
    }
    run_to_end(&mut cargo)
}
