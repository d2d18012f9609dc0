//! Each tool on the smallest pack, and a run's gates with a runner that is played.

use std::cell::Cell;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use holdpoint_kind::protocol::Gate;
use serde_json::from_value;

use super::*;
use crate::options::RawOptions;
use crate::packs;
use crate::renew::renew;

fn options() -> RawOptions {
    from_value(json!({ "catalog": "2026-11" })).unwrap()
}

fn pack() -> ProjectFiles {
    let pack = packs::find("blank-react").unwrap();
    let mut files = pack.files.clone();
    files.insert("package-lock.json".to_owned(), renew(&files, &options().resolve().unwrap()).unwrap());
    ProjectFiles { files, entry: pack.manifest.entry_file.clone() }
}

fn scratch() -> RefCell<Scratch> {
    RefCell::new(Scratch::new(pack(), None, options()))
}

/// Nothing here waits: what is played is there at once.
fn now<T>(work: impl Future<Output = T>) -> T {
    match pin!(work).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => panic!("a played runner does not wait"),
    }
}

fn call(scratch: &RefCell<Scratch>, name: &str, arguments: &Value) -> Result<Value, ApiError> {
    now(run(scratch, &NoBuilds, name, arguments))
}

fn ok(scratch: &RefCell<Scratch>, name: &str, arguments: &Value) -> Value {
    call(scratch, name, arguments).unwrap()
}

fn patch(path: &str, lines: &[&str]) -> Value {
    json!({ "op": "patch", "path": path, "patch": lines.join("\n") + "\n" })
}

/// The heading of the pack, in other words.
fn heading(words: &str) -> Value {
    let old = "-        <h1>A page, ready to begin</h1>";
    patch(
        "src/App.tsx",
        &["--- a/src/App.tsx", "+++ b/src/App.tsx", "@@ -11,1 +11,1 @@", old, &format!("+        <h1>{words}</h1>")],
    )
}

#[test]
fn the_tools_are_those_of_the_data_and_looking_is_no_staging() {
    let names = |edits| tools(edits).iter().map(|tool| tool.name).collect::<Vec<_>>();
    assert_eq!(names(true).len(), 11);
    let looking = [
        "list_files",
        "read_file",
        "search_code",
        "compile_project",
        "run_targeted_tests",
        "build_project_worker",
        "prepare_static_bundle",
        "ask_user",
    ];
    assert_eq!(names(false), looking);
    assert!(tools(false).iter().all(|tool| tool.access != Access::Stage));
    let stage = tools(true).iter().find(|tool| tool.name == STAGE).unwrap();
    assert!(stage.schema.contains("upsert_file") && !stage.schema.contains("$ref"), "operations stand in it");
}

#[test]
fn files_are_listed_by_prefix_and_pattern() {
    let scratch = scratch();
    let all = ok(&scratch, "list_files", &json!({}));
    assert_eq!((all["total"].as_u64(), &all["truncated"]), (Some(14), &json!(false)));
    let tests = ok(&scratch, "list_files", &json!({ "glob": "src/**/*.test.tsx" }));
    let row = &tests["files"][0];
    assert_eq!((&row["path"], &row["kind"], &row["test"]), (&json!("src/App.test.tsx"), &json!("code"), &json!(true)));
    let page = ok(&scratch, "list_files", &json!({ "prefix": "src/", "limit": 2, "offset": 1 }));
    assert_eq!((page["files"].as_array().unwrap().len(), &page["truncated"]), (2, &json!(true)));
}

#[test]
fn lines_of_a_file_are_read_and_what_is_not_there_has_candidates() {
    let scratch = scratch();
    let part = ok(&scratch, "read_file", &json!({ "path": "src/App.tsx", "start_line": 7, "end_line": 8 }));
    assert_eq!(part["text"], "export function App() {\n  return (\n");
    assert_eq!((&part["start_line"], &part["end_line"], &part["truncated"]), (&json!(7), &json!(8), &json!(false)));
    let cut = ok(&scratch, "read_file", &json!({ "path": "src/styles.css", "max_bytes": 256 }));
    assert!(cut["truncated"] == true && cut["text"].as_str().unwrap().ends_with('\n'), "whole lines");
    let behind = ok(&scratch, "read_file", &json!({ "path": "src/App.tsx", "start_line": 900 }));
    assert_eq!((&behind["text"], &behind["truncated"]), (&json!(""), &json!(false)));
    let missing = call(&scratch, "read_file", &json!({ "path": "App.tsx" })).unwrap_err();
    assert_eq!((missing.code.as_str(), &missing.details["candidates"]), ("FILE_NOT_FOUND", &json!(["src/App.tsx"])));
}

