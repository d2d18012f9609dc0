//! The context of the sample package, with what the cases leave open.

use serde_json::{Value, json};

use crate::prompts::methods::context_pack;

const STEP: &str = "---\nschemaVersion: \"1.1\"\n\
    nodeId: mix\ntype: step\nagentId: \"baker \"\ninputs: [assets/i.json]\n\
    setsVariables: [dough]\n---\nSee assets/b.md and assets/gone.md.\n";
const DOCUMENT: &str = "---\nschemaVersion: \"1.1\"\nworkflowType: workflow\ncurrentNodeId: \"\"\nstepsCompleted: []\n\
    variables: {rye: 1, dough: 2}\n---\nassets/b.md\n";

fn package() -> Value {
    let step = |workflow: u64, node: &str| {
        let path = format!("w/{workflow}/{node}.md");
        json!({"workflow_id": workflow, "node_id": node, "path": path, "markdown": STEP})
    };
    let graph = json!({
        "nodes": [{"id": "mix", "type": "step", "file": "m.md", "title": "Mix"}, {"id": "Z", "agentId": " baker"}],
        "edges": [{"from": "mix", "to": "mix", "label": "a"}, {"from": "Z", "to": "mix", "label": "b"}],
    });
    let workflow =
        |id: u64| json!({"id": id, "name": "n", "is_default": id == 2, "document": DOCUMENT, "graph": graph});
    json!({
        "workflows": [workflow(10), workflow(2)],
        "steps": [step(10, "mix"), step(2, "b"), step(2, "a"), step(3, "lone")],
        "agents": [{"id": "clerk", "persona": {"role": 7}}, {"id": "baker", "metadata": {"name": "Baker"}}],
        "assets": {"assets/i.json": "{}", "assets/b.md": "base64:QUI=", "assets/B.MD": "å"},
        "revisions": {"workflowRevision": 4, "agentsRevision": 2, "assetsRevision": 3},
    })
}

#[allow(clippy::needless_pass_by_value)] // so that it reads as JSON does
fn session(target_type: &str, target_id: &str, mode: &str, workflow_id: Value) -> Value {
    json!({"target_type": target_type, "target_id": target_id, "mode": mode, "workflow_id": workflow_id})
}

fn packed(session: &Value) -> Value {
    let input = json!({"session": session, "snapshot": package(), "budget": {"context_token_budget": 100_000}});
    context_pack(input).unwrap_or_else(|error| json!({ "error": error }))
}

fn told(session: &Value, member: &str) -> Value {
    packed(session)["envelope"][member].take()
}

#[test]
fn a_workflow() {
    let session = session("workflow", "2", "optimize", json!(2));
    let packed = packed(&session);
    let target = &packed["envelope"]["target_snapshot"];
    let rows = json!([
        {"nodeId": "Z", "type": null, "title": "", "file": null},
        {"nodeId": "mix", "type": "step", "title": "Mix", "file": "m.md"},
    ]);
    assert_eq!(target["step_index"], rows);
    let digest = json!({
        "agents": {"items": [
            {"id": "baker", "name": "Baker", "role": null}, {"id": "clerk", "name": null, "role": 7},
        ], "total": 2, "truncated": false},
        "assets": {"items": [
            {"path": "assets/B.MD", "bytes": 2, "hash": holdpoint_bundle::text_hash("å")},
            {"path": "assets/b.md", "bytes": 2, "hash": holdpoint_bundle::text_hash("base64:QUI=")},
            {"path": "assets/i.json", "bytes": 2, "hash": holdpoint_bundle::text_hash("{}")},
        ], "total": 3, "truncated": false},
        "variables": {"items": [{"name": "dough"}, {"name": "rye"}], "total": 2, "truncated": false},
    });
    assert_eq!(packed["envelope"]["dependency_digest"], digest);
    assert_eq!(packed["envelope"]["revision_info"]["targetHash"], holdpoint_bundle::text_hash(DOCUMENT));
    assert_eq!(packed["referenced_asset_paths"], json!(["assets/b.md"]));
    let baseline = json!({
        "schemaVersion": "1.1", "changeSetVersion": "1.0", "idPattern": "^[A-Za-z0-9][A-Za-z0-9._:-]*$",
        "nodeTypes": ["step", "decision", "merge", "end", "subworkflow"],
        "assetExtensions": [".md", ".txt", ".json", ".yaml", ".yml"],
        "limits": {"assetBytes": 262_144, "assetsBytes": 2_097_152, "assetCount": 200},
    });
    assert_eq!(packed["envelope"]["normative_baseline"], baseline);
}

#[test]
fn a_step() {
    let session = session("step", "mix", "optimize", json!(10));
    let packed = packed(&session);
    let edges = &packed["envelope"]["target_snapshot"]["adjacent_edges"];
    let (own, other) =
        (json!({"from": "mix", "to": "mix", "label": "a"}), json!({"from": "Z", "to": "mix", "label": "b"}));
    assert_eq!(*edges, json!({"incoming": [own, other], "outgoing": [own]}));
    let paths = json!(["assets/b.md", "assets/gone.md", "assets/i.json"]);
    assert_eq!(packed["referenced_asset_paths"], paths);
    let assets = &packed["envelope"]["dependency_digest"]["assets"];
    assert_eq!((&assets["total"], &assets["items"][1]["path"]), (&json!(2), &json!("assets/i.json")));
    assert_eq!(packed["envelope"]["dependency_digest"]["variables"]["total"], 2);
}

