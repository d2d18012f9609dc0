//! A plan against the extension that it changes: what the card of a fork shows (spec: authoring.md §1 "C, fork", §3.4).
//!
//! Invariant: the base is named by its hash and stays as it is; permissions are compared with what its user granted,
//! never with what it declared.

use holdpoint_bundle::{Files, content_hash};
use holdpoint_sdk::capability::{Capability, CapabilityDiff, diff, parse};
use serde::Serialize;
use serde_json::Value;

use super::conform::{KINDS, difference, plain};
use super::{declared, items, member};
use crate::engines::{Version, VersionStep};
use crate::judged;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PlanDiff {
    /// Content hash of the base: what the new version is a change of.
    pub base_hash: String,
    /// In the order of the plan; what goes stands behind.
    pub parts: Vec<PlanPart>,
    /// From what was granted to what is planned.
    pub capabilities: CapabilityDiff,
    /// The version that is installed; empty where the base says none.
    pub version: String,
    /// The version that the change makes: patch, minor where something comes, major where something goes.
    pub next_version: String,
}

/// Which list of a plan a part stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PlanList {
    Contributions,
    Triggers,
    Widgets,
    Tests,
}

/// What becomes of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PlanChange {
    Kept,
    Changed,
    Added,
    Removed,
}

/// One part of the plan or of the base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PlanPart {
    /// Where it stands in the plan.
    pub list: PlanList,
    pub change: PlanChange,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub kind: Option<&'static str>,
    /// Id of a contribution, event, path, or name of a test.
    pub id: String,
    pub label: String,
    /// Members that change: `label`, `slot`, `widget`, `key`, `format`, `command`, `fixture`.
    pub members: Vec<&'static str>,
}

/// Compares a plan whose schema holds with the base. `granted` is what its user granted; none: what it declares.
pub fn against(plan: &Value, base: &Files, granted: Option<&[String]>) -> PlanDiff {
    let manifest = judged::manifest_value(base).unwrap_or_default();
    let mut parts = Vec::new();
    contributions(plan, &manifest, &mut parts);
    triggers(plan, &manifest, &mut parts);
    widgets(plan, base, &mut parts);
    tests(plan, &manifest, &mut parts);
    let before = match granted {
        Some(granted) => granted.iter().filter_map(|text| parse(text).ok()).collect(),
        None => declared(&manifest),
    };
    let after: Vec<Capability> = declared(plan).into_iter().filter(|it| !it.implicit()).collect();
    let before: Vec<Capability> = before.into_iter().filter(|it| !it.implicit()).collect();
    let version = member(&manifest, "version").unwrap_or_default().to_owned();
    let step = step(&parts, &declared(&manifest), &after);
    PlanDiff {
        base_hash: content_hash(base),
        parts,
        capabilities: diff(&before, &after),
        next_version: Version::parse(&version).map_or_else(String::new, |it| it.next(step)),
        version,
    }
}

/// Major where a contribution or capability goes, minor where one comes.
fn step(parts: &[PlanPart], before: &[Capability], after: &[Capability]) -> VersionStep {
    let contributed =
        |change: PlanChange| parts.iter().any(|part| part.list == PlanList::Contributions && part.change == change);
    let is_new = |of: &[Capability], than: &[Capability]| {
        of.iter().filter(|it| !it.implicit()).any(|it| !than.iter().any(|other| other.covers(it)))
    };
    if contributed(PlanChange::Removed) || is_new(before, after) {
        VersionStep::Major
    } else if contributed(PlanChange::Added) || is_new(after, before) {
        VersionStep::Minor
    } else {
        VersionStep::Patch
    }
}

