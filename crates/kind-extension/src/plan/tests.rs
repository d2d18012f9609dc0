//! What a person took out of a plan, or wrote into it, binds the bundle (spec: authoring.md §3.3).

use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;
use serde_json::{Value, json};

use super::{check, conform};
use crate::planning::Manifest;

fn plan() -> Value {
    let tests = ["doors.count", "doors.lens", "doors.csv", "doors.rules"].map(
        |id| json!({"name": format!("Of {id}"), "fixture": "house-small", "contribution": id, "assertionSummary": "7"}),
    );
    json!({
        "summary": "Doors", "rationale": "Counts and lists them.",
        "contributions": [
            {"kind": "command", "id": "doors.count", "label": "Count doors"},
            {"kind": "dock", "id": "doors.panel", "label": "Doors", "slot": "dock.right", "widget": "widgets/doors.json"},
            {"kind": "lens", "id": "doors.lens", "label": "By width"},
            {"kind": "exporter", "id": "doors.csv", "label": "As CSV", "format": "csv"},
            {"kind": "idsValidator", "id": "doors.rules", "label": "Rules"},
            {"kind": "toolbar", "id": "doors.button", "label": "Count", "slot": "toolbar.right", "command": "doors.count"},
        ],
        "capabilities": ["model.read", "viewer.colorize", "export.create:csv"], "triggers": [],
        "widgets": [{"path": "widgets/doors.json", "description": "A figure"}],
        "tests": tests,
    })
}

fn bundle() -> Value {
    let test = |member: &str, id: &str| json!({"name": format!("of  {id}"), member: id, "fixture": "house-small", "expect": {"count": 1}});
    json!({
        "manifestVersion": 1, "id": "a.doors", "name": "Doors", "description": "Counts.", "version": "0.1.0",
        "engines": {"ifcLiteSdk": ">=1.0.0"}, "capabilities": ["model.read", "viewer.colorize", "export.create:csv"],
        "activation": [],
        "entry": {
            "commands": {"doors.count": "src/count.js"}, "lenses": {"doors.lens": "src/count.js"},
            "exporters": {"doors.csv": "src/count.js"}, "idsValidators": {"doors.rules": "src/count.js"},
        },
        "contributes": {
            "commands": [{"id": "doors.count", "title": "Count doors"}],
            "toolbar": [{"command": "doors.count", "slot": "toolbar.right"}],
            "dock": [{"id": "doors.panel", "title": "Doors", "widget": "widgets/doors.json", "slot": "dock.right"}],
            "lenses": [{"id": "doors.lens", "name": "By width", "evaluator": "src/count.js"}],
            "exporters": [{"id": "doors.csv", "name": "As CSV", "mimeType": "text/csv", "extension": "csv",
                "handler": "src/count.js"}],
            "idsValidators": [{"id": "doors.rules", "name": "Rules", "handler": "src/count.js"}],
        },
        "tests": [
            test("command", "doors.count"), test("lens", "doors.lens"), test("exporter", "doors.csv"),
            test("idsValidator", "doors.rules"),
        ],
    })
}

/// Severity, code, pointer and whole sentence of each difference.
fn told(plan: &Value, manifest: &Value) -> Vec<(bool, String, String)> {
    let files: Files = [("manifest.json".to_owned(), manifest.to_string())]
        .into_iter()
        .chain(["widgets/doors.json", "src/count.js"].map(|path| (path.to_owned(), "{}".to_owned())))
        .collect();
    let manifest = Manifest::new("manifest.json", manifest.clone(), manifest.to_string());
    let one = |it: Diagnostic| {
        assert!(!it.message.contains('{'), "{}", it.message);
        (it.is_error(), it.code.to_string(), it.pointer.unwrap_or_default())
    };
    conform(plan, Some(&manifest), &files).into_iter().map(one).collect()
}

fn found(error: bool, code: &str, pointer: &str) -> (bool, String, String) {
    (error, code.to_owned(), pointer.to_owned())
}

/// The plan without a part and its tests, as a person leaves it.
fn without(at: usize) -> Value {
    let mut plan = plan();
    let gone = plan["contributions"].as_array_mut().unwrap().remove(at);
    let tests = plan["tests"].as_array_mut().unwrap();
    tests.retain(|test| test["contribution"] != gone["id"]);
    plan["declined"] = json!([{"kind": gone["kind"], "id": gone["id"]}]);
    plan
}

#[test]
fn what_conforms_to_the_whole_plan() {
    assert_eq!(told(&plan(), &bundle()), []);
    assert!(check(&without(5), None, None).ok, "what was taken out is part of a plan that holds");
}

