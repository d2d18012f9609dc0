//! How long the crew kind takes, by hand: `cargo run --release -p holdpoint-kinds --example crew_speed`.
//!
//! What crew-package.md §12 and the limits promise: a package of 200 nodes, a set of 50 operations on it, the prompt of a
//! session on it, and the slowest inputs of 1 MiB that are known. Each line is the best of several runs, in milliseconds.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a rig that prints

use std::hint::black_box;
use std::time::Instant;

use holdpoint_bundle::Files;
use holdpoint_kinds::crew_package::claims::{ChangedObject, claims, names};
use holdpoint_kinds::crew_package::compare::compare;
use holdpoint_kinds::crew_package::dialect::package::Package;
use holdpoint_kinds::crew_package::paths::{MAX_PATHS, report};
use holdpoint_kinds::crew_package::prompts::methods::{context_pack, prompt_compose};
use holdpoint_kinds::crew_package::{Options, archive, check, methods};
use serde_json::{Value, json};

fn timed(name: &str, runs: u32, mut run: impl FnMut()) {
    let one = |run: &mut dyn FnMut()| {
        let begun = Instant::now();
        run();
        begun.elapsed().as_secs_f64() * 1_000.0
    };
    let best = (0..runs).map(|_| one(&mut run)).fold(f64::INFINITY, f64::min);
    println!("{best:9.2} ms  {name}");
}

fn step(id: &str, body: &str) -> String {
    format!(
        "---\nschemaVersion: \"1.1\"\nnodeId: \"{id}\"\ntype: \"step\"\ntitle: \"Step {id}\"\nagentId: \"a0\"\ninputs: []\noutputs: [\"artifacts/{id}.md\"]\nsetsVariables: [\"v{id}\"]\n---\n\n# {id}\n\n## Goal\n\ng\n\n## Instructions\n\n{body}\n"
    )
}

