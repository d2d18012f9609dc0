//! The six tools that read, over a small package.

use holdpoint_schema::Schema;
use serde_json::json;

use super::*;
use crate::dialect::input::{BuilderSession, snapshot as read_snapshot};
use crate::dialect::view::View;
use crate::facts::{PackageFacts, WorkflowFacts};
use crate::prompts::domain;

const BAKE: &str = "---\nschemaVersion: \"1.1\"\nnodeId: bake\ntype: step\nagentId: \" baker \"\n\
    inputs: [assets/rye.md]\n---\n\n# Bake\n\nSee assets/oven.md.\n";

struct Bakery {
    names: Names,
    session: BuilderSession,
    target: Value,
    view: View,
    facts: PackageFacts,
    domain: domain::DomainProfile,
}

impl Bakery {
    fn new() -> Self {
        let graph = json!({
            "schemaVersion": "1.1", "entryNodeId": "bake",
            "nodes": [
                {"id": "sell", "type": "end", "file": "workflows/2/steps/sell.md", "agentId": "clerk"},
                {"id": "bake", "type": "step", "title": "Bake", "file": "workflows/2/steps/bake.md", "agentId": "baker"},
                {"id": "cool", "type": "step", "file": "workflows/2/steps/cool.md"},
            ],
            "edges": [{"id": "e1", "from": "bake", "to": "sell", "label": "done"}],
        });
        let snapshot = json!({
            "workflows": [{"id": 2, "document": "See assets/rye.md. Call builder.change.apply.", "graph": graph}],
            "steps": [
                {"workflow_id": 2, "node_id": "bake", "path": "workflows/2/steps/bake.md", "markdown": BAKE},
                {"workflow_id": 2, "node_id": "sell", "path": "workflows/2/steps/sell.md", "markdown": "# Sell\n"},
            ],
            "agents": [{"id": "baker"}, {"id": "clerk"}],
            "assets": {"assets/oven.md": "Hot.", "assets/rye.md": "åb\ncd", "assets/logo.png": "base64:aGVsbG8="},
            "revisions": {},
        });
        let session = json!({"target_type": "step", "target_id": "bake", "mode": "optimize", "workflow_id": 2});
        let known = WorkflowFacts { id: 2, name: "Bakery".to_owned(), revision: 7, is_default: true };
        Self {
            names: Names { session: "as_1".to_owned(), project: "prj_1".to_owned(), user: "u".to_owned() },
            session: BuilderSession::read(Some(&session)).unwrap(),
            target: json!("bake"),
            view: View::of(&read_snapshot(Some(snapshot)).unwrap()),
            facts: PackageFacts {
                workflows: vec![known],
                agents_revision: 3,
                assets_revision: 4,
                ..PackageFacts::new("Bakery")
            },
            domain: domain::resolve(&json!({})).unwrap(),
        }
    }

    fn sight(&self) -> Sight<'_> {
        Sight {
            names: &self.names,
            session: &self.session,
            target_id: &self.target,
            view: &self.view,
            facts: &self.facts,
            domain: &self.domain,
        }
    }

    fn look(&self, tool: usize, arguments: &Value) -> Result<Value, String> {
        look(&self.sight(), READ[tool], arguments).map_err(|error| error.code)
    }

    fn refs(&self, locator: &Value) -> [Vec<String>; 2] {
        let found = self.look(5, &json!({ "locator": locator })).unwrap();
        ["inbound", "outbound"].map(|side| {
            let row = |row: &Value| format!("{} {} {}", row["type"], row["id"], row["via"]).replace('"', "");
            found[side].as_array().unwrap().iter().map(row).collect()
        })
    }
}

#[test]
fn the_nine_tools_have_schemas_and_none_applies() {
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    assert_eq!(names, [&READ[..], &WRITE[..]].concat());
    assert!(!names.contains(&APPLY));
    for tool in TOOLS {
        let schema = Schema::compile(serde_json::from_str(tool.schema).unwrap(), &[]);
        let finds = |value: Value| !schema.validate_value(&value).findings.is_empty();
        assert!(finds(json!({"unknown": 1})), "{}", tool.name);
        assert!(finds(json!([])), "{}", tool.name);
        if tool.schema.contains("workflowId\": {\"type\": \"integer\"") && tool.schema.contains("[\"workflowId\"]") {
            let step = json!({"workflowId": 2, "sessionId": "as_1"});
            assert!(!finds(step), "{}", tool.name);
            for wrong in [json!(true), json!("2"), json!(0), json!(1.5)] {
                assert!(finds(json!({"workflowId": wrong})), "{} {wrong}", tool.name);
            }
        }
    }
}

