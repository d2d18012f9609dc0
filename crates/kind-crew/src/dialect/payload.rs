//! Payloads of operations: what was sent under which name (spec: crew-package.md §8).
//!
//! Invariant: every alias that is sent is looked at, and the first text that is not blank wins.

use holdpoint_check::{args, codes};
use serde_json::{Map, Value};

use super::operation::Payload;
use super::path::Path;
use super::reader::Reader;

codes! {
    AI_CHANGESET_CONTRACT_VIOLATION / TEXT_OR_EDITS: Error, "Give either the whole text as `{name}` or `edits`, one of the two." [name];
    AI_CHANGESET_CONTRACT_VIOLATION / NOTHING_TO_DO: Error, "Say what changes: the payload holds nothing that does.";
}

pub const MAX_EDITS: usize = 100;

const WORKFLOW_TEXTS: [&str; 4] = ["workflowMarkdown", "workflowMd", "workflow_md", "markdown"];
const STEP_TEXTS: [&str; 2] = ["stepMarkdown", "markdown"];

/// A part of a text and what stands there afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    pub find: String,
    pub replace: String,
}

/// A text as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    /// All of it, and where it stands.
    Whole { at: Path, text: String },
    /// Edits of the text that is there.
    Edits {
        /// The place of the list.
        at: Path,
        edits: Vec<TextEdit>,
    },
}

impl Text {
    pub fn at(&self) -> &Path {
        match self {
            Self::Whole { at, .. } | Self::Edits { at, .. } => at,
        }
    }
}

/// A graph as it was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct SentGraph {
    pub at: Path,
    /// Nodes and edges are lists of objects; nothing else is known.
    pub value: Map<String, Value>,
}

/// What becomes of a workflow.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WorkflowPayload {
    pub text: Option<Text>,
    pub graph: Option<SentGraph>,
    /// Step files by path as sent, each with its place.
    pub step_files: Vec<(Path, String, String)>,
}

/// What becomes of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentPatch {
    /// Where the patch stands: findings about single members lead there.
    pub at: Path,
    /// The patch, or the whole agent.
    pub members: Map<String, Value>,
    pub replace: bool,
}

pub fn workflow(reader: &mut Reader, at: &Path, members: &Map<String, Value>) -> Option<WorkflowPayload> {
    let before = reader.findings.len();
    let known: Vec<&str> =
        WORKFLOW_TEXTS.into_iter().chain(["edits", "graph", "graph_json", "stepFiles", "step_files"]).collect();
    reader.closed(at, members, &known);
    let whole = first_text(reader, at, members, &WORKFLOW_TEXTS);
    let edits = members.get("edits").and_then(|value| edits(reader, &at.key("edits"), value));
    let graph = first_object(reader, at, members, &["graph", "graph_json"]);
    let graph = graph.filter(|(at, graph)| is_graph(reader, at, graph));
    let files = first_object(reader, at, members, &["stepFiles", "step_files"]);
    let step_files = files.map_or(Vec::new(), |(at, files)| step_files(reader, &at, files));
    if reader.findings.len() > before {
        return None;
    }
    if whole.is_some() && edits.is_some() {
        reader.find(at, &TEXT_OR_EDITS, args! { name: WORKFLOW_TEXTS[0] });
        return None;
    }
    let text = whole.or(edits);
    if text.is_none() && graph.is_none() && step_files.is_empty() {
        reader.find(at, &NOTHING_TO_DO, args! {});
        return None;
    }
    let graph = graph.map(|(at, value)| SentGraph { at, value: value.clone() });
    Some(WorkflowPayload { text, graph, step_files })
}

pub fn step(reader: &mut Reader, at: &Path, members: &Map<String, Value>) -> Option<Payload> {
    let before = reader.findings.len();
    reader.closed(at, members, &["stepMarkdown", "markdown", "edits", "stepPath", "agentId"]);
    let mut text = |name: &str| members.get(name).and_then(|value| reader.text(&at.key(name), Some(value)));
    let (path, agent) = (text("stepPath").map(str::to_owned), text("agentId").map(str::to_owned));
    let text = text_or_edits(reader, at, members, &STEP_TEXTS, before)?;
    Some(Payload::Step { text, path, agent })
}

