//! How long models take to open, beside another reader, in one Chromium: what the rig needs, and the rig.
//!
//! The other reader comes from its registry at the version that stands here, into a folder that the product knows nothing of.

use crate::process::{command, root, run as run_to_end, step};
use crate::wasm::Profile;
use crate::{Done, fixtures, tools, wasm};

const RIG: &str = "tests/web/model-bench.ts";
const PEER: &str = "target/bench/model";
const NPM: &str = r#"{"private":true,"dependencies":{"web-ifc":"0.0.78"}}"#;

/// Builds, measures, writes `docs/bench/model.md`.
pub fn run() -> Done {
    tools::npm_packages()?;
    wasm::build(Profile::Small)?;
    let peer = root().join(PEER);
    std::fs::create_dir_all(&peer)?;
    std::fs::write(peer.join("package.json"), NPM)?;
    let quiet = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"];
    run_to_end(command("npm").args(quiet).current_dir(&peer))?;
    let files = fixtures::measured()?;
    step("Measuring");
    let mut node = command("node");
    node.args(["--import", "tsx", RIG]).arg(peer).args(files);
    run_to_end(node.env(tools::CHROMIUM, tools::chromium()?))
}
