//! Tools in a request of ours: what the model may call, what it called, what that gave (OpenAI protocol).
//!
//! Apart from [`Draft`](super::Draft), because who asks without tools, as the page does, must not link them.

use serde_json::{Value, json};

use super::reply::Tool;

/// Offers a tool; `parameters` is the JSON Schema of its arguments.
pub fn offer(body: &mut Value, name: &str, about: &str, parameters: &Value) {
    let function = json!({ "name": name, "description": about, "parameters": parameters });
    push(body, "tools", json!({ "type": "function", "function": function }));
}

/// Adds words of a role behind what was said.
pub fn say(body: &mut Value, role: &str, text: &str) {
    push(body, "messages", json!({ "role": role, "content": text }));
}

/// Adds an answer of the model that called tools.
pub fn called(body: &mut Value, text: &str, calls: &[Tool]) {
    let call = |call: &Tool| {
        let function = json!({ "name": call.name, "arguments": call.arguments });
        json!({ "id": call.id, "type": "function", "function": function })
    };
    let calls: Vec<Value> = calls.iter().map(call).collect();
    push(body, "messages", json!({ "role": "assistant", "content": text, "tool_calls": calls }));
}

/// Adds what a call gave.
pub fn gave(body: &mut Value, call: &str, name: &str, text: &str) {
    push(body, "messages", json!({ "role": "tool", "tool_call_id": call, "name": name, "content": text }));
}

fn push(body: &mut Value, list: &str, item: Value) {
    match &mut body[list] {
        Value::Array(items) => items.push(item),
        other => *other = json!([item]),
    }
}
