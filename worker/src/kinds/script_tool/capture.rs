//! What is captured of a script's failures, while capture is on (spec: script-tool.md §10).

use serde_json::{Value, json};

use super::{Command, ENGINE};
use crate::project::Object;
use crate::project::capture::write;

/// A generation that failed: the model's whole response.
pub async fn generation(object: &Object, asked: &Command, outcome: &str, raw: &str) {
    let payload = json!({"outcome": outcome, "response": raw, "tool_id": asked.bundle});
    write(object, "chat_ops_response", asked, payload).await;
}

/// A proposal that was looked at, by a preview or by an apply, and rejected: ops and the texts that they were put on, so
/// that it can be replayed.
pub async fn rejected(object: &Object, asked: &Command, body: &Value, base: impl Into<Value>, answer: &Value) {
    if !object.editor.capture || answer["ok"] == json!(true) {
        return;
    }
    let mut payload = json!({
        "tool_id": asked.bundle, "virtual_files": base.into(), "error_details": answer["error_details"],
    });
    for name in ENGINE {
        payload[name] = body[name].clone();
    }
    write(object, "edit_ops_preview_failure", asked, payload).await;
}
