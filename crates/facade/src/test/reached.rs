//! Codes and sources: nothing gives a code that no table has, and tests reach every code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex::Regex;

use super::codes::{declared, names};
use super::root;

/// Files whose words in capitals are names of variables, limits and IFC, not codes.
const NO_CODES: &[&str] = &[
    "crates/bench/",
    "crates/cli/src/args.rs",
    "crates/gateway/src/config.rs",
    "crates/gateway/src/limits.rs",
    "crates/model/src/",
    "crates/text/src/input.rs",
    "crates/xtask/",
    "worker/src/artifacts.rs",
    "worker/src/kinds/script_tool/settings.rs",
    "worker/src/kinds/vite_app/settings.rs",
    "worker/src/objects.rs",
    "worker/src/settings.rs",
    "www/app/gallery/",
];
/// Names of variables and limits in other files; beside all that begin with `MAX_` or end with `WALL_MS`.
const NAMES: &[&str] = &[
    "AI_METRICS_ALERT_APPLY_CONVERSION_RATE",
    "AI_METRICS_ALERT_FAILURE_RATE",
    "AI_METRICS_ALERT_P95_MS",
    "AI_SESSION_IDLE_MS",
    "AI_TRANSCRIPT_TTL_MS",
    "AI_WORKBENCH_CANARY_ENABLED",
    "AI_WORKBENCH_CANARY_PERCENT",
    "AI_WORKBENCH_CANARY_USER_IDS",
    "AI_WORKBENCH_DISABLE_APPLY",
    "ALL_PROXY",
    "CARGO_CFG_TARGET_FAMILY",
    "CARGO_MANIFEST_DIR",
    "CARGO_PKG_VERSION",
    "CREW_TURN_DEADLINE_MS",
    "CREW_TURN_EVENTS_MS",
    "ERR_WORKER_OUT_OF_MEMORY",
    "GIT_INDEX_FILE",
    "FIRST_ACCOUNT_SECRET",
    "HOLDPOINT_KEY",
    "HOLDPOINT_ORIGIN",
    "HOLDPOINT_QUICK",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NODE_ENV",
    "NODE_EXTRA_CA_CERTS",
    "NODE_USE_ENV_PROXY",
    "NO_PROXY",
    "ONLY_HERE",
    "OUT_DIR",
    "PR_SET_DUMPABLE",
    "PR_SET_PDEATHSIG",
    "RUN_MAX_MODEL_CALLS",
    "RUN_MAX_REPAIRS",
    "RUN_MAX_TOKENS",
    "RUN_MAX_TOOL_CALLS",
    "RUN_WALL_SECONDS",
    "SCREAMING_SNAKE_CASE",
    "SSE_EVENT_BYTES",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "VITE_TITLE",
];

/// Codes that no test names, and why.
const UNREACHED: &[(&str, &str)] = &[
    ("GATE_NOT_ASKED", "a gate that no protocol at the edge has"),
    ("LLM_PROFILE_HINT", "sentences of hints, which are told without their code"),
    ("NOT_READY", "a page that asks too early"),
    ("TESTS_NOT_RUN", "a sandbox that does not start"),
];

fn visit(dir: &Path, found: &mut Vec<(PathBuf, String)>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            let built =
                ["target", "node_modules", "generated", "dist", "wasm", "build", "shots"].contains(&name.as_str());
            if !built {
                visit(&path, found);
            }
        } else if [".rs", ".ts", ".mjs", ".jsonl", ".json"].iter().any(|ending| name.ends_with(ending)) {
            found.extend(std::fs::read_to_string(&path).ok().map(|text| (path, text)));
        }
    }
}

fn files() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for dir in ["crates", "worker", "www", "tests", "fixtures/transcripts"] {
        visit(&root().join(dir), &mut found);
    }
    let top = root();
    let relative = |path: PathBuf| path.strip_prefix(&top).unwrap_or(&path).to_string_lossy().into_owned();
    found.into_iter().map(|(path, text)| (relative(path), text)).collect()
}

/// The product's part of a source and its tests' part.
fn parts<'t>(path: &str, text: &'t str) -> (&'t str, &'t str) {
    let tests = ["tests/", "/test/", "/test.rs", "/tests.rs", "/testing.rs", "/reference.rs", "/fuzz/", "fixtures/"];
    if tests.iter().any(|part| path.contains(part)) {
        return ("", text);
    }
    let inside = ["#[cfg(test)]\nmod tests {", "#[cfg(all(test"].iter().filter_map(|mark| text.find(mark)).min();
    text.split_at(inside.unwrap_or(text.len()))
}

