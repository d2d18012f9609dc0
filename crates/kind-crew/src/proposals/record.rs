//! What is stored of a change set beside its status (spec: ai-sessions.md §2 `ai_change_sets`).

use std::collections::BTreeMap;

use holdpoint_bundle::text_hash;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::super::dialect::envelope;
use super::super::dialect::input::{BuilderSession, Revisions, SessionMode};
use super::super::dialect::inverse::Inverse;
use super::super::dialect::meta::ChangedRow;
use super::object::WorkingFile;

/// The version of change sets that is written.
pub const VERSION: &str = "1.0";

/// A change set: the normal form that people see, and what it is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub change_set: Value,
    /// Its objects, each with what it came from.
    pub objects: Vec<WorkingFile>,
    /// What its senders said that it touches.
    pub declared: DeclaredImpact,
    /// The change set that it takes back.
    pub undoes: Option<Undo>,
}

/// What the senders of a set said of it, joined.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DeclaredImpact {
    /// `None`: nobody named any object.
    pub objects: Option<Vec<String>>,
    pub flags: Vec<String>,
    /// Whether one of them asks for a confirmation; `None`: nobody said anything.
    pub requires_confirmation: Option<bool>,
    /// The newest base that was named.
    pub revisions: Revisions,
    /// Of all, later ones winning.
    pub extensions: Map<String, Value>,
}

/// What takes an applied set back: operations, old files, and what stood there after the apply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Undo {
    pub inverse: Inverse,
    /// Hashes of those files as the apply left them; null where there was none.
    pub left: BTreeMap<String, Option<String>>,
}

/// What a validation showed to a person: what an apply is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Issued {
    /// Of the files as they were.
    pub base_hash: String,
    /// Of the files as they will be.
    pub result_hash: String,
    /// What a person must confirm.
    pub confirm: Vec<String>,
    /// Object, file and hash before of each row; the hash is null where there was none.
    pub rows: Vec<(String, String, Option<String>)>,
}

impl Record {
    /// The session in which it is checked: what takes a set back works on what is there.
    pub fn session(&self, session: &BuilderSession) -> BuilderSession {
        match self.undoes {
            Some(_) => BuilderSession { mode: SessionMode::Optimize, ..session.clone() },
            None => session.clone(),
        }
    }
}

impl DeclaredImpact {
    /// What is said of a set once another one is staged on it. `operated` are the objects of the new one.
    pub fn joined(
        past: Option<&Self>,
        sent: &envelope::Envelope,
        operated: &[String],
        past_objects: &[String],
    ) -> Self {
        let none = Self::default();
        let past_declared = past.unwrap_or(&none);
        let impact = &sent.impact;
        let objects = match (past.is_some(), &past_declared.objects, &impact.objects) {
            (_, None, None) => None,
            (true, old, new) => {
                let old = old.as_deref().unwrap_or(past_objects);
                let new = new.as_deref().unwrap_or(operated);
                Some(distinct(old.iter().chain(new)))
            }
            (false, _, new) => new.clone(),
        };
        let asked = [past_declared.requires_confirmation, impact.requires_confirmation];
        let mut extensions = past_declared.extensions.clone();
        extensions.extend(sent.extensions.clone());
        let newer = |new: Option<u64>, old: Option<u64>| new.or(old);
        let (new, old) = (sent.revisions, past_declared.revisions);
        Self {
            objects,
            flags: distinct(past_declared.flags.iter().chain(&impact.flags)),
            requires_confirmation: asked.into_iter().flatten().reduce(|one, other| one || other),
            revisions: Revisions {
                workflow_revision: newer(new.workflow_revision, old.workflow_revision),
                agents_revision: newer(new.agents_revision, old.agents_revision),
                assets_revision: newer(new.assets_revision, old.assets_revision),
            },
            extensions,
        }
    }

    /// The set of these operations.
    pub fn set(&self, session: &BuilderSession, operations: &[Value]) -> Value {
        let mut impact = Map::new();
        if let Some(objects) = &self.objects {
            impact.insert("objects".to_owned(), json!(objects));
        }
        impact.insert("riskFlags".to_owned(), json!(self.flags));
        if let Some(asked) = self.requires_confirmation {
            impact.insert("requiresConfirmation".to_owned(), asked.into());
        }
        json!({
            "schemaVersion": VERSION, "targetType": session.target_type, "mode": session.mode,
            "operations": operations, "impact": impact, "revisions": self.revisions, "extensions": self.extensions,
        })
    }
}

impl Issued {
    pub fn of(rows: &[ChangedRow], (base_hash, result_hash): (String, String), confirm: &[&'static str]) -> Self {
        let row = |row: &ChangedRow| (row.object.clone(), row.file.clone(), row.base_hash.clone());
        Self {
            base_hash,
            result_hash,
            confirm: confirm.iter().map(|reason| (*reason).to_owned()).collect(),
            rows: rows.iter().map(row).collect(),
        }
    }

    /// Names the change: its set, and each object as it was found, for two agents share one file.
    pub fn patch(&self, set: &str) -> String {
        text_hash(&json!([set, self.rows]).to_string())
    }

    /// As a person is shown it.
    pub fn preview(&self, change_set: &str, token: Option<&str>) -> Value {
        json!({
            "changeSetId": change_set, "baseHash": self.base_hash, "resultHash": self.result_hash,
            "confirm": self.confirm, "confirmToken": token,
        })
    }
}

fn distinct<'t>(texts: impl Iterator<Item = &'t String>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    texts.filter(|text| seen.insert(*text)).cloned().collect()
}
