//! The events of a turn's log (spec: ai-sessions.md §9).
//!
//! The last one, `result` or `error`, is the answer itself in its envelope and is the driver's.

use serde_json::{Value, json};

use holdpoint_kind::protocol::{Frame, Phase, Said};

/// What who listens is told, as events.
pub(super) fn frames(said: &Said<'_>) -> Vec<Frame> {
    let frame = match said {
        Said::Opened(names) => frame("turn", json!({"turnId": names.turn, "messageId": names.message, "seq": 1})),
        Said::Phase(phase) => thinking(&json!({ "phase": phase_name(*phase) })),
        Said::Summary(content) if !content.words.is_empty() => {
            thinking(&json!({"phase": "summary_delta", "text": content.words}))
        }
        Said::Tool { name, call, over, .. } => {
            let mut payload =
                json!({"name": name, "callId": call, "state": if over.is_some() { "ended" } else { "started" }});
            match over {
                Some(Ok(_)) => payload["ok"] = true.into(),
                Some(Err(error)) => {
                    payload["ok"] = false.into();
                    payload["code"] = error.code.as_str().into();
                }
                None => {}
            }
            frame("runtime", json!({"kind": "function_call", "payload": payload}))
        }
        _ => return Vec::new(),
    };
    vec![frame]
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Composing => "composing",
        Phase::Model => "model",
        Phase::Judging => "validating",
        Phase::Repair => "validation_repair",
    }
}

fn thinking(payload: &Value) -> Frame {
    frame("runtime", json!({"kind": "thinking", "payload": payload}))
}

fn frame(name: &'static str, data: Value) -> Frame {
    Frame { name, data, last: false }
}
