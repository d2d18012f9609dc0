//! Agents as a form shows them.

use serde_json::Value;

use super::members::{Members, is_texts, kept, list, readable, within, worded};

/// The agents of a file, and where each stood; `None` where it has no list of them.
pub fn agents(mut document: Value) -> Option<(Vec<Value>, Option<Vec<usize>>)> {
    Some(readable(list(document.as_object_mut()?, "agents")?, agent))
}

fn agent(agent: &mut Members) -> bool {
    worded(agent, &["id"]);
    within(agent, "metadata", |metadata| worded(metadata, &["name", "title", "icon"]));
    within(agent, "persona", |persona| {
        worded(persona, &["role", "identity", "communication_style"]);
        match persona.get_mut("principles").and_then(Value::as_array_mut) {
            Some(principles) => principles.retain(Value::is_string),
            None => worded(persona, &["principles"]),
        }
    });
    kept(agent, &["tools"], Value::is_object);
    if agent.contains_key("tools") {
        within(agent, "tools", |tools| {
            kept(tools, &["fs", "mcp"], Value::is_object);
            if let Some(servers) = tools.get_mut("mcp").and_then(Value::as_object_mut) {
                kept(servers, &["allowedServers"], is_texts);
            }
        });
    }
    true
}
