//! What a person signs of a change set: what they saw, and nothing else.

use holdpoint_change::Why;
use holdpoint_kind::Stage as _;
use serde_json::{Value, json};

use super::super::check::CHECKS;
use super::super::facts::PackageFacts;
use super::super::{CrewPackage, ShownSet};
use super::tests::{Talk, agent, asset, edits, head, signed, step_a, with, workflow};
use super::*;

#[test]
fn only_what_was_shown_is_written() {
    let mut talk = Talk::new(workflow());
    talk.stage(&[step_a(edits(&[("One", "1")]))]).unwrap();
    let issued = stored(&talk.judge().validation()).unwrap();
    let seen = |base: &str, result: &str| {
        let preview = SeenPreview { base_hash: base.to_owned(), result_hash: result.to_owned() };
        ApplyBody { preview: Some(preview), ..ApplyBody::default() }
    };
    assert!(talk.apply(&issued, &seen(&issued.base_hash, &issued.result_hash)).is_ok());
    for (base, result, why) in
        [("x", issued.result_hash.as_str(), Why::Base), (issued.base_hash.as_str(), "x", Why::Result)]
    {
        assert_eq!(talk.apply(&issued, &seen(base, result)).err(), Some(why));
        assert_eq!(moved(&issued, &talk.judge()), [""; 0]);
    }
    talk.stage(&[step_a(edits(&[("two", "2")]))]).unwrap();
    assert_eq!(talk.apply(&issued, &ApplyBody::default()).err(), Some(Why::Result));
    talk.head = with(&[("assets/other.md", "New.")]);
    let issued = stored(&talk.judge().validation()).unwrap();
    assert!(talk.apply(&issued, &ApplyBody::default()).is_ok(), "others moved, not these");
}

#[test]
fn an_error_that_the_package_did_not_have_blocks_a_signature() {
    let broken = [("workflows/1/workflow.md", "no header\n")];
    let blocked = |head: Baseline, breaks: bool| {
        let mut talk = Talk { head, ..Talk::new(workflow()) };
        talk.stage(&[asset("assets/policy.md", edits(&[("short", "brief")]))]).unwrap();
        let request = talk.request(&ApplyBody::default());
        let mut staged = CrewPackage.stage(talk.head.base(), &request).unwrap();
        if breaks {
            let after = staged.after.as_mut().unwrap();
            after.extend(broken.map(|(path, text)| (path.to_owned(), text.to_owned())));
        }
        let preview = CrewPackage.preview(staged, &request, &|_, _| None).unwrap();
        assert!(preview.report.diagnostics.iter().any(holdpoint_check::Diagnostic::is_error));
        let issued = talk.judge().issued;
        signed(preview, &issued, (&issued.base_hash, &issued.result_hash)).err()
    };
    assert_eq!(blocked(head(), true), Some(Why::Invalid));
    assert_eq!(blocked(with(&broken), false), None, "it was broken before");
}

#[test]
fn each_of_two_objects_in_one_file_is_signed_as_it_was_seen() {
    let make = |id: &str| json!({"op": "upsert", "targetType": "agent", "target": {"agentId": id}, "payload": {"agent": agent(id, "r")}});
    for taken in ["first", "second"] {
        let mut talk = Talk::new(workflow());
        talk.stage(&[make("first"), make("second")]).unwrap();
        let issued = talk.judge().issued;
        assert!(talk.apply(&issued, &ApplyBody::default()).is_ok(), "{:?}", talk.errors());
        let agents = ["clerk", "judge", taken].map(|id| agent(id, "of others"));
        let agents = json!({"schemaVersion": "1.1", "agents": agents}).to_string();
        talk.head = with(&[("agents.json", &agents)]);
        assert_eq!(moved(&issued, &talk.judge()), [format!("agent:{taken}")]);
        let refused = talk.apply(&issued, &ApplyBody::default()).err();
        assert!(matches!(refused, Some(Why::Base | Why::Patch)), "{taken}: {refused:?}");
    }
}

#[test]
fn an_apply_checks_the_whole_package_twice_at_most() {
    let broken = [("workflows/1/workflow.md", "no header\n")];
    for (head, checks) in [(head(), 1), (with(&broken), 2)] {
        let mut talk = Talk { head, ..Talk::new(workflow()) };
        talk.stage(&[asset("assets/policy.md", edits(&[("short", "brief")]))]).unwrap();
        CHECKS.set(0);
        let fresh = talk.looked_at(&ApplyBody::default()).unwrap();
        assert_eq!((CHECKS.get(), fresh.report.ok), (checks, true));
    }
}

#[test]
fn counters_follow_what_was_written_and_older_ones_only_warn() {
    let mut talk = Talk::new(workflow());
    talk.stage(&[step_a(edits(&[("One", "1")]))]).unwrap();
    let issued = stored(&talk.judge().validation()).unwrap();
    let base = json!({"revisionBase": {"workflowRevision": 7, "agentsRevision": 2}});
    let body: ApplyBody = serde_json::from_value(base).unwrap();
    let approved = talk.apply(&issued, &body).ok().unwrap();
    let warned: ShownSet = serde_json::from_value(approved.staged().shown.clone()).unwrap();
    let moved: Vec<&Value> = warned.warnings.iter().filter(|it| it["field"] != json!(null)).collect();
    assert_eq!(moved.len(), 1);
    assert_eq!((&moved[0]["field"], &moved[0]["provided"]), (&json!("workflowRevision"), &json!(7)));
    assert_eq!((&moved[0]["current"], &moved[0]["blocking"]), (&json!(1), &json!(false)));
    let facts: PackageFacts = serde_json::from_value(approved.staged().facts.0.clone()).unwrap();
    let after = facts.revisions(Some(1));
    assert_eq!((after.workflow_revision, after.agents_revision, after.assets_revision), (Some(2), Some(2), Some(2)));
    assert_eq!(approved.staged().tokens.patch, Some(issued.patch("cs_1")));
    let written: Vec<&str> = approved.staged().units.iter().map(|unit| unit.key.as_str()).collect();
    assert_eq!(written, ["workflows/1/steps/a.md"]);
}

#[test]
fn a_person_applies_and_nobody_else() {
    for (source, fine) in [(json!(SOURCE), true), (json!("model"), false), (json!(null), false), (json!(true), false)] {
        let body = ApplyBody { confirm_source: source, ..ApplyBody::default() };
        assert_eq!(wants_confirmation(&body).map(|error| error.status), (!fine).then_some(400));
    }
}
