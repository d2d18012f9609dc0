//! What the routes of crew packages are asked and answer: camelCase, inside an envelope (spec: ai-sessions.md §1).

pub mod profile;
pub mod projects;
pub mod sessions;
pub mod turns;

use serde::Serialize;

/// A page of a list (spec: ai-sessions.md §3 "Pagination").
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewPageOf{T}"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewPageOf"))]
#[serde(rename_all = "camelCase")]
pub struct Listed<T> {
    /// In the order of the list.
    pub items: Vec<T>,
    /// Give it back for the next page; null: this was the last.
    pub next_cursor: Option<String>,
}
