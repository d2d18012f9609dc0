//! A provider's error, as bodies and streams carry it; the edge's own have the same shape.
//!
//! What a provider says in it may quote a request or a key: whoever passes it on redacts it, nobody logs it.

use serde::de::MapAccess;
use serde_json::{Map, Value, json};

use super::protocol::Protocol;
use super::read::{Kept, Place, member};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Error {
    /// Stable, of ours or the provider's.
    pub code: Option<String>,
    /// The protocol's class of errors.
    pub kind: Option<String>,
    pub message: String,
    /// Facts for machines; a provider's own errors have none.
    pub details: Option<Map<String, Value>>,
}

impl Error {
    /// Reads the body of an answer that is an error; `None`: it is none that can be read.
    pub fn body(bytes: &[u8]) -> Option<Self> {
        super::Chunk::body(Protocol::OpenAi, bytes).ok()?.error
    }

    pub fn detail(&self, name: &str) -> Option<&Value> {
        self.details.as_ref()?.get(name)
    }

    /// How long to wait before another try, where it says so.
    pub fn retry_after_ms(&self) -> Option<u64> {
        self.detail("retry_after_ms")?.as_u64()
    }

    /// The object of a body or an event. `request_id` stands in Anthropic's, where our code is a detail.
    pub fn object(&self, protocol: Protocol, request_id: &str) -> Value {
        match protocol {
            Protocol::OpenAi => {
                let mut error = json!({
                    "message": self.message, "type": self.kind, "param": self.detail("pointer"), "code": self.code,
                });
                if let Some(details) = &self.details {
                    error["details"] = Value::Object(details.clone());
                }
                json!({ "error": error })
            }
            Protocol::Anthropic => {
                let mut details = Map::new();
                details.extend(self.code.as_ref().map(|code| ("error_code".to_owned(), code.as_str().into())));
                details.extend(self.details.clone().unwrap_or_default());
                json!({
                    "type": "error",
                    "error": { "type": self.kind, "message": self.message, "details": details },
                    "request_id": request_id,
                })
            }
        }
    }

    pub(super) fn read_member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "code" => {
                let mut code = ErrorCode::default();
                member(&mut code, value)?;
                self.code = code.0;
            }
            "type" => return member(&mut self.kind, value),
            "message" => {
                let mut message = None;
                member(&mut message, value)?;
                self.message = message.unwrap_or_default();
            }
            "details" => {
                let mut details = Kept::default();
                member(&mut details, value)?;
                self.details = details.object;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// A word, or a number as some servers give it.
#[derive(Default)]
struct ErrorCode(Option<String>);

impl Place for ErrorCode {
    fn text(&mut self, text: &str) {
        self.0 = Some(text.to_owned());
    }

    fn number(&mut self, number: f64) {
        self.0 = Some(number.to_string());
    }
}
