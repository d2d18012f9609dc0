//! Change sets against the sample cases, and what the specification promises of every one.

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_change::{Base, Staged};
use holdpoint_check::subset;
use serde_json::{Map, Value, json};

use super::check::{CheckInput, check as set_check};
use super::input::BuilderSession;
use super::inverse::Inverse;
use super::package::{Package, written};
use crate::methods::METHODS;
use crate::{Options, check, stage};

/// What `changeset.check` answers.
pub fn call(input: &Value) -> Value {
    let (_, method) = METHODS[0];
    method(input.clone()).unwrap_or_else(|error| json!({ "error": error }))
}

pub fn cases() -> Vec<Value> {
    crate::test::corpus::of("changeset.check")
}

/// The cases whose change set is valid.
fn valid() -> Vec<Value> {
    let valid: Vec<Value> = cases().into_iter().filter(|case| call(&case["input"])["valid"] == true).collect();
    assert!(valid.len() > 40);
    valid
}

/// The files of a snapshot, as Holdpoint writes them.
pub fn files(snapshot: &Value) -> Files {
    let mut files = Files::new();
    let mut listed = Vec::new();
    for workflow in snapshot["workflows"].as_array().unwrap() {
        let folder = format!("workflows/{}", workflow["id"]);
        let (document, graph) = (format!("{folder}/workflow.md"), format!("{folder}/workflow.graph.json"));
        listed.push(json!({"id": workflow["id"].to_string(), "workflow": document, "graph": graph}));
        files.insert(document, workflow["document"].as_str().unwrap().to_owned());
        files.insert(graph, written(&workflow["graph"]));
    }
    for step in snapshot["steps"].as_array().unwrap() {
        let text = |name: &str| step[name].as_str().unwrap().to_owned();
        files.insert(text("path"), text("markdown"));
    }
    for (path, text) in snapshot["assets"].as_object().unwrap() {
        files.insert(path.clone(), text.as_str().unwrap().to_owned());
    }
    files.insert("agents.json".into(), written(&json!({"schemaVersion": "1.1", "agents": snapshot["agents"]})));
    let entry = json!({"workflow": listed[0]["workflow"], "graph": listed[0]["graph"], "agents": "agents.json"});
    let manifest =
        json!({"schemaVersion": "1.1", "name": "P", "version": "0.1.0", "entry": entry, "workflows": listed});
    files.insert("bmad.json".into(), written(&manifest));
    files
}

pub fn staged(files: &Files, input: &Value, change_set: &Value, is_inverse: bool) -> Staged {
    let options: Options =
        input.get("options").map(|it| serde_json::from_value(it.clone()).unwrap()).unwrap_or_default();
    let session = BuilderSession::read(Some(&input["session"])).unwrap();
    let package = Package::open(files).unwrap();
    let checked = set_check(CheckInput {
        before: package.view.clone(),
        revisions: serde_json::from_value(input["snapshot"]["revisions"].clone()).unwrap(),
        session: &session,
        change_set,
        base: None,
        endings: options.endings(),
        limits: options.limits(),
        is_inverse,
    });
    let checked = checked.unwrap();
    let mut staged = stage::staged(Base { files: Some(files.clone()), ..Base::default() }, &package, &checked);
    let rows = &checked.verdict.meta.changed;
    let inverse = |left: &Files| Inverse::of(rows, (&checked.before, &checked.after), (files, left));
    staged.inverse = staged.after.as_ref().map(|left| json!(inverse(left)));
    staged
}

pub fn errors(files: &Files) -> BTreeSet<String> {
    let report = check(files, &Options::default()).unwrap();
    let errors = report.diagnostics.into_iter().filter(holdpoint_check::Diagnostic::is_error);
    errors.map(|it| format!("{} {:?} {:?}", it.code, it.path, it.pointer)).collect()
}