#[test]
fn a_workflow_is_told_with_its_steps_in_short() {
    let bakery = Bakery::new();
    let read = bakery.look(1, &json!({"workflowId": 2})).unwrap();
    let index = json!([
        {"nodeId": "bake", "type": "step", "title": "Bake", "file": "workflows/2/steps/bake.md"},
        {"nodeId": "cool", "type": "step", "title": "", "file": "workflows/2/steps/cool.md"},
        {"nodeId": "sell", "type": "end", "title": "", "file": "workflows/2/steps/sell.md"},
    ]);
    assert_eq!((&read["name"], &read["revision"], &read["stepIndex"]), (&json!("Bakery"), &json!(7), &index));
    let hash = holdpoint_bundle::text_hash("See assets/rye.md. Call builder.change.apply.");
    assert_eq!(read["hash"], hash);
    assert_eq!(bakery.look(1, &json!({"workflowId": 3})), Err("WORKFLOW_NOT_FOUND".to_owned()));
}

#[test]
fn a_step_is_found_by_its_node_and_by_its_file() {
    let bakery = Bakery::new();
    let by_node = bakery.look(2, &json!({"workflowId": 2, "nodeId": "bake"})).unwrap();
    let by_path = bakery.look(2, &json!({"workflowId": 2, "stepPath": "workflows/2/steps/bake.md"})).unwrap();
    assert_eq!(by_node, by_path);
    assert_eq!((&by_node["markdown"], &by_node["frontmatter"]["type"]), (&json!(BAKE), &json!("step")));
    assert_eq!((&by_node["node"]["title"], &by_node["revision"]), (&json!("Bake"), &json!(7)));
    let waiting = bakery.look(2, &json!({"workflowId": 2, "nodeId": "cool"})).unwrap();
    assert_eq!((&waiting["markdown"], &waiting["path"]), (&Value::Null, &json!("workflows/2/steps/cool.md")));
    let code = |arguments: Value| bakery.look(2, &arguments).unwrap_err();
    assert_eq!(code(json!({"workflowId": 2, "nodeId": "burn"})), "STEP_NOT_FOUND");
    assert_eq!(code(json!({"workflowId": 2, "stepPath": "workflows/2/steps/burn.md"})), "STEP_NOT_FOUND");
    assert_eq!(code(json!({"workflowId": 9, "nodeId": "bake"})), "WORKFLOW_NOT_FOUND");
    assert_eq!(code(json!({"workflowId": 2})), "AI_TOOL_EXECUTION_ERROR");
}

#[test]
fn an_agent_is_told_with_the_steps_that_it_works_in() {
    let bakery = Bakery::new();
    let read = bakery.look(3, &json!({"agentId": "baker"})).unwrap();
    assert_eq!(read["referencedSteps"], json!([{"workflowId": 2, "nodeId": "bake"}]));
    assert_eq!((&read["agent"], &read["revision"]), (&json!({"id": "baker"}), &json!(3)));
    assert_eq!(bakery.look(3, &json!({"agentId": "smith"})), Err("AGENT_NOT_FOUND".to_owned()));
}

#[test]
fn an_asset_is_told_in_parts_whose_ends_meet() {
    let mut bakery = Bakery::new();
    let part = |bakery: &Bakery, offset: u64, limit: u64| {
        let read = bakery.look(4, &json!({"path": "./assets/rye.md", "offset": offset, "limit": limit})).unwrap();
        (read["content"].clone(), read["truncated"].clone(), read["nextOffset"].clone())
    };
    assert_eq!(part(&bakery, 0, 2), (json!("åb"), json!(true), json!(2)));
    assert_eq!(part(&bakery, 2, 9), (json!("\ncd"), json!(false), Value::Null));
    assert_eq!(part(&bakery, 9, 9), (json!(""), json!(false), Value::Null));
    let logo = bakery.look(4, &json!({"path": "assets/logo.png"})).unwrap();
    assert_eq!((&logo["content"], &logo["bytes"], &logo["type"]), (&Value::Null, &json!(5), &json!("png")));
    assert_eq!(bakery.look(4, &json!({"path": "assets/none.md"})), Err("ASSET_NOT_FOUND".to_owned()));
    // What is escaped takes more room: a part still fits an answer, and the next one begins where it ended.
    let text = "\u{1}\"x".repeat(12_000);
    bakery.view.assets.insert("assets/rye.md".to_owned(), text.clone());
    let (mut whole, mut offset) = (String::new(), 0);
    while let (Value::String(part), _, next) = part(&bakery, offset, 99_999) {
        assert!(json!(part).to_string().len() < 31_000, "it fits");
        assert!(part.chars().count() <= 16_000);
        whole += &part;
        let Some(next) = next.as_u64() else { break };
        offset = next;
    }
    assert_eq!(whole, text);
}

