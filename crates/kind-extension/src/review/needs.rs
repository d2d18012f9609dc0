//! Who needs what of the declared capabilities, and what therefore cannot be left out (spec: authoring.md §9.1, UI.md
//! §5 "Permissions in review").
//!
//! Code that asks `ctx.can` for a capability does without it: that one is optional, and so is one that nothing needs.

use std::cmp::Reverse;

use holdpoint_check::{Diagnostic, args, codes};
use holdpoint_sdk::capability::{Capability, Risk, parse};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::judged::{Judged, judge};
use crate::{Declared, Needed};
use holdpoint_bundle::Files;

codes! {
    /// a grant that was left out and is needed
    CAPABILITY_REQUIRED: Error, "Grant `{name}`: `{who}` needs it." [name, who];
}

/// A capability of the bundle and who needs it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CapabilityUse {
    pub capability: String,
    /// As the manifest writes it: what is granted.
    pub declared: String,
    /// It is one of `green`, `yellow` or `red`.
    pub risk: Risk,
    pub sentence: String,
    /// What the sentence is said from in other languages; its code is `PERMISSION`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Map<String, Value>,
    /// Code, a contribution or a test cannot do without it, so it cannot be left out.
    pub required: bool,
    /// Calls and contributions that use it; tests, where only they need it.
    pub places: Vec<UsePlace>,
}

/// A place that uses a capability: a call in code, or a member of the manifest (`text` is a test's name below `/tests`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct UsePlace {
    pub path: String,
    pub line: Option<u32>,
    pub pointer: Option<String>,
    pub text: String,
}

/// What a bundle declares, high ones first, with the places that use each.
pub fn uses(files: &Files) -> Vec<CapabilityUse> {
    let judged = judge(files);
    let manifest = judged.manifest.as_ref().map(|manifest| &manifest.value);
    let written = |pointer: &str| manifest.and_then(|value| value.pointer(pointer)).and_then(Value::as_str);
    let row = |(place, own): (usize, &Declared)| {
        let all: Vec<&Needed> = judged.needs.iter().filter(|need| need.met_by.contains(&place)).collect();
        let is_test = |need: &Needed| need.pointer.as_deref().is_some_and(|at| at.starts_with("/tests/"));
        // Where the code needs it anyway, a test that expects it says nothing new.
        let strict = all.iter().any(|need| !need.asked && !is_test(need));
        let needs = || all.iter().filter(|need| !strict || !is_test(need));
        CapabilityUse {
            capability: own.capability.clone(),
            declared: written(&own.pointer).unwrap_or(&own.capability).to_owned(),
            risk: own.risk,
            sentence: own.sentence.clone(),
            args: own.args.clone(),
            required: needs().any(|need| !need.asked && need.met_by.len() == 1),
            places: needs()
                .map(|need| UsePlace {
                    path: need.path.clone(),
                    line: need.range.map(|range| range.start.line),
                    pointer: need.pointer.clone(),
                    text: need.who.clone(),
                })
                .collect(),
        }
    };
    let mut uses: Vec<CapabilityUse> = judged.capabilities.iter().enumerate().map(row).collect();
    uses.sort_by_key(|it| Reverse(it.risk));
    uses
}

