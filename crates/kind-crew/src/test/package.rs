//! Whole packages: what is read as what, in which order, and that every code is reached.

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, Diagnostic};
use serde_json::{Value, json};

use super::corpus;
use crate::codes::CODES;
use crate::{Options, check};

pub fn step(id: &str, kind: &str) -> String {
    format!("---\nschemaVersion: \"1.1\"\nnodeId: {id}\ntype: {kind}\n---\n\n## Goal\n\ng\n\n## Instructions\n\ni\n")
}

const DOCUMENT: &str =
    "---\nschemaVersion: \"1.1\"\nworkflowType: workflow\ncurrentNodeId: a\nstepsCompleted: []\n---\n# W\n";

fn graph(folder: &str) -> Value {
    json!({
        "schemaVersion": "1.1", "entryNodeId": "a",
        "nodes": [
            {"id": "a", "type": "step", "file": format!("{folder}steps/a.md")},
            {"id": "z", "type": "end", "file": format!("{folder}steps/deep/z.md")},
        ],
        "edges": [{"from": "a", "to": "z", "label": "next"}],
    })
}

fn workflow(files: &mut Files, folder: &str) {
    let mut put = |path: &str, text: String| files.insert(format!("{folder}{path}"), text);
    put("workflow.md", DOCUMENT.to_owned());
    put("workflow.graph.json", graph(folder).to_string());
    put("steps/a.md", step("a", "step"));
    put("steps/deep/z.md", step("z", "end"));
}

fn unit(folder: &str) -> Value {
    json!({"workflow": format!("{folder}workflow.md"), "graph": format!("{folder}workflow.graph.json")})
}

pub fn package(entry: &str, listed: &[(&str, &str)]) -> Files {
    let mut files = Files::new();
    let agent = json!({
        "id": "one", "metadata": {"name": "One", "title": "One", "icon": "1"},
        "persona": {"role": "r", "identity": "i", "communication_style": "c", "principles": "p"},
    });
    files.insert("agents.json".to_owned(), json!({"schemaVersion": "1.1", "agents": [agent]}).to_string());
    let mut manifest = json!({"schemaVersion": "1.1", "name": "P", "version": "0.1.0", "entry": unit(entry)});
    manifest["entry"]["agents"] = json!("agents.json");
    for (id, folder) in listed {
        let mut item = unit(folder);
        item["id"] = json!(id);
        workflow(&mut files, folder);
        match manifest.get_mut("workflows").and_then(Value::as_array_mut) {
            Some(items) => items.push(item),
            None => manifest["workflows"] = json!([item]),
        }
    }
    if listed.is_empty() {
        workflow(&mut files, entry);
    }
    files.insert("bmad.json".to_owned(), manifest.to_string());
    files
}

/// A package whose manifest lists so many workflows, all with the files of one.
pub fn shared(count: usize) -> Files {
    let ids: Vec<String> = (1..=count).map(|id| id.to_string()).collect();
    let listed: Vec<(&str, &str)> = ids.iter().map(|id| (id.as_str(), "workflows/1/")).collect();
    package("workflows/1/", &listed)
}

pub fn multi() -> Files {
    package("workflows/1/", &[("1", "workflows/1/"), ("2", "workflows/2/")])
}

/// Code, file and pointer of each finding, in order.
fn found(files: &Files) -> Vec<String> {
    let one = |it: &Diagnostic| {
        let parts = [Some(it.code.to_string()), it.path.clone(), it.pointer.clone()];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    check(files, &Options::default()).unwrap().diagnostics.iter().map(one).collect()
}

fn summary(files: &Files) -> Value {
    json!(check(files, &Options::default()).unwrap().more.summary)
}

pub fn with(files: &Files, changes: &[(&str, Option<&str>)]) -> Files {
    let mut files = files.clone();
    for (path, text) in changes {
        match text {
            Some(text) => drop(files.insert((*path).to_owned(), (*text).to_owned())),
            None => drop(files.remove(*path).unwrap()),
        }
    }
    files
}

/// A JSON file with another value at a pointer.
pub fn json_with(files: &Files, path: &str, pointer: &str, value: Value) -> Files {
    let mut document: Value = serde_json::from_str(&files[path]).unwrap();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = value,
        members => members[name] = value,
    }
    with(files, &[(path, Some(&document.to_string()))])
}