/// One workflow of a chain with branches, with steps of about a kilobyte.
fn package(nodes: usize) -> Files {
    let mut files = Files::new();
    let agent = |at: usize| {
        json!({"id": format!("a{at}"), "metadata": {"name": format!("Agent {at}"), "title": "T", "icon": "*"},
            "persona": {"role": "r", "identity": "i", "communication_style": "c", "principles": ["p", "q"]}})
    };
    let agents: Vec<Value> = (0..20).map(agent).collect();
    files.insert("agents.json".to_owned(), json!({"schemaVersion": "1.1", "agents": agents}).to_string());
    let unit = json!({"workflow": "workflows/1/workflow.md", "graph": "workflows/1/workflow.graph.json"});
    let mut entry = unit.clone();
    entry["agents"] = json!("agents.json");
    let mut row = unit;
    row["id"] = json!("1");
    let manifest = json!({"schemaVersion": "1.1", "name": "P", "version": "0.1.0", "entry": entry, "workflows": [row]});
    files.insert("bmad.json".to_owned(), manifest.to_string());
    let mut graph_nodes = Vec::new();
    let mut edges = Vec::new();
    for at in 0..nodes {
        let id = format!("n{at}");
        let file = format!("workflows/1/steps/{id}.md");
        let is_last = at + 1 == nodes;
        let kind = if is_last { "end" } else { "step" };
        graph_nodes.push(json!({"id": id, "type": kind, "title": format!("Step {id}"), "agentId": "a0", "file": file}));
        let body = "Read what came before and write down what follows from it, in plain words.\n".repeat(12);
        files.insert(
            file,
            step(&id, &format!("{body}End of {id}.")).replace("type: \"step\"", &format!("type: \"{kind}\"")),
        );
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
    let graph = json!({"schemaVersion": "1.1", "entryNodeId": "n0", "nodes": graph_nodes, "edges": edges});
    files.insert("workflows/1/workflow.graph.json".to_owned(), graph.to_string());
    let document =
        "---\nschemaVersion: \"1.1\"\nworkflowType: workflow\ncurrentNodeId: \"\"\nstepsCompleted: []\n---\n# W\n";
    files.insert("workflows/1/workflow.md".to_owned(), document.to_owned());
    for at in 0..20 {
        files.insert(format!("assets/a{at}.md"), "A line of an asset that somebody reads.\n".repeat(100));
    }
    files
}

fn snapshot(files: &Files) -> Value {
    let view = Package::open(files).unwrap().view;
    let steps = view.steps.iter().map(|((workflow, node), it)| {
        json!({"workflow_id": workflow, "node_id": node, "path": it.path, "markdown": it.text})
    });
    let workflows = view
        .workflows
        .iter()
        .map(|(id, it)| json!({"id": id, "name": "W", "is_default": true, "document": it.document, "graph": it.graph}));
    json!({"workflows": workflows.collect::<Vec<_>>(), "steps": steps.collect::<Vec<_>>(), "agents": view.agents,
        "assets": view.assets, "revisions": {"workflowRevision": 1, "agentsRevision": 1, "assetsRevision": 1}})
}

fn session() -> Value {
    json!({"target_type": "workflow", "target_id": "1", "mode": "optimize", "workflow_id": 1})
}

fn set(operations: &[Value]) -> Value {
    json!({"schemaVersion": "1.0", "targetType": "workflow", "mode": "optimize", "operations": operations})
}

fn changeset(files: &Files, change_set: &Value) -> Value {
    let (_, method) = methods::METHODS.iter().find(|(name, _)| *name == "changeset.check").unwrap();
    method(json!({"snapshot": snapshot(files), "session": session(), "change_set": change_set})).unwrap()
}

fn with(path: &str, text: String) -> Files {
    let mut files = package(3);
    files.insert(path.to_owned(), text);
    files
}

fn promised() {
    let files = package(200);
    let bytes: usize = files.values().map(String::len).sum();
    println!("package of 200 nodes, {bytes} bytes");
    let checked = check(&files, &Options::default()).unwrap();
    assert!(checked.ok, "{:?}", checked.diagnostics.first());
    timed("bundle.check", 20, || drop(black_box(check(&files, &Options::default()))));
    let edit = |at: usize| {
        let payload =
            json!({"edits": [{"find": format!("End of n{at}."), "replace": format!("End of n{at}, and on.")}]});
        json!({"op": "upsert", "targetType": "step", "target": {"workflowId": 1, "nodeId": format!("n{at}")}, "payload": payload})
    };
    let operations = set(&(0..50).map(edit).collect::<Vec<_>>());
    assert_eq!(changeset(&files, &operations)["valid"], true);
    timed("changeset.check of 50 operations, with its JSON", 10, || drop(black_box(changeset(&files, &operations))));
    let whole = snapshot(&files);
    timed("context.pack and prompt.compose of the workflow", 10, || {
        let packed =
            context_pack(json!({"session": session(), "snapshot": whole, "budget": {"model_window": 200_000}}))
                .unwrap();
        let composed = prompt_compose(json!({"target_type": "workflow", "mode": "optimize", "user_prompt": "x",
            "context_envelope": packed["envelope"], "write_policy": {"allowApply": false, "requiresValidation": true}}));
        black_box(composed.unwrap());
    });
    timed("crew.paths", 10, || drop(black_box(report(&files, None, MAX_PATHS, &Options::default()))));
    timed("crew.compare with itself less a step's line", 10, || {
        let mut after = files.clone();
        after.get_mut("workflows/1/steps/n7.md").unwrap().push_str("x\n");
        black_box(compare(&files, &after)).unwrap();
    });
    let archive = archive::export(&files).unwrap();
    timed("export", 10, || drop(black_box(archive::export(&files))));
    timed("import", 10, || drop(black_box(archive::import(&archive, &archive::ImportOptions::default()))));
}

/// Names and texts of 1 MiB that make somebody work.
fn slow_files() -> Vec<(&'static str, Files)> {
    const MIB: usize = 1 << 20;
    let many = |one: &dyn Fn(usize) -> String, most: usize| -> String {
        let mut text = String::new();
        for at in 0.. {
            let next = one(at);
            if text.len() + next.len() > most {
                return text;
            }
            text.push_str(&next);
        }
        text
    };
    let graph = "workflows/1/workflow.graph.json";
    let unknown =
        format!("{{\"schemaVersion\":\"1.1\",\"agents\":[]{}}}", many(&|at| format!(",\"k{at}\":0"), MIB - 100));
    let agents = many(&|at| format!("{{\"id\":\"a{at}\"}},"), MIB - 100);
    let agents = format!("{{\"schemaVersion\":\"1.1\",\"agents\":[{}]}}", agents.trim_end_matches(','));
    let rows = many(&|at| format!("{{\"id\":\"{at}\",\"workflow\":\"w\",\"graph\":\"..\"}},"), MIB - 400);
    let manifest = format!(
        "{{\"schemaVersion\":\"1.1\",\"name\":\"P\",\"version\":\"0.1.0\",\"entry\":{{\"workflow\":\"w\",\"graph\":\"g\",\"agents\":\"agents.json\"}},\"workflows\":[{}]}}",
        rows.trim_end_matches(',')
    );
    let nodes: Vec<Value> = (0..1_000)
        .map(|at| json!({"id": format!("n{at}"), "type": "step", "file": format!("workflows/1/steps/{at}.md")}))
        .collect();
    let edges: Vec<Value> = (0..5_000).map(|at| json!({"from": format!("n{}", at % 1_000), "to": format!("n{}", (at * 7) % 1_000), "label": "x", "conditionExpr": {"var": format!("v{at}")}})).collect();
    let dense = json!({"schemaVersion": "1.1", "entryNodeId": "n0", "nodes": nodes, "edges": edges}).to_string();
    let heads = |one: &dyn Fn(usize) -> String| -> Files {
        let mut files = package(16);
        for at in 0..16 {
            let path = format!("workflows/1/steps/n{at}.md");
            files.insert(path, format!("---\n{}\n---\n", many(one, 65_000)));
        }
        files
    };
    let body = |text: String| with("workflows/1/steps/n0.md", step("n0", &text).replace("Step n0", "S")[..].to_owned());
    let mut cases = vec![
        ("agents.json with unknown members", with("agents.json", unknown)),
        ("agents that lack everything", with("agents.json", agents)),
        ("a manifest of many workflows", with("bmad.json", manifest)),
        ("1,000 nodes and 5,000 edges with conditions", with(graph, dense)),
        (
            "a graph with unknown members",
            with(graph, format!("{{{}}}", many(&|at| format!("\"k{at}\":{{}},"), MIB - 9).trim_end_matches(','))),
        ),
        ("JSON that is one list of lists", with(graph, format!("[{}]", "[[],[]],".repeat(MIB / 8 - 4) + "[]"))),
        ("JSON that is one text of escapes", with("agents.json", format!("\"{}\"", "\\u0041".repeat(MIB / 6 - 4)))),
        ("JSON with a key twice", with("agents.json", format!("{{{}}}", "\"a\":0,".repeat(MIB / 6 - 4) + "\"b\":0"))),
        ("YAML of many keys", heads(&|at| format!("k{at}: {at}\n"))),
        ("YAML of flow lists", heads(&|at| if at == 0 { "a: [".to_owned() } else { "[], ".to_owned() })),
        ("YAML of empty lines and comments", heads(&|_| "#\n\n".to_owned())),
        ("YAML of one long plain text", heads(&|at| if at == 0 { "a: b\n".to_owned() } else { " b\n".to_owned() })),
        ("YAML of questions", heads(&|_| "? ".to_owned())),
        ("YAML of quotes", heads(&|at| if at == 0 { "a: \"".to_owned() } else { "\\n\n".to_owned() })),
        ("Markdown of headings", body("## Goal\n".repeat(MIB / 8 - 100))),
        ("Markdown of fences", body("```\n".repeat(MIB / 4 - 100))),
        ("Markdown of fences of Python with mounts", body("```py\n@pkg/\n```\n".repeat(MIB / 16 - 100))),
        ("Markdown of citations", body(many(&|at| format!("assets/{at}.md "), MIB - 900))),
        ("Markdown of citations without blanks", body("assets/".repeat(MIB / 7 - 200))),
        ("an asset of JSON", with("assets/a.json", format!("[{}0]", "0,".repeat((MIB >> 2) / 2 - 2)))),
    ];
    let mut paths = Files::new();
    for at in 0..2_000 {
        paths.insert(format!("{}{at}", "a/".repeat(250)), String::new());
    }
    cases.push(("2,000 long paths", paths));
    cases
}

fn slow() {
    println!("inputs of 1 MiB, at most 250 ms");
    for (name, files) in slow_files() {
        timed(&format!("bundle.check: {name}"), 3, || drop(black_box(check(&files, &Options::default()))));
        timed(&format!("crew.paths:   {name}"), 3, || {
            drop(black_box(report(&files, None, MAX_PATHS, &Options::default())));
        });
        timed(&format!("crew.compare: {name}"), 3, || drop(black_box(compare(&package(3), &files))));
    }
    let everybody: Vec<Value> = (0..70)
        .flat_map(|from| (0..70).filter(move |to| *to != from).map(move |to| (from, to)))
        .map(|(from, to)| json!({"from": format!("n{from}"), "to": format!("n{to}"), "label": "x"}))
        .collect();
    let mut files = package(70);
    let mut graph: Value = serde_json::from_str(&files["workflows/1/workflow.graph.json"]).unwrap();
    graph["edges"] = json!(everybody);
    files.insert("workflows/1/workflow.graph.json".to_owned(), graph.to_string());
    timed("crew.paths: 70 nodes, each to each", 3, || {
        drop(black_box(report(&files, None, MAX_PATHS, &Options::default())));
    });
    let text = "a".repeat(200_000);
    let files = with("assets/a.md", text);
    let edits: Vec<Value> =
        (0..100).map(|_| json!({"find": format!("{}b", "a".repeat(9_000)), "replace": ""})).collect();
    let operation =
        json!({"op": "upsert", "targetType": "asset", "target": {"path": "assets/a.md"}, "payload": {"edits": edits}});
    let edits = set(&[operation]);
    timed("changeset.check: edits that are nearly found", 3, || drop(black_box(changeset(&files, &edits))));
    let long = |at: usize| {
        json!({"op": "upsert", "targetType": "step", "target": {"workflowId": 1, "nodeId": format!("n{at}")},
        "payload": {"stepMarkdown": step("x", &"## Goal\nassets/a.md\n".repeat(250))}})
    };
    let steps = set(&(0..200).map(long).collect::<Vec<_>>());
    timed("changeset.check: 200 steps of 5 KB", 3, || drop(black_box(changeset(&files, &steps))));
    let mut unknown = set(&[]);
    for at in 0..90_000 {
        unknown[format!("k{at}")] = json!(0);
    }
    timed("changeset.check: 90,000 unknown members", 3, || drop(black_box(changeset(&files, &unknown))));
    let view = Package::open(&package(1_000)).unwrap().view;
    let all = names(&[&view], &[]);
    let changed = vec![ChangedObject { object: "step:n7".to_owned(), file: "workflows/1/steps/n7.md".to_owned() }];
    timed("claims: 4,000 names in 4,000 characters", 3, || {
        black_box(claims(&"I changed n1 n2 n3 and Step n. ".repeat(200), &all, &changed, "en"));
    });
}

fn main() {
    promised();
    slow();
}
