//! `MANIFEST_PATH_INVALID`, `MANIFEST_WORKFLOW_DUPLICATE`, `MANIFEST_ENTRY_NOT_LISTED`: what the manifest names (spec:
//! crew-package.md §6).

use std::collections::HashSet;

use holdpoint_check::{Diagnostic, args, codes};

use crate::documents::manifest::{Listing, Named};
use crate::limits::MAX_DIAGNOSTICS;
use crate::policy::is_safe;

codes! {
    /// an unsafe path in the manifest
    MANIFEST_PATH_INVALID: Error, "Name a file inside the package: `{file}` cannot be looked up." [file];
    /// an id that is listed before
    MANIFEST_WORKFLOW_DUPLICATE: Error, "Give the workflow an id of its own: `{name}` is listed before." [name];
    /// workflows are listed, and none has both paths of `entry`
    MANIFEST_ENTRY_NOT_LISTED: Error, "Name the two files of one listed workflow in `entry`.";
}

pub fn check(manifest: &Listing<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let entry = [&manifest.entry.document, &manifest.entry.graph, &manifest.agents];
    let listed = manifest.listed.iter().flat_map(|unit| [&unit.document, &unit.graph]);
    for Named { path, pointer } in
        entry.into_iter().chain(listed).filter(|named| !is_safe(named.path)).take(MAX_DIAGNOSTICS)
    {
        findings.push(Diagnostic::of(&MANIFEST_PATH_INVALID, args! { file: path }).at_pointer(pointer));
    }
    let mut seen = HashSet::new();
    for (at, name) in manifest.listed.iter().enumerate().filter_map(|(at, unit)| Some((at, unit.id?))) {
        if !seen.insert(name) && findings.len() < 2 * MAX_DIAGNOSTICS {
            let finding = Diagnostic::of(&MANIFEST_WORKFLOW_DUPLICATE, args! { name });
            findings.push(finding.at_pointer(format!("/workflows/{at}/id")));
        }
    }
    if manifest.is_multi() && manifest.default_workflow().is_none() {
        findings.push(Diagnostic::of(&MANIFEST_ENTRY_NOT_LISTED, args! {}).at_pointer("/entry/workflow"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::test::found;

    fn manifest(entry: &Value, workflows: &Value) -> String {
        let value = json!({"name": "A", "version": "0.1.0", "entry": entry, "workflows": workflows});
        found(&check(&Listing::of(&value)))
    }

    #[test]
    fn what_a_manifest_names() {
        let entry = json!({"workflow": "a/w.md", "graph": "a/g.json", "agents": "agents.json"});
        let item = |id: &str, folder: &str| json!({"id": id, "workflow": format!("{folder}/w.md"), "graph": format!("{folder}/g.json")});
        assert_eq!(manifest(&entry, &json!([])), "");
        assert_eq!(manifest(&entry, &json!([item("2", "b"), item("1", "a")])), "");
        assert_eq!(manifest(&entry, &json!([item("1", "b")])), "MANIFEST_ENTRY_NOT_LISTED /entry/workflow");
        let twice = json!([item("1", "a"), item("2", "b"), item("1", "c"), item("1", "d")]);
        let want = "MANIFEST_WORKFLOW_DUPLICATE /workflows/2/id, MANIFEST_WORKFLOW_DUPLICATE /workflows/3/id";
        assert_eq!(manifest(&entry, &twice), want);
        let out = json!({"workflow": "/w.md", "graph": "a//g.json", "agents": "c:a", "assetsDir": "../x"});
        let want = "MANIFEST_PATH_INVALID /entry/workflow, MANIFEST_PATH_INVALID /entry/graph, \
                    MANIFEST_PATH_INVALID /entry/agents";
        assert_eq!(manifest(&out, &json!([])), want);
        let want = "MANIFEST_PATH_INVALID /workflows/1/workflow, MANIFEST_PATH_INVALID /workflows/1/graph";
        assert_eq!(manifest(&entry, &json!([item("1", "a"), item("2", "..")])), want);
    }

    #[test]
    fn both_paths_of_the_entry_are_those_of_one_workflow() {
        let entry = json!({"workflow": "a/w.md", "graph": "b/g.json", "agents": "agents.json"});
        let listed = json!([
            {"id": "1", "workflow": "a/w.md", "graph": "a/g.json"},
            {"id": "2", "workflow": "b/w.md", "graph": "b/g.json"},
        ]);
        assert_eq!(manifest(&entry, &listed), "MANIFEST_ENTRY_NOT_LISTED /entry/workflow");
    }
}
