//! What a page sees of packages that hold and of packages that do not, and what an edit leaves.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::documents::yaml;

fn files(all: &[(&str, &str)]) -> Files {
    all.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

const MANIFEST: &str = r#"{"name": "P", "entry": {"workflow": "w/workflow.md", "graph": "w/g.json", "agents": "a.json"},
    "workflows": [{"id": "7", "displayName": "Work", "workflow": "w/workflow.md", "graph": "w/g.json"}, 5]}"#;

#[test]
fn a_package_is_shown_as_it_is_written() {
    let graph = r#"{"schemaVersion": "1.1", "entryNodeId": "a", "nodes": [
        {"id": "a", "type": "step", "file": "w/steps/a.md", "title": "A", "inputs": ["x"], "odd": 1},
        {"id": "b", "type": "end", "file": "w/steps/b.md", "agentId": "x"}],
        "edges": [{"from": "a", "to": "b", "label": "next", "isDefault": true, "conditionExpr": {"==": [1, 1]}}],
        "metadata": {"positions": {"a": {"x": 1, "y": 2}}}}"#;
    let agents = r#"{"agents": [{"zeta": 1, "id": "x", "metadata": {"icon": "*", "name": "X", "module": "m"}}]}"#;
    let all = [
        ("bmad.json", MANIFEST),
        ("w/g.json", graph),
        ("a.json", agents),
        ("assets/é.md", "é"),
        ("assets/b.png", "base64:aGVq"),
    ];
    let shown = json!(read(&files(&all), "other"));
    assert_eq!(
        shown,
        json!({
            "name": "P", "version": "", "description": "",
            "workflows": [{
                "id": "7", "name": "Work", "description": "", "isDefault": true,
                "document": "w/workflow.md", "graphFile": "w/g.json", "steps": "w/steps/",
                "graph": {
                    "schemaVersion": "1.1", "entryNodeId": "a",
                    "nodes": [
                        {"id": "a", "type": "step", "file": "w/steps/a.md", "title": "A", "inputs": ["x"], "odd": 1},
                        {"id": "b", "type": "end", "file": "w/steps/b.md", "agentId": "x"},
                    ],
                    "edges": [{"from": "a", "to": "b", "label": "next", "isDefault": true, "conditionExpr": {"==": [1, 1]}}],
                    "metadata": {"positions": {"a": {"x": 1, "y": 2}}},
                },
            }],
            "agentsFile": "a.json",
            "agents": [{
                "zeta": 1, "id": "x", "metadata": {"icon": "*", "name": "X", "module": "m", "title": ""},
                "persona": {"role": "", "identity": "", "communication_style": "", "principles": ""},
            }],
            "assets": [{"path": "assets/b.png", "bytes": 3, "binary": true}, {"path": "assets/é.md", "bytes": 2, "binary": false}],
            "cited": [],
        })
    );
    let members: Vec<_> = shown["agents"][0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(members, ["zeta", "id", "metadata", "persona"], "members stay in their order");
}

