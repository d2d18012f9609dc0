//! `cargo xtask bench`: the rigs of the text engine, of the check and of crew packages, optimised, and how long building takes.

use clap::Subcommand;

use crate::process::{cargo, run};
use crate::{Done, tools};

mod build;

/// A rig.
#[derive(Debug, Clone, Subcommand)]
pub enum Rig {
    /// The public patch benchmark; writes `docs/bench/patch.md`.
    Patch,
    /// Speed natively, in Node and in Chromium; writes `docs/bench/text.md`.
    Text,
    /// Speed of `bundle.check` in Node, beside packages that do its reading; writes `docs/bench/check.md`.
    Check,
    /// Speed of crew packages natively and in Node, also of hostile ones; writes `docs/bench/crew.md`.
    Crew,
    /// Tries changed crew packages for those that take long; `--inputs`, `--grown`, `--over` and `--seed` say how.
    CrewSlow {
        /// Handed on to the rig.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
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
        Rig::Patch => "patch",
        Rig::Text => "text",
        Rig::Check => "check",
        Rig::Crew => "crew",
        Rig::CrewSlow { .. } => "crew-slow",
        Rig::Replay => "replay",
        Rig::Slow => "slow",
    };
    let mut cargo = cargo();
    cargo.args(["run", "--quiet", "--release", "--package", "holdpoint-bench", "--", name]);
    if let Rig::CrewSlow { options } = rig {
        cargo.args(options);
    }
    if matches!(rig, Rig::Check | Rig::Crew) {
        crate::wasm::build(crate::wasm::Profile::Small)?;
    }
    if matches!(rig, Rig::Text) {
        tools::npm_packages()?;
        cargo.env("HOLDPOINT_CHROMIUM", tools::chromium()?);
    }
    run(&mut cargo)
}
