//! Change sets that try to write what their session is not about: whatever is valid stays inside the boundary, byte for
//! byte (spec: crew-package.md §9.5, §10.1).

use holdpoint_bundle::Files;
use holdpoint_change::Base;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::Options;
use super::super::dialect::input::{BuilderSession, SessionMode, TargetType};
use super::super::dialect::package::written;
use super::super::facts::PackageFacts;
use super::tests::{Talk, asset, head_of, package, session, step, with, workflow};
use super::*;

const GRAPH: &str = "workflows/1/workflow.graph.json";

/// Two workflows of one shape, and a file beside them.
fn wide() -> Files {
    let mut files = package();
    let moved = |(path, text): (&String, &String)| {
        let rest = path.strip_prefix("workflows/1/")?;
        Some((format!("workflows/2/{rest}"), text.replace("workflows/1/", "workflows/2/")))
    };
    let second: Files = files.iter().filter_map(moved).collect();
    let mut manifest: Value = serde_json::from_str(&files["bmad.json"]).unwrap();
    let unit = json!({"id": "2", "workflow": "workflows/2/workflow.md", "graph": "workflows/2/workflow.graph.json"});
    manifest["workflows"].as_array_mut().unwrap().push(unit);
    files.extend(second);
    files.insert("bmad.json".to_owned(), written(&manifest));
    files.insert("assets/other.md".to_owned(), "Other.\n".to_owned());
    files
}

fn sessions() -> Vec<BuilderSession> {
    let all = [
        (TargetType::Workflow, "1", SessionMode::Optimize),
        (TargetType::Step, "a", SessionMode::Optimize),
        (TargetType::Step, "fresh", SessionMode::Create),
        (TargetType::Agent, "clerk", SessionMode::Optimize),
        (TargetType::Agent, "fresh", SessionMode::Create),
        (TargetType::Asset, "assets/policy.md", SessionMode::Optimize),
        (TargetType::Asset, "assets/fresh.md", SessionMode::Create),
    ];
    all.into_iter().map(|(kind, name, mode)| session(kind, name, mode)).collect()
}

/// Names of assets and of files that are none, as somebody might spell them.
const PATHS: &[&str] = &[
    "assets/policy.md",
    ".\\assets\\policy.md",
    " ./assets/policy.md ",
    "assets/other.md",
    "assets/fresh.md",
    "assets/new.md",
    "assets/Policy.md",
    "Assets/policy.md",
    "assets/../agents.json",
    "assets/..\\agents.json",
    "assets/./policy.md",
    "assets//policy.md",
    "/assets/policy.md",
    "assets/policy.md\0",
    "assets/pol\u{131}cy.md",
    "assets/con.md",
    "agents.json",
    "bmad.json",
    "workflows/1/workflow.md",
    "workflows/1/steps/a.md",
    "artifacts/a.md",
    "",
];
const NODES: &[&str] = &["a", "z", "fresh", "A", "a/../z", "../agents", "a ", "\u{430}"];
const STEP_PATHS: &[&str] = &[
    "workflows/1/steps/a.md",
    "workflows/1/steps/z.md",
    "workflows/2/steps/a.md",
    "workflows/1/steps/fresh.md",
    "workflows/1/steps/../workflow.md",
    "workflows/1/workflow.md",
    "workflows/1/steps/A.md",
    "steps/z.md",
    "steps/fresh.md",
    "steps/../../2/steps/a.md",
    "assets/policy.md",
    "agents.json",
    "\\steps\\z.md",
];
const AGENTS: &[&str] = &["clerk", "judge", "fresh", "Clerk", "clerk ", "__proto__"];

fn operation(kind: &str, target: &Value, payload: Option<Value>) -> Value {
    let mut operation = json!({"op": "upsert", "targetType": kind, "target": target});
    match payload {
        Some(payload) => operation["payload"] = payload,
        None => operation["op"] = "delete".into(),
    }
    operation
}