#[test]
fn sound_packages_have_nothing_to_say() {
    for files in [multi(), package("", &[]), package("x/", &[]), package("2/", &[("b:1", "1/"), ("a.2", "2/")])] {
        assert_eq!(found(&files), Vec::<String>::new());
        let crlf: Files = files.iter().map(|(path, text)| (path.clone(), text.replace('\n', "\r\n"))).collect();
        assert_eq!(found(&crlf), Vec::<String>::new());
        let marked: Files = files.iter().map(|(path, text)| (path.clone(), format!("\u{feff}{text}"))).collect();
        assert_eq!(found(&marked), Vec::<String>::new());
        let open: Files = files.iter().map(|(path, text)| (path.clone(), text.trim_end().to_owned())).collect();
        assert_eq!(found(&open), Vec::<String>::new());
    }
}

#[test]
fn what_a_package_is_made_of() {
    let row = |id: Value| json!({"id": id, "nodes": 2, "edges": 1, "entry": "a"});
    let single = json!({
        "mode": "single", "name": "P", "version": "0.1.0", "default_workflow": null, "workflows": [row(json!(null))],
        "agents": 1, "assets": {"count": 0, "bytes": 0},
    });
    assert_eq!(summary(&package("", &[])), single);
    let files =
        with(&multi(), &[("assets/a.md", Some("åä")), ("assets/b", Some("base64:AAA=")), ("assets/c d", Some("x"))]);
    let files = json_with(&files, "agents.json", "/agents/0/id", json!(7));
    let files = with(&files, &[("workflows/2/workflow.graph.json", Some("{}"))]);
    let several = json!({
        "mode": "multi", "name": "P", "version": "0.1.0", "default_workflow": "1",
        "workflows": [row(json!("1")), {"id": "2", "nodes": null, "edges": null, "entry": null}],
        "agents": null, "assets": {"count": 3, "bytes": 7},
    });
    assert_eq!(summary(&files), several);
    assert_eq!(summary(&with(&multi(), &[("bmad.json", Some("{}"))])), json!(null));
    let elsewhere = json_with(&multi(), "bmad.json", "/entry/graph", json!("workflows/2/workflow.graph.json"));
    assert_eq!(summary(&elsewhere)["default_workflow"], json!(null));
}

#[test]
fn without_a_manifest_agents_and_assets_are_checked_and_nothing_else() {
    let files = with(
        &multi(),
        &[
            ("bmad.json", None),
            ("agents.json", Some("[]")),
            ("assets/a.exe", Some("")),
            ("../x", Some("")),
            ("notes", Some("")),
        ],
    );
    let want = [
        "PKG_PATH_INVALID ../x",
        "PKG_SCHEMA_ERROR agents.json ",
        "ASSET_EXT_UNSUPPORTED assets/a.exe",
        "PKG_REQUIRED_FILE_MISSING bmad.json",
    ];
    assert_eq!(found(&files), want);
    let want = ["PKG_REQUIRED_FILE_MISSING agents.json", "PKG_REQUIRED_FILE_MISSING bmad.json"];
    assert_eq!(found(&Files::new()), want);
    let broken = with(&multi(), &[("bmad.json", Some("[")), ("agents.json", None)]);
    assert_eq!(found(&broken), ["PKG_REQUIRED_FILE_MISSING agents.json", "PKG_INVALID_JSON bmad.json"]);
}

#[test]
fn files_are_missing_where_they_are_named() {
    let files = with(&package("", &[]), &[("workflow.md", None), ("agents.json", None), ("steps/a.md", None)]);
    let want = [
        "PKG_REQUIRED_FILE_MISSING bmad.json /entry/workflow",
        "PKG_REQUIRED_FILE_MISSING bmad.json /entry/agents",
        "STEP_FILE_MISSING workflow.graph.json /nodes/0/file",
    ];
    assert_eq!(found(&files), want);
    let twice = package("1/", &[("1", "1/"), ("2", "1/")]);
    let files = with(&twice, &[("1/workflow.md", None)]);
    let want = [
        "PKG_REQUIRED_FILE_MISSING bmad.json /workflows/0/workflow",
        "PKG_REQUIRED_FILE_MISSING bmad.json /workflows/1/workflow",
    ];
    assert_eq!(found(&files), want);
}

#[test]
fn a_file_that_two_workflows_name_is_checked_once() {
    let files = package("1/", &[("1", "1/"), ("2", "1/")]);
    assert_eq!(found(&files), Vec::<String>::new());
    let files = json_with(&files, "1/workflow.graph.json", "/nodes/0/agentId", json!("nobody"));
    let files = with(&files, &[("1/workflow.md", Some("")), ("1/steps/a.md", Some("# a"))]);
    let want = [
        "STEP_MISSING_FRONTMATTER 1/steps/a.md",
        "STEP_MISSING_GOAL 1/steps/a.md",
        "STEP_MISSING_INSTRUCTIONS 1/steps/a.md",
        "AGENT_NOT_FOUND 1/workflow.graph.json /nodes/0/agentId",
        "WORKFLOW_MISSING_FRONTMATTER 1/workflow.md",
    ];
    assert_eq!(found(&files), want);
    assert_eq!(summary(&files)["workflows"][1], json!({"id": "2", "nodes": 2, "edges": 1, "entry": "a"}));
}

