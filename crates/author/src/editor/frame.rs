//! The events of a chat stream, as bytes (spec: script-tool.md §6 "Chat stream").
//!
//! Invariant: a frame is `event: NAME` LF `data: compact JSON` LF LF; JSON escapes every line break of a text, so no
//! text can end a frame.

use holdpoint_gateway::wire::sse;
use serde_json::{Value, json};

/// How loud a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Variant {
    Info,
    Warning,
}

/// Why a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Reason {
    Stop,
    Length,
    Cancelled,
    Error,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Frame {
    Meta { correlation_id: String, turn_id: String, assistant_message_id: String },
    Notice { message: String, variant: Variant },
    Delta { text: String },
    Done { reason: Reason },
    Off { message: String, code: Option<String> },
}

impl Frame {
    /// Its bytes.
    pub fn text(&self) -> String {
        let (name, data) = self.parts();
        sse::event(Some(name), &data.to_string(), "\n")
    }

    fn parts(&self) -> (&'static str, Value) {
        match self {
            Self::Meta { correlation_id, turn_id, assistant_message_id } => (
                "meta",
                json!({
                    "enabled": true, "correlation_id": correlation_id, "turn_id": turn_id,
                    "assistant_message_id": assistant_message_id,
                }),
            ),
            Self::Notice { message, variant } => {
                let variant = if *variant == Variant::Info { "info" } else { "warning" };
                ("notice", json!({"message": message, "variant": variant}))
            }
            Self::Delta { text } => ("delta", json!({ "text": text })),
            Self::Done { reason } => {
                let reason = match reason {
                    Reason::Stop => "stop",
                    Reason::Length => "length",
                    Reason::Cancelled => "cancelled",
                    Reason::Error => "error",
                };
                ("done", json!({"enabled": true, "reason": reason}))
            }
            Self::Off { message, code } => {
                let mut data = json!({"enabled": false, "message": message});
                if let Some(code) = code {
                    data["code"] = json!(code);
                }
                ("done", data)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let frames = [
            Frame::Meta { correlation_id: "c".into(), turn_id: "t".into(), assistant_message_id: "m".into() },
            Frame::Notice { message: "Left out.".into(), variant: Variant::Warning },
            Frame::Delta { text: "a\nb\r\n".into() },
            Frame::Done { reason: Reason::Stop },
            Frame::Off { message: "Off.".into(), code: None },
        ];
        insta::assert_snapshot!(frames.map(|frame| frame.text()).concat(), @r#"
        event: meta
        data: {"enabled":true,"correlation_id":"c","turn_id":"t","assistant_message_id":"m"}

        event: notice
        data: {"message":"Left out.","variant":"warning"}

        event: delta
        data: {"text":"a\nb\r\n"}

        event: done
        data: {"enabled":true,"reason":"stop"}

        event: done
        data: {"enabled":false,"message":"Off."}
        "#);
    }
}
