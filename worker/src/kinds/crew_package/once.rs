//! Requests that are done once, however often they are sent: `Idempotency-Key` (spec: ai-sessions.md §1 "Idempotency").

use holdpoint_bundle::text_hash;
use holdpoint_check::{ApiError, args};
use holdpoint_kinds::crew_package::routes::codes::IDEMPOTENCY_KEY;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::EdgeError;
use crate::routes::Incoming;

/// Characters of a key.
const MAX_KEY: usize = 128;
const HEADER: &str = "idempotency-key";

/// A key, and what was sent with it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Once {
    /// As sent.
    pub key: String,
    /// Of the path and the body.
    pub hash: String,
}

impl Once {
    /// The key of a request, where it has one.
    pub fn of(asked: &Incoming, body: &Value) -> Result<Option<Self>, EdgeError> {
        Self::with(asked, &body.to_string())
    }

    /// The same, of what stands for a body.
    pub fn with(asked: &Incoming, body: &str) -> Result<Option<Self>, EdgeError> {
        let Some(key) = asked.request().headers().get(HEADER)? else { return Ok(None) };
        let fits =
            (1..=MAX_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
        if !fits {
            let error = ApiError::of(&IDEMPOTENCY_KEY, args! { limit: MAX_KEY });
            return Err(error.with("pointer", "/Idempotency-Key").into());
        }
        Ok(Some(Self { key, hash: text_hash(&format!("{}\n{body}", asked.request().path())) }))
    }
}
