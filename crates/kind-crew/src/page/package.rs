//! What a page shows of a package: its workflows, agents and assets, and where assets are cited.

use holdpoint_bundle::Files;
use serde::Serialize;
use serde_json::Value;

use super::agents::agents;
use super::cited::{Citing, cited};
use super::graph::{Drawn, drawn};
use super::value;
use crate::documents::{items, text};
use crate::policy::{AGENTS, ASSETS, BINARY, MANIFEST, folder};
use crate::rules::assets::bytes;

/// A package. What cannot be read is empty or left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ShownPackage {
    pub name: String,
    pub version: String,
    pub description: String,
    /// As the manifest lists them; without a list, the one of `entry`.
    pub workflows: Vec<ShownWorkflow>,
    /// Path of the file of agents.
    pub agents_file: String,
    /// Null where the file is not there or cannot be read.
    #[cfg_attr(feature = "ts", ts(as = "Option<Vec<super::declared::ShownAgent>>"))]
    pub agents: Option<Vec<Value>>,
    /// Where each of them stands in the list of the file; absent where all stand in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub agent_places: Option<Vec<usize>>,
    pub assets: Vec<ShownAsset>,
    /// By file, each asset once a file; also assets that are not there.
    pub cited: Vec<Citing>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ShownWorkflow {
    /// Empty where the manifest has no list.
    pub id: String,
    /// Its display name, else its id.
    pub name: String,
    pub description: String,
    pub is_default: bool,
    pub document: String,
    pub graph_file: String,
    /// Null where it is not there or cannot be read.
    #[cfg_attr(feature = "ts", ts(as = "Option<super::declared::ShownGraph>"))]
    pub graph: Option<Value>,
    /// Where each node stands in the list of the file; absent where all stand in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub node_places: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub edge_places: Option<Vec<usize>>,
    /// The folder of its step files, with a slash.
    pub steps: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ShownAsset {
    pub path: String,
    /// Of a binary asset those that its text stands for.
    pub bytes: usize,
    pub binary: bool,
}

/// Reads a package; `name` is what it is called where the manifest does not say.
pub fn read(files: &Files, name: &str) -> ShownPackage {
    let manifest = value(files, MANIFEST).filter(Value::is_object).unwrap_or_default();
    let entry = manifest.get("entry").cloned().unwrap_or_default();
    let or = |said: &str, other: &str| if said.is_empty() { other.to_owned() } else { said.to_owned() };
    let agents_file = or(text(&entry, "agents"), AGENTS);
    let agents = value(files, &agents_file).and_then(agents);
    let (agents, agent_places) = agents.map_or((None, None), |(all, places)| (Some(all), places));
    let workflows = workflows(files, &manifest, &entry);
    ShownPackage {
        name: or(text(&manifest, "name"), name),
        version: text(&manifest, "version").to_owned(),
        description: text(&manifest, "description").to_owned(),
        cited: cited(files, &workflows),
        workflows,
        agents_file,
        agents,
        agent_places,
        assets: files.iter().filter(|(path, _)| path.starts_with(ASSETS)).map(asset).collect(),
    }
}

fn workflows(files: &Files, manifest: &Value, entry: &Value) -> Vec<ShownWorkflow> {
    let mut rows: Vec<&Value> = items(manifest, "workflows").iter().filter(|row| row.is_object()).collect();
    let mut only = entry.clone();
    if rows.is_empty() {
        // In single mode `entry` is the workflow, and no id names it.
        let Some(members) = only.as_object_mut() else { return Vec::new() };
        members.shift_remove("id");
        rows.push(&only);
    }
    let says = |row: &&Value| !(text(row, "graph").is_empty() && text(row, "workflow").is_empty());
    let same = |row: &Value, member: &str| row.get(member) == entry.get(member);
    let shown = |row: &Value| {
        let (id, graph_file) = (text(row, "id"), text(row, "graph"));
        let name = text(row, "displayName");
        let drawn = value(files, graph_file).and_then(drawn);
        let (graph, node_places, edge_places) =
            drawn.map_or((None, None, None), |Drawn { graph, nodes, edges }| (Some(graph), nodes, edges));
        ShownWorkflow {
            id: id.to_owned(),
            name: if name.is_empty() { id } else { name }.to_owned(),
            description: text(row, "description").to_owned(),
            is_default: same(row, "workflow") && same(row, "graph"),
            document: text(row, "workflow").to_owned(),
            graph_file: graph_file.to_owned(),
            graph,
            node_places,
            edge_places,
            steps: format!("{}steps/", folder(graph_file)),
        }
    };
    rows.into_iter().filter(says).map(shown).collect()
}

fn asset((path, content): (&String, &String)) -> ShownAsset {
    ShownAsset { path: path.clone(), bytes: bytes(content), binary: content.starts_with(BINARY) }
}
