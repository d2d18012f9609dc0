//! Holds of a run at the gateway (spec: gateway.md §13 `/runs`).

use gloo::net::http::{Request, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Why the edge did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// A code of gateway.md §12, or `OFFLINE`.
    pub code: String,
    /// What to do.
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
    /// No answer came.
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
        let body: Value = serde_json::from_str(body).unwrap_or_default();
        let error = &body["error"];
        let text = |member: &str, other: &str| error[member].as_str().unwrap_or(other).to_owned();
        Self {
            code: text("code", "UPSTREAM_ERROR"),
            message: text("message", "The answer could not be read. Try again."),
            details: error["details"].clone(),
            status,
            retry_after_ms: error["details"]["retry_after_ms"].as_u64(),
        }
    }

    /// Whether the budget is the reason (authoring.md §6.2 "Drivers").
    pub fn is_budget(&self) -> bool {
        self.status == 402 || self.code.starts_with("BUDGET_") || self.code == "RUN_BUDGET_EXCEEDED"
    }
}

/// Opens a run that holds these tokens; answers its account.
pub async fn open(token: Option<&str>, tokens: u64) -> Result<Value, Problem> {
    let request = bearer(Request::post("/gateway/v1/runs"), token)
        .json(&json!({ "tokens": tokens, "cost": 0 }))
        .map_err(|_| Problem::offline())?;
    read(request.send().await.map_err(|_| Problem::offline())?).await
}

/// Closes a run and gives the rest back; answers its account.
pub async fn close(token: Option<&str>, id: &str) -> Result<Value, Problem> {
    let request = bearer(Request::delete(&format!("/gateway/v1/runs/{id}")), token);
    read(request.send().await.map_err(|_| Problem::offline())?).await
}

/// The account of a run.
pub async fn account(token: Option<&str>, id: &str) -> Result<Value, Problem> {
    let request = bearer(Request::get(&format!("/gateway/v1/runs/{id}")), token);
    read(request.send().await.map_err(|_| Problem::offline())?).await
}

/// Asks for the end of a model call; its stream says whether it worked.
pub async fn cancel(token: Option<&str>, request_id: &str) {
    let path = format!("/gateway/v1/requests/{request_id}/cancel");
    // The call is aborted on our side too: an answer would change nothing.
    let _ = bearer(Request::post(&path), token).send().await;
}

fn bearer(builder: gloo::net::http::RequestBuilder, token: Option<&str>) -> gloo::net::http::RequestBuilder {
    match token {
        Some(token) => builder.header("authorization", &format!("Bearer {token}")),
        None => builder,
    }
}

async fn read(response: Response) -> Result<Value, Problem> {
    let body = response.text().await.map_err(|_| Problem::offline())?;
    if response.ok() {
        return Ok(serde_json::from_str(&body).unwrap_or_default());
    }
    Err(Problem::read(response.status(), &body))
}
