//! The manifest as it should be whenever workflows come, go or change (spec: crew-package.md §7 "Upkeep of the
//! manifest").
//!
//! Invariants: it lists the workflows by number; its `entry` is one of them; a package without workflows has no manifest;
//! done twice it changes nothing more.

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args, codes};
use serde_json::{Map, Value, json};

use crate::dialect::package::written;
use crate::documents::{items, json, text};
use crate::facts::UNTITLED;
use crate::places::{ListedWorkflow, Places};
use crate::policy::{AGENTS, ASSETS, MANIFEST};

codes! {
    /// several workflows are the default, or none is
    MANIFEST_DEFAULT_CHOSEN: Warning, "Workflow {id} was made the default, as the one with the smallest number." [id];
}

/// Of documents that Holdpoint writes.
pub const SCHEMA_VERSION: &str = "1.1";
/// Of packages that Holdpoint begins.
pub const FIRST_VERSION: &str = "0.1.0";

/// The files with their manifest in order, and what was chosen on the way.
pub fn settled(files: &Files, name: &str) -> (Files, Vec<Diagnostic>) {
    relisted(files.clone(), name, Places::of(files).workflows)
}

/// The files with a manifest that lists these workflows.
pub fn relisted(mut files: Files, name: &str, mut workflows: Vec<ListedWorkflow>) -> (Files, Vec<Diagnostic>) {
    workflows.sort_by_key(|workflow| workflow.id);
    let Some(first) = workflows.first() else {
        files.remove(MANIFEST);
        return (files, Vec::new());
    };
    let mut defaults = workflows.iter().filter(|workflow| workflow.is_default);
    let (entry, warnings) = match (defaults.next(), defaults.next()) {
        (Some(only), None) => (only, Vec::new()),
        _ => (first, vec![Diagnostic::of(&MANIFEST_DEFAULT_CHOSEN, args! { id: first.id }).in_file(MANIFEST)]),
    };
    let old = files.get(MANIFEST).and_then(|text| json::read(text).ok()?.ok()).map(|document| document.value);
    let mut manifest = old.clone().unwrap_or_else(|| begun(&entry.document, &entry.graph));
    let name = name.trim();
    manifest["name"] = if name.is_empty() { UNTITLED } else { name }.into();
    manifest["entry"]["workflow"] = entry.document.as_str().into();
    manifest["entry"]["graph"] = entry.graph.as_str().into();
    let rows: Vec<Value> = workflows.iter().map(|workflow| row(workflow, items(&manifest, "workflows"))).collect();
    manifest["workflows"] = rows.into();
    if old.as_ref() != Some(&manifest) {
        files.insert(MANIFEST.to_owned(), written(&manifest));
    }
    (files, warnings)
}

/// A manifest that lists no workflows yet, its members in the order of §3.
pub fn begun(document: &str, graph: &str) -> Value {
    json!({
        "schemaVersion": SCHEMA_VERSION,
        "name": UNTITLED,
        "version": FIRST_VERSION,
        "entry": {"workflow": document, "graph": graph, "agents": AGENTS, "assetsDir": ASSETS},
        "workflows": [],
    })
}

/// The item of a workflow: the one that is there, as far as it holds.
fn row(workflow: &ListedWorkflow, rows: &[Value]) -> Value {
    let id = workflow.id.to_string();
    let old = rows.iter().find(|row| text(row, "id") == id).and_then(Value::as_object).cloned();
    let mut row = old.unwrap_or_else(Map::new);
    let mut put = |member: &str, value: &str| {
        row.insert(member.to_owned(), value.into());
    };
    put("id", &id);
    put("workflow", &workflow.document);
    put("graph", &workflow.graph);
    if workflow.name != ListedWorkflow::unnamed(workflow.id) || row.contains_key("displayName") {
        row.insert("displayName".to_owned(), workflow.name.as_str().into());
    }
    row.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::package::package;

    fn listed(id: u64, is_default: bool) -> ListedWorkflow {
        ListedWorkflow {
            id,
            name: format!("W{id}"),
            document: format!("workflows/{id}/workflow.md"),
            graph: format!("workflows/{id}/workflow.graph.json"),
            is_default,
        }
    }

    fn read(files: &Files) -> Value {
        serde_json::from_str(&files[MANIFEST]).unwrap()
    }

    #[test]
    fn a_new_manifest_has_its_members_in_order() {
        let (files, warnings) = relisted(Files::new(), " Desk ", vec![listed(10, false), listed(2, true)]);
        insta::assert_snapshot!(files[MANIFEST], @r#"
        {
          "schemaVersion": "1.1",
          "name": "Desk",
          "version": "0.1.0",
          "entry": {
            "workflow": "workflows/2/workflow.md",
            "graph": "workflows/2/workflow.graph.json",
            "agents": "agents.json",
            "assetsDir": "assets/"
          },
          "workflows": [
            {
              "id": "2",
              "workflow": "workflows/2/workflow.md",
              "graph": "workflows/2/workflow.graph.json",
              "displayName": "W2"
            },
            {
              "id": "10",
              "workflow": "workflows/10/workflow.md",
              "graph": "workflows/10/workflow.graph.json",
              "displayName": "W10"
            }
          ]
        }
        "#);
        assert!(files[MANIFEST].ends_with("}\n"));
        assert_eq!(warnings, []);
    }

    #[test]
    fn one_default_is_chosen_where_there_are_several_or_none() {
        for rows in [[listed(2, true), listed(3, true)], [listed(3, false), listed(2, false)]] {
            let (files, warnings) = relisted(Files::new(), "", rows.to_vec());
            assert_eq!(read(&files)["entry"]["workflow"], "workflows/2/workflow.md");
            assert_eq!(read(&files)["name"], "Untitled");
            assert_eq!(warnings[0].message, "Workflow 2 was made the default, as the one with the smallest number.");
        }
    }

    #[test]
    fn without_workflows_there_is_no_manifest() {
        let (files, _) = relisted(Files::new(), "A", vec![listed(1, true)]);
        assert!(files.contains_key(MANIFEST));
        let (files, warnings) = relisted(files, "A", Vec::new());
        assert_eq!((files, warnings), (Files::new(), Vec::new()));
    }

    #[test]
    fn what_is_in_order_keeps_its_bytes_and_its_own_members() {
        let mut files = package("workflows/1/", &[("1", "workflows/1/")]);
        let mut manifest = read(&files);
        manifest["author"] = json!("Ada");
        manifest["workflows"][0]["tags"] = json!(["a"]);
        files.insert(MANIFEST.to_owned(), manifest.to_string());
        assert_eq!(settled(&files, "P"), (files.clone(), Vec::new()));
        let (renamed, _) = settled(&files, "Q");
        let after = read(&renamed);
        assert_eq!((&after["author"], &after["workflows"][0]["tags"]), (&json!("Ada"), &json!(["a"])));
        assert_eq!(after["name"], "Q");
        let members: Vec<&String> = after.as_object().unwrap().keys().collect();
        assert_eq!(members, manifest.as_object().unwrap().keys().collect::<Vec<_>>(), "in their old order");
        assert_eq!(settled(&renamed, "Q").0, renamed, "twice is once");
    }
}
