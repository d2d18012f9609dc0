//! What a metered call costs: the deployed edge on workerd, beside a Worker that only passes on and beside other gateways,
//! over the same upstream in one run.
//!
//! Other gateways take part where they are installed: `HOLDPOINT_BENCH_PEERS` is a folder with the npm package
//! `@portkey-ai/gateway`, `HOLDPOINT_BENCH_LITELLM` the program `litellm`, `HOLDPOINT_BENCH_PYTHON` a Python that has
//! `tensorzero`.

use std::fmt::Write as _;

use serde::Deserialize;

use crate::process::{Fault, command, root, step};
use crate::wasm::{BENCH_EDGE, edge_for_bench};
use crate::{Done, tools};

const RIG: &str = "crates/bench/src/gateway/run.mjs";
const TABLE: &str = "docs/bench/gateway.md";

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
    let mut node = command("node");
    node.args(["--import", "tsx", RIG, &calls.to_string()]).args(only);
    let output =
        node.env("HOLDPOINT_EDGE_BUILD", root().join(BENCH_EDGE)).stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(Fault::told("the rig of the gateway failed: see above"));
    }
    let rows: Vec<Told> = serde_json::from_slice(&output.stdout)
        .map_err(|error| Fault::told(format!("the rig of the gateway said no rows: {error}")))?;
    let text = table(calls, &rows)?;
    println!("{text}");
    if only.is_empty() {
        std::fs::write(root().join(TABLE), text)?;
        step(&format!("Written: {TABLE}"));
    }
    Ok(())
}

fn table(calls: usize, rows: &[Told]) -> Result<String, Fault> {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default();
    let cores = std::thread::available_parallelism()?;
    let mut text = format!(
        "# What a metered call costs\n\nWritten by `cargo xtask bench gateway`: {calls} calls of 400 bytes a measurement, one after \
         the other and 16 at once, over the same stub upstream in one run, on {cores} cores (load at the end {load}). Milliseconds; \
         CPU is the gateway's process alone, which does not depend on what else the machine does.\n\n\
         | gateway | p50 | p99 | first of a stream | calls/s, 16 at once | CPU a call | CPU, 16 at once | KB to disk a call |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    let told = |value: Option<f64>, scale: f64| value.map_or_else(String::new, |value| format!("{:.2}", value / scale));
    for row in rows {
        let row = match row {
            Told::Measured(row) => row,
            Told::Failed { name, failed } => {
                let _ = writeln!(text, "| {name} | not measured: {} | | | | | | |", failed.replace('|', "/"));
                continue;
            }
        };
        let Row { name, p50, p99, first, throughput, cpu, cpu_at_once, written, .. } = row;
        let (cpu, at_once) = (told(*cpu, 1.0), told(*cpu_at_once, 1.0));
        let kb = told(*written, 1_000.0);
        let _ = writeln!(
            text,
            "| {name} | {p50:.2} | {p99:.2} | {first:.2} | {throughput:.0} | {cpu} | {at_once} | {kb} |"
        );
    }
    Ok(text)
}
