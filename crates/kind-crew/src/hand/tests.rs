//! Edits by hand on whole packages: what they leave, what they count, what they refuse.

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use serde_json::{Map, Value, json};

use super::{Edited, agents, assets, rename, workflows};
use crate::dialect::package::Package;
use crate::facts::{self, PackageFacts};
use crate::test::package::step;
use crate::wire::projects::WorkflowBody;
use crate::{Options, check};

/// A package under somebody's hands.
struct Desk {
    files: Files,
    facts: PackageFacts,
}

impl Desk {
    fn new() -> Self {
        Self { files: Files::new(), facts: PackageFacts::new("Desk") }
    }

    /// With two workflows and an agent.
    fn furnished() -> Self {
        let mut desk = Self::new();
        desk.done(|files, facts| workflows::create(files, facts, "First"));
        desk.done(|files, facts| workflows::create(files, facts, "Second"));
        desk.done(|files, facts| agents::replace(files, facts, &[agent("clerk")]));
        desk
    }

    fn done(&mut self, edit: impl FnOnce(&Files, &PackageFacts) -> Result<Edited, ApiError>) -> Edited {
        let edited = edit(&self.files, &self.facts).unwrap();
        assert_eq!(edited.facts.next_workflow_id.max(self.facts.next_workflow_id), edited.facts.next_workflow_id);
        self.files = edited.files.clone();
        self.facts = edited.facts.clone();
        edited
    }

    fn refused(&self, edit: impl FnOnce(&Files, &PackageFacts) -> Result<Edited, ApiError>) -> ApiError {
        edit(&self.files, &self.facts).unwrap_err()
    }

    /// Workflow counters, then agents and assets.
    fn counted(&self) -> String {
        let workflows: Vec<String> =
            self.facts.workflows.iter().map(|workflow| format!("{}:{}", workflow.id, workflow.revision)).collect();
        format!("{} a{} s{}", workflows.join(" "), self.facts.agents_revision, self.facts.assets_revision)
    }

    fn graph(&self, id: u64) -> Map<String, Value> {
        serde_json::from_str(&self.files[&format!("workflows/{id}/workflow.graph.json")]).unwrap()
    }

    fn change(&mut self, id: u64, body: &WorkflowBody) -> Edited {
        self.done(|files, facts| workflows::change(files, facts, id, body))
    }
}

fn agent(id: &str) -> Map<String, Value> {
    let Value::Object(agent) = json!({
        "persona": {"role": "r", "identity": "i", "communication_style": "c", "principles": ["p"]},
        "metadata": {"icon": "1", "title": "T", "name": id},
        "id": id,
    }) else {
        panic!()
    };
    agent
}

/// The code, and the codes and places of its diagnostics.
fn said(error: &ApiError) -> String {
    let found = error.details.get("diagnostics").and_then(Value::as_array).cloned().unwrap_or_default();
    let one = |found: &Value| {
        let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
        format!(" {} {}{}", text("code"), text("path"), text("pointer"))
    };
    format!("{} {}{}", error.status, error.code, found.iter().map(one).collect::<String>())
}

fn codes(edited: &Edited) -> Vec<&str> {
    edited.warnings.iter().map(|found| found.code.as_ref()).collect()
}

