//! What a metered call costs: the deployed edge on workerd, beside a Worker that only passes on and beside other gateways,
//! over the same upstream in one run.
//!
//! Other gateways come from their registries, at the versions that stand here, and are kept in [`PEERS`]. One that cannot
//! be had has a row that says so.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::process::{Fault, command, root, run as run_to_end, step};
use crate::wasm::{BENCH_EDGE, edge_for_bench};
use crate::{Done, own, tools};

const RIG: &str = "crates/bench/src/gateway/run.mjs";
const TABLE: &str = "docs/bench/gateway.md";
const PEERS: &str = "target/bench/peers";
/// The server of Node that Portkey's gateway takes in its newest version passes streams on with headers that the gateway
/// cannot add to, so that each stream is answered with 500.
const NPM: &str = r#"{"dependencies":{"@portkey-ai/gateway":"1.15.2"},"overrides":{"@hono/node-server":"1.13.8"}}"#;
const PYPI: [&str; 2] = ["tensorzero==2026.6.0", "litellm[proxy]==1.108.7"];

/// What the rig says.
#[derive(Debug, Deserialize)]
struct Report {
    rows: Vec<Told>,
    module: Option<ModuleSize>,
}

/// Bytes of the edge's Wasm, as it is and as it is uploaded.
#[derive(Debug, Deserialize)]
struct ModuleSize {
    raw: f64,
    gzip: f64,
}

/// What the calls of one gateway cost; milliseconds. `None`: it is no process of its own.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: String,
    p50: f64,
    p99: f64,
    /// To the first byte of a stream.
    first: f64,
    /// Calls a second.
    throughput: f64,
    /// On the processor, for one call after the other.
    cpu: Option<f64>,
    /// On the processor, for many at once.
    cpu_at_once: Option<f64>,
    /// Bytes to the disk.
    written: Option<f64>,
    /// Bytes that 200 open streams take above idle.
    memory: Option<f64>,
}

/// What the rig says of one gateway.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Told {
    Measured(Row),
    /// It did not start or did not keep up, and why.
    Failed {
        name: String,
        failed: String,
    },
}

/// Builds, measures, prints; writes the table where every gateway was asked.
pub fn run(calls: usize, only: &[String]) -> Done {
    edge_for_bench()?;
    tools::npm_packages()?;
    let peers = root().join(PEERS);
    let venv = peers.join("venv/bin");
    if only.is_empty() || only.iter().any(|name| ["portkey", "tensorzero", "litellm"].contains(&name.as_str())) {
        step("Other gateways");
        own::folder(&peers)?;
        for missing in [install_npm(&peers), install_pypi(&peers)].into_iter().filter_map(Result::err) {
            step(&format!("Some other gateways are not measured: {missing}"));
        }
    }
    step("Measuring");
    let mut node = command("node");
    node.args(["--import", "tsx", RIG, &calls.to_string()]).args(only);
    node.env("HOLDPOINT_EDGE_BUILD", root().join(BENCH_EDGE)).env("HOLDPOINT_BENCH_PEERS", &peers);
    for (name, program) in [("HOLDPOINT_BENCH_PYTHON", "python"), ("HOLDPOINT_BENCH_LITELLM", "litellm")] {
        node.env(name, Some(venv.join(program)).filter(|program| program.exists()).unwrap_or_default());
    }
    let output = node.stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(Fault::told("the rig of the gateway failed: see above"));
    }
    let report: Report = serde_json::from_slice(&output.stdout)
        .map_err(|error| Fault::told(format!("the rig of the gateway said no rows: {error}")))?;
    let text = table(calls, &report)?;
    println!("{text}");
    if only.is_empty() {
        std::fs::write(root().join(TABLE), text)?;
        step(&format!("Written: {TABLE}"));
    }
    Ok(())
}

fn install_npm(folder: &Path) -> Done {
    std::fs::write(folder.join("package.json"), NPM)?;
    let quiet = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"];
    run_to_end(command("npm").args(quiet).current_dir(folder))
}

fn install_pypi(folder: &Path) -> Done {
    let venv = folder.join("venv");
    run_to_end(command("python3").args(["-m", "venv"]).arg(&venv))?;
    run_to_end(command(venv.join("bin/pip")).args(["install", "--quiet", "--disable-pip-version-check"]).args(PYPI))
}

