//! How fast a bundle is checked: the page's `bundle.check` in Node beside the packages that would do its reading.
//!
//! The peer reads and stops there: ajv validates the documents, acorn and eslint-scope read the modules. Rules, findings
//! and places are in our time and not in its own.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::fault::{Fault, output};
use crate::tools::npm_install;

/// The packages that are measured.
const PEERS: [&str; 3] = ["ajv@8.20.0", "acorn@8.19.0", "eslint-scope@9.1.2"];

/// A measured bundle.
#[derive(Debug, Deserialize)]
struct Measured {
    bytes: usize,
    files: usize,
    /// Median milliseconds of `bundle.check`, JSON in and out.
    ours: f64,
    /// Median milliseconds of the packages.
    theirs: f64,
    /// Whether both sides read all of it and found no fault.
    valid: bool,
}

/// Runs everything; answers the document.
pub fn run(root: &Path, cache: &Path) -> Result<String, Fault> {
    let folder = npm_install(cache, "check", &PEERS)?;
    let mut node = Command::new("node");
    node.arg(root.join("crates/bench/src/check.mjs")).arg(folder).current_dir(root).stderr(Stdio::inherit());
    let rows: Vec<Measured> = serde_json::from_slice(&output(&mut node, 0)?)?;
    let mut text = format!(
        "# Speed of the check\n\nWritten by `cargo xtask bench check`: medians in milliseconds in Node, on one machine, after \
         0.7 s of warming up. Ours is `bundle.check` of `wasm-check-extension`, JSON in and out, all rules. The packages ({}) only \
         read: schemas compiled ahead, JSON.parse and validation of the documents, syntax trees with places and scopes of \
         the modules; they have no rules.\n\n\
         | bundle | files | holdpoint | packages | times faster | valid |\n|--:|--:|--:|--:|--:|---|\n",
        PEERS.join(", ")
    );
    for Measured { bytes, files, ours, theirs, valid } in &rows {
        let (kilobytes, faster) = (*bytes as f64 / 1_000.0, theirs / ours);
        let valid = if *valid { "yes" } else { "no" };
        let _ = writeln!(text, "| {kilobytes:.0} KB | {files} | {ours:.2} | {theirs:.2} | {faster:.1} | {valid} |");
    }
    Ok(text)
}

/// Where the document stands.
pub fn place(root: &Path) -> PathBuf {
    root.join("docs/bench/check.md")
}
