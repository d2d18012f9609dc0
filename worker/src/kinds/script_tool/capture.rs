//! Captures of failures for debugging: off unless the server's configuration turns them on (spec: script-tool.md §10).
//!
//! The artifact store is the binding `ARTIFACTS`: an R2 bucket, or locally a directory. Invariants: while capture is off
//! nothing is written; the first writer of a name wins; a failed write never fails a request; no route reads one.

use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use worker::{Method, Request, RequestInit};

use super::desk::Desk;
use super::question::Question;
use crate::answer::cause;
use crate::js::now_ms;
use crate::kinds::script_tool::ENGINE;

const BINDING: &str = "ARTIFACTS";
/// Where a directory answers; never leaves the isolate.
const INSIDE: &str = "http://artifacts";

/// A generation that failed: the model's whole response.
pub async fn generation(desk: &Desk, question: &Question, outcome: &str, raw: &str) {
    let payload = json!({"outcome": outcome, "response": raw, "tool_id": question.tool_id});
    write(desk, "chat_ops_response", question, payload).await;
}

/// A proposal that was looked at, by a preview or by an apply, and rejected: ops and the texts that they were put on, so
/// that it can be replayed.
pub async fn rejected(desk: &Desk, question: &Question, body: &Value, base: impl Into<Value>, answer: &Value) {
    if !desk.editor.capture || answer["ok"] == json!(true) {
        return;
    }
    let mut payload = json!({
        "tool_id": question.tool_id, "virtual_files": base.into(), "error_details": answer["error_details"],
    });
    for name in ENGINE {
        payload[name] = body[name].clone();
    }
    write(desk, "edit_ops_preview_failure", question, payload).await;
}

/// When the next capture is over.
pub fn next_expiry(desk: &Desk) -> Option<i64> {
    let oldest = desk.workspace().ok()?.oldest_capture().ok()??;
    Some(oldest + desk.editor.capture_ttl_ms)
}

/// Takes out what is over its time.
pub async fn expire(desk: &Desk) {
    let Ok(workspace) = desk.workspace() else { return };
    let due = workspace.captures_until(now_ms() - desk.editor.capture_ttl_ms).unwrap_or_default();
    for key in due {
        match take_out(desk, &key).await {
            Ok(()) => drop(workspace.forget_capture(&key)),
            Err(error) => failed(&error),
        }
    }
}

async fn write(desk: &Desk, kind: &str, question: &Question, payload: Value) {
    if !desk.editor.capture {
        return;
    }
    let key = format!("llm-captures/{kind}/{}/capture.json", question.correlation_id);
    let now = now_ms();
    let taken = desk.workspace().ok().and_then(|workspace| workspace.take_capture(&key, now).ok());
    if taken != Some(true) {
        return;
    }
    let envelope = json!({
        "version": 1, "kind": kind, "capture_id": question.correlation_id, "captured_at": now, "payload": payload,
    });
    if let Err(error) = put(desk, &key, envelope.to_string()).await {
        failed(&error);
    }
    desk.set_alarm().await;
}

async fn put(desk: &Desk, key: &str, text: String) -> worker::Result<()> {
    match desk.env.bucket(BINDING) {
        Ok(bucket) => bucket.put(key, text).execute().await.map(drop),
        Err(_) => directory(desk, key, Method::Put, Some(JsValue::from_str(&text))).await,
    }
}

async fn take_out(desk: &Desk, key: &str) -> worker::Result<()> {
    match desk.env.bucket(BINDING) {
        Ok(bucket) => bucket.delete(key).await,
        Err(_) => directory(desk, key, Method::Delete, None).await,
    }
}

/// Asks the directory. What is not there any more needs no taking out.
async fn directory(desk: &Desk, key: &str, method: Method, body: Option<JsValue>) -> worker::Result<()> {
    let mut init = RequestInit::new();
    init.with_method(method).with_body(body);
    let request = Request::new_with_init(&format!("{INSIDE}/{key}"), &init)?;
    match desk.env.service(BINDING)?.fetch_request(request).await?.status_code() {
        200..=299 | 404 => Ok(()),
        status => Err(worker::Error::RustError(format!("the directory answered {status}"))),
    }
}

fn failed(error: &worker::Error) {
    worker::console_error!("{}", json!({"event": "capture_failed", "cause": cause(error)}));
}
