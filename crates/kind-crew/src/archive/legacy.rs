//! Lists of agents as they were before version 1.1 (spec: crew-package.md §7 "Import").
//!
//! `agents.json` may be a bare list. An item of it that has neither `metadata` nor `persona` is a legacy agent: it gets
//! an id, and what it lacks. Every other agent stays as it is: ids of version 1.1 are never repaired.

use std::collections::HashSet;

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, Diagnostic, args, codes};
use serde_json::{Map, Value, json};

use crate::dialect::package::written;
use crate::documents::{json as read_json, said};
use crate::policy::{AGENTS, MANIFEST};

codes! {
    /// a legacy agent of an archive that lacked a field
    AGENT_FIELD_FILLED: Warning, "Look at `{name}` of the agent `{id}`: it was missing and is `{value}` now." [name, id, value];
    /// a legacy agent of an archive whose id was made from its name
    AGENT_ID_MADE: Warning, "Look at the agent `{name}`: it had no id and is `{id}` now." [name, id];
}

/// The last number that is put behind an id that is taken.
const MOST_TAKEN: usize = 999;

/// Brings a bare list into the form of version 1.1. A list that is no list of objects stays: the check says what it is.
pub fn agents(files: &mut Files) -> Result<Vec<Diagnostic>, ApiError> {
    let manifest = files.get(MANIFEST).map(|text| read_json::read(text)).transpose()?.and_then(Result::ok);
    let named = manifest.as_ref().and_then(|document| document.value.pointer("/entry/agents")?.as_str());
    let path = named.unwrap_or(AGENTS).to_owned();
    let Some(Ok(document)) = files.get(&path).map(|text| read_json::read(text)).transpose()? else {
        return Ok(Vec::new());
    };
    let Value::Array(items) = document.value else { return Ok(Vec::new()) };
    if !items.iter().all(Value::is_object) {
        return Ok(Vec::new());
    }
    let mut warnings = Vec::new();
    let mut ids: HashSet<String> = items.iter().filter_map(|item| said(item, "id")).map(str::to_owned).collect();
    let agents: Vec<Value> = items
        .into_iter()
        .enumerate()
        .map(|(at, item)| if is_legacy(&item) { filled(at, &item, &mut ids, &mut warnings) } else { item })
        .collect();
    for warning in &mut warnings {
        warning.path = Some(path.clone());
    }
    files.insert(path, written(&json!({ "schemaVersion": "1.1", "agents": agents })));
    Ok(warnings)
}

fn is_legacy(item: &Value) -> bool {
    item.get("metadata").is_none() && item.get("persona").is_none()
}

/// A legacy agent with everything that an agent has; its other members stay where they are.
fn filled(at: usize, item: &Value, ids: &mut HashSet<String>, warnings: &mut Vec<Diagnostic>) -> Value {
    let own = |member: &str| said(item, member).map(str::to_owned);
    let id = own("id").unwrap_or_else(|| {
        let name = own("name").or_else(|| own("title")).unwrap_or_default();
        let id = free(&slug(&name), ids);
        let finding = Diagnostic::of(&AGENT_ID_MADE, args! { name, id });
        warnings.push(finding.at_pointer(format!("/agents/{at}/id")));
        id
    });
    let mut fill = |group: &str, member: &str, other: String| {
        own(member).unwrap_or_else(|| {
            let finding = Diagnostic::of(&AGENT_FIELD_FILLED, args! { name: member, id, value: other });
            warnings.push(finding.at_pointer(format!("/agents/{at}/{group}/{member}")));
            other
        })
    };
    let name = fill("metadata", "name", own("title").unwrap_or_else(|| id.clone()));
    let title = fill("metadata", "title", name.clone());
    let icon = fill("metadata", "icon", "🧩".to_owned());
    let role = fill("persona", "role", "Agent".to_owned());
    let identity = fill("persona", "identity", role.clone());
    let style = fill("persona", "communication_style", "direct".to_owned());
    let principles = item.get("principles").filter(|it| !it.is_null()).cloned();
    let principles = principles.unwrap_or_else(|| {
        fill("persona", "principles", "TBD".to_owned());
        json!(["TBD"])
    });
    let moved = ["id", "name", "title", "icon", "role", "identity", "communication_style", "principles"];
    let mut agent = Map::new();
    agent.insert("id".to_owned(), id.into());
    agent.insert("metadata".to_owned(), json!({ "name": name, "title": title, "icon": icon }));
    let persona = json!({ "role": role, "identity": identity, "communication_style": style, "principles": principles });
    agent.insert("persona".to_owned(), persona);
    let others = item.as_object().into_iter().flatten().filter(|(member, _)| !moved.contains(&member.as_str()));
    agent.extend(others.map(|(member, value)| (member.clone(), value.clone())));
    Value::Object(agent)
}

/// An id from a name: lower case, everything else one `-`.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for letter in name.to_lowercase().chars() {
        let plain = letter.is_ascii_lowercase() || letter.is_ascii_digit() || "._:-".contains(letter);
        let letter = if plain { letter } else { '-' };
        if letter != '-' || !slug.ends_with('-') {
            slug.push(letter);
        }
    }
    match slug.trim_matches('-') {
        "" => "agent".to_owned(),
        slug if slug.starts_with(|first: char| first.is_ascii_alphanumeric()) => slug.to_owned(),
        slug => format!("agent-{slug}"),
    }
}

/// The id, else the first free one with a number; where all are taken the id itself, which the check then finds twice.
fn free(id: &str, ids: &mut HashSet<String>) -> String {
    let numbered = (2..=MOST_TAKEN).map(|number| format!("{id}-{number}"));
    let free = std::iter::once(id.to_owned()).chain(numbered).find(|id| !ids.contains(id));
    let free = free.unwrap_or_else(|| id.to_owned());
    ids.insert(free.clone());
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_from_names() {
        let cases = [
            ("Claims Clerk", "claims-clerk"),
            ("  A -- B!! ", "a-b"),
            ("Åsa Öberg", "sa-berg"),
            ("v1.2:x_y", "v1.2:x_y"),
            (".hidden", "agent-.hidden"),
            ("_", "agent-_"),
            ("理赔", "agent"),
            ("", "agent"),
            ("7 dwarfs", "7-dwarfs"),
        ];
        for (name, want) in cases {
            assert_eq!(slug(name), want, "{name:?}");
        }
    }

    #[test]
    fn an_id_that_is_taken_gets_a_number() {
        let mut ids = HashSet::from(["a".to_owned(), "a-3".to_owned()]);
        let made: Vec<String> = (0..3).map(|_| free("a", &mut ids)).collect();
        assert_eq!(made, ["a-2", "a-4", "a-5"]);
        ids.extend((2..=999).map(|number| format!("b-{number}")));
        ids.insert("b".to_owned());
        assert_eq!(free("b", &mut ids), "b", "the check says that it is there twice");
    }
}