pub fn asset(reader: &mut Reader, at: &Path, members: &Map<String, Value>) -> Option<Text> {
    let before = reader.findings.len();
    reader.closed(at, members, &["content", "edits"]);
    text_or_edits(reader, at, members, &["content"], before)
}

/// Of an agent: under `agent`, or without that wrapper.
pub fn agent(reader: &mut Reader, at: &Path, members: &Map<String, Value>) -> Option<AgentPatch> {
    let (place, patch, replace) = match members.get("agent") {
        Some(agent) => {
            reader.closed(at, members, &["agent", "replace"]);
            let place = at.key("agent");
            let patch = reader.object(&place, Some(agent));
            let replace = members.get("replace").map(|value| reader.boolean(&at.key("replace"), value));
            (place, patch?, replace.unwrap_or(Some(false))?)
        }
        None => (at.clone(), members, false),
    };
    if patch.is_empty() {
        reader.find(at, &NOTHING_TO_DO, args! {});
        return None;
    }
    Some(AgentPatch { at: place, members: patch.clone(), replace })
}

fn text_or_edits(
    reader: &mut Reader,
    at: &Path,
    members: &Map<String, Value>,
    names: &[&str],
    before: usize,
) -> Option<Text> {
    let whole = first_text(reader, at, members, names);
    let edits = members.get("edits").and_then(|value| edits(reader, &at.key("edits"), value));
    if reader.findings.len() > before {
        return None;
    }
    if whole.is_some() == edits.is_some() {
        reader.find(at, &TEXT_OR_EDITS, args! { name: names[0] });
        return None;
    }
    whole.or(edits)
}

/// The first that is not blank; of blank ones the first.
fn first_text(reader: &mut Reader, at: &Path, members: &Map<String, Value>, names: &[&str]) -> Option<Text> {
    let mut best: Option<(&str, &str)> = None;
    for name in names {
        let Some(value) = members.get(*name) else { continue };
        let Some(text) = reader.text(&at.key(name), Some(value)) else { continue };
        if best.is_none_or(|(_, best)| best.trim().is_empty() && !text.trim().is_empty()) {
            best = Some((name, text));
        }
    }
    best.map(|(name, text)| Text::Whole { at: at.key(name), text: text.to_owned() })
}

fn first_object<'m>(
    reader: &mut Reader,
    at: &Path,
    members: &'m Map<String, Value>,
    names: &[&str],
) -> Option<(Path, &'m Map<String, Value>)> {
    let mut first = None;
    for name in names {
        let Some(value) = members.get(*name) else { continue };
        let place = at.key(name);
        let object = reader.object(&place, Some(value));
        first = first.or(object.map(|object| (place, object)));
    }
    first
}

/// A graph has a list of nodes, and nodes and edges are objects; the rest is its schema's to say.
fn is_graph(reader: &mut Reader, at: &Path, graph: &Map<String, Value>) -> bool {
    let before = reader.findings.len();
    for name in ["nodes", "edges"] {
        let (at, value) = (at.key(name), graph.get(name));
        if name == "edges" && value.is_none() {
            continue;
        }
        for (index, item) in reader.list(&at, value).unwrap_or_default().iter().enumerate() {
            if !item.is_object() {
                reader.mistyped(&at.item(index), "object", Some(item));
            }
        }
    }
    reader.findings.len() == before
}

fn step_files(reader: &mut Reader, at: &Path, files: &Map<String, Value>) -> Vec<(Path, String, String)> {
    let read = |(path, value): (&String, &Value)| {
        let at = at.key(path);
        let text = reader.text(&at, Some(value))?.to_owned();
        Some((at, path.clone(), text))
    };
    files.iter().filter_map(read).collect()
}

fn edits(reader: &mut Reader, at: &Path, value: &Value) -> Option<Text> {
    let items = reader.counted(at, Some(value), MAX_EDITS)?;
    let mut edits = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let at = at.item(index);
        let Some(members) = reader.object(&at, Some(item)) else { continue };
        reader.closed(&at, members, &["find", "replace"]);
        let find = reader.filled(&at.key("find"), members.get("find"));
        let replace = reader.text(&at.key("replace"), members.get("replace"));
        if let (Some(find), Some(replace)) = (find, replace) {
            edits.push(TextEdit { find: find.to_owned(), replace: replace.to_owned() });
        }
    }
    Some(Text::Edits { at: at.clone(), edits })
}
