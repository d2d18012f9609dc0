//! What a person looks at before an apply: left what is stored, right what would be (spec: ai-sessions.md §3 `GET
//! S/preview`, §4 "Preview").

use serde::Serialize;
use serde_json::{Value, json};

use super::super::dialect::check::Checked;
use super::super::dialect::meta::{ChangeStatus, ChangedRow};
use super::super::dialect::package::written;
use super::super::dialect::view::View;
use super::judge::Judgement;

/// One file of a preview.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShownChange {
    pub object: String,
    pub file: String,
    pub status: ChangeStatus,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// The files of a judged set, in the order of its operations.
pub fn shown(judged: &Judgement) -> Vec<ShownChange> {
    let Checked { verdict, before, after, .. } = &judged.checked;
    let one = |row: &ChangedRow| ShownChange {
        object: row.object.clone(),
        file: row.file.clone(),
        status: row.status,
        before: text(row, before, row.texts.0.as_ref()),
        after: text(row, after, row.texts.1.as_ref()),
    };
    verdict.meta.changed.iter().map(one).collect()
}

/// Graphs and agents as Holdpoint writes them, in the order that they have: their hashes are of another form.
fn text(row: &ChangedRow, view: &View, hashed: Option<&String>) -> Option<String> {
    let hashed = hashed?;
    let own = match row.object.split_once(':') {
        Some(("agent", id)) => view.agent(id).map(|place| Value::Object(view.agents[place].clone())),
        _ if row.file.ends_with(".graph.json") && row.object.starts_with("workflow:") => {
            let id = row.object.strip_prefix("workflow:").and_then(|id| id.parse().ok());
            id.map(|id| view.graph(id).clone())
        }
        _ => None,
    };
    Some(own.map_or_else(|| hashed.clone(), |value| written(&value)))
}

/// `{objects, counts, riskFlags, requiresConfirmation, affected}` of a judged set; null where its shape is wrong.
pub fn impact(judged: &Judgement) -> Value {
    let verdict = &judged.checked.verdict;
    let Some(normal) = &verdict.normalized else { return Value::Null };
    let mut impact = json!(normal.impact);
    impact["affected"] = json!(verdict.meta.affected);
    impact
}
