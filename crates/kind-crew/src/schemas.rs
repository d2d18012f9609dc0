//! The compiled schemas of this kind, built once, and what they find (spec: crew-package.md §3).
//!
//! Invariant: at most one finding a pointer.

use std::collections::HashSet;
use std::sync::LazyLock;

use holdpoint_check::json::Document;
use holdpoint_check::{Diagnostic, codes};
use holdpoint_schema::Schema;
use serde_json::{Value, json};

use super::hints;
use super::limits::MAX_DIAGNOSTICS;

codes! {
    // It borrows the sentences of the schema's keywords.
    /// a document that its schema does not take
    PKG_SCHEMA_ERROR: Error, "";
}

static MANIFEST: LazyLock<Schema> = LazyLock::new(|| schema(include_str!("../schemas/crew/bmad.schema.json")));
static AGENTS: LazyLock<Schema> = LazyLock::new(|| schema(AGENTS_SOURCE));
static AGENT: LazyLock<Schema> = LazyLock::new(|| {
    let definitions = source(AGENTS_SOURCE).get("$defs").cloned().unwrap_or_default();
    Schema::compile(json!({"$ref": "#/$defs/agent", "$defs": definitions}), &[])
});
static GRAPH: LazyLock<Schema> = LazyLock::new(|| schema(include_str!("../schemas/crew/workflow-graph.schema.json")));
static WORKFLOW: LazyLock<Schema> =
    LazyLock::new(|| schema(include_str!("../schemas/crew/workflow-frontmatter.schema.json")));
static STEP: LazyLock<Schema> = LazyLock::new(|| schema(include_str!("../schemas/crew/step-frontmatter.schema.json")));
const AGENTS_SOURCE: &str = include_str!("../schemas/crew/agents.schema.json");

/// Which schema a document has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Manifest,
    Agents,
    Agent,
    Graph,
    /// The frontmatter of a workflow document.
    Workflow,
    /// The frontmatter of a step file.
    Step,
}

impl Shape {
    pub fn schema(self) -> &'static Schema {
        match self {
            Self::Manifest => &MANIFEST,
            Self::Agents => &AGENTS,
            Self::Agent => &AGENT,
            Self::Graph => &GRAPH,
            Self::Workflow => &WORKFLOW,
            Self::Step => &STEP,
        }
    }

    /// What the schema finds in a value, with pointers and without ranges. None: the document is usable.
    pub fn judge(self, value: &Value) -> Vec<Diagnostic> {
        let mut found = self.schema().validate_first(value, MAX_DIAGNOSTICS).findings;
        let mut seen = HashSet::new();
        let kept: Vec<bool> = found.iter().map(|finding| seen.insert(finding.pointer.as_deref())).collect();
        let mut kept = kept.into_iter();
        found.retain(|_| kept.next().unwrap_or_default());
        found.into_iter().map(|finding| hints::named(finding).called(PKG_SCHEMA_ERROR.name)).collect()
    }

    pub fn judge_document(self, document: &Document<'_>) -> Vec<Diagnostic> {
        let place = |finding: Diagnostic| {
            let range = document.range(finding.pointer.as_deref().unwrap_or_default());
            finding.at(range)
        };
        self.judge(&document.value).into_iter().map(place).collect()
    }
}

fn schema(text: &str) -> Schema {
    Schema::compile(source(text), &[])
}

fn source(text: &str) -> Value {
    serde_json::from_str(text).expect("the schemas that are compiled in are JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(shape: Shape, value: &Value) -> Vec<String> {
        let pointer = |finding: Diagnostic| {
            assert_eq!(finding.code, "PKG_SCHEMA_ERROR");
            assert!(finding.hint.is_some_and(|hint| !hint.is_empty()), "{}", finding.message);
            finding.pointer.unwrap_or_default()
        };
        shape.judge(value).into_iter().map(pointer).collect()
    }

    fn agent() -> Value {
        json!({
            "id": "a", "metadata": {"name": "A", "title": "A", "icon": "*"},
            "persona": {"role": "r", "identity": "i", "communication_style": "c", "principles": "p"},
        })
    }

    #[test]
    fn one_finding_a_pointer_and_none_below_a_wrong_type() {
        let with = |pointer: &str, value: Value| {
            let mut agent = agent();
            *agent.pointer_mut(pointer).unwrap() = value;
            found(Shape::Agent, &agent)
        };
        assert_eq!(found(Shape::Agent, &agent()), Vec::<String>::new());
        assert_eq!(with("/persona/principles", json!([])), ["/persona/principles"]);
        assert_eq!(with("/persona/principles", json!(["a", ""])), ["/persona/principles"]);
        assert_eq!(with("/persona/principles", json!(7)), ["/persona/principles"]);
        assert_eq!(with("/persona", json!([1])), ["/persona"]);
        assert_eq!(with("/metadata", json!({"name": "", "mood": 1, "icon": "*"})).len(), 3);
        assert_eq!(with("/id", json!("a\n")), ["/id"]);
        assert_eq!(with("", json!(null)), [""]);
    }

    #[test]
    fn dates_are_real() {
        let log = |at: &str| {
            let entry = json!({"from": "a", "to": "b", "label": "c", "decidedAt": at});
            let value = json!({
                "schemaVersion": "1.1", "workflowType": "w", "currentNodeId": "", "stepsCompleted": [],
                "decisionLog": [entry],
            });
            found(Shape::Workflow, &value).is_empty()
        };
        for at in [
            "2026-02-28T00:00:00Z",
            "2024-02-29T23:59:59.123456789+14:00",
            "2026-02-08t10:00:00z",
            "2026-02-08T10:00:00-00:00",
            "1990-12-31T23:59:60Z",
        ] {
            assert!(log(at), "{at}");
        }
        for at in [
            "",
            "2026-02-29T00:00:00Z",
            "2026-02-08",
            "2026-02-08T10:00:00",
            "2026-02-08T24:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-02-08T10:00:00+0100",
            "2026-02-08 10:00:00Z",
            " 2026-02-08T10:00:00Z",
            "2026-02-08T10:60:00Z",
            "2026-02-08T10:00:00.Z",
        ] {
            assert!(!log(at), "{at}");
        }
    }
}
