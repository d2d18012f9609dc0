//! Inputs of about 1 MiB that make somebody work.

use std::fmt::Write as _;

use holdpoint_bundle::Files;
use serde_json::{Value, json};

use super::KIND;
use super::package::{change_set, graph, manifest, package, step};
use crate::fault::Fault;
use crate::questions::{Input, Question};

const MIB: usize = 1 << 20;
const GRAPH: &str = "workflows/1/workflow.graph.json";
const FIRST: &str = "workflows/1/steps/n0.md";

/// All of them: packages by three methods, then change sets.
pub fn inputs() -> Result<Vec<Input>, Fault> {
    let mut inputs = Vec::new();
    for (name, files) in documents().into_iter().chain(texts()).chain(graphs()).chain(listings()) {
        let of = |method: &'static str, input: Value| Input {
            name: format!("`{method}`: {name}"),
            due: (None, None),
            questions: vec![Question { method, input }],
        };
        inputs.push(of("bundle.check", json!({"kind": KIND, "files": files})));
        inputs.push(of("crew.paths", json!({ "files": files })));
        inputs.push(of("crew.compare", json!({"before": package(3), "after": files})));
    }
    for (name, question) in sets()? {
        let name = format!("`changeset.check`: {name}");
        inputs.push(Input { name, due: (None, None), questions: vec![question] });
    }
    Ok(inputs)
}

/// Pieces up to so many bytes.
fn many(one: impl Fn(usize) -> String, most: usize) -> String {
    let mut text = String::new();
    for at in 0.. {
        let next = one(at);
        if text.len() + next.len() > most {
            break;
        }
        text.push_str(&next);
    }
    text
}

fn listed(one: impl Fn(usize) -> String, most: usize) -> String {
    many(|at| one(at) + ",", most).trim_end_matches(',').to_owned()
}

fn with(path: &str, text: String) -> Files {
    let mut files = package(3);
    files.insert(path.to_owned(), text);
    files
}

/// JSON documents.
fn documents() -> Vec<(&'static str, Files)> {
    let agents = |list: String| with("agents.json", format!("{{\"schemaVersion\":\"1.1\",\"agents\":[{list}]}}"));
    let unknown = many(|at| format!(",\"k{at}\":0"), MIB - 100);
    let head = "\"schemaVersion\":\"1.1\",\"name\":\"P\",\"version\":\"0.1.0\",\"entry\":{\"workflow\":\"w\",\"graph\":\"g\",\"agents\":\"agents.json\"}";
    let rows = listed(|at| format!("{{\"id\":\"{at}\",\"workflow\":\"w\",\"graph\":\"..\"}}"), MIB - 400);
    let own = |at: usize| format!("{{\"id\":\"a{at}\",{}}}", listed(|at| format!("\"member-number-{at}\":0"), 4_000));
    vec![
        ("unknown members", with("agents.json", format!("{{\"schemaVersion\":\"1.1\",\"agents\":[]{unknown}}}"))),
        ("agents that lack everything", agents(listed(|at| format!("{{\"id\":\"a{at}\"}}"), MIB - 100))),
        ("agents with many unknown members", agents(listed(own, MIB - 100))),
        ("agents of the wrong type", agents(listed(|_| "0".to_owned(), 190_000))),
        ("a manifest of many workflows", with("bmad.json", format!("{{{head},\"workflows\":[{rows}]}}"))),
        ("a graph of unknown members", with(GRAPH, format!("{{{}}}", listed(|at| format!("\"k{at}\":{{}}"), MIB - 9)))),
        ("a list of lists", with(GRAPH, format!("[{}]", listed(|_| "[],[]".to_owned(), MIB - 9)))),
        ("a text of escapes", with("agents.json", format!("\"{}\"", "\\u0041".repeat(MIB / 6 - 4)))),
        ("a key twice", with("agents.json", format!("{{{}\"b\":0}}", "\"a\":0,".repeat(MIB / 6 - 4)))),
        ("an asset of JSON", with("assets/a.json", format!("[{}0]", "0,".repeat((MIB >> 2) / 2 - 2)))),
    ]
}