#[test]
fn a_command_that_a_person_took_out_is_an_error_and_any_other_a_warning() {
    let mut manifest = bundle();
    let extra = |id: &str| json!({"id": id, "title": "More"});
    manifest["contributes"]["commands"].as_array_mut().unwrap().extend([extra("doors.list"), extra("doors.more")]);
    let mut plan = plan();
    assert_eq!(
        told(&plan, &manifest),
        [
            found(false, "PLAN_EXTRA_CONTRIBUTION", "/contributes/commands/1"),
            found(false, "PLAN_EXTRA_CONTRIBUTION", "/contributes/commands/2"),
        ]
    );
    plan["declined"] = json!([{"kind": "command", "id": "doors.more"}, {"kind": "test", "id": "doors.list"}]);
    assert_eq!(
        told(&plan, &manifest),
        [
            found(false, "PLAN_EXTRA_CONTRIBUTION", "/contributes/commands/1"),
            found(true, "PLAN_EXTRA_CONTRIBUTION", "/contributes/commands/2"),
        ]
    );
    // What was put back counts as planned, whatever stands in the list still.
    plan["contributions"].as_array_mut().unwrap().push(json!({"kind": "command", "id": "doors.more", "label": "More"}));
    assert_eq!(told(&plan, &manifest), [found(false, "PLAN_EXTRA_CONTRIBUTION", "/contributes/commands/1")]);
}

#[test]
fn whatever_part_a_person_took_out_does_not_come_back() {
    let places = ["commands", "dock", "lenses", "exporters", "idsValidators", "toolbar"];
    for (at, list) in places.into_iter().enumerate() {
        let found = told(&without(at), &bundle());
        let pointer = format!("/contributes/{list}/0");
        assert!(found.contains(&(true, "PLAN_EXTRA_CONTRIBUTION".to_owned(), pointer)), "{list} {found:?}");
    }
}

#[test]
fn a_test_that_a_person_took_out_does_not_come_back_by_its_name() {
    let mut plan = plan();
    plan["tests"].as_array_mut().unwrap().push(json!(
        {"name": "none", "fixture": "empty-model", "contribution": "doors.count", "assertionSummary": "0"}));
    let mut manifest = bundle();
    manifest["tests"].as_array_mut().unwrap().push(json!(
        {"name": "None ", "command": "doors.count", "fixture": "empty-model", "expect": {"equals": 0}}));
    assert_eq!(told(&plan, &manifest), []);
    plan["declined"] = json!([{"kind": "test", "id": " NONE"}]);
    assert_eq!(told(&plan, &manifest), [], "it was put back");
    plan["tests"].as_array_mut().unwrap().pop();
    assert_eq!(told(&plan, &manifest), [found(true, "PLAN_EXTRA_TEST", "/tests/4")]);
    manifest["tests"][4]["name"] = json!("another");
    assert_eq!(told(&plan, &manifest), [], "a test that nobody took out may be written beside the planned ones");
}

#[test]
fn a_title_that_a_person_wrote_is_the_title_of_the_result() {
    let cases = [
        (0, "/contributes/commands/0", "title"),
        (1, "/contributes/dock/0", "title"),
        (2, "/contributes/lenses/0", "name"),
        (3, "/contributes/exporters/0", "name"),
        (4, "/contributes/idsValidators/0", "name"),
    ];
    for (at, pointer, member) in cases {
        let mut plan = plan();
        plan["contributions"][at]["label"] = json!("Mine and no other");
        assert_eq!(told(&plan, &bundle()), [], "{pointer}: a label that the model chose may be said otherwise");
        plan["contributions"][at]["labelPinned"] = json!(true);
        assert_eq!(told(&plan, &bundle()), [found(true, "PLAN_CONTRIBUTION_CHANGED", pointer)]);
        let mut manifest = bundle();
        manifest.pointer_mut(pointer).unwrap()[member] = json!(" mine  AND no other");
        assert_eq!(told(&plan, &manifest), [], "{pointer}: case and spaces do not matter");
        plan["contributions"][at]["labelPinned"] = json!(false);
        assert_eq!(told(&plan, &bundle()), []);
    }
    // A button has no title of its own: its command has.
    let mut plan = plan();
    plan["contributions"][5]["label"] = json!("Mine");
    plan["contributions"][5]["labelPinned"] = json!(true);
    assert_eq!(told(&plan, &bundle()), []);
}

#[test]
fn what_a_difference_is_of_is_said() {
    let mut plan = without(0);
    plan["contributions"][0]["label"] = json!("Mine");
    plan["contributions"][0]["labelPinned"] = json!(true);
    let manifest = bundle();
    let manifest = Manifest::new("manifest.json", manifest.clone(), manifest.to_string());
    let files = Files::from([("widgets/doors.json".to_owned(), "{}".to_owned())]);
    let said: Vec<String> = conform(&plan, Some(&manifest), &files).into_iter().map(|it| it.message).collect();
    assert_eq!(
        said,
        [
            "Remove the command `doors.count`: a person took it out of the plan.",
            "Call the dock `doors.panel` \"Mine\": a person wrote this title.",
        ]
    );
}