#[test]
fn every_sample_case() {
    let mut failed = Vec::new();
    let cases = cases();
    assert!(!cases.is_empty());
    for case in cases {
        let answer = call(&case["input"]);
        if let Err(miss) = subset::matches(&case["expect"], Some(&answer)) {
            let found = format!("{}\n   {}", answer["errors"], answer["warnings"]);
            failed.push(format!("{} {}: {miss:?}\n   {found}", case["id"], case["why"]));
        }
    }
    assert!(failed.is_empty(), "{} fail:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn checking_twice_gives_the_same_bytes() {
    for case in cases() {
        assert_eq!(call(&case["input"]).to_string(), call(&case["input"]).to_string(), "{}", case["id"]);
    }
}

#[test]
fn the_normal_form_is_valid_and_its_own_normal_form() {
    for case in valid() {
        let normalized = call(&case["input"])["normalized"].clone();
        let mut again = case["input"].clone();
        again["change_set"] = normalized.clone();
        let answer = call(&again);
        assert_eq!(answer["errors"], json!([]), "{}", case["id"]);
        assert_eq!(answer["normalized"].to_string(), normalized.to_string(), "{}", case["id"]);
        assert_eq!(answer["meta"]["changed"], call(&case["input"])["meta"]["changed"], "{}", case["id"]);
    }
}

#[test]
fn files_and_snapshot_lead_to_the_same_verdict() {
    for case in cases().into_iter().filter(|case| case["expect"].get("error").is_none()) {
        let input = &case["input"];
        let mut answer = call(input);
        // The counters of the sender are not a part of what is staged here.
        answer["warnings"].as_array_mut().unwrap().retain(|it| it["code"] != "AI_REVISION_BASE_MISMATCH");
        let staged = staged(&files(&input["snapshot"]), input, &input["change_set"], false);
        assert_eq!(staged.shown, answer, "{}", case["id"]);
        assert_eq!(staged.after.is_some(), answer["valid"] == true, "{}", case["id"]);
    }
}

#[test]
fn a_valid_set_brings_no_new_error() {
    for case in valid() {
        let before = files(&case["input"]["snapshot"]);
        let after = staged(&before, &case["input"], &case["input"]["change_set"], false).after.unwrap();
        let new: Vec<String> = errors(&after).difference(&errors(&before)).cloned().collect();
        assert_eq!(new, Vec::<String>::new(), "{}", case["id"]);
    }
}

#[test]
fn the_inverse_restores_every_byte() {
    for case in valid() {
        let before = files(&case["input"]["snapshot"]);
        let staged_once = staged(&before, &case["input"], &case["input"]["change_set"], false);
        let inverse: Inverse = serde_json::from_value(staged_once.inverse.unwrap()).unwrap();
        let after = staged_once.after.unwrap();
        let mut restored = after.clone();
        inverse.restore(&mut restored);
        assert_eq!(restored, before, "{}", case["id"]);
        if inverse.operations.is_empty() {
            assert_eq!(after, before, "{}", case["id"]);
            continue;
        }
        let mut set = case["input"]["change_set"].as_object().cloned().unwrap_or_default();
        set.retain(|name, _| name == "targetType" || name == "mode");
        let session = &case["input"]["session"];
        for (name, value) in [
            ("schemaVersion", json!("1.0")),
            ("targetType", session["target_type"].clone()),
            ("mode", session["mode"].clone()),
            ("operations", json!(inverse.operations)),
        ] {
            set.insert(name.to_owned(), value);
        }
        let undone = staged(&after, &without_create(&case["input"]), &optimize(set), true);
        let is_new = inverse.operations.iter().any(|it| it["op"] == "delete" && it["targetType"] == "workflow");
        if is_new {
            assert_eq!(undone.shown["errors"][0]["code"], "AI_APPLY_UNSUPPORTED", "{}", case["id"]);
        } else {
            assert_eq!(undone.shown["errors"], json!([]), "{}", case["id"]);
            assert_eq!(undone.after.unwrap(), before, "{}", case["id"]);
        }
    }
}

/// The same request in a session that works on what is there.
fn without_create(input: &Value) -> Value {
    let mut input = input.clone();
    input["session"]["mode"] = json!("optimize");
    input
}

fn optimize(mut set: Map<String, Value>) -> Value {
    set.insert("mode".to_owned(), json!("optimize"));
    set.into()
}

/// A set of one operation in a session about a workflow of the sample package.
fn in_workflow(operation: &Value) -> Value {
    let sample = cases().into_iter().find(|case| case["id"] == "CRW-C092").unwrap();
    let mut input = sample["input"].clone();
    input["change_set"]["operations"] = json!([operation]);
    input["change_set"].as_object_mut().unwrap().remove("impact");
    input
}

/// Codes and places, `IMPACT_DERIVED` aside.
fn found(answer: &Value) -> Vec<String> {
    let all = [&answer["errors"], &answer["warnings"]].into_iter().flat_map(|list| list.as_array().unwrap());
    let all = all.filter(|it| it["code"] != "IMPACT_DERIVED");
    all.map(|it| format!("{} {}", it["code"].as_str().unwrap(), it["path"].as_str().unwrap())).collect()
}

#[test]
fn normalised_operations_lead_to_the_same_files() {
    for case in valid() {
        let before = files(&case["input"]["snapshot"]);
        let operations = call(&case["input"])["normalized"]["operations"].clone();
        let wanted = json!({"kind": "crew-package", "files": before, "operations": operations});
        let applied = crate::apply::files_apply(wanted).unwrap();
        let staged = staged(&before, &case["input"], &case["input"]["change_set"], false);
        assert_eq!(applied["files"], json!(staged.after.unwrap()), "{}", case["id"]);
    }
}

#[test]
fn files_that_no_operation_is_about_keep_their_bytes() {
    let case = cases().into_iter().find(|case| case["id"] == "CRW-C001").unwrap();
    let mut before = files(&case["input"]["snapshot"]);
    let odd = "{ \"schemaVersion\":\"1.1\",\r\n\"agents\": ".to_owned()
        + &case["input"]["snapshot"]["agents"].to_string()
        + "}";
    before.insert("agents.json".into(), odd);
    before.insert("notes.txt".into(), "\u{feff}kept\r\n".into());
    let after = staged(&before, &case["input"], &case["input"]["change_set"], false).after.unwrap();
    let changed: Vec<&String> =
        after.iter().filter(|(path, text)| before.get(*path) != Some(text)).map(|(path, _)| path).collect();
    assert_eq!(changed, ["workflows/3/steps/bake.md", "workflows/3/workflow.graph.json"]);
    assert_eq!(after.len(), before.len());
}

#[test]
fn a_step_with_another_path_leaves_its_old_file() {
    let mut input = cases().into_iter().find(|case| case["id"] == "CRW-C092").unwrap()["input"].clone();
    let mut graph = input["snapshot"]["workflows"][0]["graph"].clone();
    graph["nodes"][2]["file"] = json!("steps/oven.md");
    let text = input["snapshot"]["steps"][2]["markdown"].clone();
    input["change_set"]["operations"] = json!([
        {"op": "upsert", "targetType": "workflow", "target": {"workflowId": 3}, "payload": {"graph": graph}},
        {"op": "upsert", "targetType": "step", "target": {"workflowId": 3, "nodeId": "bake"}, "payload": {"markdown": text}},
    ]);
    input["change_set"].as_object_mut().unwrap().remove("impact");
    let answer = call(&input);
    assert_eq!(found(&answer), Vec::<String>::new());
    assert_eq!(answer["normalized"]["operations"][1]["payload"]["stepPath"], "workflows/3/steps/oven.md");
    let before = files(&input["snapshot"]);
    let after = staged(&before, &input, &input["change_set"], false).after.unwrap();
    assert!(after.contains_key("workflows/3/steps/oven.md") && !after.contains_key("workflows/3/steps/bake.md"));
    assert_eq!(errors(&after), BTreeSet::new());
}

#[test]
fn what_a_step_names_beside_its_text_is_looked_up() {
    let mut input = in_workflow(&json!({
        "op": "upsert", "targetType": "step", "target": {"workflowId": 3, "nodeId": "bake"},
        "payload": {"agentId": "nobody", "stepPath": "steps/oven.md"},
    }));
    let text = input["snapshot"]["steps"][2]["markdown"].clone();
    input["change_set"]["operations"][0]["payload"]["stepMarkdown"] = text;
    let answer = call(&input);
    let want = [
        "AGENT_NOT_FOUND operations[0].payload.agentId",
        "STEP_PATH_MISMATCH operations[0].payload.stepPath",
        "STEP_AGENT_MISMATCH operations[0].payload.agentId",
    ];
    assert_eq!(found(&answer)[..3], want);
    assert!(answer["errors"].as_array().unwrap().iter().all(|it| it["phase"] == "reference"), "{answer}");
    input["change_set"]["operations"][0]["payload"]["agentId"] = json!("counter");
    assert_eq!(found(&call(&input))[..2], want[1..]);
}

/// A new workflow as the editor sends its first node: one end, and no edge.
#[test]
fn a_workflow_of_one_end_is_valid() {
    let node =
        json!({"id": "end", "type": "end", "position": {"x": 0, "y": 0}, "data": {"goal": "g", "instructions": "i"}});
    let document =
        "---\nschemaVersion: \"1.1\"\nworkflowType: workflow\ncurrentNodeId: \"\"\nstepsCompleted: []\n---\n\n# W\n";
    let mut input = in_workflow(&json!({
        "op": "upsert", "targetType": "workflow", "target": {"workflowId": 4},
        "payload": {"workflowMarkdown": document, "graph": {"nodes": [node], "viewport": {"zoom": 1}}},
    }));
    input["session"] = json!({"target_type": "workflow", "target_id": "4", "mode": "create", "workflow_id": 4});
    input["change_set"]["targetType"] = json!("workflow");
    input["change_set"]["mode"] = json!("create");
    assert_eq!(found(&call(&input)), Vec::<String>::new());
}

#[test]
fn shapes_that_are_wrong_are_found_where_they_stand() {
    let step = |payload: Value| json!({"op": "upsert", "targetType": "step", "target": {"workflowId": 3, "nodeId": "bake"}, "payload": payload});
    let workflow = |payload: Value| json!({"op": "upsert", "targetType": "workflow", "target": {"workflowId": 3}, "payload": payload});
    let edits = |count: usize| json!(vec![json!({"find": "a", "replace": "b"}); count]);
    let gone = |path: &str| json!({"op": "delete", "targetType": "asset", "target": {"path": path}});
    let paid = |payload: Value| json!({"op": "delete", "targetType": "asset", "target": {"path": "assets/a.md"}, "payload": payload});
    let no_payload = "AI_CHANGESET_CONTRACT_VIOLATION operations[0].payload";
    let cases = [
        (json!(1), "AI_BAD_RESPONSE operations[0]"),
        (
            json!({"op": 1, "targetType": null, "x": 1}),
            "AI_BAD_RESPONSE operations[0].op, AI_BAD_RESPONSE operations[0].targetType",
        ),
        (step(json!({"edits": []})), "AI_BAD_RESPONSE operations[0].payload.edits"),
        (step(json!({"edits": edits(101)})), "AI_BAD_RESPONSE operations[0].payload.edits"),
        (step(json!({"edits": [1]})), "AI_BAD_RESPONSE operations[0].payload.edits[0]"),
        (
            step(json!({"edits": [{"find": "a", "replace": "", "all": true}]})),
            "AI_BAD_RESPONSE operations[0].payload.edits[0].all",
        ),
        (step(json!({"stepMarkdown": "a", "markdown": 7})), "AI_BAD_RESPONSE operations[0].payload.markdown"),
        (step(json!({"stepPath": "a"})), "AI_CHANGESET_CONTRACT_VIOLATION operations[0].payload"),
        (step(json!(null)), "AI_BAD_RESPONSE operations[0].payload"),
        (workflow(json!({})), "AI_CHANGESET_CONTRACT_VIOLATION operations[0].payload"),
        (workflow(json!({"stepFiles": {}})), "AI_CHANGESET_CONTRACT_VIOLATION operations[0].payload"),
        (workflow(json!({"stepFiles": {"a b.md": 1}})), "AI_BAD_RESPONSE operations[0].payload.stepFiles[\"a b.md\"]"),
        (
            workflow(json!({"markdown": "a", "edits": edits(1)})),
            "AI_CHANGESET_CONTRACT_VIOLATION operations[0].payload",
        ),
        (workflow(json!({"graph": {"nodes": [], "edges": 1}})), "AI_BAD_RESPONSE operations[0].payload.graph.edges"),
        (workflow(json!({"graph_json": {"nodes": [1]}})), "AI_BAD_RESPONSE operations[0].payload.graph_json.nodes[0]"),
        (
            json!({"op": "upsert", "targetType": "agent", "target": {"agentId": "a"}, "payload": {"agent": {}, "replace": 1}}),
            "AI_BAD_RESPONSE operations[0].payload.replace",
        ),
        (
            json!({"op": "upsert", "targetType": "agent", "target": {"agentId": "a"}, "payload": {}}),
            "AI_CHANGESET_CONTRACT_VIOLATION operations[0].payload",
        ),
        (
            json!({"op": "delete", "targetType": "asset", "target": {"path": ""}, "reason": "x".repeat(2_001)}),
            "AI_BAD_RESPONSE operations[0].reason, AI_BAD_RESPONSE operations[0].target.path",
        ),
        (gone(" \t"), "AI_BAD_RESPONSE operations[0].target.path"),
        (paid(json!(null)), no_payload),
        (paid(json!(7)), no_payload),
    ];
    for (operation, want) in cases {
        let answer = call(&in_workflow(&operation));
        assert_eq!(found(&answer).join(", "), want, "{operation}");
        assert_eq!((&answer["schema_failed"], &answer["normalized"]), (&json!(true), &Value::Null), "{operation}");
    }
}

#[test]
fn old_sections_are_read_and_what_is_wrong_in_them_is_placed() {
    let sample = cases().into_iter().find(|case| case["id"] == "CRW-C034").unwrap();
    let with = |set: Value| {
        let mut input = sample["input"].clone();
        input["change_set"] = set;
        let answer = call(&input);
        (found(&answer).join(", "), answer)
    };
    let faults = [
        (json!({"steps": [], "assets": {}}), "AI_BAD_RESPONSE operations, CHANGESET_LEGACY_SHAPE "),
        (json!({"steps": [3]}), "AI_BAD_RESPONSE steps[0], CHANGESET_LEGACY_SHAPE "),
        (json!({"assets": []}), "AI_BAD_RESPONSE assets, CHANGESET_LEGACY_SHAPE "),
        (
            json!({"assets": {"upsert": {}, "delete": "x"}}),
            "AI_BAD_RESPONSE assets.delete, AI_BAD_RESPONSE assets.upsert, CHANGESET_LEGACY_SHAPE ",
        ),
        (
            json!({"steps": [{"stepMarkdown": "a"}]}),
            "AI_BAD_RESPONSE operations[0].target.nodeId, CHANGESET_LEGACY_SHAPE ",
        ),
        (
            json!({"assets": {"delete": [{"path": "assets/a.md", "why": 1}]}}),
            "AI_BAD_RESPONSE operations[0].why, CHANGESET_LEGACY_SHAPE ",
        ),
        (
            json!({"assets": {"delete": ["assets/a.md"]}, "summary": 1}),
            "AI_BAD_RESPONSE summary, CHANGESET_LEGACY_SHAPE ",
        ),
        (json!({"schemaVersion": "2.0", "steps": 1}), "AI_CHANGESET_SCHEMA_UNSUPPORTED schemaVersion"),
        (
            json!({"schemaVersion": "1.0", "targetType": "step", "mode": "optimize", "operations": [], "steps": []}),
            "AI_BAD_RESPONSE operations, AI_BAD_RESPONSE steps",
        ),
    ];
    for (set, want) in faults {
        assert_eq!(with(set.clone()).0, want, "{set}");
    }
    let kept = json!({
        "assets": {"delete": [{"path": "assets/forms/receipt.txt", "reason": "old"}]},
        "impact": {"risks": ["wording"], "requiresConfirmation": false, "objects": ["step:x"], "why": 1},
    });
    let (_, answer) = with(kept);
    assert_eq!(answer["errors"], json!([]));
    let normalized = &answer["normalized"];
    assert_eq!(normalized["operations"][0]["reason"], "old");
    assert_eq!(normalized["impact"]["objects"], json!(["asset:assets/forms/receipt.txt"]));
    assert_eq!(normalized["impact"]["riskFlags"], json!(["delete", "wording"]));
    assert_eq!(normalized["impact"]["requiresConfirmation"], true);
}

type Bounds<'t> = (&'t str, &'t str, &'t str, Vec<Value>, &'t [usize]);

#[test]
fn a_session_stays_in_its_bounds() {
    let step = |workflow: u64, node: &str| json!({"op": "upsert", "targetType": "step", "target": {"workflowId": workflow, "nodeId": node}, "payload": {"stepMarkdown": "x"}});
    let workflow =
        json!({"op": "upsert", "targetType": "workflow", "target": {"workflowId": 3}, "payload": {"markdown": "x"}});
    let agent =
        |id: &str| json!({"op": "upsert", "targetType": "agent", "target": {"agentId": id}, "payload": {"name": "x"}});
    let asset = |path: &str| json!({"op": "upsert", "targetType": "asset", "target": {"path": path}, "payload": {"content": "x"}});
    let delete = |kind: &str, target: Value| json!({"op": "delete", "targetType": kind, "target": target});
    let gone_step = |node: &str| delete("step", json!({"workflowId": 3, "nodeId": node}));
    let gone_agent = |id: &str| delete("agent", json!({ "agentId": id }));
    let gone_asset = |path: &str| delete("asset", json!({ "path": path }));
    let (own, other) = ("assets/forms/receipt.txt", "assets/rules/allergens.md");
    // Target type, id, mode; operations; which of them are out of bounds.
    let table: [Bounds; 9] = [
        ("step", "bake", "optimize", vec![step(3, "bake"), asset("assets/n.md"), gone_asset(own)], &[]),
        (
            "step",
            "bake",
            "optimize",
            vec![step(4, "bake"), workflow.clone(), agent("n"), gone_step("bake")],
            &[0, 1, 2, 3],
        ),
        (
            "workflow",
            "3",
            "optimize",
            vec![workflow, step(3, "n"), gone_step("bake"), agent("n"), gone_asset(own)],
            &[],
        ),
        ("workflow", "3", "optimize", vec![step(4, "bake"), agent("baker"), gone_agent("counter")], &[0, 1, 2]),
        ("agent", "baker", "optimize", vec![gone_agent("baker"), agent("n"), asset(own)], &[1, 2]),
        ("agent", "baker", "create", vec![gone_agent("baker")], &[0]),
        ("asset", own, "optimize", vec![gone_asset(own), asset("assets/n.md"), asset("assets/m.md")], &[2]),
        ("asset", own, "optimize", vec![gone_asset(own), asset(other), gone_asset("assets/n.md")], &[1, 2]),
        ("asset", own, "create", vec![gone_asset(own), asset("assets/n.md")], &[0, 1]),
    ];
    let sample = cases().into_iter().find(|case| case["id"] == "CRW-C001").unwrap();
    for (kind, id, mode, operations, want) in table {
        let mut input = sample["input"].clone();
        input["session"] = json!({"target_type": kind, "target_id": id, "mode": mode, "workflow_id": 3});
        input["change_set"] =
            json!({"schemaVersion": "1.0", "targetType": kind, "mode": mode, "operations": operations});
        let violations: Vec<String> =
            found(&call(&input)).into_iter().filter(|it| it.starts_with("IMPACT_SCOPE_VIOLATION")).collect();
        let want: Vec<String> =
            want.iter().map(|at| format!("IMPACT_SCOPE_VIOLATION operations[{at}].target")).collect();
        assert_eq!(violations, want, "{kind} {id} {mode}");
    }
}

#[test]
fn what_is_too_large_is_refused_and_what_is_long_is_bounded() {
    let limit = |input: &Value| call(input)["error"]["details"]["limit"].clone();
    let graph = |nodes: usize, edges: usize| {
        let nodes: Vec<Value> = (0..nodes).map(|at| json!({"id": format!("n{at}"), "type": "step"})).collect();
        let edges = vec![json!({"from": "n0", "to": "n0"}); edges];
        in_workflow(
            &json!({"op": "upsert", "targetType": "workflow", "target": {"workflowId": 3}, "payload": {"graph": {"nodes": nodes, "edges": edges}}}),
        )
    };
    assert_eq!(limit(&graph(1_000, 5_000)), Value::Null);
    assert_eq!(limit(&graph(1_001, 0)), "MAX_NODES");
    assert_eq!(limit(&graph(1, 5_001)), "MAX_EDGES");
    let deep = (0..64).fold(json!(1), |value, _| json!([value]));
    assert_eq!(limit(&in_workflow(&deep)), "MAX_JSON_DEPTH");
    let mut wide = in_workflow(&json!({}));
    wide["change_set"]["impact"] = json!({"objects": vec![""; 100_000]});
    assert_eq!(call(&wide)["errors"].as_array().map(Vec::len), Some(1_000));
    let mut files = in_workflow(&json!({}));
    files["snapshot"]["assets"] = (0..2_000).map(|at| (format!("assets/{at}.md"), json!(""))).collect();
    assert_eq!(limit(&files), "MAX_FILES");
}

#[test]
fn an_asset_of_bytes_can_go_and_come_back() {
    let mut input = cases().into_iter().find(|case| case["id"] == "CRW-C002").unwrap()["input"].clone();
    input["snapshot"]["assets"]["assets/a.png"] = json!("base64:AAAA");
    input["change_set"]["operations"][0]["target"]["path"] = json!("assets/a.png");
    input["change_set"].as_object_mut().unwrap().remove("impact");
    let before = files(&input["snapshot"]);
    let first = staged(&before, &input, &input["change_set"], false);
    assert_eq!(found(&first.shown), Vec::<String>::new());
    let inverse: Inverse = serde_json::from_value(first.inverse.unwrap()).unwrap();
    let after = first.after.unwrap();
    let mut set = input["change_set"].clone();
    set["operations"] = json!(inverse.operations);
    assert_eq!(
        found(&staged(&after, &input, &set, false).shown),
        ["ASSET_ENCODING_INVALID operations[0].payload.content"]
    );
    assert_eq!(staged(&after, &input, &set, true).after.unwrap(), before);
}
