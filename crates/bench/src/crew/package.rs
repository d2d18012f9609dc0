//! A package as large as the issue's, and what is asked of it.

use holdpoint_bundle::Files;
use holdpoint_kind_crew::dialect::package::Package;
use serde_json::{Value, json};

use crate::fault::Fault;
use crate::questions::{Input, Question};

/// Nodes of the package that is measured.
const NODES: usize = 200;
/// Operations of the set that is measured.
const OPERATIONS: usize = 50;

/// A step file with that body.
pub fn step(id: &str, body: &str) -> String {
    format!(
        "---\nschemaVersion: \"1.1\"\nnodeId: \"{id}\"\ntype: \"step\"\ntitle: \"Step {id}\"\nagentId: \"a0\"\ninputs: []\n\
         outputs: [\"artifacts/{id}.md\"]\nsetsVariables: [\"v{id}\"]\n---\n\n# {id}\n\n## Goal\n\ng\n\n## Instructions\n\n{body}\n"
    )
}

/// One workflow of a chain with branches, with steps of about a kilobyte, twenty agents and twenty assets.
pub fn package(nodes: usize) -> Files {
    let mut files = Files::new();
    let agent = |at: usize| {
        json!({"id": format!("a{at}"), "metadata": {"name": format!("Agent {at}"), "title": "T", "icon": "*"},
            "persona": {"role": "r", "identity": "i", "communication_style": "c", "principles": ["p", "q"]}})
    };
    let agents: Vec<Value> = (0..20).map(agent).collect();
    files.insert("agents.json".to_owned(), json!({"schemaVersion": "1.1", "agents": agents}).to_string());
    files.insert("bmad.json".to_owned(), manifest(&["1"]));
    let (mut graph_nodes, mut edges) = (Vec::new(), Vec::new());
    for at in 0..nodes {
        let id = format!("n{at}");
        let file = format!("workflows/1/steps/{id}.md");
        let is_last = at + 1 == nodes;
        let kind = if is_last { "end" } else { "step" };
        graph_nodes.push(json!({"id": id, "type": kind, "title": format!("Step {id}"), "agentId": "a0", "file": file}));
        let body = "Read what came before and write down what follows from it, in plain words.\n".repeat(12);
        let text = step(&id, &format!("{body}End of {id}."));
        files.insert(file, text.replace("type: \"step\"", &format!("type: \"{kind}\"")));
        if !is_last {
            edges.push(
                json!({"from": format!("n{at}"), "to": format!("n{}", at + 1), "label": "next", "isDefault": true}),
            );
        }
        if at % 10 == 0 && at + 2 < nodes {
            let condition = json!({"==": [{"var": format!("vn{at}")}, true]});
            edges.push(json!({"from": format!("n{at}"), "to": format!("n{}", at + 2), "label": "skip", "conditionExpr": condition}));
        }
    }
    files.insert("workflows/1/workflow.graph.json".to_owned(), graph(&graph_nodes, &edges));
    let document =
        "---\nschemaVersion: \"1.1\"\nworkflowType: workflow\ncurrentNodeId: \"\"\nstepsCompleted: []\n---\n# W\n";
    files.insert("workflows/1/workflow.md".to_owned(), document.to_owned());
    for at in 0..20 {
        files.insert(format!("assets/a{at}.md"), "A line of an asset that somebody reads.\n".repeat(100));
    }
    files
}

/// A manifest whose workflows all have the files of the first.
pub fn manifest(ids: &[&str]) -> String {
    let unit = json!({"workflow": "workflows/1/workflow.md", "graph": "workflows/1/workflow.graph.json"});
    let mut entry = unit.clone();
    entry["agents"] = json!("agents.json");
    let row = |id: &&str| json!({"id": id, "workflow": unit["workflow"], "graph": unit["graph"]});
    let rows: Vec<Value> = ids.iter().map(row).collect();
    json!({"schemaVersion": "1.1", "name": "P", "version": "0.1.0", "entry": entry, "workflows": rows}).to_string()
}

/// A graph that begins at `n0`.
pub fn graph(nodes: &[Value], edges: &[Value]) -> String {
    json!({"schemaVersion": "1.1", "entryNodeId": "n0", "nodes": nodes, "edges": edges}).to_string()
}

/// The package as a session sees it.
fn snapshot(files: &Files) -> Result<Value, Fault> {
    let view = Package::open(files).map_err(|error| Fault::Told(error.message))?.view;
    let steps = view.steps.iter().map(|((workflow, node), it)| {
        json!({"workflow_id": workflow, "node_id": node, "path": it.path, "markdown": it.text})
    });
    let workflows = view
        .workflows
        .iter()
        .map(|(id, it)| json!({"id": id, "name": "W", "is_default": true, "document": it.document, "graph": it.graph}));
    Ok(json!({"workflows": workflows.collect::<Vec<_>>(), "steps": steps.collect::<Vec<_>>(), "agents": view.agents,
        "assets": view.assets, "revisions": {"workflowRevision": 1, "agentsRevision": 1, "assetsRevision": 1}}))
}

fn session() -> Value {
    json!({"target_type": "workflow", "target_id": "1", "mode": "optimize", "workflow_id": 1})
}

/// The check of a set of operations on a package.
pub fn change_set(files: &Files, operations: &[Value]) -> Result<Question, Fault> {
    let set = json!({"schemaVersion": "1.0", "targetType": "workflow", "mode": "optimize", "operations": operations});
    let input = json!({"snapshot": snapshot(files)?, "session": session(), "change_set": set});
    Ok(Question { method: "changeset.check", input })
}

/// Which figures of the issue there are, in milliseconds natively and as Wasm, and what is measured.
pub fn promised() -> Result<Vec<Input>, Fault> {
    let files = package(NODES);
    let edit = |at: usize| {
        let payload =
            json!({"edits": [{"find": format!("End of n{at}."), "replace": format!("End of n{at}, and on.")}]});
        json!({"op": "upsert", "targetType": "step", "target": {"workflowId": 1, "nodeId": format!("n{at}")}, "payload": payload})
    };
    let operations: Vec<Value> = (0..OPERATIONS).map(edit).collect();
    let pack = json!({"session": session(), "snapshot": snapshot(&files)?, "budget": {"model_window": 200_000}});
    let packed = crate::questions::SHELL.call("context.pack", pack.clone());
    let compose = json!({"target_type": "workflow", "mode": "optimize", "user_prompt": "x",
        "context_envelope": packed["envelope"], "write_policy": {"allowApply": false, "requiresValidation": true}});
    let mut after = files.clone();
    after.entry("workflows/1/steps/n7.md".to_owned()).or_default().push_str("x\n");
    let of = |name: &str, due: (Option<u32>, Option<u32>), questions: Vec<Question>| Input {
        name: name.to_owned(),
        due,
        questions,
    };
    let asked = |method: &'static str, input: Value| vec![Question { method, input }];
    Ok(vec![
        of("`bundle.check`", (Some(5), Some(50)), asked("bundle.check", json!({"kind": super::KIND, "files": files}))),
        of("`changeset.check` of 50 operations", (None, Some(100)), vec![change_set(&files, &operations)?]),
        of(
            "`context.pack` and `prompt.compose`",
            (None, Some(50)),
            vec![
                Question { method: "context.pack", input: pack },
                Question { method: "prompt.compose", input: compose },
            ],
        ),
        of("`crew.paths`", (None, None), asked("crew.paths", json!({ "files": files }))),
        of(
            "`crew.compare` with one line more",
            (None, None),
            asked("crew.compare", json!({"before": files, "after": after})),
        ),
    ])
}
