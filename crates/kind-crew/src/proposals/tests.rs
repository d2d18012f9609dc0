//! A session from its first set to its undo, on a small package.

use holdpoint_bundle::Files;
use holdpoint_change::{Approved, Base, Facts as Carried, Person, Preview, Signature, Why, sign};
use holdpoint_check::ApiError;
use holdpoint_kind::{Kind as _, Stage as _};
use serde_json::{Value, json};

use super::super::dialect::input::{BuilderSession, SessionMode, TargetType};
use super::super::dialect::package::written;
use super::super::facts::{self, PackageFacts};
use super::super::{CrewPackage, Options, SetRequest, check};
use super::*;

const DOCUMENT: &str =
    "---\nschemaVersion: \"1.1\"\nworkflowType: workflow\ncurrentNodeId: a\nstepsCompleted: []\n---\n# W\n";

pub fn step(id: &str, kind: &str, goal: &str) -> String {
    format!(
        "---\nschemaVersion: \"1.1\"\nnodeId: {id}\ntype: {kind}\n---\n\n## Goal\n\n{goal}\n\n## Instructions\n\nDo it.\n"
    )
}

fn graph(id: u64) -> Value {
    let file = |node: &str| format!("workflows/{id}/steps/{node}.md");
    json!({
        "schemaVersion": "1.1", "entryNodeId": "a",
        "nodes": [
            {"id": "a", "type": "step", "file": file("a"), "agentId": "clerk"},
            {"id": "z", "type": "end", "file": file("z")},
        ],
        "edges": [{"from": "a", "to": "z", "label": "next"}],
    })
}

pub fn agent(id: &str, role: &str) -> Value {
    json!({
        "id": id, "metadata": {"name": id, "title": id, "icon": "1"},
        "persona": {"role": role, "identity": "i", "communication_style": "c", "principles": ["p"]},
    })
}

pub fn package() -> Files {
    let unit = json!({"id": "1", "workflow": "workflows/1/workflow.md", "graph": "workflows/1/workflow.graph.json"});
    let entry = json!({"workflow": unit["workflow"], "graph": unit["graph"], "agents": "agents.json"});
    let manifest =
        json!({"schemaVersion": "1.1", "name": "P", "version": "0.1.0", "entry": entry, "workflows": [unit]});
    let agents = json!({"schemaVersion": "1.1", "agents": [agent("clerk", "r"), agent("judge", "r")]});
    // Not as Holdpoint writes JSON, so that bytes can be told apart from values.
    let texts = [
        ("bmad.json", written(&manifest)),
        ("agents.json", agents.to_string()),
        ("workflows/1/workflow.md", DOCUMENT.to_owned()),
        ("workflows/1/workflow.graph.json", graph(1).to_string()),
        ("workflows/1/steps/a.md", step("a", "step", "One two three.")),
        ("workflows/1/steps/z.md", step("z", "end", "End.")),
        ("assets/policy.md", "Keep it short.\nKeep it true.\n".to_owned()),
    ];
    texts.into_iter().map(|(path, text)| (path.to_owned(), text)).collect()
}

pub fn head_of(files: Files, known: &PackageFacts) -> Baseline {
    let facts = facts::after(&Files::new(), &files, known);
    let base = Base { revision: Some("rev_1".to_owned()), files: Some(files), facts: Carried(json!(facts)) };
    Baseline::of(&base, Options::default()).unwrap()
}

pub fn head() -> Baseline {
    head_of(package(), &PackageFacts::new("P"))
}

