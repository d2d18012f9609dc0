//! What the objects of a package are called, and which of them a change set changes, to be compared with a model's summary.

use std::collections::BTreeSet;

use holdpoint_kind::claims::{ChangedObject, ClaimName, MAX_NAMES};
use serde_json::Value;

use super::dialect::meta::{ChangeMeta, ChangeStatus, graph_file};
use super::dialect::view::{View, agent_id, nodes};
use super::documents::markdown::{FileRole, Markdown};
use super::documents::said;

/// The objects that really change; a graph that only follows its steps is told by them. A workflow changes with each of its
/// parts, and needs no word of its own then.
pub fn changed(meta: &ChangeMeta) -> Vec<ChangedObject> {
    let follows = |object: &str, file: &str| {
        meta.graph_sync.iter().any(|sync| file == graph_file(sync.workflow_id))
            && meta.changed.iter().filter(|row| row.object == object).count() == 1
    };
    let rows = meta.changed.iter().filter(|row| row.status != ChangeStatus::Unchanged);
    let rows = rows.filter(|row| !follows(&row.object, &row.file));
    let changed = |object: &str, file: &str, needs_word| ChangedObject {
        object: object.to_owned(),
        file: file.to_owned(),
        needs_word,
    };
    let whole = |file: &str| {
        let (id, _) = file.strip_prefix("workflows/")?.split_once('/')?;
        Some(changed(&format!("workflow:{id}"), file, false))
    };
    rows.flat_map(|row| [Some(changed(&row.object, &row.file, true)), whole(&row.file)]).flatten().collect()
}

/// Every name of the objects of some views, as before and after a change, and of workflows.
pub fn names(views: &[&View], workflows: &[(u64, &str)]) -> Vec<ClaimName> {
    let mut names = BTreeSet::new();
    let mut name = |object: &str, text: &str| {
        let text = text.trim();
        if !text.is_empty() && names.len() < MAX_NAMES {
            names.insert(ClaimName { text: text.to_owned(), object: object.to_owned() });
        }
    };
    for (id, text) in workflows {
        name(&format!("workflow:{id}"), text);
    }
    for view in views {
        for (id, workflow) in &view.workflows {
            name(&format!("workflow:{id}"), &format!("workflow:{id}"));
            for (node, value) in nodes(&workflow.graph) {
                name(&format!("step:{node}"), said(value, "title").unwrap_or_default());
            }
        }
        for ((_, node), step) in &view.steps {
            let object = format!("step:{node}");
            let markdown = Markdown::read(&step.text, FileRole::Step).ok();
            let head = markdown.as_ref().and_then(|markdown| markdown.head.as_ref().ok());
            let title = head.and_then(|head| said(&head.value, "title"));
            for text in [object.as_str(), node, &step.path, title.unwrap_or_default()] {
                name(&object, text);
            }
        }
        for agent in &view.agents {
            let object = format!("agent:{}", agent_id(agent));
            let metadata = agent.get("metadata").unwrap_or(&Value::Null);
            let called = ["name", "title"].map(|member| said(metadata, member).unwrap_or_default());
            for text in [object.as_str(), agent_id(agent), called[0], called[1]] {
                name(&object, text);
            }
        }
        for path in view.assets.keys() {
            let object = format!("asset:{path}");
            for text in [object.as_str(), path] {
                name(&object, text);
            }
        }
    }
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use holdpoint_kind::claims::claims;
    use serde_json::json;

    use super::*;
    use crate::dialect::meta::ChangedRow;
    use crate::dialect::view::{StepObject, WorkflowObject};

    fn view() -> View {
        let mut view = View::default();
        let graph =
            json!({"nodes": [{"id": "assess-damage", "title": "Assess damage"}, {"id": "qa", "title": "Review"}]});
        view.workflows.insert(1, WorkflowObject { document: None, graph });
        let text = "---\nschemaVersion: \"1.1\"\nnodeId: settle\ntype: step\ntitle: 理赔审核\n---\n".to_owned();
        let path = "workflows/1/steps/settle.md".to_owned();
        view.steps.insert((1, "settle".to_owned()), StepObject { path, text });
        let agent = json!({"id": "clerk", "metadata": {"name": "Intake clerk", "title": "Clerk", "icon": "*"}});
        view.agents.push(agent.as_object().unwrap().clone());
        view.assets.insert("assets/guides/assess-damage.md".to_owned(), String::new());
        view
    }

    #[test]
    fn objects_are_called_by_id_title_name_and_path() {
        let called = names(&[&view()], &[(1, "Motor claim")]);
        let of = |object: &str| -> Vec<&str> {
            called.iter().filter(|name| name.object == object).map(|name| name.text.as_str()).collect()
        };
        assert_eq!(of("workflow:1"), ["Motor claim", "workflow:1"]);
        assert_eq!(of("step:qa"), ["Review"], "the graph has its title alone");
        assert_eq!(of("step:settle"), ["settle", "step:settle", "workflows/1/steps/settle.md", "理赔审核"]);
        assert_eq!(of("agent:clerk"), ["Clerk", "Intake clerk", "agent:clerk", "clerk"]);
        assert_eq!(of("asset:assets/guides/assess-damage.md").len(), 2);
    }

    #[test]
    fn a_workflow_changes_with_its_steps() {
        let row = |object: &str, file: &str| ChangedRow {
            object: object.to_owned(),
            file: file.to_owned(),
            status: ChangeStatus::M,
            base_hash: None,
            result_hash: None,
            texts: (None, None),
        };
        let meta = ChangeMeta {
            changed: vec![row("step:settle", "workflows/1/steps/settle.md"), row("agent:clerk", "agents.json")],
            ..ChangeMeta::default()
        };
        let changed = changed(&meta);
        let told: Vec<_> = changed.iter().map(|it| (it.object.as_str(), it.needs_word)).collect();
        assert_eq!(told, [("step:settle", true), ("workflow:1", false), ("agent:clerk", true)]);
        let said = "I improved Motor claim: settle names the excess. I changed Intake clerk.";
        assert_eq!(claims(said, &names(&[&view()], &[(1, "Motor claim")]), &changed, "en"), []);
    }
}
