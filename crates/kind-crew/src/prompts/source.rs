//! What the context tells of the texts of a package: what they cite, whom they name, what they set (spec:
//! crew-package.md §4).
//!
//! Invariant: members of a frontmatter count only where it is usable; citations of a body always.

use std::collections::BTreeSet;

use holdpoint_check::ApiError;
use serde_json::Value;

use crate::documents::citations::{in_input, in_text};
use crate::documents::markdown::{FileRole, Markdown};
use crate::policy::{Endings, is_asset_path};

/// A step file or a workflow document, as far as the context tells of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TextFacts {
    /// The assets that it cites, there or not.
    pub cited: BTreeSet<String>,
    /// The agent of a step.
    pub agent: Option<String>,
    /// The variables that a document declares or a step sets.
    pub variables: Vec<String>,
}

impl TextFacts {
    /// Reads a text. The error: it is too large.
    pub fn read(text: &str, role: FileRole) -> Result<Self, ApiError> {
        let read = Markdown::read(text, role)?;
        let body = read.body.as_ref().map(|body| in_text(text, body.from, &Endings::default()));
        let mut cited: BTreeSet<String> = body.into_iter().flatten().map(|found| found.path.to_owned()).collect();
        let Ok(head) = read.usable() else { return Ok(Self { cited, ..Self::default() }) };
        let head = &head.value;
        if role == FileRole::Workflow {
            let declared = head.get("variables").and_then(Value::as_object);
            return Ok(Self {
                cited,
                agent: None,
                variables: declared.into_iter().flat_map(|it| it.keys().cloned()).collect(),
            });
        }
        cited.extend(texts(head, "inputs").filter_map(in_input).filter(|path| is_asset_path(path)).map(str::to_owned));
        let agent = head.get("agentId").and_then(Value::as_str).map(|agent| agent.trim().to_owned());
        let variables = texts(head, "setsVariables").map(str::to_owned).collect();
        Ok(Self { cited, agent: agent.filter(|agent| !agent.is_empty()), variables })
    }
}

fn texts<'v>(head: &'v Value, name: &str) -> impl Iterator<Item = &'v str> {
    head.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: &str = "---\nschemaVersion: \"1.1\"\nnodeId: a\ntype: step\nagentId: \" baker \"\n\
        inputs: [\"@pkg/assets/i.json\", assets/k l.md, notes]\nsetsVariables: [dough, rye]\n---\nSee assets/b.md.\n";

    #[test]
    fn a_step_and_a_document() {
        let step = TextFacts::read(STEP, FileRole::Step).unwrap();
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(step.cited.into_iter().collect::<Vec<_>>(), names(&["assets/b.md", "assets/i.json"]));
        assert_eq!((step.agent.as_deref(), step.variables), (Some("baker"), names(&["dough", "rye"])));
        let document = "---\nschemaVersion: \"1.1\"\nworkflowType: workflow\ncurrentNodeId: \"\"\nstepsCompleted: []\n\
            variables: {rye: 1, dough: {}}\n---\nassets/c.yml\n";
        let document = TextFacts::read(document, FileRole::Workflow).unwrap();
        assert_eq!(document.variables, names(&["rye", "dough"]));
        assert_eq!(document.cited.into_iter().collect::<Vec<_>>(), names(&["assets/c.yml"]));
    }

    #[test]
    fn what_is_unusable_still_cites_in_its_body() {
        let cases = [
            ("no head assets/a.md", vec!["assets/a.md"]),
            ("---\nnodeId: [\n---\nassets/a.md", vec!["assets/a.md"]),
            ("---\nnodeId: a\ninputs: [assets/i.md]\n---\nassets/a.md", vec!["assets/a.md"]),
            ("---\nunclosed assets/a.md", vec![]),
        ];
        for (text, want) in cases {
            let source = TextFacts::read(text, FileRole::Step).unwrap();
            assert_eq!(source.cited.iter().map(String::as_str).collect::<Vec<_>>(), want, "{text}");
            assert_eq!((source.agent, source.variables), (None, Vec::new()), "{text}");
        }
    }
}