fn table(calls: usize, report: &Report) -> Result<String, Fault> {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default();
    let cores = std::thread::available_parallelism()?;
    let mut text = format!(
        "# What a metered call costs\n\nWritten by `cargo xtask bench gateway`: {calls} calls of 400 bytes a measurement, one after \
         the other and 16 at once, over the same stub upstream in one run, the median of three rounds, on {cores} cores (load at \
         the end {load}). Milliseconds; CPU is the gateway's process alone, which does not depend on what else the machine does; \
         memory is what 200 open streams take above idle.\n\n"
    );
    gates(&mut text, report);
    text += "| gateway | p50 | p99 | first of a stream | calls/s, 16 at once | CPU a call | CPU, 16 at once | KB to disk a call | MB, 200 streams |\n\
             |---|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    let told = |value: Option<f64>, scale: f64| value.map_or_else(String::new, |value| format!("{:.2}", value / scale));
    for row in &report.rows {
        let row = match row {
            Told::Measured(row) => row,
            Told::Failed { name, failed } => {
                let _ = writeln!(text, "| {name} | not measured: {} | | | | | | | |", failed.replace('|', "/"));
                continue;
            }
        };
        let Row { name, p50, p99, first, throughput, cpu, cpu_at_once, written, memory } = row;
        let (cpu, at_once) = (told(*cpu, 1.0), told(*cpu_at_once, 1.0));
        let (kb, mb) = (told(*written, 1_000.0), told(*memory, 1e6));
        let _ = writeln!(
            text,
            "| {name} | {p50:.2} | {p99:.2} | {first:.2} | {throughput:.0} | {cpu} | {at_once} | {kb} | {mb} |"
        );
    }
    text += "\nOther gateways at the versions of that day: ";
    text += &format!("{NPM}, {}.\n", PYPI.join(", "));
    Ok(text)
}

/// What is to be reached, beside what is measured; a figure that was not measured has no line.
fn gates(text: &mut String, report: &Report) {
    let named = |word: &str| {
        report.rows.iter().find_map(|told| match told {
            Told::Measured(row) if row.name.contains(word) => Some(row),
            _ => None,
        })
    };
    let Some(ours) = named("Holdpoint") else { return };
    let plain = named("passes on");
    let added = |part: fn(&Row) -> f64| plain.map(|plain| part(ours) - part(plain));
    let times = |other: &str| named(other).map(|other| ours.throughput / other.throughput);
    let module = report.module.as_ref();
    *text += "| figure | measured | to reach | |\n|---|--:|--:|---|\n";
    for (figure, measured, most, unit) in [
        ("added to a Worker that passes on, p50", added(|row| row.p50), 1.0, " ms"),
        ("the same, p99", added(|row| row.p99), 5.0, " ms"),
        ("first of a stream later", added(|row| row.first), 2.0, " ms"),
        ("CPU a call", ours.cpu, 1.5, " ms"),
        ("200 streams above idle", ours.memory.map(|bytes| bytes / 1e6), 200.0, " MB"),
        ("the edge's module, gzip", module.map(|module| module.gzip / 1e6), 3.0, " MB"),
    ] {
        gate(text, figure, measured, unit, |value| value <= most, &format!("≤ {most}{unit}"));
    }
    gate(
        text,
        "calls/s beside Portkey's gateway without budgets",
        times("Portkey"),
        " ×",
        |value| value > 1.0,
        "> 1 ×",
    );
    gate(text, "calls/s beside LiteLLM's proxy with a budget", times("LiteLLM"), " ×", |value| value >= 10.0, "≥ 10 ×");
    if let Some(ModuleSize { raw, .. }) = module {
        let _ = writeln!(text, "| the edge's module, raw | {:.2} MB | | |", raw / 1e6);
    }
    *text += "\n";
}

fn gate(text: &mut String, figure: &str, measured: Option<f64>, unit: &str, holds: impl Fn(f64) -> bool, reach: &str) {
    if let Some(measured) = measured {
        let word = if holds(measured) { "green" } else { "**red**" };
        let _ = writeln!(text, "| {figure} | {measured:.2}{unit} | {reach} | {word} |");
    }
}
