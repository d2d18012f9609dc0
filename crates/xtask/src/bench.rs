//! `cargo xtask bench`: the rigs of the text engine, of the check, of the sandbox, of crew packages and of the gateway,
//! optimised, and how long building takes.

use clap::Subcommand;

use crate::process::{cargo, run};
use crate::{Done, fixtures, tools};

mod build;
mod gateway;

/// A rig.
#[derive(Debug, Clone, Subcommand)]
pub enum Rig {
    /// The public patch benchmark; writes `docs/bench/patch.md`.
    Patch,
    /// Speed natively, in Node and in Chromium; writes `docs/bench/text.md`.
    Text,
    /// Speed of `bundle.check` in Node, beside packages that do its reading; writes `docs/bench/check.md`.
    Check,
    /// Hostile and honest programs in our sandbox and in others; writes `docs/bench/sandbox.md`.
    Sandbox,
    /// Speed of crew packages natively and in Node, also of hostile ones; writes `docs/bench/crew.md`.
    Crew,
    /// How long models take to open in Chromium, beside npm `web-ifc`; writes `docs/bench/model.md`.
    Model,
    /// Tries changed crew packages for those that take long; `--inputs`, `--grown`, `--over` and `--seed` say how.
    CrewSlow {
        /// Handed on to the rig.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// What a metered call costs on workerd, beside a Worker that only passes on; writes `docs/bench/gateway.md`.
    Gateway {
        /// Calls of each measurement.
        #[arg(long, default_value_t = 1_500)]
        calls: usize,
        /// Only these rows, and nothing is written: `stub`, `plain`, `ours`, `portkey`, `tensorzero`, `litellm`.
        #[arg(long)]
        only: Vec<String>,
    },
    /// How long a new machine waits: first `dev`, `ci` cold and warm, by step; writes `docs/bench/build.md`.
    Build,
    /// Every real change, diffed by us and applied by git, and the other way round.
    Replay,
    /// Looks a minute for inputs that take long.
    Slow,
}

pub fn start(rig: &Rig) -> Done {
    let name = match rig {
        Rig::Build => return build::run(),
        Rig::Gateway { calls, only } => return gateway::run(*calls, only),
        Rig::Patch => "patch",
        Rig::Text => "text",
        Rig::Check => "check",
        Rig::Sandbox => "sandbox",
        Rig::Crew => "crew",
        Rig::CrewSlow { .. } => "crew-slow",
        Rig::Model => "model",
        Rig::Replay => "replay",
        Rig::Slow => "slow",
    };
    let mut cargo = cargo();
    cargo.args(["run", "--quiet", "--release", "--package", "holdpoint-bench", "--", name]);
    if let Rig::CrewSlow { options } = rig {
        cargo.args(options);
    }
    if matches!(rig, Rig::Model) {
        cargo.args(fixtures::measured()?);
    }
    match rig {
        Rig::Check => crate::wasm::for_bench(&["check"])?,
        Rig::Sandbox => crate::wasm::for_bench(&["sandbox"])?,
        Rig::Crew | Rig::Model => crate::wasm::build(crate::wasm::Profile::Small)?,
        _ => {}
    }
    if matches!(rig, Rig::Text | Rig::Model | Rig::Sandbox) {
        tools::npm_packages()?;
        cargo.env("HOLDPOINT_CHROMIUM", tools::chromium()?);
    }
    run(&mut cargo)
}