/// Matched as the conformity of a bundle matches them.
fn contributions(plan: &Value, manifest: &Value, parts: &mut Vec<PlanPart>) {
    let contributes = manifest.get("contributes").unwrap_or(&Value::Null);
    let list = PlanList::Contributions;
    let mut gone = Vec::new();
    for (kind, key, matched_by) in KINDS {
        let found: Vec<&Value> = items(contributes, key).map(|(_, item)| item).collect();
        let mut free: Vec<usize> = (0..found.len()).collect();
        for (_, planned) in items(plan, "contributions").filter(|(_, it)| member(it, "kind") == Some(kind)) {
            let same = |at: &usize| member(found[*at], matched_by) == member(planned, matched_by);
            let exact = |at: &usize| same(at) && difference(kind, planned, found[*at]).is_none();
            let place = free.iter().position(exact).or_else(|| free.iter().position(same));
            let id = member(planned, "id").unwrap_or_default().to_owned();
            let label = member(planned, "label").unwrap_or_default().to_owned();
            let (change, members) = match place.map(|place| found[free.remove(place)]) {
                None => (PlanChange::Added, Vec::new()),
                Some(present) => {
                    let named = called(present).is_some_and(|name| name != label).then_some("label");
                    let members: Vec<_> = named.into_iter().chain(difference(kind, planned, present)).collect();
                    (if members.is_empty() { PlanChange::Kept } else { PlanChange::Changed }, members)
                }
            };
            parts.push(PlanPart { list, change, kind: Some(kind), id, label, members });
        }
        gone.extend(free.into_iter().map(|at| {
            let id = member(found[at], "id").or_else(|| member(found[at], "command")).unwrap_or_default().to_owned();
            let label = called(found[at]).unwrap_or(&id).to_owned();
            PlanPart { list, change: PlanChange::Removed, kind: Some(kind), id, label, members: Vec::new() }
        }));
    }
    parts.append(&mut gone);
}

/// What a contribution of a manifest is called.
fn called(contribution: &Value) -> Option<&str> {
    ["title", "name", "text"].into_iter().find_map(|name| member(contribution, name))
}

fn plain_part(list: PlanList, change: PlanChange, id: &str) -> PlanPart {
    PlanPart { list, change, kind: None, id: id.to_owned(), label: id.to_owned(), members: Vec::new() }
}

fn compared(list: PlanList, planned: &[&str], present: &[&str], parts: &mut Vec<PlanPart>) {
    let is_there = |id: &str| if present.contains(&id) { PlanChange::Kept } else { PlanChange::Added };
    parts.extend(planned.iter().map(|id| plain_part(list, is_there(id), id)));
    let gone = present.iter().filter(|id| !planned.contains(id));
    parts.extend(gone.map(|id| plain_part(list, PlanChange::Removed, id)));
}

fn triggers(plan: &Value, manifest: &Value, parts: &mut Vec<PlanPart>) {
    let events = |value: &'_ Value, name: &'static str| -> Vec<String> {
        let all = items(value, name).filter_map(|(_, item)| item.as_str());
        all.filter(|event| !event.starts_with("onCommand:")).map(str::to_owned).collect()
    };
    let (planned, present) = (events(plan, "triggers"), events(manifest, "activation"));
    compared(PlanList::Triggers, &texts(&planned), &texts(&present), parts);
}

/// A planned file that is there is written anew: whether it changes, the files say.
fn widgets(plan: &Value, base: &Files, parts: &mut Vec<PlanPart>) {
    let planned: Vec<&str> = items(plan, "widgets").filter_map(|(_, widget)| member(widget, "path")).collect();
    let present: Vec<&str> = base.keys().map(String::as_str).filter(|path| path.starts_with("widgets/")).collect();
    compared(PlanList::Widgets, &planned, &present, parts);
}

fn tests(plan: &Value, manifest: &Value, parts: &mut Vec<PlanPart>) {
    let list = PlanList::Tests;
    let mut free: Vec<&Value> = items(manifest, "tests").map(|(_, test)| test).collect();
    for (_, planned) in items(plan, "tests") {
        let name = member(planned, "name").unwrap_or_default();
        let same = |test: &&Value| member(test, "name").is_some_and(|other| plain(other) == plain(name));
        let present = free.iter().position(same).map(|at| free.remove(at));
        let fixture = member(planned, "fixture").filter(|fixture| *fixture != "synthetic");
        let (change, members) = match present {
            None => (PlanChange::Added, Vec::new()),
            Some(test) if fixture.is_some() && member(test, "fixture") != fixture => {
                (PlanChange::Changed, vec!["fixture"])
            }
            Some(_) => (PlanChange::Kept, Vec::new()),
        };
        parts.push(PlanPart { members, ..plain_part(list, change, name) });
    }
    let gone = free.into_iter().filter_map(|test| member(test, "name"));
    parts.extend(gone.map(|name| plain_part(list, PlanChange::Removed, name)));
}

