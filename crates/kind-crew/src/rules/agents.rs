//! `AGENT_ID_DUPLICATE`, `AGENT_NAME_DUPLICATE`, `AGENT_FIELD_LONG`: the list of agents (spec: crew-package.md §6).
//!
//! Why: an id is what graphs and steps point at, so nothing is repaired by renaming.

use std::collections::HashSet;

use holdpoint_check::{Diagnostic, args, codes};
use serde_json::Value;

use crate::documents::{items, text};
use crate::limits::{MAX_DIAGNOSTICS, MAX_ICON_CHARS, MAX_NAME_CHARS, MAX_ROLE_CHARS};

codes! {
    /// an id that an earlier agent has
    AGENT_ID_DUPLICATE: Error, "Give the agent an id of its own: another one is `{name}`." [name];
    /// a name that an earlier agent has, letter case aside
    AGENT_NAME_DUPLICATE: Warning, "Give the agent a name of its own: another one is called `{name}`." [name];
    /// a field over its limit
    AGENT_FIELD_LONG: Warning, "Shorten `{name}` to {limit} characters; it has {n}." [name, limit, n];
}

/// Texts with a limit, by the object that they stand in.
const FIELDS: [(&str, &str, usize); 5] = [
    ("metadata", "name", MAX_NAME_CHARS),
    ("metadata", "title", MAX_NAME_CHARS),
    ("metadata", "icon", MAX_ICON_CHARS),
    ("persona", "role", MAX_ROLE_CHARS),
    ("persona", "communication_style", MAX_ROLE_CHARS),
];

/// The ids of a usable document.
pub fn ids(document: &Value) -> HashSet<&str> {
    items(document, "agents").iter().map(|agent| text(agent, "id")).collect()
}

/// Findings in a usable document.
pub fn check(document: &Value) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let (mut ids, mut names) = (HashSet::new(), HashSet::new());
    for (at, agent) in items(document, "agents").iter().enumerate() {
        if findings.len() >= MAX_DIAGNOSTICS {
            break;
        }
        let name = text(agent, "id");
        if !ids.insert(name) {
            findings.push(Diagnostic::of(&AGENT_ID_DUPLICATE, args! { name }).at_pointer(format!("/agents/{at}/id")));
        }
        let name = text(&agent["metadata"], "name").trim();
        if !names.insert(name.to_lowercase()) {
            let finding = Diagnostic::of(&AGENT_NAME_DUPLICATE, args! { name });
            findings.push(finding.at_pointer(format!("/agents/{at}/metadata/name")));
        }
        findings.extend(fields(agent, &format!("/agents/{at}")));
    }
    findings
}

/// Fields of one agent that are too long.
pub fn fields(agent: &Value, pointer: &str) -> Vec<Diagnostic> {
    let long = |(object, name, limit): &(&str, &str, usize)| {
        let n = text(&agent[*object], name).chars().count();
        let finding = || Diagnostic::of(&AGENT_FIELD_LONG, args! { name, limit, n });
        (n > *limit).then(|| finding().at_pointer(format!("{pointer}/{object}/{name}")))
    };
    FIELDS.iter().filter_map(long).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test::found;

    fn agent(id: &str, name: &str) -> Value {
        json!({"id": id, "metadata": {"name": name}, "persona": {}})
    }

    #[test]
    fn ids_and_names_are_their_own() {
        let list = |agents: &[Value]| found(&check(&json!({ "agents": agents })));
        assert_eq!(list(&[agent("a", "A"), agent("A", "B")]), "");
        let twice = [agent("a", "A"), agent("a", "B"), agent("b", "ÅSA"), agent("a", " åsa ")];
        let want = "AGENT_ID_DUPLICATE /agents/1/id, AGENT_ID_DUPLICATE /agents/3/id, \
                    AGENT_NAME_DUPLICATE /agents/3/metadata/name";
        assert_eq!(list(&twice), want);
    }

    #[test]
    fn fields_have_limits_in_characters() {
        for (object, name, limit) in FIELDS {
            let with = |chars: usize| {
                let mut agent = json!({"id": "a", "metadata": {}, "persona": {}});
                agent[object][name] = json!("🧩".repeat(chars));
                found(&fields(&agent, ""))
            };
            assert_eq!(with(limit), "");
            assert_eq!(with(limit + 1), format!("AGENT_FIELD_LONG /{object}/{name}"));
        }
    }
}
