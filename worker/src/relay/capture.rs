//! Captures of calls for debugging: off unless the server's configuration turns them on (spec: gateway.md §13 "Capture").
//!
//! Invariants: while capture is off nothing of a call's content is kept; what is written was redacted; the first writer
//! of a name wins; a failure never fails a call; no route reads one.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use holdpoint_gateway::cipher::Secret;
use holdpoint_gateway::instant::iso_day;
use holdpoint_gateway::redact;
use holdpoint_store::Captures;
use serde_json::{Value, json};

use super::Shared;
use super::call::Admitted;
use crate::answer::cause;
use crate::artifacts;
use crate::js::now_ms;
use crate::settings::CaptureMode;

/// Bytes of an answer that are kept at most.
const MOST_ANSWER: usize = 1 << 20;

/// What is kept of a call while it runs.
pub(super) struct Captured {
    request: Vec<u8>,
    /// What came of the answer to the last try.
    answer: RefCell<Vec<u8>>,
    ended: Cell<Option<(&'static str, u16)>>,
}

impl Captured {
    /// What is kept of that request; `None`: capture is off.
    pub fn of(request: &[u8], mode: CaptureMode) -> Option<Self> {
        let is_on = mode != CaptureMode::Off;
        is_on.then(|| Self { request: request.to_vec(), answer: RefCell::default(), ended: Cell::default() })
    }

    /// Another try begins: what the last one heard is dropped.
    pub fn begins(&self) {
        self.answer.borrow_mut().clear();
    }

    pub fn hears(&self, bytes: &[u8]) {
        let mut answer = self.answer.borrow_mut();
        let room = MOST_ANSWER.saturating_sub(answer.len());
        answer.extend(&bytes[..bytes.len().min(room)]);
    }

    pub fn ends(&self, outcome: &'static str, status: u16) {
        self.ended.set(Some((outcome, status)));
    }
}

impl Admitted {
    /// Keeps bytes of the answer, where the call may be captured.
    pub(super) fn hears(&self, bytes: &[u8]) {
        self.captured.iter().for_each(|captured| captured.hears(bytes));
    }
}

/// Writes what was kept of a call that ended, where it is one that is captured.
pub(super) async fn write(call: &Admitted) {
    let Some(captured) = &call.captured else { return };
    let Some((outcome, status)) = captured.ended.get() else { return };
    let failed = !matches!(outcome, "ok" | "client_gone" | "cancelled");
    let (shared, now, id) = (&call.shared, now_ms(), &call.order.request_id);
    if !failed && shared.settings.capture != CaptureMode::All {
        return;
    }
    let key = format!("captures/{}/{id}.json", iso_day(now));
    if Captures::new(&shared.sql).take(&key, now) != Ok(true) {
        return;
    }
    let secret = call.provider.key.as_ref().map(Secret::expose);
    let facts = &call.ask.facts;
    let envelope = json!({
        "version": 1, "request_id": id, "captured_at": now, "protocol": facts.protocol, "alias": facts.alias,
        "provider": call.provider.id, "model": call.price.model, "outcome": outcome, "status": status,
        "request": redacted(&captured.request, secret), "answer": redacted(&captured.answer.borrow(), secret),
    });
    if let Err(error) = artifacts::put(&shared.env, &key, envelope.to_string().into_bytes()).await {
        untold(&error);
    }
    wait(shared).await;
}

/// Takes out what is over its time.
pub(super) async fn expire(shared: &Shared) {
    // Its first life makes the table.
    if shared.boot().is_err() {
        return;
    }
    let captures = Captures::new(&shared.sql);
    for key in captures.until(now_ms() - shared.settings.capture_ttl_ms).unwrap_or_default() {
        match artifacts::delete(&shared.env, &key).await {
            Ok(()) => drop(captures.forget(&key)),
            Err(error) => untold(&error),
        }
    }
    wait(shared).await;
}

/// Sees to it that the object is woken when the next capture is over.
async fn wait(shared: &Shared) {
    let Ok(Some(oldest)) = Captures::new(&shared.sql).oldest() else { return };
    let next = oldest.saturating_add(shared.settings.capture_ttl_ms);
    let is_sooner = |set: Option<i64>| set.is_some_and(|at| at <= next);
    if is_sooner(shared.storage.get_alarm().await.unwrap_or_default()) {
        return;
    }
    let wait = Duration::from_millis(next.saturating_sub(now_ms()).max(0).cast_unsigned());
    if let Err(error) = shared.storage.set_alarm(wait).await {
        untold(&error);
    }
}

/// JSON as a value, anything else as a text, without secrets.
fn redacted(bytes: &[u8], key: Option<&str>) -> Value {
    let text = redact::key(&String::from_utf8_lossy(bytes), key.unwrap_or_default());
    match serde_json::from_str(&text) {
        Ok(value) => redact::value(&value).0,
        Err(_) => Value::String(redact::text(&text).0),
    }
}

fn untold(error: &worker::Error) {
    worker::console_error!("{}", json!({"event": "capture_failed", "cause": cause(error)}));
}
