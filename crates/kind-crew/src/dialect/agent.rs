//! What an agent becomes: flat and old names move to their places, then the patch is merged (spec: crew-package.md §8
//! "Agent payload"; RFC 7396).
//!
//! Invariant: the id is the target's, whatever was sent.

use holdpoint_check::{Diagnostic, args, codes};
use serde_json::{Map, Value};

use super::finding::{Phase, SetFinding};
use super::payload::AgentPatch;

codes! {
    /// a payload that gives an agent another id
    AGENT_ID_IMMUTABLE: Error, "Leave out the id, or write `{id}`: an agent keeps its id." [id];
}

/// Flat name, the object that it moves to, its name there.
const FLAT: [(&str, &str, &str); 14] = [
    ("name", "metadata", "name"),
    ("title", "metadata", "title"),
    ("icon", "metadata", "icon"),
    ("module", "metadata", "module"),
    ("description", "metadata", "description"),
    ("sourceId", "metadata", "sourceId"),
    ("source_id", "metadata", "sourceId"),
    ("role", "persona", "role"),
    ("identity", "persona", "identity"),
    ("communication_style", "persona", "communication_style"),
    ("communicationStyle", "persona", "communication_style"),
    ("principles", "persona", "principles"),
    ("fs", "tools", "fs"),
    ("mcp", "tools", "mcp"),
];
/// Old name, name of today.
const OLD: [(&str, &str); 4] = [
    ("criticalActions", "critical_actions"),
    ("system_prompt", "systemPrompt"),
    ("user_prompt_template", "userPromptTemplate"),
    ("conversationalKnowledge", "conversational_knowledge"),
];

/// The agent that a payload leads to, with `id` first.
pub fn merged(
    id: &str,
    patch: &AgentPatch,
    current: Option<&Map<String, Value>>,
    findings: &mut Vec<SetFinding>,
) -> Map<String, Value> {
    let mut members = patch.members.clone();
    for name in ["id", "agentId"] {
        if members.shift_remove(name).is_some_and(|sent| sent != *id) {
            let found = Diagnostic::of(&AGENT_ID_IMMUTABLE, args! { id });
            findings.push(SetFinding::new(Phase::Bmad, patch.at.key(name), found));
        }
    }
    to_their_places(&mut members);
    let mut whole = match current {
        Some(current) if !patch.replace => current.clone(),
        _ => Map::new(),
    };
    if patch.replace {
        whole = members;
    } else {
        merge(&mut whole, members);
    }
    whole.shift_remove("id");
    let mut agent = Map::from_iter([("id".to_owned(), Value::from(id))]);
    agent.extend(whole);
    agent
}

fn to_their_places(members: &mut Map<String, Value>) {
    for (flat, place, name) in FLAT {
        // What is no object cannot take a member: then the flat one stays, and its schema refuses both.
        if members.get(place).is_some_and(|place| !place.is_object()) {
            continue;
        }
        let Some(value) = members.shift_remove(flat) else { continue };
        let place = members.entry(place).or_insert_with(|| Map::new().into());
        if let Some(place) = place.as_object_mut() {
            place.entry(name).or_insert(value);
        }
    }
    for (old, name) in OLD {
        if let Some(value) = members.shift_remove(old) {
            members.entry(name).or_insert(value);
        }
    }
}

/// JSON Merge Patch. As deep as the patch, which was bounded where it came in.
fn merge(target: &mut Map<String, Value>, patch: Map<String, Value>) {
    for (name, value) in patch {
        match value {
            Value::Null => {
                target.shift_remove(&name);
            }
            Value::Object(inner) => {
                let place = target.entry(name).or_insert(Value::Null);
                if !place.is_object() {
                    *place = Map::new().into();
                }
                if let Some(place) = place.as_object_mut() {
                    merge(place, inner);
                }
            }
            other => {
                target.insert(name, other);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::path::Path;
    use super::*;

    fn become_of(patch: Value, replace: bool, current: Value) -> (String, String) {
        let object = |value: Value| value.as_object().cloned();
        let patch = AgentPatch { at: Path::of("p"), members: object(patch).unwrap(), replace };
        let mut findings = Vec::new();
        let agent = merged("a", &patch, object(current).as_ref(), &mut findings);
        let found: Vec<String> = findings.iter().map(|it| format!("{} {}", it.code, it.path)).collect();
        (json!(agent).to_string(), found.join(", "))
    }

    #[test]
    fn patches() {
        let now = json!({"id": "a", "metadata": {"name": "A", "icon": "*"}, "systemPrompt": "s", "prompts": [1, 2]});
        let cases = [
            (
                json!({"name": "B"}),
                r#"{"id":"a","metadata":{"name":"B","icon":"*"},"systemPrompt":"s","prompts":[1,2]}"#,
            ),
            (
                json!({"systemPrompt": null, "prompts": [3]}),
                r#"{"id":"a","metadata":{"name":"A","icon":"*"},"prompts":[3]}"#,
            ),
            (
                json!({"name": "flat", "metadata": {"name": "nested", "icon": null}, "prompts": null, "system_prompt": "t"}),
                r#"{"id":"a","metadata":{"name":"nested"},"systemPrompt":"t"}"#,
            ),
            (
                json!({"metadata": "text", "name": "B", "prompts": {"x": null, "y": {"z": 1}}, "systemPrompt": null}),
                r#"{"id":"a","metadata":"text","prompts":{"y":{"z":1}},"name":"B"}"#,
            ),
            (
                json!({"id": "a", "agentId": "a", "fs": {"enabled": false}, "metadata": null, "prompts": null, "systemPrompt": null}),
                r#"{"id":"a","tools":{"fs":{"enabled":false}}}"#,
            ),
            (
                json!({"source_id": "2", "sourceId": "1", "communicationStyle": "c", "metadata": {}, "prompts": null, "systemPrompt": null}),
                r#"{"id":"a","metadata":{"name":"A","icon":"*","sourceId":"1"},"persona":{"communication_style":"c"}}"#,
            ),
        ];
        for (patch, want) in cases {
            assert_eq!(become_of(patch.clone(), false, now.clone()), (want.to_owned(), String::new()), "{patch}");
        }
    }

    #[test]
    fn a_whole_agent_is_merged_with_nothing() {
        let now = json!({"id": "a", "metadata": {"name": "A"}});
        let (agent, found) = become_of(json!({"role": "r", "tools": null}), true, now);
        assert_eq!((agent.as_str(), found.as_str()), (r#"{"id":"a","tools":null,"persona":{"role":"r"}}"#, ""));
    }

    #[test]
    fn an_id_stays() {
        let (agent, found) = become_of(json!({"id": "b", "agentId": null, "name": "B"}), false, json!(null));
        assert_eq!(agent, r#"{"id":"a","metadata":{"name":"B"}}"#);
        assert_eq!(found, "AGENT_ID_IMMUTABLE p.id, AGENT_ID_IMMUTABLE p.agentId");
    }
}
