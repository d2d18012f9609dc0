//! Paths by the slow definition, findings where they belong, and graphs that nobody can list.

use std::collections::{BTreeSet, HashSet};

use holdpoint_bundle::Files;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::walk::{Remaining, Walk};
use super::{MAX_PATHS, PathReport, crew_paths, report};
use crate::Options;
use crate::documents::graph::Graph;
use crate::limits::MAX_SHARED;
use crate::test::graph;
use crate::test::package::{multi, package, shared, step, with};

/// Nodes `0`, `1`, …; the last is an end.
fn flow(nodes: usize, edges: &[(usize, usize)]) -> Value {
    let mut value = graph(nodes, edges);
    value["nodes"][nodes - 1]["type"] = json!("end");
    value
}

/// Paths, those that reach an end, and whether these are all.
fn counted(value: &Value, most: usize) -> (usize, usize, bool) {
    let walk = Walk::through(&Graph::of(value), most, &mut Remaining::default());
    (walk.count, walk.ends, walk.complete)
}

/// A package with this graph, steps that set and name these, and a document with these variables.
fn with_graph(mut value: Value, sets: &[(&str, &str)], variables: &str) -> Files {
    let mut files = package("", &[]);
    files.retain(|path, _| !path.starts_with("steps/"));
    for node in value["nodes"].as_array_mut().unwrap() {
        let id = node["id"].as_str().unwrap().to_owned();
        let set = sets.iter().find(|(of, _)| *of == id).map(|(_, more)| format!("{more}\n")).unwrap_or_default();
        let text =
            step(&format!("\"{id}\""), node["type"].as_str().unwrap()).replace("\n---\n\n", &format!("\n{set}---\n\n"));
        files.insert(node["file"].as_str().unwrap().to_owned(), text);
    }
    files.insert("workflow.graph.json".to_owned(), value.to_string());
    let document =
        files["workflow.md"].replace("currentNodeId: a", &format!("currentNodeId: ''\nvariables: {variables}"));
    with(&files, &[("workflow.md", Some(&document))])
}

fn of(files: &Files) -> PathReport {
    let mut all = report(files, None, MAX_PATHS, &Options::default()).unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// Code, pointer, way and how many paths it affects.
fn said(report: &PathReport) -> Vec<String> {
    let one = |it: &super::PathFinding| {
        let pointer = it.finding.pointer.as_deref().unwrap_or_default();
        format!("{} {pointer} {} affects {}", it.finding.code, it.way.join(">"), it.affects)
    };
    report.findings.iter().map(one).collect()
}

fn condition(value: &mut Value, edge: usize, condition: Value) {
    value["edges"][edge]["conditionExpr"] = condition;
}

/// With a walk for each of seven thousand this takes half a minute, optimised.
#[test]
fn many_workflows_of_one_graph_are_told_by_the_first_ones() {
    let ids = |workflow: Option<&str>| -> Vec<String> {
        let all = report(&shared(7_000), workflow, MAX_PATHS, &Options::default()).unwrap();
        all.into_iter().filter_map(|it| it.id).collect()
    };
    assert_eq!(ids(None).len(), 1 + MAX_SHARED);
    assert_eq!(ids(Some("6999")), ["6999"], "who asks for one gets it");
}

#[test]
fn the_workflows_of_a_package_share_what_they_walk() {
    let everybody: Vec<(usize, usize)> = (0..20).flat_map(|from| (0..20).map(move |to| (from, to))).collect();
    let value = flow(20, &everybody);
    let mut left = Remaining::default();
    let mut walked = || {
        let walk = Walk::through(&Graph::of(&value), usize::MAX, &mut left);
        (walk.count, walk.complete, walk.shortest.len())
    };
    let first = walked();
    let last = (0..10).map(|_| walked()).last().unwrap();
    assert!(first.0 > 100 * last.0 && last.0 > 0, "{first:?} {last:?}");
    assert_eq!((first.1, last.1, last.2), (false, false, 2));
}

/// With a search for each variable among all others this takes minutes.
#[test]
fn a_condition_of_many_parts_is_read_once() {
    let part = |at: usize| json!({"==": [{"var": format!("v{at}")}, at]});
    let parts: Vec<Value> = (0..200_000).map(part).collect();
    assert_eq!(super::logic::known(&json!({ "and": parts })), None);
}

#[test]
fn a_path_uses_an_edge_once() {
    let cases: [(&str, Value, (usize, usize, bool)); 9] = [
        ("a chain", flow(3, &[(0, 1), (1, 2)]), (1, 1, true)),
        ("two ways", flow(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]), (2, 2, true)),
        ("two edges between the same nodes", flow(2, &[(0, 1), (0, 1)]), (2, 2, true)),
        ("a loop that is decided at its head", flow(3, &[(0, 1), (1, 0), (0, 2)]), (2, 2, true)),
        ("a loop that is decided at its foot", flow(3, &[(0, 1), (1, 0), (1, 2)]), (1, 1, true)),
        ("a node that nothing leaves", flow(3, &[(0, 1), (0, 2)]), (2, 1, true)),
        ("only a loop", flow(3, &[(0, 1), (1, 0)]), (0, 0, true)),
        ("an end that goes on", flow(3, &[(0, 2), (2, 1)]), (1, 1, true)),
        ("an edge to nowhere", flow(2, &[(0, 9)]), (1, 0, true)),
    ];
    for (name, value, want) in cases {
        assert_eq!(counted(&value, MAX_PATHS), want, "{name}");
    }
    let mut nowhere = flow(2, &[(0, 1)]);
    nowhere["entryNodeId"] = json!("x");
    assert_eq!(counted(&nowhere, MAX_PATHS), (0, 0, true));
}

