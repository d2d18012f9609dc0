//! Requests that are done once, however often they are sent: `Idempotency-Key` (spec: ai-sessions.md §1 "Idempotency",
//! authoring.md §9.1).

use holdpoint_bundle::text_hash;
use holdpoint_check::{ApiError, args};
use holdpoint_gateway::Code;
use holdpoint_store::Workspace;
use holdpoint_store::codes::{IDEMPOTENCY_CONFLICT, IDEMPOTENCY_KEY};
use holdpoint_store::once::Known;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::EdgeError;
use crate::project::Object;
use crate::project::slots::TakenSlot;
use crate::routes::RouteRequest;
use crate::sql::ObjectSql;

/// It counts the characters of a key.
const MAX_KEY: usize = 128;
const HEADER: &str = "idempotency-key";

/// A key, and what was sent with it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Once {
    pub key: String,
    /// Of the path and the body.
    pub hash: String,
}

impl Once {
    /// The key of a request, where it has one.
    pub fn key(asked: &RouteRequest) -> Result<Option<String>, EdgeError> {
        let Some(key) = asked.request().headers().get(HEADER)? else { return Ok(None) };
        let fits =
            (1..=MAX_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
        if fits {
            return Ok(Some(key));
        }
        let error = ApiError::of(&IDEMPOTENCY_KEY, args! { limit: MAX_KEY });
        Err(error.with("pointer", "/Idempotency-Key").into())
    }

    /// The same, with what is asked: `path` and `body` say it.
    pub fn read(asked: &RouteRequest, path: &str, body: &str) -> Result<Option<Self>, EdgeError> {
        let key = Self::key(asked)?;
        Ok(key.map(|key| Self { key, hash: text_hash(&format!("{path}\n{body}")) }))
    }

    /// Waits until no other request has the key: what it did is known then.
    pub async fn alone(once: Option<&Self>, object: &Object, user: &str) -> Result<Option<TakenSlot>, EdgeError> {
        let Some(Self { key, .. }) = once else { return Ok(None) };
        // No id of a session and no name of a user holds a space.
        let slot = format!("once {user} {key}");
        loop {
            if let Some((taken, _)) = object.slots.enter(&slot) {
                return Ok(Some(taken));
            }
            if !object.slots.wait(&slot).await {
                return Err(Code::IdempotencyInProgress.into());
            }
        }
    }

    /// What was answered to the same request before.
    pub fn answered(
        once: Option<&Self>,
        workspace: &Workspace<ObjectSql>,
        user: &str,
        now: i64,
    ) -> Result<Option<Value>, EdgeError> {
        let Some(Self { key, hash }) = once else { return Ok(None) };
        match workspace.onces().look(user, key, hash, now)? {
            Known::New => Ok(None),
            Known::Answered(text) => Ok(Some(serde_json::from_str(&text)?)),
            Known::Other => Err(EdgeError::of(409, &IDEMPOTENCY_CONFLICT, args! {})),
        }
    }

    /// Keeps an answer for whoever asks again.
    pub fn keep(
        once: Option<&Self>,
        workspace: &Workspace<ObjectSql>,
        user: &str,
        now: i64,
        answer: Value,
    ) -> Result<Value, EdgeError> {
        if let Some(Self { key, hash }) = once {
            workspace.onces().keep(user, key, hash, &answer.to_string(), now)?;
        }
        Ok(answer)
    }
}
