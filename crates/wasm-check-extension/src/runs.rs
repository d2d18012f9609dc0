//! Holds of a run at the gateway (spec: gateway.md §13 `/runs`).

use gloo::net::http::Method;
use holdpoint_gateway::{GatewayError, wire};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::edge::{self, Call};

/// Why the edge did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// A code of gateway.md §12, or `OFFLINE`.
    pub code: String,
    pub message: String,
    /// The facts of a refusal.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub details: Value,
    /// HTTP status; 0 when no answer came.
    #[serde(default)]
    pub status: u16,
    /// When another try makes sense, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl Problem {
    pub fn offline() -> Self {
        Self {
            code: "OFFLINE".to_owned(),
            message: "No answer came. Try again when the network is back.".to_owned(),
            details: Value::Null,
            status: 0,
            retry_after_ms: None,
        }
    }

    /// An error answer of the edge, in the facade's or the provider protocol's shape.
    pub fn read(status: u16, body: &str) -> Self {
        Self { status, ..wire::Error::body(body.as_bytes()).unwrap_or_default().into() }
    }

    /// Whether the budget is the reason (authoring.md §6.2 "Drivers").
    pub fn is_budget(&self) -> bool {
        self.status == 402 || self.code.starts_with("BUDGET_") || self.code == "RUN_BUDGET_EXCEEDED"
    }
}

impl From<wire::Error> for Problem {
    fn from(error: wire::Error) -> Self {
        let words = "The answer could not be read. Try again.";
        Self {
            retry_after_ms: error.retry_after_ms(),
            code: error.code.unwrap_or_else(|| "UPSTREAM_ERROR".to_owned()),
            message: if error.message.is_empty() { words.to_owned() } else { error.message },
            details: error.details.map_or(Value::Null, Value::Object),
            status: 0,
        }
    }
}

impl From<GatewayError> for Problem {
    fn from(refusal: GatewayError) -> Self {
        let GatewayError { code, message, details, .. } = refusal;
        Self { code: code.name().to_owned(), message, details: Value::Object(details), ..Self::offline() }
    }
}

/// Opens a run that holds these tokens; answers its account.
pub async fn open(token: Option<&str>, tokens: u64) -> Result<Value, Problem> {
    let body = json!({ "tokens": tokens, "cost": 0 }).to_string();
    ask(Method::POST, "/gateway/v1/runs", token, Some(&body)).await
}

/// Closes a run and gives the rest back; answers its account.
pub async fn close(token: Option<&str>, id: &str) -> Result<Value, Problem> {
    ask(Method::DELETE, &format!("/gateway/v1/runs/{id}"), token, None).await
}

/// The account of a run.
pub async fn account(token: Option<&str>, id: &str) -> Result<Value, Problem> {
    ask(Method::GET, &format!("/gateway/v1/runs/{id}"), token, None).await
}

/// Asks for the end of a model call; its stream says whether it worked.
pub async fn cancel(token: Option<&str>, request_id: &str) {
    // The call is aborted on our side too: an answer would change nothing.
    let _ = ask(Method::POST, &format!("/gateway/v1/requests/{request_id}/cancel"), token, None).await;
}

async fn ask(method: Method, path: &str, token: Option<&str>, body: Option<&str>) -> Result<Value, Problem> {
    let call = Call { method, path, token, headers: &[], body, signal: None };
    let response = edge::send(&call).await.map_err(|_| Problem::offline())?;
    let text = response.text().await.map_err(|_| Problem::offline())?;
    if response.ok() {
        return Ok(serde_json::from_str(&text).unwrap_or_default());
    }
    Err(Problem::read(response.status(), &text))
}
