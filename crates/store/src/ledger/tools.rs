//! The list of an account's script tools (spec: script-tool.md §6).
//!
//! Owns who a tool belongs to. What the tool is stands in its own object; title and revision here follow it and are
//! for lists only.

use serde::{Deserialize, Serialize};

use super::Ledger;
use crate::page::Page;
use crate::sql::{Row, Sql, SqlError, params};

/// Sorts behind every id.
const END: &str = "~";

/// A tool as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolRow {
    /// Its name everywhere; rises with time.
    pub tool_id: String,
    /// Who made it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub owner: String,
    /// For people.
    pub title: String,
    /// Its newest revision.
    pub revision_id: String,
    /// When that was made, ms since 1970.
    pub updated_at: i64,
}

impl<S: Sql> Ledger<S> {
    /// Lists a tool, or follows what it became. The owner of a listed tool never changes.
    pub fn put_tool(&self, tool: &ToolRow) -> Result<(), SqlError> {
        self.sql.execute(
            "INSERT INTO tool(id, owner, title, revision_id, updated_ms) VALUES(?, ?, ?, ?, ?)
             ON CONFLICT(id) DO UPDATE SET title = excluded.title, revision_id = excluded.revision_id,
             updated_ms = excluded.updated_ms WHERE excluded.updated_ms >= updated_ms",
            params![&tool.tool_id, &tool.owner, &tool.title, &tool.revision_id, tool.updated_at],
        )
    }

    /// A tool of this account, whoever made it.
    pub fn tool(&self, id: &str) -> Result<Option<ToolRow>, SqlError> {
        self.sql.first(&format!("{SELECT} WHERE id = ?"), params![id])?.map(|row| read(&row)).transpose()
    }

    /// A user's tools, newest first; `cursor` is the last id of the page before.
    pub fn tools(&self, owner: &str, cursor: Option<&str>, limit: u32) -> Result<Page<ToolRow>, SqlError> {
        let rows = self.sql.query(
            &format!("{SELECT} WHERE owner = ? AND id < ? ORDER BY id DESC LIMIT ?"),
            params![owner, cursor.unwrap_or(END), limit + 1],
        )?;
        let mut items = rows.iter().take(limit as usize).map(read).collect::<Result<Vec<_>, _>>()?;
        let more = rows.len() > limit as usize;
        let next_cursor = items.last().filter(|_| more).map(|tool| tool.tool_id.clone());
        // A list of one's own needs no owner.
        for tool in &mut items {
            tool.owner.clear();
        }
        Ok(Page { items, next_cursor })
    }
}

const SELECT: &str = "SELECT id, owner, title, revision_id, updated_ms FROM tool";

fn read(row: &Row) -> Result<ToolRow, SqlError> {
    Ok(ToolRow {
        tool_id: row.get(0)?,
        owner: row.get(1)?,
        title: row.get(2)?,
        revision_id: row.get(3)?,
        updated_at: row.get(4)?,
    })
}