#[test]
fn code_is_searched_as_text_by_its_words_and_by_expressions() {
    let scratch = scratch();
    let search =
        |query: &str, mode: &str| ok(&scratch, "search_code", &json!({ "query": query, "mode": mode, "context": 1 }));
    let exact = search("ready to begin", "text");
    let hit = &exact["matches"][0];
    assert_eq!(
        (&exact["match"], &hit["column"], &hit["context"]["start_line"]),
        (&json!("exact"), &json!(21), &json!(10))
    );
    assert_eq!(search("begin ready page", "text")["match"], "words");
    assert_eq!(search("IDEAS footer-less lead", "text")["total"], 0);
    assert_eq!(search("IDEAS className lead", "text")["match"], "file");
    assert_eq!(search("App", "symbol")["matches"][0]["path"], "index.html".replace("index.html", "README.md").as_str());
    assert!(search("<h[0-9]", "regex")["total"].as_u64().unwrap() > 2);
    let odd = call(&scratch, "search_code", &json!({ "query": "(", "mode": "regex" })).unwrap_err();
    assert_eq!(odd.code, "TOOL_INPUT_INVALID");
}

#[test]
fn all_operations_are_staged_or_none() {
    let scratch = scratch();
    let before = scratch.borrow().hash();
    let bad = json!({ "op": "upsert_file", "path": "lib/x.ts", "content": "" });
    let refused = ok(&scratch, STAGE, &json!({ "operations": [heading("Lunch"), bad] }));
    assert_eq!((&refused["staged"], &refused["diagnostics"][0]["code"]), (&json!(false), &json!("PATH_NOT_ALLOWED")));
    assert_eq!(scratch.borrow().hash(), before);
    let staged = ok(&scratch, STAGE, &json!({ "operations": [heading("Lunch")] }));
    assert_eq!((&staged["ok"], &staged["changed"][0]["path"]), (&json!(true), &json!("src/App.tsx")));
    let again = ok(&scratch, STAGE, &json!({ "operations": [heading("Supper")] }));
    let failure = &again["failures"][0];
    assert_eq!((&failure["index"], &failure["code"]), (&json!(0), &json!("PATCH_REJECTED")));
    assert!(failure["current"]["text"].as_str().unwrap().contains("<h1>Lunch</h1>"), "what stands there now");
}

