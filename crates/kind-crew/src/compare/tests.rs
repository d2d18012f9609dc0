//! What differs is told once, by member; what does not is not told.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Became, compare, crew_compare};
use crate::limits::MAX_SHARED;
use crate::test::package::{json_with, multi, package, shared, step, with};
use holdpoint_bundle::Files;

const GRAPH: &str = "workflows/1/workflow.graph.json";

/// Each difference in a line.
fn said(before: &Files, after: &Files) -> Vec<String> {
    let found = compare(before, after).unwrap();
    let members = |all: &[super::MemberCompared]| -> String {
        let one = |it: &super::MemberCompared| match it.lines {
            Some(lines) => format!(" {}:{}>{}({})", it.member, lines.before, lines.after, lines.changed),
            None => format!(" {}:{}>{}", it.member, shown(it.before.as_ref()), shown(it.after.as_ref())),
        };
        all.iter().map(one).collect()
    };
    let mut lines = Vec::new();
    if !found.package.is_empty() {
        lines.push(format!("package{}", members(&found.package)));
    }
    for workflow in found.workflows.iter().filter(|it| it.status != Became::Same) {
        let id = workflow.id.as_deref().unwrap_or("-");
        lines.push(format!("workflow {id} {:?} {}{}", workflow.status, workflow.changes, members(&workflow.members)));
        for node in workflow.nodes.iter().filter(|it| it.status != Became::Same) {
            lines.push(format!("node {} {:?}{}", node.name, node.status, members(&node.members)));
        }
        for edge in workflow.edges.iter().filter(|it| it.status != Became::Same) {
            lines.push(format!("edge {:?}>{:?} {:?}{}", edge.before, edge.after, edge.status, members(&edge.members)));
        }
    }
    for (what, all) in [("agent", &found.agents), ("asset", &found.assets), ("other", &found.others)] {
        lines.extend(all.iter().map(|it| format!("{what} {} {:?}{}", it.id, it.status, members(&it.members))));
    }
    lines
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("-".to_owned(), ToString::to_string)
}

#[test]
fn the_same_package_has_nothing_to_say() {
    for files in [multi(), package("", &[]), Files::new()] {
        assert_eq!(said(&files, &files), Vec::<String>::new());
    }
    let whole = compare(&multi(), &multi()).unwrap();
    assert_eq!(whole.workflows.len(), 2, "workflows that are the same are there too");
    assert_eq!(whole.workflows[0].nodes.len(), 2);
    let spaced = multi()[GRAPH].replace("{\"", "{ \"");
    assert_eq!(said(&multi(), &with(&multi(), &[(GRAPH, Some(&spaced))])), Vec::<String>::new(), "JSON is no text");
}

/// With a graph for each of them memory runs out.
#[test]
fn many_workflows_of_one_graph_are_told_by_the_first_ones() {
    let files = shared(7_000);
    let found = compare(&files, &with(&files, &[("workflows/1/steps/a.md", Some(&step("a", "end")))])).unwrap();
    assert_eq!(found.workflows.len(), 7_000);
    assert_eq!(found.workflows.iter().filter(|it| it.status == Became::Changed).count(), 1 + MAX_SHARED);
    assert_eq!(found.workflows.iter().filter(|it| it.nodes.is_empty()).count(), 7_000 - 1 - MAX_SHARED);
}

#[test]
fn a_node_is_told_with_its_step() {
    let path = "workflows/1/steps/a.md";
    let text = multi()[path]
        .replace("type: step\n", "type: step\nsetsVariables: [loss]\n")
        .replace("## Instructions\n\ni\n", "## Instructions\n\ni\nj\nk\n");
    let after = with(&multi(), &[(path, Some(&text))]);
    let want = ["workflow 1 Changed 1", "node a Changed setsVariables:->[\"loss\"] instructions:1>3(2)"];
    assert_eq!(said(&multi(), &after), want);
    let titled = json_with(&after, GRAPH, "/nodes/0/title", json!("Assess"));
    let text = text.replace("type: step\n", "type: step\ntitle: Assess\n");
    let titled = with(&titled, &[(path, Some(&text))]);
    let want = ["workflow 1 Changed 1", "node Assess Changed title:->\"Assess\""];
    assert_eq!(said(&after, &titled), want, "node and step say it once");
    let moved = json_with(&multi(), GRAPH, "/metadata", json!({"positions": {"z": {"x": 1, "y": 2}}}));
    assert_eq!(said(&multi(), &moved), ["workflow 1 Changed 1", "node z Changed position.x:->1 position.y:->2"]);
    let blank = with(&multi(), &[(path, Some(&multi()[path].replace("\n\ng\n", "\n\n\ng\n")))]);
    assert_eq!(said(&multi(), &blank), ["workflow 1 Changed 1", "node a Changed text:13>14(1)"], "nothing is lost");
}