#[test]
fn two_graphs_beside_one_folder_of_steps() {
    let mut files = package("1/", &[("1", "1/"), ("2", "1/")]);
    let mut other = graph("1/");
    other["nodes"][0]["file"] = json!("1/steps/b.md");
    files.insert("1/other.json".to_owned(), other.to_string());
    files.insert("1/steps/b.md".to_owned(), step("a", "step"));
    let files = json_with(&files, "bmad.json", "/workflows/1/graph", json!("1/other.json"));
    assert_eq!(found(&files), Vec::<String>::new());
    let files = with(&files, &[("1/steps/c.md", Some("")), ("1/steps/c.txt", Some(""))]);
    assert_eq!(found(&files), ["STEP_FILE_UNUSED 1/steps/c.md", "PKG_UNEXPECTED_FILE 1/steps/c.txt"]);
    let files = with(&files, &[("1/other.json", Some("{"))]);
    let alone = ["STEP_MISSING_FRONTMATTER", "STEP_MISSING_GOAL", "STEP_MISSING_INSTRUCTIONS"];
    let mut want = vec!["PKG_INVALID_JSON 1/other.json".to_owned()];
    want.extend(alone.map(|code| format!("{code} 1/steps/c.md")));
    want.push("PKG_UNEXPECTED_FILE 1/steps/c.txt".to_owned());
    assert_eq!(found(&files), want, "what no graph names is read on its own; b.md holds by itself");
}

#[test]
fn without_a_graph_steps_are_read_on_their_own() {
    let files =
        with(&multi(), &[("workflows/2/workflow.graph.json", None), ("workflows/2/steps/a.md", Some("## Goal"))]);
    let want = [
        "PKG_REQUIRED_FILE_MISSING bmad.json /workflows/1/graph",
        "STEP_MISSING_FRONTMATTER workflows/2/steps/a.md",
        "STEP_MISSING_INSTRUCTIONS workflows/2/steps/a.md",
        "STEP_EMPTY_SECTION workflows/2/steps/a.md",
    ];
    assert_eq!(found(&files), want);
    let unsafe_graph = json_with(&package("x/", &[]), "bmad.json", "/entry/graph", json!("x/../g.json"));
    let want = ["MANIFEST_PATH_INVALID bmad.json /entry/graph", "PKG_UNEXPECTED_FILE x/workflow.graph.json"];
    assert_eq!(found(&unsafe_graph), want);
}

#[test]
fn what_is_left_over_is_named() {
    let files = with(
        &package("", &[]),
        &[
            ("artifacts/a.md", Some("")),
            ("assets", Some("")),
            ("workflows/1/workflow.md", Some("")),
            ("steps/x.txt", Some("")),
            ("Steps/a.md", Some("")),
            ("steps/.md", Some("")),
        ],
    );
    let want = [
        "PKG_UNEXPECTED_FILE Steps/a.md",
        "PKG_UNEXPECTED_FILE artifacts/a.md",
        "PKG_UNEXPECTED_FILE assets",
        "STEP_FILE_UNUSED steps/.md",
        "PKG_UNEXPECTED_FILE steps/x.txt",
        "PKG_UNEXPECTED_FILE workflows/1/workflow.md",
    ];
    assert_eq!(found(&files), want);
    let other = json_with(&multi(), "bmad.json", "/entry/workflow", json!("other.md"));
    let other = with(&other, &[("other.md", Some(DOCUMENT))]);
    let want = ["MANIFEST_ENTRY_NOT_LISTED bmad.json /entry/workflow", "PKG_UNEXPECTED_FILE other.md"];
    assert_eq!(found(&other), want, "the entry's files are not looked up by themselves");
}

#[test]
fn a_document_that_is_not_usable_says_nothing_of_others() {
    let files = json_with(&package("", &[]), "workflow.graph.json", "/nodes/0/agentId", json!("nobody"));
    assert_eq!(found(&files), ["AGENT_NOT_FOUND workflow.graph.json /nodes/0/agentId"]);
    let files = json_with(&files, "agents.json", "/agents", json!([]));
    assert_eq!(found(&files), ["PKG_SCHEMA_ERROR agents.json /agents"], "nobody knows who there is");
    let condition = json!({"var": "x"});
    let files = json_with(&package("", &[]), "workflow.graph.json", "/edges/0/conditionExpr", condition);
    let unset = "GRAPH_VARIABLE_UNSET workflow.graph.json /edges/0/conditionExpr";
    assert_eq!(found(&files), [unset]);
    let head = |more: &str| {
        DOCUMENT.replace("stepsCompleted: []\n", &format!("stepsCompleted: []\nvariables: {{x: 1}}\n{more}"))
    };
    assert_eq!(found(&with(&files, &[("workflow.md", Some(&head("")))])), Vec::<String>::new());
    let want = [unset, "PKG_SCHEMA_ERROR workflow.md /updatedAt"];
    assert_eq!(found(&with(&files, &[("workflow.md", Some(&head("updatedAt: ''\n")))])), want);
    let sets = step("a", "step").replace("type: step\n", "type: step\nsetsVariables: [x]\n");
    assert_eq!(found(&with(&files, &[("steps/a.md", Some(&sets))])), Vec::<String>::new());
}