#[test]
fn a_guard_is_staged_only_where_it_is_named() {
    let scratch = scratch();
    let short =
        json!([{ "op": "upsert_file", "path": "src/styles.css", "content": "/* ... rest of the file ... */\n" }]);
    let held = ok(&scratch, STAGE, &json!({ "operations": short }));
    let codes: Vec<_> =
        held["diagnostics"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!((&held["staged"], codes), (&json!(false), vec!["SHRINK_SUSPECT", "ELISION_SUSPECT"]));
    let one = json!({ "operations": short, "accept_warnings": ["SHRINK_SUSPECT"] });
    assert_eq!(ok(&scratch, STAGE, &one)["staged"], false, "the other was not named");
    let both = json!({ "operations": short, "accept_warnings": ["SHRINK_SUSPECT", "ELISION_SUSPECT"] });
    assert_eq!(ok(&scratch, STAGE, &both)["staged"], true);
}

#[test]
fn files_are_put_back() {
    let scratch = scratch();
    let new = json!({ "op": "upsert_file", "path": "src/new.ts", "content": "export {};\n" });
    ok(&scratch, STAGE, &json!({ "operations": [heading("Lunch"), new] }));
    let left = ok(&scratch, DISCARD, &json!({ "paths": ["src/new.ts"] }));
    assert_eq!(left["changed"], json!([{ "path": "src/App.tsx", "status": "modified" }]));
    assert_eq!(call(&scratch, DISCARD, &json!({ "paths": ["src/no.ts"] })).unwrap_err().code, "FILE_NOT_FOUND");
    assert_eq!(ok(&scratch, DISCARD, &json!({}))["changed"], json!([]));
    assert!(!scratch.borrow().has_changes());
}

#[test]
fn the_check_tells_the_lines_about_a_fault() {
    let scratch = scratch();
    ok(
        &scratch,
        STAGE,
        &json!({ "operations": [{ "op": "upsert_file", "path": "src/new.ts", "content": "import './gone';\n" }] }),
    );
    let checked = ok(&scratch, COMPILE, &json!({}));
    let found = &checked["diagnostics"][0];
    assert_eq!(
        (&checked["ok"], &found["code"], &checked["typecheck"]),
        (&json!(false), &json!("IMPORT_UNRESOLVED"), &json!("skipped"))
    );
    assert_eq!(found["source"], json!({ "start_line": 1, "lines": ["import './gone';"] }));
}

/// A runner that answers what it is told to, and counts.
#[derive(Default)]
struct Played {
    build: BuildAnswer,
    tests_fail: bool,
    /// Cases are left out while the tests run, as a configuration can do it.
    tests_skip: bool,
    builds: Cell<u32>,
    tests: Cell<u32>,
}

impl Builds for Played {
    async fn build(&self, _: &BuildRequest<'_>) -> Option<BuildAnswer> {
        self.builds.set(self.builds.get() + 1);
        Some(self.build.clone())
    }

    async fn test(&self, _: &BuildRequest<'_>, paths: &[String]) -> Option<TestAnswer> {
        self.tests.set(self.tests.get() + 1);
        let test = |path: &String| TestedCase {
            path: path.clone(),
            name: "shows".to_owned(),
            status: match (self.tests_fail, self.tests_skip) {
                (true, _) => "failed",
                (_, true) => "skipped",
                _ => "passed",
            }
            .to_owned(),
            message: None,
        };
        Some(TestAnswer { passed: !self.tests_fail, tests: paths.iter().map(test).collect(), ..TestAnswer::default() })
    }
}

fn built(page: &str) -> BuildAnswer {
    let assets = json!([{ "path": "index.html", "size": 12, "sha256": "sha256:00" }]);
    BuildAnswer {
        succeeded: true,
        dist_manifest: json!({ "entry_html": "index.html", "assets": assets }),
        entry_text: Some(page.to_owned()),
        ..BuildAnswer::default()
    }
}

fn propose_with(scratch: &RefCell<Scratch>, played: &Played) -> Result<Value, ApiError> {
    let words = json!({ "summary": "Another heading.", "rationale": "It was asked for.", "assumptions": ["English"] });
    now(run(scratch, played, PROPOSE, &words))
}

#[test]
fn a_proposal_passes_every_gate_once() {
    let scratch = scratch();
    assert_eq!(propose_with(&scratch, &Played::default()).unwrap_err().details.get("gate"), None, "nothing is changed");
    ok(&scratch, STAGE, &json!({ "operations": [heading("Lunch")] }));
    let played = Played { build: built("<script src=\"./assets/a.js\"></script>"), ..Played::default() };
    assert_eq!(now(run(&scratch, &played, TEST, &json!({}))).unwrap()["test_paths"], json!(["src/App.test.tsx"]));
    let proposal: Proposal = from_value(propose_with(&scratch, &played).unwrap()).unwrap();
    assert_eq!((played.builds.get(), played.tests.get()), (1, 1), "a gate that is green is not asked again");
    assert_eq!(proposal.verified, Verified { compile: true, tests: true, build: true, bundle: true });
    assert_eq!((proposal.operations.clone(), proposal.summary.as_str()), (vec![heading("Lunch")], "Another heading."));
    assert_eq!(proposal.result_hash, scratch.borrow().hash());
    assert_eq!(scratch.borrow().green(Gate::Bundle).unwrap()["status"], "ready");
    ok(&scratch, STAGE, &json!({ "operations": [{ "op": "delete_file", "path": "README.md" }] }));
    assert_eq!(scratch.borrow().green(Gate::Bundle), None, "another tree");
}

#[test]
fn approved_behaviours_run_with_every_change_and_are_seen_to_hold() {
    const STAYS: &str = "src/behaviours/stays.test.tsx";
    let mut draft = pack();
    let text = "import { expect, test } from 'vitest';\ntest('It stays.', () => expect(1).toBe(1));\n";
    draft.files.insert(STAYS.to_owned(), text.to_owned());
    let scratch = RefCell::new(Scratch::new(draft, None, options()));
    ok(&scratch, STAGE, &json!({ "operations": [{ "op": "delete_file", "path": "README.md" }] }));
    let skips = Played { tests_skip: true, ..Played::default() };
    let refused = propose_with(&scratch, &skips).unwrap_err();
    assert_eq!(
        (&refused.details["gate"], &refused.details["diagnostics"][0]["code"]),
        (&json!("tests"), &json!("BEHAVIOUR_NOT_RUN"))
    );
    let ran = now(run(&scratch, &Played::default(), TEST, &json!({}))).unwrap();
    assert_eq!((&ran["status"], &ran["test_paths"]), (&json!("passed"), &json!([STAYS])), "no import leads there");
    let skipped = json!({ "op": "upsert_file", "path": STAYS, "content": text.replace("test(", "test.skip(") });
    let told = ok(&scratch, STAGE, &json!({ "operations": [skipped] }));
    assert_eq!((&told["staged"], &told["diagnostics"][0]["code"]), (&json!(true), &json!("BEHAVIOUR_LOST")));
    let script = pack().files["package.json"].replace("\"test\":", "\"check\":");
    let unscripted = json!({ "op": "upsert_file", "path": "package.json", "content": script });
    ok(&scratch, STAGE, &json!({ "operations": [unscripted] }));
    let ran = now(run(&scratch, &Played::default(), TEST, &json!({}))).unwrap();
    assert_eq!(ran["status"], "passed", "without a script of the project they run all the same");
}

#[test]
fn without_a_runner_a_proposal_is_not_verified() {
    let scratch = scratch();
    ok(&scratch, STAGE, &json!({ "operations": [heading("Lunch")] }));
    let proposal = ok(&scratch, PROPOSE, &json!({ "summary": "Another heading." }));
    assert_eq!(proposal["verified"], json!({ "compile": true, "tests": false, "build": false, "bundle": false }));
}

#[test]
fn the_gate_that_fails_is_named_with_what_it_found() {
    let broken = BuildAnswer {
        code: Some("VITE_BUILD_FAILED".to_owned()),
        diagnostics: vec![json!({ "code": "BUILD_ERROR", "severity": "error", "message": "no" })],
        ..BuildAnswer::default()
    };
    let cases = [
        (Played { tests_fail: true, ..Played::default() }, "tests"),
        (Played { build: broken, ..Played::default() }, "build"),
        (Played { build: built("<a href=\"/home\">x</a>"), ..Played::default() }, "bundle"),
    ];
    for (played, gate) in cases {
        let scratch = scratch();
        ok(&scratch, STAGE, &json!({ "operations": [heading("Lunch")] }));
        let refused = propose_with(&scratch, &played).unwrap_err();
        assert_eq!((refused.code.as_str(), &refused.details["gate"]), (PROPOSAL_REFUSED, &json!(gate)));
    }
    let scratch = scratch();
    ok(
        &scratch,
        STAGE,
        &json!({ "operations": [{ "op": "upsert_file", "path": "src/new.ts", "content": "import 'left-pad';\n" }] }),
    );
    let refused = propose_with(&scratch, &Played::default()).unwrap_err();
    assert_eq!(
        (&refused.details["gate"], &refused.details["diagnostics"][0]["code"]),
        (&json!("compile"), &json!("IMPORT_NOT_IN_CATALOG"))
    );
}

#[test]
fn the_lock_follows_packages_that_changed() {
    let scratch = scratch();
    let package = pack().files["package.json"].replace("\"react\": ", "\"zustand\": \"5.0.1\",\n    \"react\": ");
    let staged = ok(
        &scratch,
        STAGE,
        &json!({ "operations": [{ "op": "upsert_file", "path": "package.json", "content": package }] }),
    );
    let pins = staged["diagnostics"].to_string();
    let pin = pins.split("Use version ").nth(1).and_then(|rest| rest.split(',').next()).unwrap_or("5.0.1").to_owned();
    let package = package.replace("\"zustand\": \"5.0.1\"", &format!("\"zustand\": \"{pin}\""));
    ok(
        &scratch,
        STAGE,
        &json!({ "operations": [{ "op": "upsert_file", "path": "package.json", "content": package }] }),
    );
    let proposal = ok(&scratch, PROPOSE, &json!({ "summary": "A store." }));
    let changed: Vec<_> =
        proposal["changed"].as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(changed, ["package-lock.json", "package.json"]);
    assert!(scratch.borrow().files()["package-lock.json"].contains("node_modules/zustand"));
}

#[test]
fn a_run_from_elsewhere_proposes_all_that_differs_from_the_draft() {
    let mut start = pack();
    start.files.insert("src/mine.ts".to_owned(), "export {};\n".to_owned());
    start.files.remove("README.md");
    let scratch = RefCell::new(Scratch::new(pack(), Some(start), options()));
    ok(&scratch, STAGE, &json!({ "operations": [heading("Lunch")] }));
    let done = scratch.borrow().operations().unwrap();
    let said: Vec<_> =
        done.iter().map(|one| format!("{} {}", one["op"].as_str().unwrap(), one["path"].as_str().unwrap())).collect();
    assert_eq!(said, ["delete_file README.md", "upsert_file src/App.tsx", "upsert_file src/mine.ts"]);
}
