//! Captures of failures for debugging: off unless the server's configuration turns them on (spec: script-tool.md §10).
//!
//! Invariants: while capture is off nothing is written; the first writer of a name wins; a failed write never fails a
//! request; no route reads one.

use serde_json::{Value, json};

use super::{Object, ProjectCommand};
use crate::answer::cause;
use crate::artifacts;
use crate::js::now_ms;
use crate::settings::CaptureMode;

/// When the next capture is over.
pub fn next_expiry(object: &Object) -> Option<i64> {
    let oldest = object.workspace().ok()?.captures().oldest().ok()??;
    Some(oldest + object.settings.capture_ttl_ms)
}

/// Takes out what is over its time.
pub async fn expire(object: &Object) {
    let Ok(workspace) = object.workspace() else { return };
    let due = workspace.captures().until(now_ms() - object.settings.capture_ttl_ms).unwrap_or_default();
    for key in due {
        match artifacts::delete(&object.env, &key).await {
            Ok(()) => drop(workspace.captures().forget(&key)),
            Err(error) => failed(&error),
        }
    }
}

/// Writes one, while capture is on.
pub async fn write<C>(object: &Object, kind: &str, command: &ProjectCommand<C>, payload: Value) {
    if object.settings.capture == CaptureMode::Off {
        return;
    }
    let key = format!("llm-captures/{kind}/{}/capture.json", command.correlation_id);
    let now = now_ms();
    let taken = object.workspace().ok().and_then(|workspace| workspace.captures().take(&key, now).ok());
    if taken != Some(true) {
        return;
    }
    let envelope = json!({
        "version": 1, "kind": kind, "capture_id": command.correlation_id, "captured_at": now, "payload": payload,
    });
    if let Err(error) = artifacts::put(&object.env, &key, envelope.to_string().into_bytes()).await {
        failed(&error);
    }
    object.set_alarm().await;
}

fn failed(error: &worker::Error) {
    worker::console_error!("{}", json!({"event": "capture_failed", "cause": cause(error)}));
}