#[test]
fn what_nobody_can_list_is_counted_to_the_limit() {
    let diamonds = |count: usize| -> Vec<(usize, usize)> {
        (0..count)
            .flat_map(|at| {
                [(3 * at, 3 * at + 1), (3 * at, 3 * at + 2), (3 * at + 1, 3 * at + 3), (3 * at + 2, 3 * at + 3)]
            })
            .collect()
    };
    let four = flow(13, &diamonds(4));
    assert_eq!(counted(&four, 16), (16, 16, true));
    assert_eq!(counted(&four, 15), (15, 15, false));
    assert_eq!(counted(&four, 0), (0, 0, false));
    let many = flow(301, &diamonds(100));
    assert_eq!(counted(&many, MAX_PATHS), (MAX_PATHS, MAX_PATHS, false));
    let each_to_each: Vec<(usize, usize)> =
        (0..60).flat_map(|from| (0..60).filter(move |to| *to != from).map(move |to| (from, to))).collect();
    let (count, ends, complete) = counted(&flow(60, &each_to_each), MAX_PATHS);
    assert!(count > 0 && ends == count && !complete);
    let round: Vec<(usize, usize)> = each_to_each.iter().filter(|(from, to)| *from < 40 && *to < 40).copied().collect();
    assert_eq!(counted(&flow(60, &round), MAX_PATHS), (0, 0, true), "what leads to no end is not walked");
}

#[test]
fn shortest_and_longest_are_named_and_paths_listed_shortest_first() {
    let report = of(&with_graph(flow(5, &[(0, 1), (1, 2), (2, 4), (0, 4), (0, 3), (3, 0)]), &[], "{}"));
    assert_eq!((report.shortest.join(">"), report.longest.join(">")), ("0>4".to_owned(), "0>3>0>1>2>4".to_owned()));
    let paths: Vec<String> = report.paths.iter().map(|path| path.nodes.join(">")).collect();
    assert_eq!(paths, ["0>4", "0>1>2>4", "0>3>0>4", "0>3>0>1>2>4"]);
    assert_eq!(report.paths[2].edges, [4, 5, 3]);
    assert!(report.paths.iter().all(|path| path.reaches_end));
}

#[test]
fn a_variable_is_set_on_every_path_before_it_is_read() {
    let mut value = flow(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 0)]);
    condition(&mut value, 4, json!({">": [{"var": "total.net"}, 5]}));
    let sets = |sets: &[(&str, &str)], variables: &str| said(&of(&with_graph(value.clone(), sets, variables)));
    let unset = "PATH_VARIABLE_UNSET /edges/4/conditionExpr";
    assert_eq!(sets(&[], "{}"), [format!("{unset} 0>1>3 affects 4")]);
    assert_eq!(sets(&[("1", "setsVariables: [total]")], "{}"), [format!("{unset} 0>2>3 affects 4")]);
    for set in ["0", "3"] {
        assert_eq!(sets(&[(set, "setsVariables: [total]")], "{}"), Vec::<String>::new(), "set at {set}");
    }
    assert_eq!(sets(&[], "{total: 0}"), Vec::<String>::new(), "the document sets it");
    let both = [("1", "setsVariables: [total]"), ("2", "setsVariables: [total]")];
    assert_eq!(sets(&both, "{}"), Vec::<String>::new());
    let found = of(&with_graph(value.clone(), &[("4", "setsVariables: [total]")], "{}"));
    assert_eq!((found.findings[0].set_at.as_slice(), found.findings[0].node.as_str()), (&["4".to_owned()][..], "3"));
    assert_eq!(found.findings[0].finding.path.as_deref(), Some("workflow.graph.json"));
    assert!(found.findings[0].finding.range.is_some());
    assert_eq!(found.paths[0].findings, [0]);
    condition(&mut value, 4, json!({">": [{"var": ["total", 0]}, 5]}));
    assert_eq!(said(&of(&with_graph(value.clone(), &[], "{}"))), Vec::<String>::new(), "another value stands there");
    condition(&mut value, 4, json!({">": [{"var": ["total", 0]}, {"var": ["total"]}]}));
    assert_eq!(said(&of(&with_graph(value, &[], "{}"))).len(), 1, "and is missing the second time");
}