/// Everything that one operation might try.
fn operations() -> Vec<Value> {
    let mut all = Vec::new();
    for path in PATHS {
        let target = || json!({ "path": path });
        all.push(operation("asset", &target(), Some(json!({"content": "Written.\n"}))));
        all.push(operation("asset", &target(), Some(json!({"edits": [{"find": "Keep it short", "replace": "x"}]}))));
        all.push(operation("asset", &target(), None));
    }
    for workflow in [1, 2] {
        for node in NODES {
            let target = || json!({"workflowId": workflow, "nodeId": node});
            let text = step(node, "step", "Written.");
            all.push(operation("step", &target(), Some(json!({ "stepMarkdown": text }))));
            all.push(operation("step", &target(), None));
            for path in STEP_PATHS {
                all.push(operation("step", &target(), Some(json!({"stepMarkdown": text, "stepPath": path}))));
            }
        }
        let target = || json!({ "workflowId": workflow });
        for path in STEP_PATHS {
            let files = json!({"stepFiles": {*path: step("z", "end", "Written.")}});
            all.push(operation("workflow", &target(), Some(files)));
            let graph = json!({
                "entryNodeId": "a",
                "nodes": [{"id": "a", "type": "step", "file": path}, {"id": "z", "type": "end"}],
                "edges": [{"from": "a", "to": "z", "label": "go"}],
            });
            all.push(operation("workflow", &target(), Some(json!({ "graph": graph }))));
        }
        let document = package()["workflows/1/workflow.md"].replace("# W", "# Written");
        all.push(operation("workflow", &target(), Some(json!({ "workflowMarkdown": document }))));
        all.push(operation("workflow", &target(), None));
    }
    for id in AGENTS {
        let target = || json!({ "agentId": id });
        let whole = json!({
            "metadata": {"name": "N", "title": "T", "icon": "1"},
            "persona": {"role": "r", "identity": "i", "communication_style": "c", "principles": ["p"]},
        });
        all.push(operation("agent", &target(), Some(json!({"role": "Written"}))));
        all.push(operation("agent", &target(), Some(json!({"agent": whole, "replace": true}))));
        all.push(operation("agent", &target(), Some(json!({"id": "judge", "role": "Written"}))));
        all.push(operation("agent", &target(), None));
    }
    all
}

fn agents(files: &Files) -> Vec<(Value, Value)> {
    let document: Value = serde_json::from_str(&files["agents.json"]).unwrap();
    document["agents"].as_array().unwrap().iter().map(|agent| (agent["id"].clone(), agent.clone())).collect()
}

/// The graph without what a step says of its own node.
fn without_node(files: &Files, own: &str) -> Value {
    let mut graph: Value = serde_json::from_str(&files[GRAPH]).unwrap();
    for node in graph["nodes"].as_array_mut().unwrap().iter_mut().filter(|node| node["id"] == own) {
        for name in ["title", "agentId", "inputs", "outputs"] {
            node.as_object_mut().unwrap().remove(name);
        }
    }
    graph
}

/// What was written that the session is not about.
fn beside(session: &BuilderSession, before: &Files, after: &Files) -> Vec<String> {
    let target = session.target_id.as_str();
    let changed: Vec<&String> =
        before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).collect();
    let is_asset = |path: &str| path.starts_with("assets/");
    let came = after.keys().filter(|path| is_asset(path) && !before.contains_key(*path)).count();
    let is_move = session.mode == SessionMode::Optimize && !after.contains_key(target) && came <= 1;
    let others =
        |files: &Files| -> Vec<(Value, Value)> { agents(files).into_iter().filter(|(id, _)| id != target).collect() };
    let is_new = |path: &str| {
        let makes = session.mode == SessionMode::Create && path.starts_with("workflows/1/steps/");
        makes && !before.keys().any(|other| other.eq_ignore_ascii_case(path))
    };
    let allows = |path: &str| match session.target_type {
        TargetType::Step => {
            is_asset(path)
                || is_new(path)
                || path == format!("workflows/1/steps/{target}.md")
                || path == GRAPH && without_node(before, target) == without_node(after, target)
        }
        TargetType::Workflow => {
            let kept = agents(before).iter().all(|agent| agents(after).contains(agent));
            is_asset(path) || path.starts_with("workflows/1/") || path == "agents.json" && kept
        }
        TargetType::Agent => path == "agents.json" && others(before) == others(after),
        TargetType::Asset => path == target || is_move && is_asset(path) && !before.contains_key(path),
    };
    changed.into_iter().filter(|path| !allows(path)).cloned().collect()
}

