//! What stays on the sheet of a change: requests, plans, adjustments, versions and repairs, in their order (spec:
//! authoring.md §9.1 "Conversation", UI.md §11).
//!
//! Owns the shape; `crate::run` writes it. Invariant: no code of a bundle stands here, only what a
//! person said, what was planned, and how each attempt ended.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Entries that a sheet holds; beyond that the oldest attempts go.
pub const MAX_SHEET_ENTRIES: usize = 200;

/// One entry of a sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SheetEntry {
    /// In milliseconds since 1970, UTC.
    pub at: u64,
    #[serde(flatten)]
    pub step: SheetStep,
}

/// What an entry of a sheet says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum SheetStep {
    /// A person asked, in these words.
    Asked { text: String },
    /// A person asked for another plan, in these words.
    Adjusted { text: String },
    Plan {
        /// The plan, as it was shown last.
        #[cfg_attr(feature = "ts", ts(as = "crate::planning::Plan"))]
        plan: Value,
        plan_hash: String,
        /// Whether a person edited the plan of the model.
        edited: bool,
    },
    /// A person signed the plan.
    Approved { plan_hash: String },
    /// A bundle was written, checked and tested.
    Attempt(SheetAttempt),
    /// A person asked for another version from the same plan.
    Another,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = nulls_stand))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SheetAttempt {
    /// From 0; null for an edit by hand.
    pub number: Option<u32>,
    /// Whether it passed its check and its tests.
    pub ok: bool,
    /// From the call to the end of its tests, in ms.
    pub ms: u64,
    pub passed: u32,
    pub tests: u32,
    /// The first error; null where there was none.
    pub finding: Option<SheetFinding>,
}

/// The first error of an attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = nulls_stand))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SheetFinding {
    pub code: String,
    /// What to do, in English.
    pub message: String,
    /// What other languages say it from.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Map<String, Value>,
    /// The test that it is of; null where it is of the check.
    pub test: Option<String>,
}

/// Of a shape that is read and written: what is null is said, unless the member has a default.
#[cfg(feature = "schema")]
pub(crate) fn nulls_stand(schema: &mut schemars::Schema) {
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let stand: Vec<&String> =
        members.filter(|(_, member)| member.get("default").is_none()).map(|(name, _)| name).collect();
    let stand = serde_json::json!(stand);
    schema.insert("required".to_owned(), stand);
}

/// Adds an entry; where there is no place left, the oldest attempt makes way.
pub fn note(sheet: &mut Vec<SheetEntry>, entry: SheetEntry) {
    if sheet.len() >= MAX_SHEET_ENTRIES {
        let of_run = |entry: &SheetEntry| matches!(entry.step, SheetStep::Attempt(_) | SheetStep::Another);
        match sheet.iter().position(of_run) {
            Some(oldest) => drop(sheet.remove(oldest)),
            None => return,
        }
    }
    sheet.push(entry);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_sheet_that_is_full_keeps_what_people_said() {
        let attempt = SheetAttempt { number: Some(0), ok: false, ms: 1, passed: 0, tests: 0, finding: None };
        let mut sheet = vec![SheetEntry { at: 0, step: SheetStep::Asked { text: "a panel".to_owned() } }];
        for at in 1..=2 * MAX_SHEET_ENTRIES as u64 {
            note(&mut sheet, SheetEntry { at, step: SheetStep::Attempt(attempt.clone()) });
        }
        assert_eq!(sheet.len(), MAX_SHEET_ENTRIES);
        assert_eq!((sheet[0].at, sheet[1].at), (0, MAX_SHEET_ENTRIES as u64 + 2));
        assert_eq!(sheet.last().map(|entry| entry.at), Some(2 * MAX_SHEET_ENTRIES as u64));
    }

    #[test]
    fn an_entry_is_flat_on_the_wire() {
        let entries = [
            (
                SheetStep::Adjusted { text: "no walls".to_owned() },
                json!({"at": 5, "is": "adjusted", "text": "no walls"}),
            ),
            (SheetStep::Another, json!({"at": 5, "is": "another"})),
        ];
        for (step, wire) in entries {
            let entry = SheetEntry { at: 5, step };
            assert_eq!(json!(entry), wire);
            assert_eq!(serde_json::from_value::<SheetEntry>(wire).ok(), Some(entry));
        }
    }
}