/// One finding for each capability that is needed and not granted, at the first place that needs it.
pub fn missing(judged: &Judged, grants: &[Capability]) -> Vec<Diagnostic> {
    let granted = |place: &usize| {
        let own = judged.capabilities.get(*place).and_then(|own| parse(&own.capability).ok());
        own.is_some_and(|own| grants.iter().any(|grant| grant.covers(&own)))
    };
    let mut found: Vec<(usize, Diagnostic)> = Vec::new();
    for need in judged.needs.iter().filter(|need| !need.asked && !need.met_by.iter().any(granted)) {
        let Some(place) = need.met_by.first().filter(|place| !found.iter().any(|(other, _)| other == *place)) else {
            continue;
        };
        let Some(own) = judged.capabilities.get(*place) else { continue };
        let values = args! { name: own.capability, who: need.who };
        let mut finding = Diagnostic::of(&CAPABILITY_REQUIRED, values).in_file(need.path.clone());
        finding.range = need.range;
        finding.pointer.clone_from(&need.pointer);
        found.push((*place, finding));
    }
    found.into_iter().map(|(_, finding)| finding).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const CODE: &str = "export default (ctx) => {
  const doors = ctx.bim.query.byType(\"IfcDoor\");
  if (ctx.can(\"viewer.select\")) ctx.bim.viewer.select(doors);
  return doors.length;
};
";

    fn bundle(capabilities: &[&str]) -> Files {
        let manifest = json!({
            "manifestVersion": 1, "id": "a.b", "name": "A", "description": "B.", "version": "1.0.0",
            "engines": {"ifcLiteSdk": ">=1.0.0"}, "capabilities": capabilities,
            "activation": ["onSelectionChange"],
            "entry": {"commands": {"a.count": "src/a.js"}, "triggers": {"onSelectionChange": "src/a.js"}},
            "contributes": {"commands": [{"id": "a.count", "title": "Count"}]},
            "tests": [{"name": "t", "command": "a.count", "fixture": "house-small", "expect": {"type": "number"}}],
        });
        Files::from([("manifest.json".to_owned(), manifest.to_string()), ("src/a.js".to_owned(), CODE.to_owned())])
    }

    #[test]
    fn what_is_needed_and_what_is_optional() {
        let uses = uses(&bundle(&["model.read", "viewer.read", "viewer.select", "storage.local", "files.read"]));
        let row = |it: &CapabilityUse| {
            let at: Vec<String> = it.places.iter().map(|at| format!("{} {:?} {}", at.path, at.line, at.text)).collect();
            (it.capability.clone(), it.required, at.join(", "))
        };
        let rows: Vec<(String, bool, String)> = uses.iter().map(row).collect();
        let row = |capability: &str, required: bool, at: &str| (capability.to_owned(), required, at.to_owned());
        assert_eq!(
            rows,
            [
                row("files.read", false, ""),
                row("model.read", true, "src/a.js Some(2) bim.query.byType"),
                row("viewer.read", true, "manifest.json None /activation/0"),
                row("viewer.select", false, "src/a.js Some(3) bim.viewer.select"),
                row("storage.local", false, ""),
            ]
        );
    }

    #[test]
    fn what_is_left_out_is_told_with_who_needs_it() {
        let files = bundle(&["model.read", "viewer.read", "viewer.select"]);
        let judged = judge(&files);
        let told = |granted: &[&str]| -> Vec<String> {
            let grants: Vec<Capability> = granted.iter().filter_map(|text| parse(text).ok()).collect();
            let told = |it: Diagnostic| format!("{} {}", it.path.unwrap_or_default(), it.message);
            missing(&judged, &grants).into_iter().map(told).collect()
        };
        assert!(told(&["model.read", "viewer.read"]).is_empty(), "viewer.select is optional");
        assert_eq!(
            told(&[]),
            [
                "manifest.json Grant `viewer.read`: `/activation/0` needs it.",
                "src/a.js Grant `model.read`: `bim.query.byType` needs it.",
            ]
        );
    }

    #[test]
    fn of_two_that_cover_a_need_one_is_enough() {
        let files = Files::from([
            (
                "manifest.json".to_owned(),
                bundle(&["model.mutate:S", "model.mutate:S.A", "viewer.read"])["manifest.json"].clone(),
            ),
            (
                "src/a.js".to_owned(),
                "export default (ctx) => ctx.bim.mutate.setProperty({}, \"S\", \"A\", 1);\n".to_owned(),
            ),
        ]);
        let judged = judge(&files);
        let told = |granted: &str| missing(&judged, &[parse(granted).unwrap(), parse("viewer.read").unwrap()]).len();
        assert_eq!((told("model.mutate:S"), told("model.mutate:S.A"), told("model.read")), (0, 0, 1));
        assert!(uses(&files).iter().filter(|it| it.capability.starts_with("model")).all(|it| !it.required));
    }

    #[test]
    fn a_test_needs_the_effect_that_it_expects() {
        let mut files = bundle(&["model.read", "viewer.read", "viewer.select", "storage.local"]);
        let mut manifest: Value = serde_json::from_str(&files["manifest.json"]).unwrap();
        manifest["tests"][0]["expect"] = json!({"viewer": {"some": {"op": "select"}}});
        files.insert("manifest.json".to_owned(), manifest.to_string());
        let uses = uses(&files);
        let select = uses.iter().find(|it| it.capability == "viewer.select").unwrap();
        assert!(select.required);
        let place = select.places.last().unwrap();
        assert_eq!((place.pointer.as_deref(), place.text.as_str()), (Some("/tests/0/expect/viewer"), "t"));
        let judged = judge(&files);
        let grants = ["model.read", "viewer.read"].map(|text| parse(text).unwrap());
        let told: Vec<String> = missing(&judged, &grants).into_iter().map(|it| it.message).collect();
        assert_eq!(told, ["Grant `viewer.select`: `t` needs it."]);
        let unused = |it: &&Diagnostic| it.code == "CAPABILITY_UNUSED";
        assert_eq!(judged.diagnostics.iter().filter(unused).count(), 1, "only what nothing uses");
    }
}