#[test]
fn edges_are_paired_by_what_they_keep() {
    let edge = |from: &str, to: &str, label: &str| json!({"from": from, "to": to, "label": label});
    let edges = |all: Value| json_with(&multi(), GRAPH, "/edges", all);
    let first = edges(json!([edge("a", "z", "large"), edge("a", "z", "small"), edge("a", "a", "again")]));
    let second = edges(json!([edge("a", "a", "new"), edge("a", "z", "small"), edge("z", "a", "back")]));
    let want = [
        "workflow 1 Changed 3",
        "edge Some(2)>Some(0) Changed label:\"again\">\"new\"",
        "edge None>Some(2) Added from:->\"z\" to:->\"a\" label:->\"back\"",
        "edge Some(0)>None Removed from:\"a\">- to:\"z\">- label:\"large\">-",
    ];
    assert_eq!(said(&first, &second), want);
    let named = |to: &str| edges(json!([{"id": "e", "from": "a", "to": to, "label": to}]));
    let want = ["workflow 1 Changed 1", "edge Some(0)>Some(0) Changed to:\"a\">\"z\" label:\"a\">\"z\""];
    assert_eq!(said(&named("a"), &named("z")), want);
}

#[test]
fn nodes_workflows_and_files_come_and_go() {
    let mut graph: Value = serde_json::from_str(&multi()[GRAPH]).unwrap();
    graph["nodes"].as_array_mut().unwrap().push(json!({"id": "n", "type": "merge", "file": "workflows/1/steps/n.md"}));
    let after = with(
        &multi(),
        &[
            (GRAPH, Some(&graph.to_string())),
            ("workflows/1/steps/n.md", Some(&step("n", "merge"))),
            ("assets/a.md", Some("x\ny\n")),
            ("assets/b.png", Some("base64:AAA=")),
            ("notes.txt", Some("hi")),
        ],
    );
    let found = said(&multi(), &after);
    assert_eq!(found[0], "workflow 1 Changed 1");
    assert!(found[1].starts_with("node n Added type:->\"merge\" file:->"), "{}", found[1]);
    assert_eq!(
        found[2..],
        [
            "asset assets/a.md Added size:->4 text:0>2(2)",
            "asset assets/b.png Added size:->2",
            "other notes.txt Added text:->\"hi\""
        ]
    );
    let counts = compare(&multi(), &after).unwrap().counts;
    assert_eq!((counts.added, counts.removed, counts.changed), (4, 0, 0));
    let back = compare(&after, &multi()).unwrap().counts;
    assert_eq!((back.added, back.removed, back.changed), (0, 4, 0));
    let one = package("workflows/1/", &[("1", "workflows/1/")]);
    let gone = compare(&multi(), &one).unwrap();
    assert_eq!((gone.workflows[1].id.as_deref(), gone.workflows[1].status), (Some("2"), Became::Removed));
    assert_eq!(gone.workflows[1].after, Value::Null);
}

#[test]
fn agents_and_the_manifest_are_told_by_member() {
    let agents = json_with(&multi(), "agents.json", "/agents/0/persona/principles", json!(["p", "q"]));
    let agents = json_with(&agents, "agents.json", "/agents/0/tools", json!({"fs": {"maxReadBytes": 65_536}}));
    let named = json_with(&agents, "bmad.json", "/name", json!("Q"));
    let want = [
        "package name:\"P\">\"Q\"",
        "agent one Changed persona.principles:\"p\">[\"p\",\"q\"] tools.fs.maxReadBytes:->65536",
    ];
    assert_eq!(said(&multi(), &named), want);
    let whole = crew_compare(json!({"before": multi(), "after": named})).unwrap();
    assert_eq!(whole["counts"], json!({"added": 0, "removed": 0, "changed": 2}));
    assert_eq!(whole["agents"][0]["name"], "One");
}

#[test]
fn what_cannot_be_read_is_compared_as_a_text() {
    let broken = with(&multi(), &[("agents.json", Some("{\n")), ("workflows/2/steps/a.md", Some("no frontmatter"))]);
    let found = said(&multi(), &broken);
    assert!(found.iter().any(|it| it.starts_with("other agents.json Added")), "{found:?}");
    assert!(found.iter().any(|it| it.starts_with("agent one Removed")), "{found:?}");
    assert!(found.iter().any(|it| it.starts_with("node a Changed") && it.contains("goal:\"g\">-")), "{found:?}");
}

proptest! {
    /// Whatever differs, something is said; and the other way round the same is said of the other side.
    #[test]
    fn every_difference_stands_somewhere(at in any::<prop::sample::Index>(), from in any::<prop::sample::Index>(), put in "[a-z \n:#]{0,6}") {
        let before = multi();
        let (path, text) = before.iter().nth(at.index(before.len())).unwrap();
        let place = from.index(text.len() + 1);
        let changed = format!("{}{put}{}", &text[..place], &text[place..]);
        let after = with(&before, &[(path, Some(&changed))]);
        let same_json = |old: &str, new: &str| {
            let value = |text: &str| serde_json::from_str::<Value>(text).ok();
            path.ends_with(".json") && value(old).is_some() && value(old) == value(new)
        };
        let differs = &changed != text && !same_json(text, &changed);
        let (there, back) = (said(&before, &after), said(&after, &before));
        prop_assert_eq!(!there.is_empty(), differs, "{}: {:?}", path, changed);
        prop_assert_eq!(there.len(), back.len());
    }
}
