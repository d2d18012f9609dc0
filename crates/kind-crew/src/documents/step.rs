//! What the frontmatter of a step file and of a workflow document say, once they keep their schemas.

use serde_json::Value;

use super::{items, said, text, texts};

/// The frontmatter of a step file.
#[derive(Debug, Clone, PartialEq)]
pub struct StepHead<'v> {
    pub node: &'v str,
    pub kind: &'v str,
    /// It is trimmed and not blank.
    pub agent: Option<&'v str>,
    pub inputs: Vec<&'v str>,
    pub outputs: Vec<&'v str>,
    pub sets: Vec<&'v str>,
    pub transitions: Vec<(&'v str, &'v str)>,
}

impl<'v> StepHead<'v> {
    /// Of a value that keeps the schema.
    pub fn of(value: &'v Value) -> Self {
        Self {
            node: text(value, "nodeId"),
            kind: text(value, "type"),
            agent: said(value, "agentId"),
            inputs: texts(value, "inputs"),
            outputs: texts(value, "outputs"),
            sets: texts(value, "setsVariables"),
            transitions: items(value, "transitions").iter().map(|it| (text(it, "to"), text(it, "label"))).collect(),
        }
    }
}

/// The frontmatter of a workflow document.
#[derive(Debug, Clone, PartialEq)]
pub struct State<'v> {
    /// It is trimmed and not blank.
    pub current: Option<&'v str>,
    pub completed: Vec<&'v str>,
    pub variables: Vec<&'v str>,
}

impl<'v> State<'v> {
    /// Of a value that keeps the schema.
    pub fn of(value: &'v Value) -> Self {
        let variables = value.get("variables").and_then(Value::as_object);
        Self {
            current: said(value, "currentNodeId"),
            completed: texts(value, "stepsCompleted"),
            variables: variables.into_iter().flatten().map(|(name, _)| name.as_str()).collect(),
        }
    }
}
