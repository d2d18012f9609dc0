//! The layout that Holdpoint keeps: one folder a workflow, named by its number (spec: crew-package.md §1, §7 "Import").
//!
//! Works on a package without errors. Invariants: a package that has this layout keeps every byte; `entry` goes on naming
//! the same workflow; what a file says changes only where it names another file; no file is of two owners.

use std::collections::{BTreeSet, HashSet};

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use serde_json::{Map, Value};

use crate::dialect::meta::{document_file, graph_file};
use crate::dialect::package::written;
use crate::documents::json;
use crate::documents::manifest::{ListedWorkflow, Listing};
use crate::limits::{MAX_BUNDLE_BYTES, MAX_WORKFLOW_ID};
use crate::places::WORKFLOWS;
use crate::policy::{AGENTS, ASSETS, MANIFEST, folder};

/// A workflow on its way to its folder.
struct Move<'v> {
    from: &'v ListedWorkflow<'v>,
    id: u64,
}

impl Move<'_> {
    fn stays(&self) -> bool {
        let (from, id) = (self.from, self.id);
        let named = from.id.is_some_and(|name| name == id.to_string());
        named && from.document.path == document_file(id) && from.graph.path == graph_file(id)
    }

    /// The folders of its step files, as they are and as they will be.
    fn steps(&self) -> (String, String) {
        (format!("{}steps/", folder(self.from.graph.path)), format!("{}steps/", folder(&graph_file(self.id))))
    }
}

/// The files in that layout.
pub fn normal(files: Files) -> Result<Files, ApiError> {
    let Some(Ok(document)) = files.get(MANIFEST).map(|text| json::read(text)).transpose()? else { return Ok(files) };
    let said = Listing::of(&document.value);
    let units = said.units();
    let moves: Vec<Move<'_>> = units.iter().zip(numbers(units)).map(|(from, id)| Move { from, id }).collect();
    if moves.iter().all(Move::stays) {
        return Ok(files);
    }
    let mut left = files.clone();
    let mut moved = Files::new();
    let mut named: Vec<HashSet<String>> = Vec::with_capacity(moves.len());
    let mut bytes = 0;
    for it in &moves {
        let graph = files.get(it.from.graph.path).map_or(Ok(None), |text| graph(text, &it.steps()))?;
        let (text, nodes) = graph.unwrap_or_default();
        left.remove(it.from.graph.path);
        grown(&mut bytes, &text)?;
        moved.insert(graph_file(it.id), text);
        if let Some(text) = files.get(it.from.document.path) {
            left.remove(it.from.document.path);
            grown(&mut bytes, text)?;
            moved.insert(document_file(it.id), text.clone());
        }
        named.push(nodes.into_iter().collect());
    }
    let all: BTreeSet<&String> = named.iter().flatten().collect();
    for (it, nodes) in moves.iter().zip(&named) {
        let (old, new) = it.steps();
        let below = files.range(old.clone()..).take_while(|(path, _)| path.starts_with(&old));
        for (path, text) in below.filter(|(path, _)| path.ends_with(".md")) {
            let is_own = nodes.contains(path) || !all.contains(path) && left.contains_key(path);
            if is_own {
                left.remove(path);
                grown(&mut bytes, text)?;
                moved.insert(format!("{new}{}", &path[old.len()..]), text.clone());
            }
        }
    }
    left.extend(moved);
    left.insert(MANIFEST.to_owned(), manifest(&document.value, &moves, said.default_workflow()));
    Ok(left)
}

/// A workflow that shares files with another one gets its own, so a small archive may come to a package without end.
fn grown(bytes: &mut usize, text: &str) -> Result<(), ApiError> {
    *bytes += text.len();
    if *bytes > MAX_BUNDLE_BYTES { Err(ApiError::over("MAX_BUNDLE_BYTES", MAX_BUNDLE_BYTES, *bytes)) } else { Ok(()) }
}