pub fn with(files: &[(&str, &str)]) -> Baseline {
    let mut all = package();
    all.extend(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    head_of(all, &PackageFacts::new("P"))
}

pub fn session(target_type: TargetType, target_id: &str, mode: SessionMode) -> BuilderSession {
    let in_workflow = matches!(target_type, TargetType::Workflow | TargetType::Step);
    let workflow_id = in_workflow.then_some(1);
    BuilderSession { target_type, target_id: target_id.to_owned(), mode, workflow_id }
}

pub fn workflow() -> BuilderSession {
    session(TargetType::Workflow, "1", SessionMode::Optimize)
}

pub fn set(session: &BuilderSession, operations: &[Value]) -> Value {
    json!({
        "schemaVersion": "1.0", "targetType": session.target_type, "mode": session.mode, "operations": operations,
    })
}

pub fn asset(path: &str, payload: impl Into<Value>) -> Value {
    let payload: Value = payload.into();
    json!({"op": "upsert", "targetType": "asset", "target": {"path": path}, "payload": payload})
}

pub fn edits(pairs: &[(&str, &str)]) -> Value {
    let pairs: Vec<Value> = pairs.iter().map(|(find, replace)| json!({"find": find, "replace": replace})).collect();
    json!({ "edits": pairs })
}

pub fn step_a(payload: impl Into<Value>) -> Value {
    let payload: Value = payload.into();
    json!({"op": "upsert", "targetType": "step", "target": {"workflowId": 1, "nodeId": "a"}, "payload": payload})
}

/// What a session has, over several sets.
pub struct Talk {
    pub head: Baseline,
    pub session: BuilderSession,
    pub record: Option<Record>,
}

impl Talk {
    pub fn new(session: BuilderSession) -> Self {
        Self { head: head(), session, record: None }
    }

    fn working(&self) -> Vec<WorkingFile> {
        self.record.iter().flat_map(|record| record.objects.clone()).collect()
    }

    pub fn stage(&mut self, operations: &[Value]) -> Result<(), ApiError> {
        let set = set(&self.session, operations);
        self.send(&set)
    }

    fn send(&mut self, set: &Value) -> Result<(), ApiError> {
        let staging = stage(&self.head, &self.working(), self.record.as_ref(), &self.session, set)?;
        self.record = Some(staging.record);
        Ok(())
    }

    pub fn judge(&self) -> Judgement {
        judge(&self.head, &self.session, self.record.as_ref().unwrap(), None).unwrap()
    }

    pub fn errors(&self) -> Vec<String> {
        self.judge().checked.verdict.errors.iter().map(|found| format!("{} {}", found.code, found.path)).collect()
    }

    pub fn request(&self, body: &ApplyBody) -> SetRequest {
        SetRequest {
            name: "cs_1".to_owned(),
            session: self.session.clone(),
            record: self.record.clone().unwrap(),
            revisions: body.revision_base,
            options: Options::default(),
        }
    }

    /// What an apply would write.
    pub fn looked_at(&self, body: &ApplyBody) -> Result<Preview, ApiError> {
        let request = self.request(body);
        let staged = CrewPackage.stage(self.head.base(), &request)?;
        Ok(CrewPackage.preview(staged, &request, &|_, _| None).unwrap())
    }

    /// Signs what a person saw: what the body names, else what the validation showed.
    pub fn apply(&self, issued: &Issued, body: &ApplyBody) -> Result<Approved, Why> {
        let (base, result) = match &body.preview {
            Some(seen) => (&seen.base_hash, &seen.result_hash),
            None => (&issued.base_hash, &issued.result_hash),
        };
        signed(self.looked_at(body).unwrap(), issued, (base, result))
    }

    /// Signs and writes.
    pub fn write(&mut self) -> Undo {
        let judged = self.judge();
        assert!(judged.valid(), "{:?}", judged.checked.verdict.errors);
        let issued = stored(&judged.validation()).unwrap();
        let approved = self.apply(&issued, &ApplyBody::default()).expect("it is what was shown");
        let staged = approved.staged();
        let facts = serde_json::from_value(staged.facts.0.clone()).unwrap();
        self.head = head_of(staged.after.clone().unwrap(), &self.head.facts);
        self.head.facts = facts;
        self.record = None;
        serde_json::from_value(staged.inverse.clone().unwrap()).unwrap()
    }
}

/// What comes of a signature over these hashes.
pub fn signed(fresh: Preview, issued: &Issued, (base, result): (&str, &str)) -> Result<Approved, Why> {
    let patch = issued.patch("cs_1");
    let seen = json!({"patch_id": patch, "base_hash": base, "result_hash": result, "confirm_token": "t"});
    let signature: Signature = serde_json::from_value(seen).unwrap();
    sign(fresh, &signature, Person::authenticated("ann"), CrewPackage::BLOCKS).map_err(|(why, _)| why)
}

fn code(result: Result<(), ApiError>) -> String {
    let error = result.unwrap_err();
    format!("{} {}", error.status, error.code)
}

#[test]
fn sets_join_and_the_later_one_wins() {
    let mut talk = Talk::new(workflow());
    talk.stage(&[asset("assets/a.md", json!({"content": "1"})), step_a(edits(&[("One", "1")]))]).unwrap();
    let mut second = asset("assets/a.md", edits(&[("1", "one")]));
    second["reason"] = json!("why");
    talk.stage(&[second, step_a(edits(&[("two", "2")]))]).unwrap();
    let record = talk.record.clone().unwrap();
    let operations = record.change_set["operations"].as_array().unwrap();
    assert_eq!(operations[0]["payload"]["content"], "one");
    assert_eq!(operations[0]["reason"], "why");
    assert_eq!(operations[1]["payload"]["stepMarkdown"], step("a", "step", "1 2 three."));
    assert_eq!(operations.len(), 2);
    let view = effective(&talk.head, &record.objects).unwrap();
    assert_eq!(view.assets["assets/a.md"], "one");
    assert_eq!(talk.errors(), [""; 0]);
}

#[test]
fn sets_may_come_to_more_operations_than_one_of_them_has() {
    let mut talk = Talk::new(workflow());
    let write = |at: usize| asset(&format!("assets/{at}.md"), json!({"content": "x"}));
    for first in [0, 150] {
        talk.stage(&(first..first + 150).map(write).collect::<Vec<_>>()).unwrap();
    }
    assert_eq!(talk.working().len(), 300);
    assert_eq!(talk.errors(), ["ASSET_COUNT_EXCEEDED operations"]);
    assert_eq!(code(talk.stage(&(0..201).map(write).collect::<Vec<_>>())), "422 AI_BAD_RESPONSE");
}

#[test]
fn what_is_back_as_it_was_leaves_the_session() {
    let mut talk = Talk::new(workflow());
    talk.stage(&[asset("assets/a.md", json!({"content": "1"})), step_a(edits(&[("One", "1")]))]).unwrap();
    let gone = json!({"op": "delete", "targetType": "asset", "target": {"path": "assets/a.md"}});
    talk.stage(&[gone]).unwrap();
    let objects: Vec<String> = talk.working().into_iter().map(|file| file.object).collect();
    assert_eq!(objects, ["step:a"], "it existed here only");
    let before = talk.record.clone();
    assert_eq!(code(talk.stage(&[step_a(edits(&[("1 two", "One two")]))])), "409 AI_NO_STAGED_CHANGES");
    assert_eq!(talk.record, before, "a refusal changes nothing");
    let same = step_a(json!({"stepMarkdown": step("a", "step", "One two three.")}));
    assert_eq!(code(Talk::new(workflow()).stage(&[same])), "409 AI_NO_STAGED_CHANGES");
}

#[test]
fn what_cannot_be_read_or_made_is_refused_and_the_rest_waits() {
    let mut talk = Talk::new(workflow());
    assert_eq!(code(talk.send(&json!([]))), "422 AI_BAD_RESPONSE");
    assert_eq!(code(talk.send(&json!({"schemaVersion": "2.0"}))), "422 AI_CHANGESET_SCHEMA_UNSUPPORTED");
    assert_eq!(code(talk.stage(&[step_a(edits(&[("nowhere", "")]))])), "422 EDIT_NOT_FOUND");
    assert_eq!(code(talk.stage(&[step_a(edits(&[("e", "")]))])), "422 EDIT_AMBIGUOUS");
    assert_eq!(code(talk.stage(&[asset("assets/none.md", edits(&[("a", "")]))])), "422 ASSET_NOT_FOUND");
    let both = json!({"content": "", "edits": [{"find": "a", "replace": "b"}]});
    assert_eq!(code(talk.stage(&[asset("assets/policy.md", both)])), "422 AI_CHANGESET_CONTRACT_VIOLATION");
    assert!(talk.record.is_none());
    let error = talk.stage(&[step_a(edits(&[("nowhere", "")]))]).unwrap_err();
    assert_eq!(error.details["errors"][0]["path"], "operations[0].payload.edits[0]");

    talk.stage(&[asset("assets/../x.md", json!({"content": "1"}))]).unwrap();
    assert_eq!(talk.errors(), ["ASSET_PATH_INVALID operations[0].target.path"]);
    talk.stage(&[json!({"op": "delete", "targetType": "workflow", "target": {"workflowId": 1}})]).unwrap();
    assert!(talk.errors().contains(&"AI_APPLY_UNSUPPORTED operations[1].op".to_owned()));
}

#[test]
fn what_was_declared_is_asked_of_all_sets_together() {
    let mut talk = Talk::new(workflow());
    let mut first = set(&talk.session, &[asset("assets/a.md", json!({"content": "1"}))]);
    first["impact"] = json!({"objects": ["asset:assets/a.md"], "riskFlags": ["tone"], "requiresConfirmation": false});
    talk.send(&first).unwrap();
    assert_eq!(talk.judge().checked.verdict.warnings, []);
    let mut second = set(&talk.session, &[step_a(edits(&[("One", "1")]))]);
    second["impact"] = json!({"objects": []});
    second["revisions"] = json!({"assetsRevision": 3});
    talk.send(&second).unwrap();
    assert_eq!(talk.errors(), ["IMPACT_UNDECLARED_OBJECT operations[1].target"]);
    let normal = talk.record.as_ref().unwrap().change_set.clone();
    assert_eq!(normal["impact"]["riskFlags"], json!(["cross-object", "tone"]));
    assert_eq!(normal["revisions"], json!({"assetsRevision": 3}));
    talk.stage(&[step_a(edits(&[("two", "2")]))]).unwrap();
    assert_eq!(talk.errors(), [""; 0], "who declares nothing means what he does");
}

#[test]
fn a_node_follows_its_step_in_what_the_session_sees() {
    let mut talk = Talk::new(session(TargetType::Step, "a", SessionMode::Optimize));
    let text = step("a", "step", "g").replace("type: step\n", "type: step\ntitle: Named\n");
    talk.stage(&[step_a(json!({"stepMarkdown": text}))]).unwrap();
    let view = effective(&talk.head, &talk.working()).unwrap();
    assert_eq!(view.graph(1)["nodes"][0]["title"], "Named");
    assert_eq!(talk.errors(), [""; 0], "the graph is no operation of the set");

    let mut talk = Talk::new(workflow());
    let graph = json!({
        "op": "upsert", "targetType": "workflow", "target": {"workflowId": 1}, "payload": {"graph": {
            "entryNodeId": "a", "nodes": [{"id": "a", "type": "step"}, {"id": "z", "type": "end"}],
            "edges": [{"from": "a", "to": "z", "label": "go"}],
        }},
    });
    talk.stage(&[graph]).unwrap();
    talk.stage(&[step_a(json!({"stepMarkdown": text}))]).unwrap();
    let view = effective(&talk.head, &talk.working()).unwrap();
    assert_eq!(view.graph(1)["nodes"][0]["title"], "Named", "also in a graph that the session wrote");
    talk.write();
    let stored: Value = serde_json::from_str(&talk.head.files["workflows/1/workflow.graph.json"]).unwrap();
    assert_eq!((&stored["nodes"][0]["title"], &stored["edges"][0]["label"]), (&json!("Named"), &json!("go")));
}

#[test]
fn edits_survive_the_work_of_others_and_whole_texts_replace_it() {
    let other = [("assets/policy.md", "Keep it short.\nKeep it kind.\n")];
    let mut talk = Talk::new(workflow());
    talk.stage(&[asset("assets/policy.md", edits(&[("short", "brief")]))]).unwrap();
    let issued = stored(&talk.judge().validation()).unwrap();
    talk.head = with(&other);
    assert_eq!(talk.apply(&issued, &ApplyBody::default()).err(), Some(Why::Base));
    let again = talk.judge();
    assert_eq!(moved(&issued, &again), ["asset:assets/policy.md"]);
    assert!(again.made_again);
    assert_eq!(shown(&again)[0].after.as_deref(), Some("Keep it brief.\nKeep it kind.\n"));
    let fresh = again.issued.clone();
    talk.record = Some(again.record);
    assert!(talk.apply(&fresh, &ApplyBody::default()).is_ok(), "it was shown");

    let mut talk = Talk::new(workflow());
    talk.stage(&[asset("assets/policy.md", json!({"content": "Mine.\n"}))]).unwrap();
    talk.stage(&[asset("assets/policy.md", edits(&[("Mine", "Ours")]))]).unwrap();
    talk.head = with(&other);
    assert_eq!(shown(&talk.judge())[0].after.as_deref(), Some("Ours.\n"));

    let mut talk = Talk::new(workflow());
    talk.stage(&[asset("assets/policy.md", edits(&[("true", "honest")]))]).unwrap();
    let issued = stored(&talk.judge().validation()).unwrap();
    talk.head = with(&other);
    assert!(talk.apply(&issued, &ApplyBody::default()).is_err());
    assert_eq!(talk.judge().checked.verdict.errors[0].code, "EDIT_NOT_FOUND");
}

#[test]
fn patches_of_an_agent_are_merged_again() {
    let mut talk = Talk::new(session(TargetType::Agent, "clerk", SessionMode::Optimize));
    let patch = |payload: Value| json!({"op": "upsert", "targetType": "agent", "target": {"agentId": "clerk"}, "payload": payload});
    talk.stage(&[patch(json!({"role": "Registers claims"}))]).unwrap();
    talk.stage(&[patch(json!({"title": "Clerk"}))]).unwrap();
    let mut clerk = agent("clerk", "r");
    clerk["persona"]["identity"] = json!("of others");
    let agents = json!({"schemaVersion": "1.1", "agents": [clerk]}).to_string();
    talk.head = with(&[("agents.json", &agents)]);
    talk.write();
    let stored: Value = serde_json::from_str(&talk.head.files["agents.json"]).unwrap();
    let persona = &stored["agents"][0]["persona"];
    assert_eq!((&persona["role"], &persona["identity"]), (&json!("Registers claims"), &json!("of others")));
    assert_eq!(stored["agents"][0]["metadata"]["title"], "Clerk");
}

#[test]
fn an_undo_gives_every_byte_back() {
    let before = package();
    let mut talk = Talk::new(workflow());
    let graph = json!({
        "op": "upsert", "targetType": "workflow", "target": {"workflowId": 1}, "payload": {
            "edits": [{"find": "# W", "replace": "# X"}],
            "graph": {"entryNodeId": "a", "nodes": [{"id": "a", "type": "step"}, {"id": "z", "type": "end"}],
                      "edges": [{"from": "a", "to": "z", "label": "go"}]},
        },
    });
    let new_agent = json!({"op": "upsert", "targetType": "agent", "target": {"agentId": "new"}, "payload": {"agent": agent("new", "r")}});
    let delete = json!({"op": "delete", "targetType": "asset", "target": {"path": "assets/policy.md"}});
    talk.stage(&[graph, new_agent, step_a(edits(&[("One", "1")])), delete]).unwrap();
    assert_eq!(talk.judge().issued.confirm, ["delete"]);
    let undo = talk.write();
    assert_ne!(talk.head.files, before);
    let staging = revert(&talk.head, &talk.session, &undo).unwrap();
    assert_eq!(staging.record.change_set["mode"], "optimize");
    talk.record = Some(staging.record);
    talk.write();
    assert_eq!(talk.head.files, before);
    assert_eq!(code(revert(&talk.head, &talk.session, &undo).map(drop)), "409 AI_NO_STAGED_CHANGES");
}

#[test]
fn an_undo_behind_other_work_leaves_that_work() {
    let mut talk = Talk::new(session(TargetType::Agent, "clerk", SessionMode::Optimize));
    let patch =
        json!({"op": "upsert", "targetType": "agent", "target": {"agentId": "clerk"}, "payload": {"role": "x"}});
    talk.stage(&[patch]).unwrap();
    let undo = talk.write();
    let mut agents: Value = serde_json::from_str(&talk.head.files["agents.json"]).unwrap();
    agents["agents"][1]["persona"]["role"] = json!("of others");
    talk.head = with(&[("agents.json", &agents.to_string())]);
    talk.record = Some(revert(&talk.head, &talk.session, &undo).unwrap().record);
    talk.write();
    let stored: Value = serde_json::from_str(&talk.head.files["agents.json"]).unwrap();
    assert_eq!(stored["agents"][0]["persona"]["role"], "r");
    assert_eq!(stored["agents"][1]["persona"]["role"], "of others");
}

#[test]
fn the_first_workflow_brings_a_manifest_in_the_name_of_the_project() {
    let mut talk =
        Talk::new(BuilderSession { workflow_id: Some(1), ..session(TargetType::Workflow, "1", SessionMode::Create) });
    talk.head = head_of(Files::new(), &PackageFacts::new("Desk"));
    let mut graph = graph(1);
    graph["nodes"][0].as_object_mut().unwrap().remove("agentId");
    let make = json!({
        "op": "upsert", "targetType": "workflow", "target": {"workflowId": 1}, "payload": {
            "workflowMarkdown": DOCUMENT.replace("currentNodeId: a", "currentNodeId: \"\""),
            "graph": graph,
            "stepFiles": {"steps/a.md": step("a", "step", "g"), "steps/z.md": step("z", "end", "g")},
        },
    });
    talk.stage(&[make]).unwrap();
    talk.write();
    let manifest: Value = serde_json::from_str(&talk.head.files["bmad.json"]).unwrap();
    assert_eq!(
        (&manifest["name"], &manifest["entry"]["workflow"], &manifest["workflows"][0]["id"]),
        (&json!("Desk"), &json!("workflows/1/workflow.md"), &json!("1")),
    );
    let default = talk.head.facts.workflow(1).unwrap();
    assert_eq!((default.revision, default.is_default, talk.head.facts.name.as_str()), (1, true, "Desk"));
}

#[test]
fn a_new_workflow_is_not_taken_back() {
    let mut talk =
        Talk::new(BuilderSession { workflow_id: Some(2), ..session(TargetType::Workflow, "2", SessionMode::Create) });
    let make = json!({
        "op": "upsert", "targetType": "workflow", "target": {"workflowId": 2}, "payload": {
            "workflowMarkdown": DOCUMENT,
            "graph": graph(2),
            "stepFiles": {"steps/a.md": step("a", "step", "g"), "steps/z.md": step("z", "end", "g")},
        },
    });
    talk.stage(&[make]).unwrap();
    let undo = talk.write();
    let found = check(&talk.head.files, &Options::default()).unwrap();
    assert!(found.ok, "{:?}", found.diagnostics);
    assert_eq!(talk.head.facts.workflow(2).map(|it| it.revision), Some(1));
    assert_eq!(code(revert(&talk.head, &talk.session, &undo).map(drop)), "422 AI_APPLY_UNSUPPORTED");
}

#[test]
fn an_object_that_no_row_holds_is_refused() {
    let mut talk = Talk::new(workflow());
    let long = step("a", "step", &"x".repeat(1_600_000));
    let error = talk.stage(&[step_a(json!({"stepMarkdown": long}))]).unwrap_err();
    assert_eq!((error.status, error.code.as_str()), (413, "INPUT_TOO_LARGE"));
}

#[test]
fn a_verdict_is_written_as_bodies_are() {
    let mut talk = Talk::new(session(TargetType::Step, "a", SessionMode::Optimize));
    let text = step("a", "step", "g").replace("type: step\n", "type: step\ntitle: Named\n");
    talk.stage(&[step_a(json!({"stepMarkdown": text}))]).unwrap();
    let told = verdict_members(&talk.judge().checked.verdict);
    let members = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(members(&told), "valid schemaFailed errors warnings meta");
    let meta = "allowWrite legacy origins changed graphSync affected confirm bumps";
    assert_eq!(members(&told["meta"]), meta);
    assert_eq!(members(&told["meta"]["changed"][0]), "object file status baseHash resultHash");
    assert_eq!(members(&told["meta"]["graphSync"][0]), "workflowId nodeId field value");
}