#[test]
fn references_go_both_ways_and_stand_once() {
    let bakery = Bakery::new();
    assert_eq!(
        bakery.refs(&json!({"type": "asset", "id": "assets/rye.md"}))[0],
        ["workflow 2 citation", "step bake citation"]
    );
    assert_eq!(bakery.refs(&json!({"type": "path", "value": "assets/oven.md"}))[0], ["step bake citation"]);
    assert_eq!(bakery.refs(&json!({"type": "agent", "id": "baker"})), [vec!["step bake agentId"], vec![]]);
    let step = bakery.refs(&json!({"type": "step", "id": "bake", "workflowId": 2}));
    assert_eq!(step[0], ["workflow 2 graph"]);
    assert_eq!(
        step[1],
        ["step sell edge", "agent baker agentId", "asset assets/oven.md citation", "asset assets/rye.md citation"]
    );
    assert_eq!(bakery.refs(&json!({"type": "path", "value": "workflows/2/steps/bake.md"})), step);
    let target = bakery.refs(&json!({"type": "id", "value": "sell"}));
    assert_eq!(target[0], ["workflow 2 graph", "step bake edge"]);
    let workflow = bakery.refs(&json!({"type": "workflow", "id": 2}));
    assert_eq!(workflow, bakery.refs(&json!({"type": "workflow", "id": "2"})));
    assert_eq!(workflow[1], ["step bake graph", "step cool graph", "step sell graph", "asset assets/rye.md citation"]);
    let code = |locator: Value| bakery.look(5, &json!({ "locator": locator })).unwrap_err();
    let cases = [
        (json!({"type": "workflow", "id": "9"}), "WORKFLOW_NOT_FOUND"),
        (json!({"type": "step", "id": "bake", "workflowId": 3}), "STEP_NOT_FOUND"),
        (json!({"type": "agent", "id": "smith"}), "AGENT_NOT_FOUND"),
        (json!({"type": "asset", "id": "assets/none.md"}), "ASSET_NOT_FOUND"),
        (json!({"type": "path", "value": "assets/none.md"}), "ASSET_NOT_FOUND"),
        (json!({"type": "id", "value": "none"}), "STEP_NOT_FOUND"),
        (json!({"type": "agent", "id": 2}), "AI_TOOL_EXECUTION_ERROR"),
        (json!({"type": "path"}), "AI_TOOL_EXECUTION_ERROR"),
    ];
    for (locator, want) in cases {
        assert_eq!(code(locator.clone()), want, "{locator}");
    }
}

#[test]
fn the_context_is_the_one_of_prompts() {
    let bakery = Bakery::new();
    let envelope = bakery.look(0, &json!({})).unwrap();
    assert_eq!(envelope.as_object().unwrap().len(), 7);
    assert_eq!(envelope["session_meta"]["projectId"], "prj_1");
    assert_eq!(envelope["target_snapshot"]["step_markdown"], BAKE);
    assert_eq!(envelope["revision_info"]["workflowRevision"], 7);
}

#[test]
fn a_tool_works_in_its_own_session_only() {
    let bakery = Bakery::new();
    let own = json!({"sessionId": "as_1", "projectId": "prj_1", "workflowId": 2});
    assert!(bakery.look(1, &own).is_ok());
    for (name, value) in [("sessionId", "as_2"), ("projectId", "prj_2")] {
        let mut arguments = json!({"workflowId": 99});
        arguments[name] = json!(value);
        let code = bakery.look(1, &arguments).unwrap_err();
        assert_eq!(code, "AI_TOOL_EXECUTION_ERROR", "nothing is looked up: {name}");
    }
    assert_eq!(look(&bakery.sight(), APPLY, &json!({})).unwrap_err().code, "AI_TOOL_EXECUTION_ERROR");
}
