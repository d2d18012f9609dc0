//! The gates of a run: check, tests, build, bundle (spec: app-builder.md §10).
//!
//! Invariants: a gate that said yes to a tree is not asked of it again; without a build runner nothing is called
//! verified; one that fails says codes and places, and the source about them.

use std::cell::RefCell;

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, Diagnostic};
use holdpoint_kind::protocol::Gate;
use holdpoint_markup::html;
use serde::Deserialize;
use serde_json::{Value, json};

use super::builds::{BuildAnswer, BuildRequest, Builds, TestAnswer};
use super::scratch::Scratch;
use crate::behaviours::{self, is_behaviour};
use crate::dialect::patch;
use crate::project::normalise;
use crate::rules::package;
use crate::select::{self, DEFAULT_TESTS};

/// What a change must pass, in this order. What fits nowhere was never staged.
pub const GATES: &[Gate] = &[Gate::Place, Gate::Check, Gate::Test, Gate::Build, Gate::Bundle];
/// Findings that go back at most.
const MAX_FINDINGS: usize = 20;
/// Test files that a request of the build runner may name.
const MAX_TEST_PATHS: usize = 100;
/// Scripts of a project that run its tests, the first that is there.
const TEST_SCRIPTS: [&str; 3] = ["test", "test:unit", "test:ci"];
/// Changed files that a result of tests names.
const MAX_CHANGED: usize = 6;
/// Assets that a result names.
const MAX_ASSETS: usize = 12;
const LOG_CHARS: usize = 4_000;

/// What each gate said of a proposal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::struct_excessive_bools, reason = "one a gate, as they are on the wire")]
pub struct Verified {
    pub compile: bool,
    pub tests: bool,
    pub build: bool,
    pub bundle: bool,
}

impl Verified {
    pub fn note(&mut self, gate: Gate) {
        match gate {
            Gate::Place => {}
            Gate::Check => self.compile = true,
            Gate::Test => self.tests = true,
            Gate::Build => self.build = true,
            Gate::Bundle => self.bundle = true,
        }
    }

    /// Whether what was built can be served; tests may be absent.
    pub fn is_built(self) -> bool {
        self.compile && self.build && self.bundle
    }
}

