//! Step files that are written from what the editor knows of a node (spec: crew-package.md §7 "Generated step file",
//! §9.4 "Generated steps").
//!
//! Invariant: every value of the frontmatter is JSON, which is YAML, so no text of a node can break out of it.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::graph::{Normal, StepDraft};
use crate::documents::text;

/// The step file of a node of a graph in its normal form.
pub fn step_file(node: &Value, draft: &StepDraft, graph: &Normal) -> String {
    let nothing = Value::Array(Vec::new());
    let leads = transitions(text(node, "id"), graph);
    let mut file = head(node, draft.sets_variables.as_ref().unwrap_or(&nothing), Some(&leads));
    let title = if text(node, "title").is_empty() { text(node, "id") } else { text(node, "title") };
    let _ = write!(file, "\n# {title}\n");
    let sections = [("Goal", &draft.goal), ("Instructions", &draft.instructions), ("Completion", &draft.completion)];
    for (name, words) in sections {
        if !words.is_empty() {
            let _ = write!(file, "\n## {name}\n\n{words}\n");
        }
    }
    file
}

/// The frontmatter of a node's step file with its markers. A step that names no ways out leaves them to the graph.
pub fn head(node: &Value, sets_variables: &Value, transitions: Option<&Value>) -> String {
    let mut file = String::from("---\nschemaVersion: \"1.1\"\n");
    let mut line = |name: &str, value: &Value| {
        let _ = writeln!(file, "{name}: {}", json(value));
    };
    line("nodeId", &text(node, "id").into());
    line("type", &text(node, "type").into());
    for name in ["title", "agentId"] {
        if let Some(value) = node.get(name) {
            line(name, value);
        }
    }
    let nothing = Value::Array(Vec::new());
    for name in ["inputs", "outputs"] {
        line(name, node.get(name).unwrap_or(&nothing));
    }
    line("setsVariables", sets_variables);
    if let Some(transitions) = transitions {
        line("transitions", transitions);
    }
    file.push_str("---\n");
    file
}

fn transitions(node: &str, graph: &Normal) -> Value {
    let edges = graph.value.get("edges").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    // A normal form has its edges by source.
    let from = edges.partition_point(|edge| text(edge, "from") < node);
    let same = edges[from..].iter().take_while(|edge| text(edge, "from") == node);
    let leaving: Vec<&Value> = same.filter(|edge| edge.get("from").is_some_and(Value::is_string)).collect();
    let one = |edge: &&Value| {
        let mut members = Map::new();
        for name in ["to", "label"] {
            members.insert(name.to_owned(), edge.get(name).cloned().unwrap_or_default());
        }
        let default = leaving.len() == 1 || edge.get("isDefault") == Some(&Value::Bool(true));
        members.insert("isDefault".to_owned(), default.into());
        if let Some(condition) = edge.get("conditionText") {
            members.insert("conditionText".to_owned(), condition.clone());
        }
        Value::Object(members)
    };
    leaving.iter().map(one).collect()
}

/// JSON with a blank behind each comma and colon, which is YAML in one line.
pub fn json(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Array(items) => format!("[{}]", joined(items.iter().map(json).collect())),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| format!("{}: {}", Value::from(name.as_str()), json(value));
            format!("{{{}}}", joined(members.iter().map(member).collect()))
        }
        plain => plain.to_string(),
    }
}