/// Stages, validates and applies, as far as that goes; whether it was written.
fn tried(session: &BuilderSession, operations: &[Value]) -> bool {
    let mut talk = Talk::new(session.clone());
    talk.head = head_of(wide(), &PackageFacts::new("P"));
    if talk.stage(operations).is_err() || !talk.judge().valid() {
        return false;
    }
    let before = talk.head.files.clone();
    talk.write();
    assert_eq!(beside(session, &before, &talk.head.files), [""; 0], "{session:?} {operations:?}");
    true
}

#[test]
fn one_operation_writes_inside_the_boundary_or_nothing() {
    let mut written = 0;
    for session in sessions() {
        for operation in operations() {
            written += usize::from(tried(&session, &[operation]));
        }
    }
    assert!(written > 40, "{written} were written");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn several_operations_write_inside_the_boundary_or_nothing(
        session in prop::sample::select(sessions()),
        operations in prop::collection::vec(prop::sample::select(operations()), 2..4),
    ) {
        tried(&session, &operations);
    }
}

#[test]
fn what_would_be_too_large_to_be_read_again_is_not_written() {
    let mut talk = Talk::new(workflow());
    let rest = (16 << 20) - package().values().map(String::len).sum::<usize>();
    talk.head = with(&[("notes.txt", &"x".repeat(rest - 9))]);
    talk.stage(&[asset("assets/a.md", json!({"content": "ten bytes."}))]).unwrap();
    let error = talk.looked_at(&ApplyBody::default()).unwrap_err();
    assert_eq!((error.code.as_str(), &error.details["limit"]), ("INPUT_TOO_LARGE", &json!("MAX_BUNDLE_BYTES")));
    talk.stage(&[asset("assets/a.md", json!({"content": "nine byte"}))]).unwrap();
    talk.write();
}

#[test]
fn a_file_that_is_an_asset_too_is_nobody_s_to_change() {
    let manifest = package()["bmad.json"].replace("\"agents.json\"", "\"assets/agents.json\"");
    let agents = package()["agents.json"].clone();
    let mut files = package();
    files.insert("bmad.json".to_owned(), manifest);
    files.insert("assets/agents.json".to_owned(), agents);
    let base = Base { files: Some(files), ..Base::default() };
    let error = Baseline::of(&base, Options::default()).unwrap_err();
    assert_eq!((error.code.as_str(), &error.details["pointer"]), ("INVALID_INPUT", &json!("/files/bmad.json")));
}

/// A file that no node names, and that says that it is the step of a node with a file of its own.
#[test]
fn a_file_that_hides_behind_another_is_not_written_over_unseen() {
    let stray = step("a", "step", "Stray.");
    let mut talk = Talk::new(session(TargetType::Step, "x", SessionMode::Create));
    talk.head = with(&[("workflows/1/steps/x.md", &stray)]);
    let write = |path: Option<&str>| {
        let mut payload = json!({"stepMarkdown": step("x", "step", "Written.")});
        if let Some(path) = path {
            payload["stepPath"] = path.into();
        }
        operation("step", &json!({"workflowId": 1, "nodeId": "x"}), Some(payload))
    };
    talk.stage(&[write(None)]).unwrap();
    let seen = shown(&talk.judge());
    assert_eq!((json!(seen[0].status), seen[0].before.as_deref()), (json!("M"), Some(stray.as_str())));
    let mut other = Talk::new(session(TargetType::Step, "y", SessionMode::Create));
    other.head = talk.head.clone();
    let mut at_x = write(Some("workflows/1/steps/x.md"));
    at_x["target"]["nodeId"] = "y".into();
    at_x["payload"]["stepMarkdown"] = step("y", "step", "Written.").into();
    other.stage(&[at_x]).unwrap();
    let errors = other.judge().checked.verdict.errors;
    assert_eq!(errors.iter().map(|found| found.code.as_ref()).collect::<Vec<_>>(), ["STEP_PATH_MISMATCH"]);
}