#[test]
fn without_a_list_the_entry_is_the_workflow() {
    let shown = read(&files(&[("bmad.json", r#"{"entry": {"id": "x", "graph": "g.json"}}"#)]), "");
    let [only] = shown.workflows.as_slice() else { panic!("{shown:?}") };
    assert_eq!((only.id.as_str(), only.is_default, only.steps.as_str(), &only.graph), ("", true, "steps/", &None));
    for manifest in ["", "{", "[]", "{}", r#"{"entry": {}, "workflows": []}"#, r#"{"entry": 7}"#] {
        let shown = read(&files(&[("bmad.json", manifest)]), "Called");
        assert_eq!(
            (shown.workflows.len(), shown.name.as_str(), shown.agents_file.as_str()),
            (0, "Called", "agents.json")
        );
    }
}

/// What is broken takes nothing else with it.
#[test]
fn a_broken_document_is_empty_and_the_others_are_there() {
    let twice = r#"{"nodes": [], "nodes": []}"#;
    let many = json!({"nodes": vec![json!({"id": "n"}); 1_001]}).to_string();
    let deep = "[".repeat(70);
    for graph in ["", "{", "[]", r#"{"nodes": {}}"#, twice, &many, &deep] {
        let shown = read(&files(&[("bmad.json", MANIFEST), ("w/g.json", graph), ("a.json", r#"{"agents": []}"#)]), "");
        assert_eq!((&shown.workflows[0].graph, &shown.agents), (&None, &Some(vec![])), "{graph:.40}");
    }
    for agents in ["", "{", "[]", r#"{"agents": {}}"#, r#"{"agents": [], "agents": []}"#] {
        let shown = read(&files(&[("bmad.json", MANIFEST), ("w/g.json", r#"{"nodes": []}"#), ("a.json", agents)]), "");
        assert_eq!((shown.workflows[0].graph.is_some(), &shown.agents), (true, &None), "{agents}");
    }
}

#[test]
fn what_is_left_out_of_a_list_keeps_the_places_of_the_others() {
    let graph = r#"{"nodes": [7, {"id": "a", "type": "odd", "title": 5, "inputs": [1, "x"]}, {"title": "no id"}, {"id": "b"}],
        "edges": [{"from": "a"}, {"from": "a", "to": "b", "label": null, "isDefault": 1}]}"#;
    let agents =
        r#"{"agents": [null, {"id": 7, "tools": {"fs": 1, "mcp": {"allowedServers": "x", "enabled": true}}}]}"#;
    let shown = read(&files(&[("bmad.json", MANIFEST), ("w/g.json", graph), ("a.json", agents)]), "");
    let workflow = &shown.workflows[0];
    assert_eq!((workflow.node_places.as_deref(), workflow.edge_places.as_deref()), (Some(&[1, 3][..]), Some(&[1][..])));
    let graph = workflow.graph.as_ref().unwrap();
    assert_eq!(graph["nodes"][0], json!({"id": "a", "type": "step", "file": ""}));
    assert_eq!(graph["edges"], json!([{"from": "a", "to": "b", "label": ""}]));
    assert_eq!(shown.agent_places, Some(vec![1]));
    let agents = shown.agents.unwrap();
    assert_eq!((&agents[0]["id"], &agents[0]["tools"]), (&json!(""), &json!({"mcp": {"enabled": true}})));
}

#[test]
fn a_citation_is_told_once_a_file_at_its_first_line() {
    let graph = r#"{"nodes": [{"id": "a", "file": "w/steps/a.md"}, {"id": "b", "file": "w/steps/a.md"}, {"id": "c", "file": "none.md"}]}"#;
    let step = "---\r\nnodeId: a\r\ninputs:\r\n  - '@pkg/assets/a.md'\r\n  - x\r\n---\r\nRead assets/a.md,\r\nassets/b.md.\r\nassets/b.md\r\n";
    let document = "---\ninputs: [assets/z.md]\n---\nSee @pkg/assets/b.md. Not xassets/c.md, not assets/d.exe.\n";
    let broken =
        read(&files(&[("bmad.json", MANIFEST), ("w/g.json", graph), ("w/steps/a.md", "---\n[\n---\nassets/e.md")]), "");
    let shown = read(
        &files(&[("bmad.json", MANIFEST), ("w/g.json", graph), ("w/steps/a.md", step), ("w/workflow.md", document)]),
        "",
    );
    let told = |cited: &[Citing]| -> Vec<_> {
        cited.iter().map(|it| format!("{} {} {}:{} {}", it.asset, it.node_id, it.path, it.line, it.inputs)).collect()
    };
    assert_eq!(
        told(&shown.cited),
        [
            "assets/b.md  w/workflow.md:4 false",
            "assets/a.md a w/steps/a.md:4 true",
            "assets/b.md a w/steps/a.md:8 false",
        ]
    );
    assert_eq!(told(&broken.cited), ["assets/e.md a w/steps/a.md:4 false"], "a body counts whatever its head is");
}

/// Each of many lines is counted once; from the beginning for every citation this takes minutes.
#[test]
fn many_citations_are_read_in_one_go() {
    let graph = r#"{"nodes": [{"id": "a", "file": "s.md"}]}"#;
    let body: String = (0..60_000).map(|n| format!("assets/{n}.md\n")).collect();
    let shown = read(&files(&[("bmad.json", MANIFEST), ("w/g.json", graph), ("s.md", &body)]), "");
    assert_eq!((shown.cited.len(), shown.cited[9_999].line), (10_000, 10_000));
}

#[test]
fn a_step_is_shown_as_its_form() {
    let text = "\u{feff}---\r\nnodeId: 7\r\ntitle: yes\r\ntype: [x]\r\ninputs: [a, 1.50, true, null, [x]]\r\ntransitions:\r\n- to: a\r\n---\r\n# A\r\n";
    let shown = step(text);
    let fields = shown.fields.unwrap();
    assert_eq!((fields.node_id.as_str(), fields.title.as_str(), fields.kind.as_str()), ("7", "yes", ""));
    assert_eq!((fields.inputs.join("|").as_str(), fields.transitions), ("a|1.5|true||", true));
    assert_eq!((shown.body.as_str(), shown.body_line, shown.head + &shown.body), ("# A\r\n", 9, text.to_owned()));
}

#[test]
fn a_new_step_is_what_its_node_says() {
    let node =
        json!({"id": "a", "type": "step", "title": "A: \"b\" # c", "agentId": "x", "inputs": ["i"], "file": "a.md"});
    let text = new_step(&node);
    let fields = step(&text).fields.unwrap();
    assert_eq!((fields.node_id.as_str(), fields.title.as_str(), fields.agent_id.as_str()), ("a", "A: \"b\" # c", "x"));
    assert_eq!((fields.inputs, fields.transitions), (vec!["i".to_owned()], false));
    assert!(
        text.ends_with("outputs: []\nsetsVariables: []\n---\n\n# A: \"b\" # c\n\n## Goal\n\n## Instructions\n"),
        "{text}"
    );
    assert!(new_step(&json!({"id": "a", "title": " "})).contains("\n# a\n"));
}

/// Hostile and broken heads: the text is all there is, and no edit changes it. The check refuses the same ones.
#[test]
fn a_head_that_cannot_be_read_is_not_changed() {
    let deep = format!("a: {}", "[".repeat(40_000));
    let long = format!("a: {}", "x".repeat(70_000));
    let heads = [
        "- a",
        "",
        "title: [",
        "a: 1\na: 2",
        "a: &x 1\nb: *x",
        "a: !!str 1",
        "<<: {a: 1}",
        "%YAML 1.2\n--- \na: 1",
        "a: 1\n...\nb: 2",
        "1: a",
        "a: \"\\x\"",
        "a:\n\tb: 1",
        &deep,
        &long,
    ];
    let unmarked = ["", "# no head\n", "---\nopen: 1\n", "\n---\na: 1\n---\n"].map(str::to_owned);
    for text in heads.map(|head| format!("---\n{head}\n---\nbody\n")).into_iter().chain(unmarked) {
        assert_eq!(step(&text).fields, None, "{text:.60}");
        assert_eq!(set_field(&text, "title", &json!("x")), text, "{text:.60}");
        let shown = step(&text);
        assert_eq!(shown.head + &shown.body, text);
    }
}

#[test]
fn a_field_is_written_and_every_other_byte_stays() {
    let cases = [
        ("title: Old # why\nnodeId: a\n", "title", json!("New"), "title: \"New\" # why\nnodeId: a\n"),
        ("title: 'Old' # why\nnodeId: a\n", "title", json!("New"), "title: \"New\" # why\nnodeId: a\n"),
        ("\"title\" : Old\n", "title", json!("New"), "\"title\" : \"New\"\n"),
        ("nodeId: a\n", "title", json!("New"), "nodeId: a\ntitle: \"New\"\n"),
        ("title:\nnodeId: a\n", "title", json!("New"), "title: \"New\"\nnodeId: a\n"),
        ("title: # why\nnodeId: a\n", "title", json!("New"), "title: \"New\" # why\nnodeId: a\n"),
        ("agentId: b # who\nnodeId: a\n", "agentId", json!(null), "nodeId: a\n"),
        ("nodeId: a\n", "agentId", json!(null), "nodeId: a\n"),
        ("agentId: b\n", "agentId", json!(null), "{}\n"),
        ("{}\n", "agentId", json!("b"), "{agentId: \"b\"}\n"),
        ("{a: 1, b: {c: 2} }\n", "d", json!(["x"]), "{a: 1, b: {c: 2}, d: [\"x\"] }\n"),
        ("{a: 1, b: 'x' , c: 2}\n", "b", json!("y"), "{a: 1, b: \"y\" , c: 2}\n"),
        ("{a: 1, b: 2, c: 3}\n", "b", json!(null), "{a: 1, c: 3}\n"),
        ("{a: 1, b: 2}\n", "b", json!(null), "{a: 1}\n"),
        ("t: >-\n  two\na: b\n  # deep\n\nc: d\n", "a", json!(null), "t: >-\n  two\nc: d\n"),
        ("{a: , }\n", "a", json!(null), "{}\n"),
        ("{a, b: 2}\n", "a", json!("x"), "{a: \"x\", b: 2}\n"),
        ("inputs: []\nnodeId: a\n", "inputs", json!(["x", "y"]), "inputs: [\"x\", \"y\"]\nnodeId: a\n"),
        (
            "inputs:\n  - 'x'  # kept\n  - y\nnodeId: a\n",
            "inputs",
            json!(["x", "z"]),
            "inputs:\n  - 'x'  # kept\n  - \"z\"\nnodeId: a\n",
        ),
        (
            "inputs: # these\n- x\n# of y\n- y # last\n",
            "inputs",
            json!(["y", "x"]),
            "inputs: # these\n# of y\n- y # last\n- x\n",
        ),
        ("inputs:\n- [x] # kept\n- y\n", "inputs", json!(["y", "z", ["x"]]), "inputs:\n- y\n- \"z\"\n- [x] # kept\n"),
        ("inputs: [\n  x, y]\n", "inputs", json!(["y"]), "inputs: [\"y\"]\n"),
        ("inputs:\n  - x\n\n# a note\nnodeId: a\n", "inputs", json!([]), "inputs: []\n\n# a note\nnodeId: a\n"),
        ("inputs: # these\n  - x\nnodeId: a\n", "inputs", json!([]), "inputs: [] # these\nnodeId: a\n"),
        ("inputs:\r\n  - x\r\n  - y\r\n", "inputs", json!(["y", "ä"]), "inputs:\r\n  - y\r\n  - \"ä\"\r\n"),
        (
            "transitions:\n  - to: a # kept\n    label: l\n  - {to: b}\nx: 1\n",
            "transitions",
            json!([{"to": "c"}, {"to": "a", "label": "l"}]),
            "transitions:\n  - {\"to\": \"c\"}\n  - to: a # kept\n    label: l\nx: 1\n",
        ),
        ("title: >-\n  two\n  lines\n\n# c\nnodeId: a\n", "title", json!("One"), "title: \"One\"\n\n# c\nnodeId: a\n"),
        ("title: |\n  two\n", "nodeId", json!("a"), "title: |\n  two\nnodeId: \"a\"\n"),
        ("title: a\r\nnodeId: b\r\n", "agentId", json!("c"), "title: a\r\nnodeId: b\r\nagentId: \"c\"\r\n"),
        ("  a: 1\n  b: 2\n", "c", json!("d"), "  a: 1\n  b: 2\n  c: \"d\"\n"),
        ("? a\n: b\nc: d\n", "a", json!("e"), "? a\n: \"e\"\nc: d\n"),
        ("? a\n: b\nc: d\n", "a", json!(null), "c: d\n"),
        ("a: 1\n# last\n", "b", json!("x: [\u{85}\"#"), "a: 1\n# last\nb: \"x: [\u{85}\\\"#\"\n"),
        ("title: Old\n", "title", json!("Old"), "title: Old\n"),
    ];
    for (head, name, value, want) in cases {
        let around = |head: &str| format!("---\n{head}---\n\n# A\n\n## Goal\n\nDo it.\n");
        assert_eq!(set_field(&around(head), name, &value), around(want), "{name} in {head:?}");
    }
}

/// Heads as people write them: styles, comments, blank lines, line ends.
fn head() -> impl Strategy<Value = String> {
    let scalar = prop::sample::select(vec![
        "a",
        "'it''s'",
        "\"q\\n\"",
        "",
        "~",
        "7",
        "[a, 'b' ]",
        "{x: y}",
        ">-\n  two\n  lines",
        "|\n  x\n\n  y",
    ]);
    let list =
        prop::collection::vec(prop::sample::select(vec!["a", "'b'", "\"c\"", "d # e", "x: y\n    z: [w]"]), 1..4);
    let list = list.prop_map(|items| items.iter().map(|item| format!("\n  - {item}")).collect::<String>());
    let value = prop_oneof![3 => scalar.prop_map(|value| format!(" {value}")), 1 => list];
    let noise = prop::sample::select(vec!["", "# note\n", "\n", "  # deep\n\n"]);
    let names = prop::sample::subsequence(vec!["nodeId", "title", "inputs", "\"odd key\"", "transitions", "ö"], 1..6);
    let line = (value, noise, prop::sample::select(vec!["", " # beside"]));
    (names, prop::collection::vec(line, 6), any::<bool>()).prop_map(|(names, lines, crlf)| {
        let plain = |value: &str| !value.contains('\n') && !value.trim().is_empty();
        let one = |(name, (value, noise, beside)): (&str, (String, &str, &str))| {
            format!("{noise}{name}:{value}{}\n", if plain(&value) { beside } else { "" })
        };
        let head: String = names.into_iter().zip(lines).map(one).collect();
        if crlf { head.replace('\n', "\r\n") } else { head }
    })
}

proptest! {
    /// An edit means what was wanted, touches no other member, and keeps every line that it is not about.
    #[test]
    fn an_edit_changes_one_member(
        head in head(),
        name in prop::sample::select(vec!["nodeId", "title", "inputs", "odd key", "transitions", "ö", "new"]),
        value in prop_oneof![
            Just(json!(null)), any::<String>().prop_map(|text| json!(text)),
            prop::collection::vec("[a-e]|\\PC*", 0..4).prop_map(|items| json!(items)), Just(json!([{"to": "a", "isDefault": true}])),
        ],
    ) {
        let text = format!("---\n{head}---\n# A\n");
        let before = yaml::read(&head, 0, head.len()).unwrap();
        let after = set_field(&text, name, &value);
        let inside = after.strip_prefix("---\n").and_then(|rest| rest.strip_suffix("---\n# A\n")).unwrap();
        let mut wanted = before.value.clone();
        let members = wanted.as_object_mut().unwrap();
        if value.is_null() { members.shift_remove(name); } else { members.insert(name.to_owned(), value); }
        prop_assert_eq!(&yaml::read(inside, 0, inside.len()).unwrap().value, &wanted);
        let own = before.keys.iter().position(|(key, _)| key == name);
        let (from, to) = match own {
            None => (head.len(), head.len()),
            Some(at) => {
                let line = head[..before.keys[at].1.start].rfind('\n').map_or(0, |end| end + 1);
                (line, before.keys.get(at + 1).map_or(head.len(), |(_, next)| next.start))
            }
        };
        prop_assert!(inside.starts_with(&head[..from]), "{:?} in {:?}", &head[..from], inside);
        // Of an only member that goes `{}` is left; comments behind a member are nobody's, and stay.
        let notes = head[to..].to_owned();
        prop_assert!(inside.ends_with(&notes), "{:?} in {:?}", notes, inside);
    }

    /// Reading divides a text and changes nothing; writing what is there changes nothing.
    #[test]
    fn what_is_not_changed_is_the_same_text(text in "(---\r?\n)?(\\PC|\n|: |- |'|\"|\\[|\\{){0,60}(\n---\n)?\\PC{0,9}", crlf in any::<bool>()) {
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        let shown = step(&text);
        prop_assert_eq!(shown.head + &shown.body, text.clone());
        if let Some(fields) = shown.fields {
            prop_assert_eq!(step(&set_field(&text, "title", &json!(fields.title))).body, shown.body);
        }
        let new = set_field(&text, "zeta", &json!("x"));
        prop_assert_eq!(set_field(&new, "zeta", &json!("x")), new);
    }

    /// No package makes it panic, whatever its documents hold.
    #[test]
    fn any_package_is_shown(manifest in "\\PC{0,40}", graph in "\\PC{0,40}", step in "\\PC{0,40}") {
        let _ = read(&files(&[("bmad.json", &manifest), ("g.json", &graph), ("s.md", &step)]), "");
    }
}