#[test]
fn an_agent() {
    let session = session("agent", "baker", "optimize", json!(null));
    let used = |workflow: u64, node: &str| json!({"workflowId": workflow, "nodeId": node});
    let steps = json!([used(2, "Z"), used(2, "a"), used(2, "b"), used(3, "lone"), used(10, "Z"), used(10, "mix")]);
    assert_eq!(told(&session, "target_snapshot")["referenced_steps"], steps);
    let digest = told(&session, "dependency_digest");
    let others =
        json!({"agents": {"items": [{"id": "clerk", "name": null, "role": 7}], "total": 1, "truncated": false}});
    assert_eq!(digest, others);
    let hash = holdpoint_bundle::text_hash(r#"{"id":"baker","metadata":{"name":"Baker"}}"#);
    assert_eq!(told(&session, "revision_info")["targetHash"], hash);
    assert_eq!(packed(&session)["referenced_asset_paths"], json!([]));
}

#[test]
fn an_asset() {
    let target = told(&session("asset", "assets/b.md", "optimize", json!(null)), "target_snapshot");
    let citing = json!(["workflow:2", "workflow:10", "step:a", "step:b", "step:lone", "step:mix"]);
    assert_eq!((&target["referenced_by"], &target["content"]), (&citing, &json!("base64:QUI=")));
    let steps = told(&session("asset", "assets/i.json", "optimize", json!(null)), "dependency_digest");
    assert_eq!(steps["steps"]["items"][0], json!({"workflowId": 2, "nodeId": "a", "path": "w/2/a.md"}));
    assert_eq!((steps.as_object().unwrap().len(), &steps["steps"]["total"]), (1, &json!(4)));
    for (path, want) in [("assets/x", ""), ("assets/a.b/x", ""), ("assets/.md", ""), ("assets/A.Tar.GZ", "gz")] {
        let target = told(&session("asset", path, "create", json!(null)), "target_snapshot");
        assert_eq!(target["file_type"], want, "{path}");
    }
}

#[test]
fn what_is_not_there_yet_is_null_or_empty() {
    let workflow = session("workflow", "9", "create", json!(9));
    let target = json!({"workflow_md": null, "graph_json": null, "step_index": []});
    assert_eq!(told(&workflow, "target_snapshot"), target);
    let agent = session("agent", "new", "create", json!(null));
    assert_eq!(told(&agent, "target_snapshot"), json!({"agent_definition": null, "referenced_steps": []}));
    assert_eq!(told(&agent, "dependency_digest")["agents"]["total"], 2);
    assert_eq!(told(&agent, "revision_info")["targetHash"], json!(null));
    let meta =
        json!({"projectId": null, "workflowId": null, "targetType": "agent", "targetId": "new", "mode": "create"});
    assert_eq!(told(&agent, "session_meta"), meta);
    // A node without a step file is a step that can be worked on.
    let node = told(&session("step", "Z", "optimize", json!(2)), "target_snapshot");
    assert_eq!((&node["step_markdown"], &node["node_meta"]["id"]), (&json!(null), &json!("Z")));
    let file = told(&session("step", "a", "optimize", json!(2)), "target_snapshot");
    assert_eq!((file["step_markdown"].is_string(), &file["node_meta"]), (true, &json!(null)));
}

#[test]
fn targets_that_are_not_there() {
    let cases = [
        session("workflow", "9", "optimize", json!(9)),
        session("step", "mix", "optimize", json!(9)),
        session("step", "mix", "create", json!(9)),
        session("step", "other", "optimize", json!(2)),
        session("step", "lone", "create", json!(3)),
        session("agent", "Baker", "optimize", json!(null)),
        session("asset", "assets/gone.md", "optimize", json!(null)),
    ];
    for session in cases {
        let error = packed(&session)["error"].take();
        assert_eq!(error["code"], "AI_CONTEXT_BUILD_ERROR", "{session}");
        let locator =
            json!({"type": session["target_type"], "id": session["target_id"], "workflowId": session["workflow_id"]});
        assert_eq!(error["details"]["locator"], locator);
    }
}

#[test]
fn faults_of_the_caller() {
    let good = || json!({"session": session("agent", "baker", "optimize", json!(null)), "snapshot": package()});
    let with = |changes: Value| {
        let mut input = good();
        for (name, value) in changes.as_object().unwrap() {
            input[name] = value.clone();
        }
        input
    };
    let cases = [
        (json!({}), "/envelope"),
        (json!({"envelope": {}}), "/envelope"),
        (json!({"envelope": 1, "session": 1}), "/envelope"),
        (with(json!({"snapshot": null, "session": 1})), "/snapshot"),
        (with(json!({"snapshot": {"workflows": []}})), "/snapshot"),
        (with(json!({"session": null})), "/session"),
        (with(json!({"session": {"mode": "create"}})), "/session/target_type"),
        (with(json!({"budget": []})), "/budget"),
        (with(json!({"budget": {"model_window": "9"}})), "/budget/model_window"),
        (with(json!({"budget": {"reserve_for_response": -1}})), "/budget/reserve_for_response"),
        (with(json!({"budget": {"context_token_budget": 1.5}})), "/budget/context_token_budget"),
        (with(json!({"budget": {"context_token_budget": true}})), "/budget/context_token_budget"),
        (with(json!({"domain": 1})), "/domain"),
    ];
    for (input, want) in cases {
        let error = context_pack(input.clone()).unwrap_err();
        assert_eq!(error.details["pointer"], want, "{input}");
    }
    assert!(context_pack(good()).is_ok());
    let project = packed(&with(json!({}))["session"]);
    assert_eq!(project["trim_report"]["applied"], false);
}
