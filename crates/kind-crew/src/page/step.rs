//! A step file as a form shows it: the fields of its head, and its body.

use std::ops::Range;

use holdpoint_check::json::{Inside, Place};
use serde::Serialize;
use serde_json::Value;

use crate::dialect::generate;
use crate::documents::markdown::{Split, split};
use crate::documents::yaml::{self, Mapping};
use crate::documents::{bounded, said, text};
use crate::limits::MAX_FRONTMATTER_BYTES;

/// A step file in its parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StepText {
    /// Null where the head cannot be read: then the text is all there is.
    pub fields: Option<StepFields>,
    /// With both markers; empty where there is none.
    pub head: String,
    pub body: String,
    /// The line of the file on which the body begins, from 1.
    pub body_line: usize,
}

/// What the form of a step shows. A member that is not there, or of another type, is empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StepFields {
    pub node_id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub agent_id: String,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    pub sets_variables: Vec<String>,
    /// Whether the step names its ways out itself.
    pub transitions: bool,
}

/// The head of a text, and where its body begins.
#[derive(Debug)]
pub struct Parts {
    /// Bytes between the markers; `None` where there are none.
    pub yaml: Option<Range<usize>>,
    /// What stands there; `None` where it cannot be read.
    pub head: Option<Mapping>,
    /// The byte on which the body begins.
    pub body: usize,
}

impl Parts {
    pub fn of(text: &str) -> Self {
        let Split::Found { yaml, body } = split(text) else { return Self { yaml: None, head: None, body: 0 } };
        let fits = bounded(text).is_ok() && yaml.len() <= MAX_FRONTMATTER_BYTES;
        let head = if fits { yaml::read(text, yaml.start, yaml.end).ok() } else { None };
        Self { yaml: Some(yaml), head, body }
    }

    /// A member of the head, and where it stands.
    pub fn member(&self, name: &str) -> Option<(&Value, &Place)> {
        let head = self.head.as_ref()?;
        let Inside::Members(places) = &head.place.inside else { return None };
        Some((head.value.get(name)?, places.get(name)?))
    }

    /// The items of a list of the head, as words, and the byte on which each begins.
    pub fn items(&self, name: &str) -> Vec<(String, usize)> {
        match self.member(name) {
            Some((Value::Array(items), Place { inside: Inside::Items(places), .. })) => {
                items.iter().zip(places).map(|(item, place)| (item_word(item), place.start)).collect()
            }
            _ => Vec::new(),
        }
    }
}

pub fn step(text: &str) -> StepText {
    let parts = Parts::of(text);
    let (head, body) = text.split_at(parts.body);
    StepText {
        fields: parts.head.is_some().then(|| fields(&parts)),
        head: head.to_owned(),
        body: body.to_owned(),
        body_line: 1 + head.bytes().filter(|byte| *byte == b'\n').count(),
    }
}

/// The step file of a new node, its sections still empty (crew-package.md §7 "Generated step file"). It names no ways out:
/// the graph does, and changes more often.
pub fn new_step(node: &Value) -> String {
    let title = said(node, "title").unwrap_or_else(|| text(node, "id"));
    let head = generate::head(node, &Value::Array(Vec::new()), None);
    format!("{head}\n# {title}\n\n## Goal\n\n## Instructions\n")
}

fn fields(parts: &Parts) -> StepFields {
    let word = |name: &str| match parts.member(name) {
        Some((Value::String(word), _)) => word.clone(),
        Some((Value::Number(number), _)) => number.to_string(),
        _ => String::new(),
    };
    let words = |name: &str| parts.items(name).into_iter().map(|(item, _)| item).collect();
    StepFields {
        node_id: word("nodeId"),
        kind: word("type"),
        title: word("title"),
        agent_id: word("agentId"),
        inputs: words("inputs"),
        outputs: words("outputs"),
        sets_variables: words("setsVariables"),
        transitions: !parts.items("transitions").is_empty(),
    }
}

/// An item as somebody wrote it; a list, a mapping or nothing is empty.
fn item_word(item: &Value) -> String {
    match item {
        Value::String(word) => word.clone(),
        Value::Number(_) | Value::Bool(_) => item.to_string(),
        _ => String::new(),
    }
}