/// The codes that a source gives: quoted words in capitals with a low line, and any that an error is made of.
fn given(path: &str, text: &str) -> BTreeSet<String> {
    let mut patterns = vec![
        Regex::new(r#""([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)""#).unwrap(),
        Regex::new(r#"\b(?:new|error|warning|info|as_code)\(\s*(?:\d+,\s*)?"([A-Z][A-Z0-9_]+)""#).unwrap(),
    ];
    if path.ends_with(".ts") {
        patterns.push(Regex::new(r"['`]([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)['`]").unwrap());
    }
    let words = patterns.iter().flat_map(|pattern| pattern.captures_iter(text).map(|found| found[1].to_owned()));
    words
        .filter(|word| !NAMES.contains(&word.as_str()) && !word.starts_with("MAX_") && !word.ends_with("WALL_MS"))
        .collect()
}

/// Sources of the product with their part of it.
fn sources(files: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    let product = |path: &str| {
        let source = path.ends_with(".rs") || path.ends_with(".ts");
        source && !NO_CODES.iter().any(|place| path.starts_with(place))
    };
    files.iter().filter(move |(path, _)| product(path)).map(|(path, text)| (path.as_str(), parts(path, text).0))
}

#[test]
fn every_code_stands_in_a_table() {
    let mut known = names();
    known.extend(declared().iter().map(|code| code.case.to_owned()));
    known.extend(holdpoint_sdk::codes::PREFIXED.iter().map(|code| format!("TEST_{code}")));
    let files = files();
    let mut missing = BTreeSet::new();
    let mut count = 0;
    for (path, text) in sources(&files) {
        let given = given(path, text);
        count += given.len();
        missing.extend(given.difference(&known).map(|word| format!("{word} in {path}")));
    }
    assert!(count > 300, "the patterns find codes");
    assert!(missing.is_empty(), "codes without a table, add them where they are given:\n{missing:#?}");
}

#[test]
fn codes_are_found_as_they_are_given() {
    let source =
        "EdgeError::new(403, \"FORBIDDEN\", x); ApiError::new(\n \"CONFLICT\"); [\"TOOL_FILE\", \"GET\", \"MAX_OPS\"]";
    let found: Vec<String> = given("a.rs", source).into_iter().collect();
    assert_eq!(found, ["CONFLICT", "FORBIDDEN", "TOOL_FILE"]);
    assert!(given("a.ts", "case 'NO_SUCH_CODE':").contains("NO_SUCH_CODE"));
}

/// `EdgeError::of(409, &PREVIEWED, …)` and `EdgeError::new(409, "CONFLICT", …)` of the Worker have the status of the tables.
#[test]
fn the_worker_gives_codes_with_their_status() {
    use holdpoint_gateway::codes::{EDGE, EDITOR, ENVELOPE};
    let fault = Regex::new(r#"(?:\b(?:new|of)|as_code)\(\s*(\d{3}),\s*["&](?:codes::)?([A-Z_]+)"#).unwrap();
    let sentences = declared().into_iter().filter(|code| !code.case.is_empty());
    let named: BTreeMap<&str, &str> = sentences.map(|code| (code.case, code.name)).collect();
    let tables = holdpoint_gateway::Code::ALL.iter().map(|code| (code.name(), code.status()));
    let tables = tables.chain(holdpoint_kind_app::routes::codes::ANSWERS.iter().copied());
    let tables = tables.chain(EDGE.iter().chain(EDITOR).chain(ENVELOPE).map(|row| (row.0, row.1)));
    let mut statuses: BTreeMap<&str, BTreeSet<u16>> = BTreeMap::new();
    for (code, status) in tables {
        statuses.entry(code).or_default().insert(status);
    }
    let files = files();
    let mut count = 0;
    for (path, text) in sources(&files).filter(|(path, _)| path.starts_with("worker/")) {
        for found in fault.captures_iter(text) {
            count += 1;
            let status: u16 = found[1].parse().unwrap();
            let name = named.get(&found[2]).copied().unwrap_or(&found[2]);
            let known = statuses.get(name).is_some_and(|known| known.contains(&status));
            assert!(known, "{path} gives {name} with {status}: no table of the edge says so");
        }
    }
    assert!(count > 10, "the pattern finds faults");
}

/// Every word that a test says.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[test]
fn tests_reach_every_code() {
    let files = files();
    let mut reached = BTreeSet::new();
    for (path, text) in &files {
        if !path.starts_with("crates/facade/src/test/") || path.ends_with("/provoked.rs") {
            reached.extend(words(parts(path, text).1));
        }
    }
    let is_reached = |code: &str| reached.contains(code) || reached.contains(format!("TEST_{code}").as_str());
    let unreached: Vec<String> = names().into_iter().filter(|code| !is_reached(code)).collect();
    let known: Vec<&str> = UNREACHED.iter().map(|(code, _)| *code).collect();
    assert_eq!(unreached, known, "codes that no test names, and those of UNREACHED");
}
