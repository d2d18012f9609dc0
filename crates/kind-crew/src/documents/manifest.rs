//! What the manifest says, once it keeps its schema (spec: crew-package.md §1, §3).

use std::collections::HashSet;

use serde_json::Value;

use super::{items, text};
use crate::limits::MAX_SHARED;

/// A path and the member of the manifest that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named<'v> {
    pub path: &'v str,
    pub pointer: String,
}

/// A workflow of the package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedWorkflow<'v> {
    pub id: Option<&'v str>,
    pub document: Named<'v>,
    pub graph: Named<'v>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing<'v> {
    pub name: &'v str,
    pub version: &'v str,
    /// The workflow that opens first.
    pub entry: ListedWorkflow<'v>,
    pub agents: Named<'v>,
    pub listed: Vec<ListedWorkflow<'v>>,
}

/// Which workflows are looked at with their files: the first of each file, and a few that share one. A manifest may list
/// thousands that all have the largest graph there is.
#[derive(Debug, Default)]
pub struct Shared<'v> {
    seen: HashSet<&'v str>,
    more: usize,
}

impl<'v> Shared<'v> {
    /// Whether the next workflow, with these files, is looked at.
    pub fn takes<const N: usize>(&mut self, files: [&'v str; N]) -> bool {
        let is_first = files.map(|file| file.is_empty() || self.seen.insert(file)).into_iter().all(|is_new| is_new);
        self.more += usize::from(!is_first);
        is_first || self.more <= MAX_SHARED
    }
}

fn unit<'v>(value: &'v Value, pointer: &str) -> ListedWorkflow<'v> {
    let named = |member: &str| Named { path: text(value, member), pointer: format!("{pointer}/{member}") };
    ListedWorkflow { id: value.get("id").and_then(Value::as_str), document: named("workflow"), graph: named("graph") }
}

impl<'v> Listing<'v> {
    /// Of a value that keeps the schema.
    pub fn of(value: &'v Value) -> Self {
        let entry = &value["entry"];
        let listed = items(value, "workflows").iter().enumerate();
        Self {
            name: text(value, "name"),
            version: text(value, "version"),
            entry: unit(entry, "/entry"),
            agents: Named { path: text(entry, "agents"), pointer: "/entry/agents".to_owned() },
            listed: listed.map(|(at, item)| unit(item, &format!("/workflows/{at}"))).collect(),
        }
    }

    pub fn is_multi(&self) -> bool {
        !self.listed.is_empty()
    }

    /// The workflows: those that are listed, else the one of `entry`.
    pub fn units(&self) -> &[ListedWorkflow<'v>] {
        if self.is_multi() { &self.listed } else { std::slice::from_ref(&self.entry) }
    }

    /// The listed workflow whose two paths are those of `entry`.
    pub fn default_workflow(&self) -> Option<&ListedWorkflow<'v>> {
        let is_entry = |unit: &&ListedWorkflow<'_>| {
            unit.document.path == self.entry.document.path && unit.graph.path == self.entry.graph.path
        };
        self.listed.iter().find(is_entry)
    }
}