/// The files with the agents where no asset or step can be: whoever may write one of those would write the agents too.
pub fn with_agents_apart(mut files: Files) -> Result<Files, ApiError> {
    let Some(Ok(document)) = files.get(MANIFEST).map(|text| json::read(text)).transpose()? else { return Ok(files) };
    let mut manifest = document.value;
    let path = Listing::of(&manifest).agents.path.to_owned();
    if !is_of_others(&path) {
        return Ok(files);
    }
    let free = |path: &String| !files.contains_key(path);
    let names = (2..).map(|number| format!("agents-{number}.json"));
    let apart = std::iter::once(AGENTS.to_owned()).chain(names).find(free).unwrap_or_default();
    if let Some(text) = files.remove(&path) {
        files.insert(apart.clone(), text);
    }
    manifest["entry"]["agents"] = apart.into();
    files.insert(MANIFEST.to_owned(), written(&manifest));
    Ok(files)
}

/// Whether a path is one of assets or of workflows.
fn is_of_others(path: &str) -> bool {
    [ASSETS, WORKFLOWS].iter().any(|folder| path.starts_with(folder))
}

/// A number for each workflow: its own where it has one that is free, else the smallest that nobody has.
fn numbers(units: &[ListedWorkflow<'_>]) -> Vec<u64> {
    let mut taken = BTreeSet::new();
    let own: Vec<Option<u64>> = units.iter().map(|unit| number(unit.id?).filter(|id| taken.insert(*id))).collect();
    let mut next = 1;
    own.into_iter()
        .map(|id| {
            id.unwrap_or_else(|| {
                while !taken.insert(next) {
                    next += 1;
                }
                next
            })
        })
        .collect()
}

/// The number that an id is written as.
fn number(id: &str) -> Option<u64> {
    id.parse().ok().filter(|number: &u64| (1..=MAX_WORKFLOW_ID).contains(number) && number.to_string() == id)
}

/// A graph whose nodes name files in another folder, and the files that they named.
fn graph(text: &str, (old, new): &(String, String)) -> Result<Option<(String, Vec<String>)>, ApiError> {
    let Ok(document) = json::read(text)? else { return Ok(None) };
    let mut value = document.value;
    let mut named = Vec::new();
    for node in value.get_mut("nodes").and_then(Value::as_array_mut).into_iter().flatten() {
        let file = node.get("file").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(name) = file.strip_prefix(old.as_str()) {
            node["file"] = format!("{new}{name}").into();
        }
        named.push(file);
    }
    let text = if old == new { text.to_owned() } else { written(&value) };
    Ok(Some((text, named)))
}

/// The manifest that lists the workflows where they are now, by number.
fn manifest(value: &Value, moves: &[Move<'_>], default: Option<&ListedWorkflow<'_>>) -> String {
    let mut value = value.clone();
    let empty = Vec::new();
    let items = value.get("workflows").and_then(Value::as_array).unwrap_or(&empty);
    let mut listed: Vec<(u64, Value)> = moves
        .iter()
        .enumerate()
        .map(|(at, it)| {
            let mut item = items.get(at).and_then(Value::as_object).cloned().unwrap_or_default();
            if let (Some(name), None) = (it.from.id.filter(|id| number(id) != Some(it.id)), item.get("displayName")) {
                item.insert("displayName".to_owned(), name.into());
            }
            (it.id, Value::Object(placed(item, it.id)))
        })
        .collect();
    listed.sort_by_key(|(id, _)| *id);
    let opens = moves.iter().find(|it| default.is_none_or(|default| default == it.from));
    if let Some(entry) = value.get_mut("entry").and_then(Value::as_object_mut)
        && let Some(opens) = opens
    {
        entry.insert("workflow".to_owned(), document_file(opens.id).into());
        entry.insert("graph".to_owned(), graph_file(opens.id).into());
    }
    value["workflows"] = listed.into_iter().map(|(_, item)| item).collect();
    written(&value)
}

/// An item of the list with its number and its two files, first where it is new.
fn placed(mut item: Map<String, Value>, id: u64) -> Map<String, Value> {
    let members = [("id", id.to_string()), ("workflow", document_file(id)), ("graph", graph_file(id))];
    let mut whole = Map::new();
    for (name, value) in members {
        if item.contains_key(name) {
            item.insert(name.to_owned(), value.into());
        } else {
            whole.insert(name.to_owned(), value.into());
        }
    }
    whole.extend(item);
    whole
}