fn texts(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests_of_forks {
    use serde_json::json;

    use super::*;

    fn base() -> Files {
        let manifest = json!({
            "manifestVersion": 1, "id": "a.doors", "name": "Doors", "version": "0.3.1", "capabilities": ["model.read", "network.fetch:a.example"],
            "activation": ["onModelLoad", "onCommand:doors.count"],
            "contributes": {
                "commands": [{"id": "doors.count", "title": "Count"}, {"id": "doors.old", "title": "Old"}],
                "dock": [{"id": "doors.panel", "title": "Doors", "widget": "widgets/a.json", "slot": "dock.left"}],
            },
            "tests": [{"name": "Counts  doors", "fixture": "house-small"}, {"name": "old", "fixture": "house-small"}],
        });
        [("manifest.json".to_owned(), manifest.to_string()), ("widgets/a.json".to_owned(), "{}".to_owned())].into()
    }

    fn plan() -> Value {
        json!({
            "contributions": [
                {"kind": "command", "id": "doors.count", "label": "Count doors"},
                {"kind": "command", "id": "doors.sum", "label": "Sum"},
                {"kind": "dock", "id": "doors.panel", "label": "Doors", "widget": "widgets/a.json", "slot": "dock.right"},
            ],
            "capabilities": ["model.read", "network.fetch:a.example", "export.create:csv"],
            "triggers": ["onSelectionChange"],
            "widgets": [{"path": "widgets/a.json"}],
            "tests": [{"name": "counts doors", "fixture": "office-fire"}, {"name": "sums", "fixture": "synthetic"}],
        })
    }

    fn said(diff: &PlanDiff) -> Vec<String> {
        let one = |part: &PlanPart| format!("{:?} {} {}", part.change, part.id, part.members.join(","));
        diff.parts.iter().map(|part| one(part).trim_end().to_owned()).collect()
    }

    #[test]
    fn a_plan_is_shown_against_what_is_there() {
        let diff = against(&plan(), &base(), None);
        assert_eq!(
            said(&diff),
            [
                "Changed doors.count label",
                "Added doors.sum",
                "Changed doors.panel slot",
                "Removed doors.old",
                "Added onSelectionChange",
                "Removed onModelLoad",
                "Kept widgets/a.json",
                "Changed counts doors fixture",
                "Added sums",
                "Removed old",
            ]
        );
        assert_eq!(diff.base_hash, content_hash(&base()));
    }

    /// A right that its user took away is new again, whatever the base declared.
    #[test]
    fn permissions_are_compared_with_what_was_granted() {
        let granted = ["model.read".to_owned()];
        let diff = against(&plan(), &base(), Some(&granted));
        assert_eq!(diff.capabilities.added, ["export.create:csv", "network.fetch:a.example"]);
        assert_eq!(against(&plan(), &base(), None).capabilities.added, ["export.create:csv"]);
    }

    #[test]
    fn the_next_version_says_how_much_changes() {
        let next = |change: fn(&mut Value)| {
            let mut plan = json!({
                "contributions": [
                    {"kind": "command", "id": "doors.count", "label": "Count"},
                    {"kind": "command", "id": "doors.old", "label": "Old"},
                    {"kind": "dock", "id": "doors.panel", "label": "D", "widget": "widgets/a.json", "slot": "dock.left"},
                ],
                "capabilities": ["model.read", "network.fetch:a.example"], "triggers": [], "widgets": [], "tests": [],
            });
            change(&mut plan);
            against(&plan, &base(), Some(&[])).next_version
        };
        assert_eq!(next(|_| {}), "0.3.2");
        assert_eq!(
            next(|plan| plan["capabilities"] = json!(["model.read", "network.fetch:a.example", "viewer.read"])),
            "0.4.0"
        );
        assert_eq!(next(|plan| plan["capabilities"] = json!(["model.read"])), "1.0.0");
        assert_eq!(next(|plan| drop(plan["contributions"].as_array_mut().unwrap().pop())), "1.0.0");
        assert_eq!(next(|plan| plan["contributions"][1]["id"] = json!("doors.renamed")), "1.0.0");
    }

    #[test]
    fn a_base_that_is_no_extension_has_nothing() {
        let diff = against(&plan(), &Files::new(), None);
        assert!(diff.parts.iter().all(|part| part.change == PlanChange::Added) && diff.next_version.is_empty());
    }
}
