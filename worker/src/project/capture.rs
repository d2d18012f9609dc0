//! Captures of failures for debugging: off unless the server's configuration turns them on (spec: script-tool.md §10).
//!
//! The artifact store is the binding `ARTIFACTS`: an R2 bucket, or locally a directory. Invariants: while capture is off
//! nothing is written; the first writer of a name wins; a failed write never fails a request; no route reads one.

use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use worker::{Method, Request, RequestInit};

use super::{Object, ProjectCommand};
use crate::answer::cause;
use crate::js::now_ms;

const BINDING: &str = "ARTIFACTS";
/// Where a directory answers; never leaves the isolate.
const INSIDE: &str = "http://artifacts";

/// When the next capture is over.
pub fn next_expiry(object: &Object) -> Option<i64> {
    let oldest = object.workspace().ok()?.oldest_capture().ok()??;
    Some(oldest + object.editor.capture_ttl_ms)
}

/// Takes out what is over its time.
pub async fn expire(object: &Object) {
    let Ok(workspace) = object.workspace() else { return };
    let due = workspace.captures_until(now_ms() - object.editor.capture_ttl_ms).unwrap_or_default();
    for key in due {
        match take_out(object, &key).await {
            Ok(()) => drop(workspace.forget_capture(&key)),
            Err(error) => failed(&error),
        }
    }
}

/// Writes one, while capture is on.
pub async fn write<C>(object: &Object, kind: &str, command: &ProjectCommand<C>, payload: Value) {
    if !object.editor.capture {
        return;
    }
    let key = format!("llm-captures/{kind}/{}/capture.json", command.correlation_id);
    let now = now_ms();
    let taken = object.workspace().ok().and_then(|workspace| workspace.take_capture(&key, now).ok());
    if taken != Some(true) {
        return;
    }
    let envelope = json!({
        "version": 1, "kind": kind, "capture_id": command.correlation_id, "captured_at": now, "payload": payload,
    });
    if let Err(error) = put(object, &key, envelope.to_string()).await {
        failed(&error);
    }
    object.set_alarm().await;
}

async fn put(object: &Object, key: &str, text: String) -> worker::Result<()> {
    match object.env.bucket(BINDING) {
        Ok(bucket) => bucket.put(key, text).execute().await.map(drop),
        Err(_) => directory(object, key, Method::Put, Some(JsValue::from_str(&text))).await,
    }
}

async fn take_out(object: &Object, key: &str) -> worker::Result<()> {
    match object.env.bucket(BINDING) {
        Ok(bucket) => bucket.delete(key).await,
        Err(_) => directory(object, key, Method::Delete, None).await,
    }
}

/// Asks the directory. What is not there any more needs no taking out.
async fn directory(object: &Object, key: &str, method: Method, body: Option<JsValue>) -> worker::Result<()> {
    let mut init = RequestInit::new();
    init.with_method(method).with_body(body);
    let request = Request::new_with_init(&format!("{INSIDE}/{key}"), &init)?;
    match object.env.service(BINDING)?.fetch_request(request).await?.status_code() {
        200..=299 | 404 => Ok(()),
        status => Err(worker::Error::RustError(format!("the directory answered {status}"))),
    }
}

fn failed(error: &worker::Error) {
    worker::console_error!("{}", json!({"event": "capture_failed", "cause": cause(error)}));
}
