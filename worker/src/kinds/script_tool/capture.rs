//! What is captured of a script's failures, while capture is on (spec: script-tool.md §10).

use holdpoint_bundle::Files;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Command;
use super::shown::{ErrorDetail, PreviewFacts};
use crate::project::Object;
use crate::project::capture::write;
use crate::settings::CaptureMode;

/// A generation that failed: the model's whole response.
pub async fn generation(object: &Object, asked: &Command, outcome: &str, raw: &str) {
    let payload = json!({"outcome": outcome, "response": raw, "tool_id": asked.bundle});
    write(object, "chat_ops_response", asked, payload).await;
}

/// A proposal that was looked at, by a preview or by an apply, and rejected: the edit as it was sent and the texts that
/// it was put on, so that it can be replayed.
pub async fn rejected(
    object: &Object,
    asked: &Command,
    edit: &Map<String, Value>,
    virtual_files: &Files,
    facts: &PreviewFacts,
) {
    if object.settings.capture == CaptureMode::Off || facts.ok {
        return;
    }
    let payload = Rejected { edit, tool_id: &asked.bundle, virtual_files, error_details: &facts.error_details };
    write(object, "edit_ops_preview_failure", asked, json!(payload)).await;
}

#[derive(Serialize)]
struct Rejected<'r> {
    #[serde(flatten)]
    edit: &'r Map<String, Value>,
    tool_id: &'r str,
    virtual_files: &'r Files,
    error_details: &'r [ErrorDetail],
}