/// Whether a gate said yes, no or nothing.
pub(super) fn verdict(said: &Value) -> Verdict {
    match said.get("status").and_then(Value::as_str) {
        Some("skipped") => Verdict::Skipped,
        _ if said.get("ok") == Some(&Value::Bool(true)) => Verdict::Passed,
        _ => Verdict::Failed,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    Skipped,
    Failed,
}

/// Keeps what a gate said of a tree, if that was yes.
fn noted(scratch: &RefCell<Scratch>, identity: String, gate: Gate, said: Value) -> Value {
    if verdict(&said) == Verdict::Passed {
        scratch.borrow_mut().note_green(identity, gate, said.clone());
    }
    said
}

pub(super) fn compile(scratch: &RefCell<Scratch>) -> Value {
    let identity = scratch.borrow().identity();
    if let Some(said) = scratch.borrow().green(Gate::Check) {
        return said.clone();
    }
    let said = {
        let scratch = scratch.borrow();
        let found = scratch.check().map(|report| report.diagnostics).unwrap_or_default();
        let is_clean = !found.iter().any(Diagnostic::is_error);
        let typecheck = match scratch.built() {
            Some(built) if built.succeeded => "passed",
            Some(built) if built.code.as_deref() == Some("TYPECHECK_FAILED") => "failed",
            _ => "skipped",
        };
        json!({
            "ok": is_clean && typecheck != "failed", "diagnostics": with_source(&scratch, &found),
            "checked_hash": scratch.hash(), "typecheck": typecheck,
        })
    };
    noted(scratch, identity, Gate::Check, said)
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TestArguments {
    paths: Option<Vec<String>>,
}

pub(super) async fn test(
    scratch: &RefCell<Scratch>,
    builds: &impl Builds,
    asked: &TestArguments,
) -> Result<Value, ApiError> {
    if asked.paths.is_none()
        && let Some(said) = scratch.borrow().green(Gate::Test)
    {
        return Ok(said.clone());
    }
    let (identity, files, entry) = tree(scratch);
    let changed: Vec<String> = scratch.borrow().changed().into_iter().map(|one| one.path).collect();
    let paths = match &asked.paths {
        Some(paths) => paths.iter().filter(|path| files.contains_key(*path)).cloned().collect(),
        None => chosen(&scratch.borrow(), &changed)?,
    };
    let changed_paths: Vec<&String> = changed.iter().take(MAX_CHANGED).collect();
    let skipped = |message: &str| {
        json!({
            "ok": true, "status": "skipped", "message": message, "tests": [], "changed_paths": changed_paths,
            "test_paths": paths, "command": null, "elapsed_ms": 0, "diagnostics": [],
        })
    };
    let has_behaviours = !behaviours::paths(&files).is_empty();
    if test_script(&files).is_none() && !has_behaviours {
        return Ok(skipped("The project has no script for tests."));
    }
    if paths.is_empty() {
        return Ok(skipped("No test reaches what was changed."));
    }
    // More files than a request may name: then all run.
    let named: &[String] = if paths.len() > MAX_TEST_PATHS { &[] } else { &paths };
    let Some(answer) = builds.test(&BuildRequest { files: &files, entry: &entry }, named).await else {
        return Ok(skipped("Tests cannot be run here."));
    };
    let TestAnswer { mut passed, tests, mut diagnostics, command, log_tail, elapsed_ms } = answer;
    let unseen = if passed && asked.paths.is_none() { behaviours::not_run(&files, &tests) } else { Vec::new() };
    passed &= unseen.is_empty();
    diagnostics.extend(unseen.iter().map(patch::told));
    let failed = tests.iter().filter(|test| test.status == "failed").count();
    let message = match (passed, failed) {
        (true, _) => format!("{} tests passed.", tests.len()),
        (false, 0) => "The tests ended with an error.".to_owned(),
        (false, _) => format!("{failed} tests failed."),
    };
    let said = json!({
        "ok": passed, "status": if passed { "passed" } else { "failed" }, "message": message, "tests": tests,
        "changed_paths": changed_paths, "test_paths": paths, "command": command, "elapsed_ms": elapsed_ms,
        "log_tail": if failed == 0 && !passed { tail(&log_tail) } else { "" },
        "diagnostics": diagnostics.iter().take(MAX_FINDINGS).collect::<Vec<_>>(),
    });
    // Tests that somebody names are not those that a proposal needs.
    Ok(if asked.paths.is_none() { noted(scratch, identity, Gate::Test, said) } else { said })
}

/// The line of the project that runs its tests, if that is Vitest's.
pub fn test_script(files: &Files) -> Option<String> {
    let declared = package::read(files.get(package::PATH).map(String::as_str))?;
    let has_vitest = ["dependencies", "devDependencies"].iter().any(|map| declared.map(map).contains_key("vitest"));
    let scripts = declared.root.get("scripts")?;
    let line = TEST_SCRIPTS.iter().find_map(|name| scripts.get(name)?.as_str());
    line.filter(|_| has_vitest).map(str::to_owned)
}

/// The tests that reach what was changed, and every approved behaviour.
fn chosen(scratch: &Scratch, changed: &[String]) -> Result<Vec<String>, ApiError> {
    let graph = scratch.check()?.graph;
    let files = normalise(scratch.files()).files;
    let approved = behaviours::paths(&files);
    let reached = select::select(&files, &graph, changed, DEFAULT_TESTS + approved.len()).tests.into_iter();
    let others = reached.map(|test| test.path).filter(|path| !is_behaviour(path)).take(DEFAULT_TESTS);
    Ok(others.chain(approved).collect())
}

/// The tree as it is, so that nothing is borrowed while somebody builds.
fn tree(scratch: &RefCell<Scratch>) -> (String, Files, String) {
    let scratch = scratch.borrow();
    (scratch.identity(), scratch.files().clone(), scratch.entry().to_owned())
}

pub(super) async fn build(scratch: &RefCell<Scratch>, builds: &impl Builds) -> Result<Value, ApiError> {
    if let Some(said) = scratch.borrow().green(Gate::Build) {
        return Ok(said.clone());
    }
    let (identity, files, entry) = tree(scratch);
    let Some(built) = builds.build(&BuildRequest { files: &files, entry: &entry }).await else {
        return Ok(json!({
            "ok": true, "status": "skipped", "reused": false, "dist_manifest": null,
            "summary": "Nothing can be built here.", "diagnostics": [], "log_tail": "",
        }));
    };
    let seconds = built.elapsed_ms as f64 / 1_000.0;
    let summary = if built.succeeded {
        format!("Built in {seconds:.1} s.")
    } else {
        format!("The build failed: {}.", built.code.as_deref().unwrap_or("BUILD_FAILED"))
    };
    let said = json!({
        "ok": built.succeeded, "status": if built.succeeded { "succeeded" } else { "failed" }, "reused": built.reused,
        "code": built.code, "dist_manifest": if built.succeeded { built.dist_manifest.clone() } else { Value::Null },
        "summary": summary, "diagnostics": built.diagnostics.iter().take(MAX_FINDINGS).collect::<Vec<_>>(),
        "log_tail": tail(&built.log_tail),
    });
    scratch.borrow_mut().note_built(identity.clone(), built);
    Ok(noted(scratch, identity, Gate::Build, said))
}

/// The end of a log, in whole characters.
fn tail(log: &str) -> &str {
    let cut = log.char_indices().rev().nth(LOG_CHARS - 1).map_or(0, |(at, _)| at);
    &log[cut..]
}

pub(super) async fn bundle(scratch: &RefCell<Scratch>, builds: &impl Builds) -> Result<Value, ApiError> {
    if let Some(said) = scratch.borrow().green(Gate::Bundle) {
        return Ok(said.clone());
    }
    let built = build(scratch, builds).await?;
    if verdict(&built) != Verdict::Passed {
        let status = if verdict(&built) == Verdict::Skipped { "skipped" } else { "failed" };
        return Ok(
            json!({ "ok": status == "skipped", "status": status, "summary": null, "checks": [], "diagnostics": built["diagnostics"] }),
        );
    }
    let identity = scratch.borrow().identity();
    let said = scratch.borrow().built().map_or(Value::Null, ready);
    Ok(noted(scratch, identity, Gate::Bundle, said))
}

/// What a build left, as it would be served.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Manifest {
    entry_html: String,
    assets: Vec<ManifestAsset>,
}

#[derive(Debug, Deserialize)]
struct ManifestAsset {
    path: String,
    #[serde(default)]
    size: u64,
}

/// Whether what was built can be served as static files.
fn ready(built: &BuildAnswer) -> Value {
    let manifest = Manifest::deserialize(&built.dist_manifest).unwrap_or_default();
    let has_entry = manifest.assets.iter().any(|asset| asset.path == manifest.entry_html);
    let absolute = built.entry_text.as_deref().map(root_absolute).unwrap_or_default();
    let total: u64 = manifest.assets.iter().map(|asset| asset.size).sum();
    let check = |name: &str, ok: bool, message: String| json!({ "check": name, "ok": ok, "message": message });
    let checks = vec![
        check("entry", has_entry, format!("`{}` is what the page begins with.", manifest.entry_html)),
        check(
            "addresses",
            absolute.is_empty(),
            if absolute.is_empty() {
                "Every address is relative.".to_owned()
            } else {
                format!("Write relative addresses instead of {}.", absolute.join(", "))
            },
        ),
        check("sizes", true, format!("{total} bytes in {} files.", manifest.assets.len())),
    ];
    let ok = has_entry && absolute.is_empty();
    let preview: Vec<&str> = manifest.assets.iter().take(MAX_ASSETS).map(|asset| asset.path.as_str()).collect();
    json!({
        "ok": ok, "status": if ok { "ready" } else { "failed" },
        "summary": {
            "entry_html": manifest.entry_html, "asset_count": manifest.assets.len(), "total_bytes": total,
            "asset_paths_preview": preview,
        },
        "checks": checks,
    })
}

/// Addresses of a page that begin at the root of its origin: another app is served there.
fn root_absolute(page: &str) -> Vec<String> {
    let elements = html::read(page).unwrap_or_default();
    let addresses = elements.iter().flat_map(|element| ["src", "href"].map(|name| element.value(name)));
    let is_root = |address: &&str| address.starts_with('/') && !address.starts_with("//");
    addresses.flatten().filter(is_root).map(|address| format!("`{address}`")).collect()
}

/// Findings as they go back: the first, errors before the rest, each with the lines about it.
pub(super) fn with_source(scratch: &Scratch, found: &[Diagnostic]) -> Vec<Value> {
    let (errors, rest): (Vec<_>, Vec<_>) = found.iter().partition(|one| one.is_error());
    let told = |one: &&Diagnostic| {
        let mut told = patch::told(one);
        if let Some(source) = scratch.lines_about(one) {
            told["source"] = source;
        }
        told
    };
    errors.iter().chain(&rest).take(MAX_FINDINGS).map(told).collect()
}