#[test]
fn a_new_workflow_and_an_agent_make_a_package_without_findings() {
    let desk = Desk::furnished();
    let report = check(&desk.files, &Options::default()).unwrap();
    assert_eq!(report.diagnostics, []);
    assert_eq!(desk.counted(), "1:1 2:1 a2 s1");
    let defaults: Vec<bool> = desk.facts.workflows.iter().map(|workflow| workflow.is_default).collect();
    assert_eq!((defaults, desk.facts.workflows[1].name.as_str()), (vec![true, false], "Second"));
    insta::assert_snapshot!(desk.files["workflows/1/steps/start.md"], @r#"
    ---
    schemaVersion: "1.1"
    nodeId: "start"
    type: "step"
    title: "Start"
    inputs: []
    outputs: []
    setsVariables: []
    transitions: []
    ---

    # Start

    ## Goal

    Say what this step is for.

    ## Instructions

    Say how it is done, and what it leaves behind.
    "#);
    let written: Value = serde_json::from_str(&desk.files["agents.json"]).unwrap();
    let members: Vec<&String> = written["agents"][0].as_object().unwrap().keys().collect();
    assert_eq!(members, ["id", "metadata", "persona"], "the order of the specification");
}

#[test]
fn a_package_of_nothing_can_be_opened_and_begun() {
    let nothing = Files::new();
    let package = Package::open(&nothing).unwrap();
    assert!(package.view.workflows.is_empty() && package.view.agents.is_empty());
    let mut after = package.view.clone();
    after.agents.push(agent("clerk"));
    let files = package.with(&after);
    assert_eq!(files.keys().collect::<Vec<_>>(), ["agents.json"]);
    let package = Package::open(&files).unwrap();
    assert_eq!(package.view.agents.len(), 1);
    let mut broken = files.clone();
    broken.insert("agents.json".to_owned(), "{".to_owned());
    assert_eq!(Package::open(&broken).unwrap_err().code, "INVALID_INPUT");
}

#[test]
fn every_change_of_bytes_counts_and_nothing_else_does() {
    let mut desk = Desk::furnished();
    let document = desk.files["workflows/2/workflow.md"].clone();
    desk.change(2, &WorkflowBody { document: Some(document.clone()), ..WorkflowBody::default() });
    assert_eq!(desk.counted(), "1:1 2:1 a2 s1", "the same text");
    desk.change(2, &WorkflowBody { document: Some(document + "More.\n"), ..WorkflowBody::default() });
    assert_eq!(desk.counted(), "1:1 2:2 a2 s1");
    let graph = desk.graph(1);
    let reversed: Map<String, Value> = graph.iter().rev().map(|(name, value)| (name.clone(), value.clone())).collect();
    desk.change(1, &WorkflowBody { graph: Some(reversed), ..WorkflowBody::default() });
    assert_eq!(desk.counted(), "1:1 2:2 a2 s1", "the same graph in another order");
    desk.change(1, &WorkflowBody { name: Some("Other".into()), ..WorkflowBody::default() });
    assert_eq!(desk.counted(), "1:1 2:2 a2 s1", "a name stands in the manifest");
    assert_eq!(desk.facts.workflow(1).unwrap().name, "Other");
    desk.done(|files, facts| assets::create(files, facts, "assets/a.md", "a", &Options::default()));
    assert_eq!(desk.counted(), "1:1 2:2 a2 s2");
    desk.done(|files, facts| agents::replace(files, facts, &[agent("clerk")]));
    assert_eq!(desk.counted(), "1:1 2:2 a2 s2", "the same agents");
}

#[test]
fn a_workflow_that_comes_back_counts_on() {
    let mut desk = Desk::furnished();
    let body = WorkflowBody {
        document: Some(desk.files["workflows/2/workflow.md"].clone() + "x\n"),
        ..WorkflowBody::default()
    };
    desk.change(2, &body);
    let (with, known) = (desk.files.clone(), desk.facts.clone());
    desk.done(|files, facts| workflows::delete(files, facts, 2));
    assert_eq!((desk.counted().as_str(), known.workflow(2).unwrap().revision), ("1:1 a2 s1", 2));
    let back = facts::after(&desk.files, &with, &desk.facts);
    assert_eq!(back.workflow(2).unwrap().revision, 3);
    assert_eq!(back.gone.len(), 0);
    let next = desk.done(|files, facts| workflows::create(files, facts, "Third"));
    assert_eq!(next.workflow, Some(3), "a number is never given twice");
}

#[test]
fn a_graph_and_its_steps_change_together() {
    let mut desk = Desk::furnished();
    let mut graph = desk.graph(1);
    let node = json!({"id": "check", "type": "step", "file": "workflows/1/steps/check.md", "agentId": "clerk"});
    graph["nodes"].as_array_mut().unwrap().push(node);
    graph["edges"] = json!([
        {"from": "start", "to": "check", "label": "next"},
        {"label": "done", "to": "end", "from": "check"},
    ]);
    let alone = WorkflowBody { graph: Some(graph.clone()), ..WorkflowBody::default() };
    let error = desk.refused(|files, facts| workflows::change(files, facts, 1, &alone));
    assert_eq!(said(&error), "400 VALIDATION_ERROR STEP_FILE_MISSING workflows/1/workflow.graph.json/nodes/2/file");
    let steps = [("steps/check.md".to_owned(), Some(step("check", "step")))];
    desk.change(1, &WorkflowBody { graph: Some(graph), steps: Some(steps.into()), ..WorkflowBody::default() });
    assert_eq!(desk.counted(), "1:2 2:1 a2 s1");
    let text = &desk.files["workflows/1/workflow.graph.json"];
    assert!(text.contains("\"from\": \"check\",\n      \"to\": \"end\",\n      \"label\": \"done\""), "{text}");
    assert!(desk.files.contains_key("workflows/1/steps/check.md"));
}

#[test]
fn what_breaks_the_rules_of_its_document_is_refused_with_its_findings() {
    let desk = Desk::furnished();
    let refused = |body: WorkflowBody| said(&desk.refused(|files, facts| workflows::change(files, facts, 1, &body)));
    let document = WorkflowBody { document: Some("no head".into()), ..WorkflowBody::default() };
    assert_eq!(refused(document), "400 VALIDATION_ERROR WORKFLOW_MISSING_FRONTMATTER workflows/1/workflow.md");
    let graph = WorkflowBody { graph: Some(Map::new()), ..WorkflowBody::default() };
    assert!(refused(graph).starts_with("400 VALIDATION_ERROR PKG_SCHEMA_ERROR workflows/1/workflow.graph.json/edges"));
    let one = |path: &str, text: &str| {
        let steps = [(path.to_owned(), Some(text.to_owned()))];
        refused(WorkflowBody { steps: Some(steps.into()), ..WorkflowBody::default() })
    };
    assert_eq!(
        one("steps/start.md", "x"),
        "400 VALIDATION_ERROR STEP_MISSING_FRONTMATTER workflows/1/steps/start.md STEP_MISSING_GOAL workflows/1/steps/start.md STEP_MISSING_INSTRUCTIONS workflows/1/steps/start.md"
    );
    for path in ["steps/../x.md", "steps/x.txt", "workflows/2/steps/start.md", "assets/a.md", ""] {
        assert!(one(path, "x").starts_with("400 VALIDATION_ERROR STEP_PATH_INVALID /steps/"), "{path}");
    }
    let missing = desk.refused(|files, facts| workflows::change(files, facts, 7, &WorkflowBody::default()));
    assert_eq!((missing.status, missing.code.as_str()), (404, "WORKFLOW_NOT_FOUND"));
}

#[test]
fn an_old_fault_elsewhere_stands_in_nobody_s_way() {
    let mut desk = Desk::furnished();
    desk.files.insert("workflows/2/workflow.md".to_owned(), "broken".to_owned());
    let document = desk.files["workflows/1/workflow.md"].clone() + "x\n";
    desk.change(1, &WorkflowBody { document: Some(document), ..WorkflowBody::default() });
    assert_eq!(desk.facts.workflow(1).unwrap().revision, 2);
}

#[test]
fn names_have_limits() {
    let desk = Desk::furnished();
    let created = |name: &str| workflows::create(&desk.files, &desk.facts, name);
    for name in ["", "  ", "a\nb", &"å".repeat(201)] {
        assert_eq!(said(&created(name).unwrap_err()), "400 VALIDATION_ERROR NAME_INVALID /name", "{name}");
    }
    assert_eq!(created(&"å".repeat(200)).unwrap().facts.workflows[2].name, "å".repeat(200));
    assert_eq!(created(" Ada ").unwrap().facts.workflows[2].name, "Ada");
    let renamed = rename(&desk.files, &desk.facts, " ").unwrap();
    assert_eq!(renamed.facts.name, "Untitled");
    assert!(renamed.files["bmad.json"].contains("\"name\": \"Untitled\""));
    assert_eq!(
        said(&desk.refused(|files, facts| rename(files, facts, &"x".repeat(201)))),
        "400 VALIDATION_ERROR NAME_INVALID /name"
    );
}

#[test]
fn one_workflow_is_the_default() {
    let mut desk = Desk::furnished();
    let named = |desk: &Desk| {
        let default = desk.facts.workflows.iter().filter(|workflow| workflow.is_default);
        default.map(|workflow| workflow.id).collect::<Vec<_>>()
    };
    let default = |is_default: bool| WorkflowBody { is_default: Some(is_default), ..WorkflowBody::default() };
    assert_eq!((codes(&desk.change(2, &default(true))), named(&desk)), (vec![], vec![2]));
    assert_eq!((codes(&desk.change(2, &default(false))), named(&desk)), (vec!["MANIFEST_DEFAULT_CHOSEN"], vec![1]));
    desk.change(2, &default(true));
    let gone = desk.done(|files, facts| workflows::delete(files, facts, 2));
    assert_eq!((codes(&gone), named(&desk)), (vec!["MANIFEST_DEFAULT_CHOSEN"], vec![1]));
    assert!(desk.files.keys().all(|path| !path.starts_with("workflows/2/")));
    let last = desk.refused(|files, facts| workflows::delete(files, facts, 1));
    assert_eq!((last.status, last.code.as_str()), (409, "WORKFLOW_LAST"));
}

#[test]
fn a_copy_stands_on_its_own() {
    let mut desk = Desk::furnished();
    let copied = desk.done(|files, facts| workflows::duplicate(files, facts, 1, "Copy"));
    assert_eq!(copied.workflow, Some(3));
    assert_eq!(check(&desk.files, &Options::default()).unwrap().diagnostics, []);
    let files: Vec<Value> =
        desk.graph(3)["nodes"].as_array().unwrap().iter().map(|node| node["file"].clone()).collect();
    assert_eq!(files, ["workflows/3/steps/end.md", "workflows/3/steps/start.md"]);
    assert!(!desk.facts.workflow(3).unwrap().is_default);
    desk.done(|files, facts| workflows::delete(files, facts, 1));
    assert_eq!(check(&desk.files, &Options::default()).unwrap().diagnostics, []);
}

#[test]
fn agents_have_limits_and_rules() {
    let desk = Desk::furnished();
    let refused =
        |agents: &[Map<String, Value>]| said(&desk.refused(|files, facts| agents::replace(files, facts, agents)));
    assert_eq!(refused(&[agent("a"), agent("a")]), "400 VALIDATION_ERROR AGENT_ID_DUPLICATE agents.json/agents/1/id");
    assert!(refused(&[]).starts_with("400 VALIDATION_ERROR PKG_SCHEMA_ERROR agents.json/agents"));
    assert!(refused(&[Map::new()]).contains("PKG_SCHEMA_ERROR agents.json/agents/0/id"));
    let mut long = agent("a");
    long["metadata"]["icon"] = json!("x".repeat(21));
    assert_eq!(refused(&[long.clone()]), "400 VALIDATION_ERROR AGENT_FIELD_LONG agents.json/agents/0/metadata/icon");
    let error = desk.refused(|files, facts| agents::replace(files, facts, &[long]));
    assert_eq!(error.details["diagnostics"][0]["severity"], "error");
}

#[test]
fn assets_by_hand() {
    let mut desk = Desk::furnished();
    let options = Options::default();
    let refused = |path: &str, text: &str| {
        let error = desk.refused(|files, facts| assets::create(files, facts, path, text, &Options::default()));
        (error.status, error.code)
    };
    assert_eq!(refused("assets/å.md", ""), (400, "ASSET_PATH_INVALID".to_owned()));
    assert_eq!(refused("other/a.md", ""), (400, "ASSET_PATH_INVALID".to_owned()));
    assert_eq!(refused("assets/a.png", ""), (400, "ASSET_EXT_UNSUPPORTED".to_owned()));
    assert_eq!(refused("assets/a.md", "base64:AAAA"), (400, "ASSET_ENCODING_INVALID".to_owned()));
    assert_eq!(refused("assets/a.md", &"x".repeat(262_145)), (413, "ASSET_TOO_LARGE".to_owned()));
    let made = desk.done(|files, facts| assets::create(files, facts, " ./assets\\a.json", "{", &options));
    assert_eq!((codes(&made), made.files.contains_key("assets/a.json")), (vec!["ASSET_CONTENT_INVALID"], true));
    let again = desk.refused(|files, facts| assets::create(files, facts, "assets/a.json", "{}", &options));
    assert_eq!((again.status, again.code.as_str()), (409, "ASSET_EXISTS"));
    desk.done(|files, facts| assets::replace(files, facts, "assets/a.json", "{}", &options));
    assert_eq!(desk.files["assets/a.json"], "{}");
    for missing in [
        desk.refused(|files, facts| assets::replace(files, facts, "assets/b.json", "{}", &options)),
        desk.refused(|files, facts| assets::delete(files, facts, "assets/b.json", &options)),
        desk.refused(|files, facts| assets::delete(files, facts, "bmad.json", &options)),
    ] {
        assert_eq!((missing.status, missing.code.as_str()), (404, "ASSET_NOT_FOUND"));
    }
    let cites = desk.files["workflows/1/workflow.md"].clone() + "Read assets/a.json.\n";
    desk.change(1, &WorkflowBody { document: Some(cites), ..WorkflowBody::default() });
    let gone = desk.done(|files, facts| assets::delete(files, facts, "assets/a.json", &options));
    assert_eq!(gone.warnings[0].message, "Change what cites `assets/a.json`: `workflow:1`.");
    assert_eq!((codes(&gone), desk.facts.assets_revision), (vec!["ASSET_STILL_REFERENCED"], 4));
}

#[test]
fn all_assets_have_limits_together() {
    let mut desk = Desk::new();
    for at in 0..200 {
        desk.files.insert(format!("assets/{at}.md"), String::new());
    }
    let create =
        |desk: &Desk, text: &str| assets::create(&desk.files, &desk.facts, "assets/new.md", text, &Options::default());
    let count = create(&desk, "").unwrap_err();
    assert_eq!(
        (count.status, count.code.as_str(), &count.details["limit"]),
        (413, "ASSET_COUNT_EXCEEDED", &json!(200))
    );
    let mut desk = Desk::new();
    for at in 0..8 {
        desk.files.insert(format!("assets/{at}.md"), "x".repeat(262_144));
    }
    let total = create(&desk, "x").unwrap_err();
    assert_eq!((total.status, total.code.as_str()), (413, "ASSET_TOTAL_EXCEEDED"));
    assert!(create(&desk, "").is_ok());
}

#[test]
fn a_package_never_grows_beyond_what_can_be_read() {
    let mut desk = Desk::furnished();
    let document = format!("{}{}\n", desk.files["workflows/1/workflow.md"], "x".repeat(1_000_000));
    desk.change(1, &WorkflowBody { document: Some(document), ..WorkflowBody::default() });
    let copied = |desk: &Desk| workflows::duplicate(&desk.files, &desk.facts, 1, "Copy");
    let mut copies = 1;
    while let Ok(edited) = copied(&desk) {
        (desk.files, desk.facts) = (edited.files, edited.facts);
        copies += 1;
        assert!(copies < 20);
    }
    assert_eq!(copies, 16);
    let refused = desk.refused(|files, facts| workflows::duplicate(files, facts, 1, "Copy"));
    assert_eq!((refused.code.as_str(), &refused.details["limit"]), ("INPUT_TOO_LARGE", &json!("MAX_BUNDLE_BYTES")));
    assert!(check(&desk.files, &Options::default()).is_ok());

    let many = (0..2_000 - desk.files.len()).map(|at| (format!("workflows/2/steps/{at}.md"), step("x", "step")));
    desk.files.extend(many.collect::<Files>());
    let refused = desk.refused(|files, facts| assets::create(files, facts, "assets/a.md", "", &Options::default()));
    assert_eq!((refused.code.as_str(), &refused.details["limit"]), ("INPUT_TOO_LARGE", &json!("MAX_FILES")));
    desk.files.insert("over.txt".to_owned(), String::new());
    desk.done(|files, facts| workflows::delete(files, facts, 1));
}