/// Frontmatter and Markdown.
fn texts() -> Vec<(&'static str, Files)> {
    let heads = |one: &dyn Fn(usize) -> String| {
        let mut files = package(16);
        for at in 0..16 {
            files.insert(format!("workflows/1/steps/n{at}.md"), format!("---\n{}\n---\n", many(one, 65_000)));
        }
        files
    };
    let body = |text: String| with(FIRST, step("n0", &text));
    let first = |lead: &'static str, more: &'static str| {
        move |at: usize| if at == 0 { lead.to_owned() } else { more.to_owned() }
    };
    vec![
        ("YAML of many keys", heads(&|at| format!("k{at}: {at}\n"))),
        ("YAML of flow lists", heads(&first("a: [", "[], "))),
        ("YAML of empty lines and comments", heads(&|_| "#\n\n".to_owned())),
        ("YAML of one long plain text", heads(&first("a: b\n", " b\n"))),
        ("YAML of one long plain text and empty lines", heads(&first("a: b\n", " b\n\n"))),
        ("YAML of a block text", heads(&first("a: |\n", "  b\n\n"))),
        ("YAML of questions", heads(&|_| "? ".to_owned())),
        ("YAML of quotes", heads(&first("a: \"", "\\n\n"))),
        ("YAML of dashes", heads(&first("a:\n", "- - - -\n"))),
        ("Markdown of headings", body("## Goal\n".repeat(MIB / 8 - 100))),
        ("Markdown of fences", body("```\n".repeat(MIB / 4 - 100))),
        ("Markdown of Python with mounts", body("```py\n@pkg/\n```\n".repeat(MIB / 16 - 100))),
        ("Markdown of Python", body("```py\n.\n```\n".repeat(MIB / 12 - 100))),
        ("citations", body(many(|at| format!("assets/{at}.md "), MIB - 900))),
        ("citations without blanks", body("assets/".repeat(MIB / 7 - 200))),
    ]
}

fn node(at: usize) -> Value {
    json!({"id": format!("n{at}"), "type": "step", "file": format!("workflows/1/steps/{at}.md")})
}

fn edge(from: usize, to: usize, label: &str, condition: &Value) -> Value {
    json!({"from": format!("n{from}"), "to": format!("n{to}"), "label": label, "conditionExpr": condition})
}

/// Graphs that keep their schema.
fn graphs() -> Vec<(&'static str, Files)> {
    let nodes = |count: usize| (0..count).map(node).collect::<Vec<_>>();
    let read = |at: usize| json!({"var": format!("v{at}")});
    let dense: Vec<Value> = (0..5_000).map(|at| edge(at % 1_000, at * 7 % 1_000, "x", &read(at))).collect();
    let chain = |condition: &dyn Fn(usize) -> Value| -> Vec<Value> {
        (0..4_995).map(|at| edge(at / 5, at / 5 + 1, &format!("x{at}"), &condition(at))).collect()
    };
    let several = chain(&|at| json!({"or": (0..6).map(|more| read((at * 6 + more) % 1_000)).collect::<Vec<_>>()}));
    let never = chain(&|_| json!(false));
    let equal: Vec<Value> = (0..19_000).map(|at| json!({"==": [read(at), 1]})).collect();
    let all = [edge(0, 1, "x", &json!({ "and": equal }))];
    // What is read is set by the second node, so that each variable is looked for to the end.
    let mut set = with(GRAPH, graph(&nodes(1_000), &several));
    for at in 0..9 {
        let name = |name: usize| if at == 1 { format!("v{}", name % 1_000) } else { format!("s{at}x{name}") };
        let names = listed(name, 64_000);
        let text = format!("---\nschemaVersion: \"1.1\"\nnodeId: n{at}\ntype: step\nsetsVariables: [{names}]\n---\n");
        set.insert(format!("workflows/1/steps/{at}.md"), text);
    }
    let mut each = package(70);
    let pairs = (0..70).flat_map(|from| (0..70).filter(move |to| *to != from).map(move |to| (from, to)));
    let everybody: Vec<Value> =
        pairs.map(|(from, to)| json!({"from": format!("n{from}"), "to": format!("n{to}"), "label": "x"})).collect();
    let own: Vec<Value> = (0..70)
        .map(|at| json!({"id": format!("n{at}"), "type": "step", "file": format!("workflows/1/steps/n{at}.md")}))
        .collect();
    each.insert(GRAPH.to_owned(), graph(&own, &everybody));
    vec![
        ("1,000 nodes, 5,000 edges with conditions", with(GRAPH, graph(&nodes(1_000), &dense))),
        ("many ways that read many variables", with(GRAPH, graph(&nodes(1_000), &several))),
        ("many ways, and steps that set many variables", set),
        ("ways that are never taken", with(GRAPH, graph(&nodes(1_000), &never))),
        ("a condition of 19,000 parts", with(GRAPH, graph(&nodes(2), &all))),
        ("70 nodes, each to each", each),
    ]
}

