//! Two revisions of a package as people read them: objects that came, went and changed, by member.
//!
//! Owns which object of one package is which of the other: workflows, nodes and agents by id, edges by id, ends and
//! label, assets by path. Invariants: every difference of a file stands somewhere in the answer; a file that cannot be
//! read is compared as a text; equal packages have nothing to say.

mod graphs;
mod members;
mod side;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use holdpoint_check::method::input;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::check::bounded;
use super::dialect::view::agent_id;
use super::documents::items;
use super::rules::assets;
use graphs::WorkflowCompared;
use members::{MemberCompared, by_member, counted_lines, lines};
use side::Side;

/// What `crew.compare` reads.
#[derive(Deserialize)]
struct Wanted {
    before: Files,
    after: Files,
}

/// What became of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Became {
    Added,
    Removed,
    Changed,
    Same,
}

impl Became {
    /// By what is there before and after.
    pub fn of(before: bool, after: bool, is_same: bool) -> Self {
        match (before, after) {
            (true, false) => Self::Removed,
            (false, true) => Self::Added,
            _ if is_same => Self::Same,
            _ => Self::Changed,
        }
    }
}

/// An agent, an asset or another file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObjectCompared {
    /// Id or path.
    pub id: String,
    /// How people call it.
    pub name: String,
    /// Never [`Became::Same`]: what did not change is not listed.
    pub status: Became,
    /// What differs.
    pub members: Vec<MemberCompared>,
}

/// How many objects came, went and changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct DifferenceCounts {
    pub added: usize,
    pub removed: usize,
    pub changed: usize,
}

impl DifferenceCounts {
    fn add(&mut self, status: Became) {
        match status {
            Became::Added => self.added += 1,
            Became::Removed => self.removed += 1,
            Became::Changed => self.changed += 1,
            Became::Same => {}
        }
    }
}

/// Two packages side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Of all objects.
    pub counts: DifferenceCounts,
    /// Members of the manifest, its list of workflows left out.
    pub package: Vec<MemberCompared>,
    /// All workflows, those that are the same too.
    pub workflows: Vec<WorkflowCompared>,
    /// Those that differ, in the order of the later package.
    pub agents: Vec<ObjectCompared>,
    /// Those that differ, by path.
    pub assets: Vec<ObjectCompared>,
    /// Files that differ and are none of these, by path.
    pub others: Vec<ObjectCompared>,
}

/// `crew.compare`.
pub fn crew_compare(value: Value) -> Result<Value, ApiError> {
    let Wanted { before, after } = input(value)?;
    bounded(&before)?;
    bounded(&after)?;
    Ok(json!(compare(&before, &after)?))
}

/// Compares two packages. The error: a document is too large to be read.
pub fn compare(before: &Files, after: &Files) -> Result<Comparison, ApiError> {
    let (old, new) = (Side::of(before)?, Side::of(after)?);
    let mut comparison = Comparison {
        counts: DifferenceCounts::default(),
        package: package(&old, &new),
        workflows: graphs::compare(&old, &new)?,
        agents: agents(&old, &new),
        assets: assets(&old, &new),
        others: others(&old, &new),
    };
    let mut counts = DifferenceCounts::default();
    if !comparison.package.is_empty() {
        counts.add(Became::Changed);
    }
    for workflow in &mut comparison.workflows {
        workflow.nodes.iter().for_each(|node| counts.add(node.status));
        let own = workflow.status != Became::Changed || workflow.has_changes_of_its_own();
        if own {
            counts.add(workflow.status);
        }
    }
    let objects = [&comparison.agents, &comparison.assets, &comparison.others];
    objects.into_iter().flatten().for_each(|object| counts.add(object.status));
    comparison.counts = counts;
    Ok(comparison)
}

/// Of manifest and agents what belongs to no workflow and no agent; of their lists the order.
fn package(old: &Side<'_>, new: &Side<'_>) -> Vec<MemberCompared> {
    let mut members = by_member(&old.manifest, &new.manifest, &["workflows"]);
    members.extend(by_member(&old.agents_file, &new.agents_file, &["agents"]));
    let lists =
        [(&old.manifest, &new.manifest, "workflows", "id"), (&old.agents_file, &new.agents_file, "agents", "id")];
    for (old, new, list, id) in lists {
        let ids = |side: &'_ Value| -> Vec<Value> {
            items(side, list).iter().map(|item| item.get(id).cloned().unwrap_or_default()).collect()
        };
        let (before, after) = (ids(old), ids(new));
        let mut sorted = (before.clone(), after.clone());
        sorted.0.sort_by_key(ToString::to_string);
        sorted.1.sort_by_key(ToString::to_string);
        if before != after && sorted.0 == sorted.1 {
            let (before, after) = (Some(before.into()), Some(after.into()));
            members.push(MemberCompared { before, after, ..MemberCompared::named(list) });
        }
    }
    members
}

fn agents(old: &Side<'_>, new: &Side<'_>) -> Vec<ObjectCompared> {
    let (old_by_id, new_by_id) = (old.agents_by_id(), new.agents_by_id());
    let mut seen = BTreeSet::new();
    let ids = new.agents.iter().chain(&old.agents).map(agent_id).filter(|id| seen.insert((*id).to_owned()));
    let one = |id: &str| {
        let (before, after) = (old_by_id.get(id), new_by_id.get(id));
        let status = Became::of(before.is_some(), after.is_some(), before == after);
        let name = after.or(before)?.get("metadata").and_then(|it| it.get("name")?.as_str());
        let name = name.unwrap_or(id).to_owned();
        let (before, after) = (json!(before), json!(after));
        let members = by_member(&before, &after, &["id"]);
        (status != Became::Same).then(|| ObjectCompared { id: id.to_owned(), name, status, members })
    };
    ids.filter_map(one).collect()
}

fn assets(old: &Side<'_>, new: &Side<'_>) -> Vec<ObjectCompared> {
    differing(&old.assets, &new.assets, |before, after| {
        let size = |text: Option<&str>| text.map(|text| json!(assets::bytes(text)));
        let size = MemberCompared { before: size(before), after: size(after), ..MemberCompared::named("size") };
        let is_text = [before, after].into_iter().flatten().all(|text| !assets::is_binary(text));
        let text = is_text.then(|| counted_lines("text", before.unwrap_or_default(), after.unwrap_or_default()));
        [(size.before != size.after).then_some(size), text.flatten()].into_iter().flatten().collect()
    })
}

fn others(old: &Side<'_>, new: &Side<'_>) -> Vec<ObjectCompared> {
    differing(&old.others, &new.others, |before, after| {
        lines("text", before.unwrap_or_default(), after.unwrap_or_default()).into_iter().collect()
    })
}

fn differing(
    old: &std::collections::BTreeMap<&str, &str>,
    new: &std::collections::BTreeMap<&str, &str>,
    members: impl Fn(Option<&str>, Option<&str>) -> Vec<MemberCompared>,
) -> Vec<ObjectCompared> {
    let paths: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let one = |path: &str| {
        let (before, after) = (old.get(path).copied(), new.get(path).copied());
        let status = Became::of(before.is_some(), after.is_some(), before == after);
        let (id, name) = (path.to_owned(), path.to_owned());
        (status != Became::Same).then(|| ObjectCompared { id, name, status, members: members(before, after) })
    };
    paths.into_iter().filter_map(one).collect()
}