#[test]
fn nothing_is_read_on_a_way_that_is_never_taken() {
    let mut value = flow(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
    condition(&mut value, 1, json!({"==": [1, 2]}));
    condition(&mut value, 3, json!({"var": "x"}));
    assert_eq!(said(&of(&with_graph(value, &[], "{}"))), ["PATH_BRANCH_DEAD /edges/1 0>2 affects 1"]);
}

#[test]
fn branches_that_are_never_taken() {
    let mut value = flow(5, &[(0, 4), (0, 4), (0, 4), (0, 4), (1, 2)]);
    condition(&mut value, 0, json!({"==": [{"var": "a"}, 1]}));
    condition(&mut value, 1, json!({"==": [{"var": "a"}, 1]}));
    condition(&mut value, 2, json!({"and": [false, {"var": "a"}]}));
    condition(&mut value, 3, json!({"==": [1, 2]}));
    value["edges"][3]["isDefault"] = json!(true);
    let files = with_graph(value.clone(), &[], "{a: 1}");
    let found = of(&files);
    let want = [
        "PATH_BRANCH_DEAD /edges/1 0>4 affects 1",
        "PATH_BRANCH_DEAD /edges/2 0>4 affects 1",
        "PATH_BRANCH_DEAD /edges/4  affects 0",
    ];
    assert_eq!(said(&found), want);
    let cases: Vec<&str> = found.findings.iter().map(|it| it.finding.args["case"].as_str().unwrap()).collect();
    assert_eq!(cases, ["CONDITION_REPEATED", "CONDITION_FALSE", "SOURCE_UNREACHABLE"]);
    for edge in value["edges"].as_array_mut().unwrap() {
        edge.as_object_mut().unwrap().remove("conditionExpr");
        edge["conditionText"] = json!(" the claim is small ");
    }
    let want = [
        "PATH_BRANCH_DEAD /edges/1 0>4 affects 1",
        "PATH_BRANCH_DEAD /edges/2 0>4 affects 1",
        "PATH_BRANCH_DEAD /edges/4  affects 0",
    ];
    assert_eq!(said(&of(&with_graph(value, &[], "{a: 1}"))), want, "the same words are the same condition");
}

#[test]
fn assets_that_a_path_needs() {
    let value = flow(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
    let steps = [("1", "inputs: [assets/a.md, assets/b.md]"), ("3", "inputs: ['@pkg/assets/a.md']")];
    let mut files = with_graph(value, &steps, "{}");
    files.insert("assets/b.md".to_owned(), "b".to_owned());
    files.get_mut("steps/2.md").unwrap().push_str("See assets/c.md.\n");
    let report = of(&files);
    let want = [
        "PATH_ASSET_MISSING /inputs/0 0>1 affects 1",
        "PATH_ASSET_MISSING  0>2 affects 1",
        "PATH_ASSET_MISSING /inputs/0 0>1>3 affects 2",
    ];
    assert_eq!(said(&report), want);
    assert!(report.findings.iter().all(|it| it.finding.range.is_some() && it.finding.path.is_some()));
    assert_eq!(
        report.findings[1].finding.message,
        "Add `assets/c.md`, or take it out of `2`: the way 0 → 2 comes there."
    );
}

#[test]
fn the_method_answers_for_all_workflows_or_for_one() {
    let ask = |more: Value| {
        let mut asked = json!({ "files": multi() });
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        crew_paths(asked)
    };
    let ids = |answer: Value| -> Vec<Value> {
        answer["workflows"].as_array().unwrap().iter().map(|it| it["id"].clone()).collect()
    };
    assert_eq!(ids(ask(json!({})).unwrap()), [json!("1"), json!("2")]);
    let one = ask(json!({"workflow": "2", "max_paths": 99_999})).unwrap();
    assert_eq!(one["workflows"][0]["ends"], 1);
    assert_eq!(ids(one), [json!("2")]);
    assert_eq!(ask(json!({"max_paths": 0})).unwrap()["workflows"][0]["complete"], false);
    let error = ask(json!({"workflow": "3"})).unwrap_err();
    assert_eq!((error.code.as_str(), error.status), ("WORKFLOW_NOT_FOUND", 404));
    assert_eq!(crew_paths(json!({"files": {}})).unwrap(), json!({"workflows": []}));
    let broken = with(&multi(), &[("workflows/1/workflow.graph.json", Some("{}"))]);
    assert_eq!(ids(crew_paths(json!({ "files": broken })).unwrap()), [json!("2")], "the check says what is wrong");
}

/// Every path by the slow definition: nodes of each.
fn slow(graph: &Graph<'_>) -> Vec<(Vec<usize>, Vec<usize>)> {
    fn go(graph: &Graph<'_>, nodes: &mut Vec<usize>, edges: &mut Vec<usize>, all: &mut Vec<(Vec<usize>, Vec<usize>)>) {
        let here = *nodes.last().unwrap();
        let ways: Vec<(usize, usize)> = graph.leaving_places(here).collect();
        if graph.nodes[here].kind == "end" || ways.is_empty() {
            all.push((nodes.clone(), edges.clone()));
            return;
        }
        for (edge, to) in ways {
            if !edges.contains(&edge) {
                edges.push(edge);
                nodes.push(to);
                go(graph, nodes, edges, all);
                nodes.pop();
                edges.pop();
            }
        }
    }
    let mut all = Vec::new();
    go(graph, &mut vec![0], &mut Vec::new(), &mut all);
    all
}

proptest! {
    #[test]
    fn counts_are_those_of_the_slow_definition(edges in prop::collection::vec((0_usize..5, 0_usize..6), 0..9)) {
        let value = flow(6, &edges);
        let graph = Graph::of(&value);
        let (walk, slow) = (Walk::through(&graph, MAX_PATHS, &mut Remaining::default()), slow(&graph));
        prop_assert!(walk.complete);
        prop_assert_eq!(walk.count, slow.len());
        prop_assert_eq!(walk.ends, slow.iter().filter(|(nodes, _)| nodes.last() == Some(&5)).count());
        let longest = slow.iter().map(|(nodes, _)| nodes.len()).max().unwrap_or_default();
        let shortest = slow.iter().map(|(nodes, _)| nodes.len()).min().unwrap_or_default();
        prop_assert_eq!((walk.shortest.len(), walk.longest.len()), (shortest, longest));
        let listed = walk.listed(&graph, &[], &mut Remaining::default());
        let listed: BTreeSet<Vec<usize>> = listed.into_iter().map(|path| path.edges).collect();
        prop_assert!(listed.iter().all(|path| slow.iter().any(|(_, edges)| edges == path)));
        prop_assert_eq!(listed.len(), slow.iter().take(100).count());
    }

    /// What data flow finds is what somebody finds who walks every way without a circle.
    #[test]
    fn a_finding_is_a_way_on_which_it_happens(
        edges in prop::collection::vec((0_usize..5, 0_usize..6), 1..9),
        setters in prop::collection::hash_set(0_usize..6, 0..4),
        reads in any::<prop::sample::Index>(),
    ) {
        let at = reads.index(edges.len());
        let mut value = flow(6, &edges);
        condition(&mut value, at, json!({"var": "x"}));
        let names: Vec<String> = (0..6).map(|at| at.to_string()).collect();
        let sets: Vec<(&str, &str)> = setters.iter().map(|at| (names[*at].as_str(), "setsVariables: [x]")).collect();
        let files = with_graph(value.clone(), &sets, "{}");
        let found = of(&files);
        let unset = found.findings.iter().find(|it| it.finding.code == "PATH_VARIABLE_UNSET");
        let graph = Graph::of(&value);
        let free = |from: usize| {
            let mut seen = HashSet::new();
            let mut waiting = vec![0];
            while let Some(node) = waiting.pop() {
                if !setters.contains(&node) && seen.insert(node) {
                    waiting.extend(graph.after(node));
                }
            }
            seen.contains(&from)
        };
        prop_assert_eq!(unset.is_some(), free(edges[at].0));
        if let Some(it) = unset {
            let way: Vec<usize> = it.way.iter().map(|id| id.parse().unwrap()).collect();
            prop_assert_eq!((way[0], *way.last().unwrap()), (0, edges[at].0));
            prop_assert!(way.iter().all(|node| !setters.contains(node)));
            prop_assert!(way.windows(2).all(|pair| edges.contains(&(pair[0], pair[1]))));
            if found.complete {
                let all = slow(&graph);
                prop_assert_eq!(it.affects, all.iter().filter(|(nodes, _)| nodes.contains(&edges[at].0)).count());
            }
        }
    }
}
