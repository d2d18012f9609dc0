//! The order of members in JSON that Holdpoint writes: as the object that it replaces has them, new ones as crew-package.md
//! §3 lists them, then what is left as it was sent.

use serde_json::{Map, Value};

/// What is known of a value's members.
#[derive(Debug)]
pub enum Form {
    Object(&'static [(&'static str, Form)]),
    /// Items, and the members that say which old item an item replaces.
    List(&'static [&'static str], &'static Form),
    Plain,
}

use Form::{List, Object, Plain};

pub const GRAPH: Form = Object(&[
    ("schemaVersion", Plain),
    ("entryNodeId", Plain),
    ("nodes", List(&["id"], &NODE)),
    ("edges", List(&["from", "to", "label"], &EDGE)),
    ("metadata", Plain),
]);
const NODE: Form = Object(&[
    ("id", Plain),
    ("type", Plain),
    ("file", Plain),
    ("title", Plain),
    ("description", Plain),
    ("agentId", Plain),
    ("inputs", Plain),
    ("outputs", Plain),
]);
const EDGE: Form = Object(&[
    ("from", Plain),
    ("to", Plain),
    ("label", Plain),
    ("id", Plain),
    ("isDefault", Plain),
    ("conditionText", Plain),
    ("conditionExpr", Plain),
]);

/// The agents, without the object around them.
pub const AGENTS: Form = List(&["id"], &AGENT);
const AGENT: Form = Object(&[
    ("id", Plain),
    (
        "metadata",
        Object(&[
            ("name", Plain),
            ("title", Plain),
            ("icon", Plain),
            ("module", Plain),
            ("description", Plain),
            ("sourceId", Plain),
        ]),
    ),
    ("persona", Object(&[("role", Plain), ("identity", Plain), ("communication_style", Plain), ("principles", Plain)])),
    ("critical_actions", Plain),
    ("prompts", List(&["id"], &PROMPT)),
    ("menu", Plain),
    ("systemPrompt", Plain),
    ("userPromptTemplate", Plain),
    ("discussion", Plain),
    ("webskip", Plain),
    ("conversational_knowledge", Plain),
    (
        "tools",
        Object(&[
            ("fs", Object(&[("enabled", Plain), ("maxReadBytes", Plain), ("maxWriteBytes", Plain)])),
            ("mcp", Object(&[("enabled", Plain), ("allowedServers", Plain)])),
        ]),
    ),
]);
const PROMPT: Form = Object(&[("id", Plain), ("content", Plain), ("description", Plain)]);

/// A value with its members in order. As deep as the form, below that nothing changes.
pub fn ordered(value: Value, old: Option<&Value>, form: &Form) -> Value {
    if old == Some(&value) {
        return old.cloned().unwrap_or_default();
    }
    match (form, value) {
        (Object(members), Value::Object(sent)) => object(sent, old.and_then(Value::as_object), members).into(),
        (List(named, form), Value::Array(items)) => {
            let olds = old.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let replaced =
                |item: &Value| olds.iter().find(|old| named.iter().all(|name| old.get(name) == item.get(name)));
            items.into_iter().map(|item| ordered(item.clone(), replaced(&item), form)).collect()
        }
        (_, value) => value,
    }
}

fn object(
    mut sent: Map<String, Value>,
    old: Option<&Map<String, Value>>,
    members: &[(&str, Form)],
) -> Map<String, Value> {
    let known = members.iter().map(|(name, _)| *name);
    let names = old.into_iter().flat_map(|old| old.keys().map(String::as_str)).chain(known);
    let mut placed = Map::new();
    for name in names {
        if let Some(value) = sent.shift_remove(name) {
            let form = members.iter().find(|(other, _)| *other == name).map_or(&Plain, |(_, form)| form);
            placed.insert(name.to_owned(), ordered(value, old.and_then(|old| old.get(name)), form));
        }
    }
    placed.extend(sent);
    placed
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(value: Value, old: Option<&Value>, form: &Form) -> String {
        ordered(value, old, form).to_string()
    }

    #[test]
    fn new_members_come_in_the_order_of_the_specification() {
        let node = json!({"zeta": 1, "title": "T", "file": "f", "type": "step", "id": "a"});
        let sent = json!({"nodes": [node], "entryNodeId": "a", "schemaVersion": "1.1"});
        let want = r#"{"schemaVersion":"1.1","entryNodeId":"a","nodes":[{"id":"a","type":"step","file":"f","title":"T","zeta":1}]}"#;
        assert_eq!(text(sent, None, &GRAPH), want);
    }

    #[test]
    fn old_members_keep_their_places() {
        let old = json!([{"persona": {"role": "r", "identity": "i"}, "id": "a"}, {"id": "b"}]);
        let sent = json!([{"id": "b"}, {"id": "a", "metadata": {}, "persona": {"identity": "j", "role": "r", "principles": []}}]);
        let want = r#"[{"id":"b"},{"persona":{"role":"r","identity":"j","principles":[]},"id":"a","metadata":{}}]"#;
        assert_eq!(text(sent, Some(&old), &AGENTS), want);
    }

    #[test]
    fn what_has_no_form_stays_as_it_was_sent() {
        let sent = json!([{"id": "a", "menu": [{"z": 1, "a": 2}]}, 7, null]);
        assert_eq!(text(sent, None, &AGENTS), r#"[{"id":"a","menu":[{"z":1,"a":2}]},7,null]"#);
    }
}