/// Packages of many files or workflows.
fn listings() -> Vec<(&'static str, Files)> {
    let ids: Vec<String> = (1..=7_000).map(|id| id.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let nodes: Vec<Value> = (0..1_000).map(node).collect();
    let ways: Vec<Value> = (0..999).map(|at| edge(at, at + 1, "x", &Value::Null)).collect();
    let mut shared = with("bmad.json", manifest(&ids));
    shared.insert(GRAPH.to_owned(), graph(&nodes, &ways));
    let mut nowhere = with("bmad.json", manifest(&ids));
    nowhere.insert(GRAPH.to_owned(), "{}".to_owned());
    for at in 0..1_500 {
        nowhere.insert(format!("workflows/1/steps/{at}.md"), String::new());
    }
    let mut elsewhere = with("bmad.json", manifest(&ids));
    for at in 0..1_500 {
        elsewhere.insert(format!("workflows/1/steps/x{at}.md"), String::new());
    }
    let mut small = with("bmad.json", String::new());
    let five: Vec<Value> = (0..5).map(node).collect();
    let pairs = (0..5).flat_map(|from| (0..5).filter(move |to| *to != from).map(move |to| (from, to)));
    let all: Vec<Value> =
        pairs.map(|(from, to)| json!({"from": format!("n{from}"), "to": format!("n{to}"), "label": "x"})).collect();
    let each = graph(&five, &all);
    let rows = (0..700).map(
        |at| json!({"id": at.to_string(), "workflow": "workflows/1/workflow.md", "graph": format!("{at}/g.json")}),
    );
    let entry = json!({"workflow": "workflows/1/workflow.md", "graph": "0/g.json", "agents": "agents.json"});
    let rows = json!({"schemaVersion": "1.1", "name": "P", "version": "0.1.0", "entry": entry, "workflows": rows.collect::<Vec<_>>()});
    small.insert("bmad.json".to_owned(), rows.to_string());
    small.extend((0..700).map(|at| (format!("{at}/g.json"), each.clone())));
    let long = (0..2_000).map(|at| (format!("{}{at}", "a/".repeat(250)), String::new())).collect();
    vec![
        ("7,000 workflows of one graph", shared),
        ("7,000 workflows without a graph, 1,500 steps", nowhere),
        ("7,000 workflows, 1,500 steps of no node", elsewhere),
        ("700 workflows of five nodes, each to each", small),
        ("2,000 long paths", long),
    ]
}

/// Change sets.
fn sets() -> Result<Vec<(&'static str, Question)>, Fault> {
    let files = with("assets/a.md", "a".repeat(200_000));
    let find = format!("{}b", "a".repeat(9_000));
    let edits: Vec<Value> = (0..100).map(|_| json!({"find": find, "replace": ""})).collect();
    let asset =
        json!({"op": "upsert", "targetType": "asset", "target": {"path": "assets/a.md"}, "payload": {"edits": edits}});
    let target = |at: usize| json!({"workflowId": 1, "nodeId": format!("n{at}")});
    let long = |at: usize| {
        let text = step("x", &"## Goal\nassets/a.md\n".repeat(250));
        json!({"op": "upsert", "targetType": "step", "target": target(at), "payload": {"stepMarkdown": text}})
    };
    let steps: Vec<Value> = (0..200).map(long).collect();
    let mut unknown = change_set(&files, &[])?;
    for at in 0..90_000 {
        unknown.input["change_set"][format!("k{at}")] = json!(0);
    }
    let wrong: Vec<Value> = (0..90_000).map(|_| json!(0)).collect();
    let editor: Vec<Value> = (0..1_000).map(|at| json!({"id": format!("n{at}"), "type": "step", "data": {"label": "x", "goal": "g", "instructions": "i", "more": {}}})).collect();
    let lines: Vec<Value> = (0..5_000)
        .map(|at| json!({"source": format!("n{}", at % 1_000), "target": format!("n{}", at * 7 % 1_000), "label": "x"}))
        .collect();
    let whole = json!({"op": "upsert", "targetType": "workflow", "target": {"workflowId": 1}, "payload": {"graph": {"nodes": editor, "edges": lines}}});
    let mut head = String::new();
    for at in 0..6_000 {
        let _ = writeln!(head, "k{at}: {at}");
    }
    let heads = |at: usize| json!({"op": "upsert", "targetType": "step", "target": target(at), "payload": {"stepMarkdown": format!("---\n{head}---\n")}});
    let heads: Vec<Value> = (0..16).map(heads).collect();
    Ok(vec![
        ("edits that are nearly found", change_set(&files, &[asset])?),
        ("200 steps of 5 KB", change_set(&files, &steps)?),
        ("90,000 unknown members", unknown),
        ("90,000 operations that are none", change_set(&files, &wrong)?),
        ("a graph of the editor, 1,000 nodes and 5,000 edges", change_set(&files, &[whole])?),
        ("16 steps with frontmatters of many keys", change_set(&files, &heads)?),
    ])
}