#[test]
fn citations_are_said_once_a_path_and_file() {
    let text = step("a", "step").replace("type: step\n", "type: step\ninputs: [x, assets/a.md, '@pkg/assets/a.md']\n");
    let text = format!("{text}assets/a.md assets/b.md (assets/b.md) @pkg/assets/c.md assets/d.md\n");
    let document = format!("{DOCUMENT}assets/b.md");
    let files = with(
        &package("", &[]),
        &[("steps/a.md", Some(&text)), ("workflow.md", Some(&document)), ("assets/d.md", Some(""))],
    );
    let want = [
        "ASSET_REF_UNRESOLVED steps/a.md /inputs/1",
        "STEP_MOUNT_PREFIX steps/a.md /inputs/2",
        "ASSET_REF_UNRESOLVED steps/a.md",
        "ASSET_REF_UNRESOLVED steps/a.md",
        "ASSET_REF_UNRESOLVED workflow.md",
    ];
    assert_eq!(found(&files), want);
}

#[test]
fn what_is_too_large_is_refused() {
    let refused = |files: &Files| -> ApiError { check(files, &Options::default()).unwrap_err() };
    let limit = |files: &Files| {
        let error = refused(files);
        assert_eq!((error.code.as_str(), error.status), ("INPUT_TOO_LARGE", 413));
        error.details["limit"].as_str().unwrap().to_owned()
    };
    let fill = |count: usize| -> Files { (0..count).map(|at| (format!("x/{at}"), String::new())).collect() };
    assert!(check(&fill(2_000), &Options::default()).is_ok());
    assert_eq!(limit(&fill(2_001)), "MAX_FILES");
    let bytes = |bytes: usize| -> Files { (0..16).map(|at| (format!("x/{at}"), " ".repeat(bytes))).collect() };
    assert!(check(&bytes(1 << 20), &Options::default()).is_ok());
    assert_eq!(limit(&with(&bytes(1 << 20), &[("y", Some("z"))])), "MAX_BUNDLE_BYTES");
    let long = " ".repeat((1 << 20) + 1);
    for path in ["bmad.json", "agents.json", "workflow.md", "workflow.graph.json", "steps/a.md"] {
        assert_eq!(limit(&with(&package("", &[]), &[(path, Some(&long))])), "MAX_DOCUMENT_BYTES", "{path}");
    }
    assert!(check(&with(&package("", &[]), &[("other", Some(&long))]), &Options::default()).is_ok());
    let nodes: Vec<Value> = (0..1_001).map(|_| json!(0)).collect();
    let many = json_with(&package("", &[]), "workflow.graph.json", "/nodes", json!(nodes));
    assert_eq!(limit(&many), "MAX_NODES", "also where nothing in it holds");
    let deep = format!("{{\"metadata\": {}{}}}", "[".repeat(64), "]".repeat(64));
    assert_eq!(limit(&with(&package("", &[]), &[("workflow.graph.json", Some(&deep))])), "MAX_JSON_DEPTH");
    let deep = format!("---\na: {}{}\n---\n", "[".repeat(32), "]".repeat(32));
    assert_eq!(limit(&with(&package("", &[]), &[("steps/a.md", Some(&deep))])), "MAX_YAML_DEPTH");
}

#[test]
fn every_code_is_reached_with_its_severity() {
    let mut reached: BTreeSet<String> = BTreeSet::new();
    for case in corpus::cases() {
        let found = corpus::checked(&case["input"]).diagnostics;
        reached.extend(found.iter().map(|it| format!("{} {:?}", it.code, it.severity)));
    }
    let many: Files = (0..2_000).map(|at| (format!("../{at}"), String::new())).collect();
    let shown = check(&many, &Options::default()).unwrap().diagnostics;
    reached.extend(shown.iter().map(|it| format!("{} {:?}", it.code, it.severity)));
    let all: BTreeSet<String> = CODES.concat().iter().map(|it| format!("{} {:?}", it.name, it.severity)).collect();
    assert_eq!(reached, all);
}
