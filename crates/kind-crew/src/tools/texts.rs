//! The readers of one object: workflow, step, agent, asset (spec: ai-sessions.md §6).
//!
//! Invariant: what is answered stands in the effective view; an asset is told in parts whose ends meet.

use holdpoint_bundle::text_hash;
use holdpoint_check::json::canonical;
use holdpoint_check::{ApiError, args};
use serde_json::{Value, json};

use super::sight::Sight;
use super::{NO_PLACE, no_agent, no_asset, no_step, no_workflow, refs, text};
use crate::dialect::assets::tidy;
use crate::dialect::view::{NodeFiles, StepObject, nodes};
use crate::documents::markdown::{FileRole, Markdown};
use crate::policy::BINARY;
use crate::prompts::build::file_type;
use crate::rules::assets::bytes;

/// Characters of an asset in one answer.
pub const PART_CHARS: usize = 16_000;
/// The same as they stand in JSON, so that no answer is cut again.
const PART_ESCAPED: usize = 30_000;

/// A workflow with its steps in short.
pub fn workflow(sight: &Sight<'_>, id: u64) -> Result<Value, ApiError> {
    let workflow = sight.view.workflows.get(&id).ok_or_else(|| no_workflow(id))?;
    let mut index: Vec<(&str, Value)> = nodes(&workflow.graph)
        .map(|(id, node)| {
            let title = node.get("title").and_then(Value::as_str).unwrap_or_default();
            (id, json!({"nodeId": id, "type": node.get("type"), "title": title, "file": node.get("file")}))
        })
        .collect();
    index.sort_by_key(|(id, _)| *id);
    Ok(json!({
        "workflowId": id,
        "name": sight.facts.workflow(id).map(|known| &known.name),
        "document": workflow.document,
        "graph": workflow.graph,
        "stepIndex": index.into_iter().map(|(_, row)| row).collect::<Vec<_>>(),
        "revision": sight.workflow_revision(id),
        "hash": workflow.document.as_deref().map(text_hash),
    }))
}

/// A step by its node or its file.
pub fn step(sight: &Sight<'_>, id: u64, arguments: &Value) -> Result<Value, ApiError> {
    let workflow = sight.view.workflows.get(&id).ok_or_else(|| no_workflow(id))?;
    let (node, path) = (text(arguments, "nodeId"), text(arguments, "stepPath"));
    let (node, found) = match (node, path) {
        ("", "") => return Err(ApiError::of(&NO_PLACE, args! {}).status(500)),
        ("", path) => {
            let (node, step) = at_path(sight, id, path).ok_or_else(|| no_step(path))?;
            (node, Some(step))
        }
        (node, _) => (node, by_node(sight, id, node)),
    };
    let in_graph = nodes(&workflow.graph).find(|(id, _)| *id == node).map(|(_, value)| value);
    if found.is_none() && in_graph.is_none() {
        return Err(no_step(node));
    }
    let markdown = found.map(|step| Markdown::read(&step.text, FileRole::Step)).transpose()?;
    let head = markdown.as_ref().and_then(|markdown| markdown.head.as_ref().ok()).map(|head| &head.value);
    Ok(json!({
        "workflowId": id,
        "nodeId": node,
        "path": found.map_or_else(|| default_path(sight, id, node), |step| step.path.clone()),
        "markdown": found.map(|step| &step.text),
        "frontmatter": head,
        "node": in_graph,
        "revision": sight.workflow_revision(id),
        "hash": found.map(|step| text_hash(&step.text)),
    }))
}

/// The step of a node: what was staged or stored for it, else the file that its node or its name leads to.
fn by_node<'s>(sight: &Sight<'s>, id: u64, node: &str) -> Option<&'s StepObject> {
    let own = sight.view.step(id, node);
    own.or_else(|| at_path(sight, id, &default_path(sight, id, node)).map(|(_, step)| step))
}

fn at_path<'s>(sight: &Sight<'s>, id: u64, path: &str) -> Option<(&'s str, &'s StepObject)> {
    sight.view.steps_of(id).find(|(_, step)| step.path == path)
}

fn default_path(sight: &Sight<'_>, id: u64, node: &str) -> String {
    let files = NodeFiles::of(sight.view.graph(id));
    files.file(node).map_or_else(|| format!("workflows/{id}/steps/{node}.md"), str::to_owned)
}

/// An agent and where it works.
pub fn agent(sight: &Sight<'_>, id: &str) -> Result<Value, ApiError> {
    let place = sight.view.agent(id).ok_or_else(|| no_agent(id))?;
    let agent = Value::Object(sight.view.agents[place].clone());
    let steps = refs::steps_of_agent(sight, id)?;
    let row = |(workflow, node): (u64, String)| json!({"workflowId": workflow, "nodeId": node});
    let hash = text_hash(&canonical(&agent));
    Ok(json!({
        "agent": agent,
        "referencedSteps": steps.into_iter().map(row).collect::<Vec<_>>(),
        "revision": sight.facts.agents_revision,
        "hash": hash,
    }))
}

/// A part of an asset.
pub fn asset(sight: &Sight<'_>, arguments: &Value) -> Result<Value, ApiError> {
    let path = tidy(text(arguments, "path"));
    let content = sight.view.assets.get(&path).ok_or_else(|| no_asset(&path))?;
    let whole = |name: &str| arguments[name].as_u64().map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    let offset = whole("offset").unwrap_or_default();
    let most = whole("limit").unwrap_or(PART_CHARS).min(PART_CHARS);
    let binary = content.starts_with(BINARY);
    let part = if binary { "" } else { part(content, offset, most) };
    let next = offset.saturating_add(part.chars().count());
    let more = !binary && content.chars().nth(next).is_some();
    Ok(json!({
        "path": path,
        "type": file_type(&path),
        "bytes": bytes(content),
        "hash": text_hash(content),
        "content": (!binary).then_some(part),
        "offset": offset,
        "truncated": more,
        "nextOffset": more.then_some(next),
        "revision": sight.facts.assets_revision,
    }))
}

/// So many characters from the one at `offset`, at least one and no more than an answer holds.
fn part(content: &str, offset: usize, most: usize) -> &str {
    let start = content.char_indices().nth(offset).map_or(content.len(), |(at, _)| at);
    let mut escaped = 0;
    let mut end = start;
    for char in content[start..].chars().take(most) {
        escaped += match char {
            '"' | '\\' | '\n' | '\r' | '\t' => 2,
            '\0'..='\u{1f}' => 6,
            _ => 1,
        };
        if escaped > PART_ESCAPED {
            break;
        }
        end += char.len_utf8();
    }
    &content[start..end]
}
