//! Bodies of the edge's routes that are no rows of a table: what is asked, and what is put together for an answer
//! (spec: gateway.md §2, §13).
//!
//! Owns the shapes; what they mean is decided where they are used. Here and not in the Worker, so that the page's
//! types and the OpenAPI document come from them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use holdpoint_gateway::budget::{Ms, Payers, Period, Unit};
use holdpoint_gateway::indicator::Shown;
use holdpoint_gateway::webhook::WebhookEvent;

use crate::ledger::{Clamp, KeyRow, SecretRow};

/// An error answer, the same everywhere (spec: facade.md "Shapes").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ErrorShape"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorShape {
    /// A stable name in `SCREAMING_SNAKE_CASE`.
    pub code: String,
    pub message: String,
    /// The values in the sentence by name, and which sentence of the code it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<std::collections::BTreeMap<String, Value>>"))]
    pub details: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub hints: Option<Vec<String>>,
}

/// `{"error": …}` as bodies carry it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorBody {
    pub error: ErrorShape,
}

/// The body of `POST /gateway/v1/keys`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeyAsk {
    /// It has 1 to 128 characters.
    pub label: String,
    pub user_id: String,
    /// `llm`, `usage`, `edit`, `admin`, `metrics`; `llm` and `usage` when empty.
    #[serde(default)]
    pub scopes: Vec<String>,
    /// Models that it may use, with `*` at the end of a prefix; all when empty.
    #[serde(default)]
    pub models: Vec<String>,
    /// Pages that may use it; all allowed ones when empty.
    #[serde(default)]
    pub origins: Vec<String>,
    /// In milliseconds since 1970, UTC.
    #[serde(default)]
    pub expires_at: Option<Ms>,
    /// It is `allowed` when absent.
    #[serde(default)]
    pub clamp: Clamp,
}

/// The body of `PATCH /gateway/v1/keys/{id}`; what is absent stays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeyChangeAsk {
    #[serde(default)]
    pub label: Option<String>,
    #[serde(default)]
    pub models: Option<Vec<String>>,
    #[serde(default)]
    pub origins: Option<Vec<String>>,
    #[serde(default)]
    pub clamp: Option<Clamp>,
    /// In milliseconds since 1970, UTC; null: for ever.
    #[serde(default)]
    pub expires_at: Option<Ms>,
}

/// The body of `POST /gateway/v1/keys/{id}/rotate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RotateAsk {
    /// How long the secret before still works, 0 to 604,800; 86,400 when absent.
    #[serde(default)]
    pub grace_seconds: Option<u64>,
}

/// A key that was made: the only time that it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CreatedKey {
    #[serde(flatten)]
    pub row: KeyRow,
    pub key: String,
}

/// Providers, models and prices of an account's own, as `GATEWAY_CONFIG` has the platform's; a provider's `secret` is
/// `account:<name>`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ConfigShape {
    pub providers: Vec<Value>,
    pub models: Vec<Value>,
    pub prices: Vec<Value>,
}

/// The body of `PUT /gateway/v1/secrets/{id}`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SecretAsk {
    /// A provider's key: 1 to 1,000 printable ASCII characters. It is sealed, and never told again.
    pub key: String,
}

/// The keys of an account's own providers, masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Secrets {
    pub items: Vec<SecretRow>,
}

/// The body of `PUT /gateway/v1/webhooks`: all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WebhooksAsk {
    pub webhooks: Vec<WebhookAsk>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WebhookAsk {
    pub url: String,
    pub events: Vec<WebhookEvent>,
}

/// The servers that are told of what happens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Webhooks {
    pub webhooks: Vec<ShownWebhook>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShownWebhook {
    pub url: String,
    pub events: Vec<WebhookEvent>,
    /// What deliveries are signed with; told once, when the address is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// The answer of `GET /healthz`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeploymentHealth {
    /// It is `ok`, or `misconfigured`.
    pub status: &'static str,
    /// The settings that cannot be used; a log line says why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<&'static str>,
}

/// The answer of `POST /gateway/v1/accounts`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstAccount {
    /// It is `org:<name>` or `user:<name>`.
    pub account: String,
    pub key: CreatedKey,
}

/// The answer of `POST /gateway/v1/bootstrap`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstKeys {
    pub user_token: String,
    pub admin_token: String,
}

/// The body of `PUT /gateway/v1/budgets/{id}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BudgetAsk {
    /// It is one of `key:…`, `user:…` or `account:…`.
    pub scope: String,
    pub unit: Unit,
    pub period: Period,
    /// Tokens, micros or requests; below 2^53.
    pub limit: u64,
    /// Whose calls it counts; the platform's where nothing is said.
    #[serde(default)]
    pub payer: Payers,
}

/// The body of `POST /gateway/v1/budgets/{id}/extensions`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExtensionAsk {
    /// How much more, in the budget's unit; 1 or more, below 2^53.
    pub amount: u64,
    /// Why, for the administrator; 1 to 500 characters.
    pub reason: String,
}

/// The body of `POST /gateway/v1/budgets/{id}/extensions/{extension}/grant`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GrantAsk {
    /// How much more, in the budget's unit; 1 or more, below 2^53.
    pub amount: u64,
    /// Milliseconds since 1970; later than now, at most 31 days.
    pub until: Ms,
}

/// The body of `POST /gateway/v1/runs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunAsk {
    /// Tokens that the run may use.
    pub tokens: u64,
    /// Micros that it may use; 0.
    #[serde(default)]
    pub cost: u64,
    /// How long it may last; the longest there is.
    #[serde(default)]
    pub ttl_ms: Option<u64>,
}

/// At least and at most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Span {
    pub min: u64,
    pub max: u64,
}

/// Input and output tokens of a planned piece of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuoteAsk {
    pub model: String,
    pub input_tokens: Span,
    pub output_tokens: Span,
    /// Part of the input that comes from a cache.
    #[serde(default)]
    pub cached_input_tokens: u64,
    #[serde(default)]
    pub calls: Option<Span>,
}

/// Bounds of a planned piece of work, and whether it fits every budget now.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Quote {
    pub tokens: Span,
    /// In millionths of the currency's unit.
    pub cost: Span,
    /// Whether the most fits every budget.
    pub fits: bool,
    /// The first budget that it does not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub binding_budget: Option<String>,
    /// The same budget as it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub budget: Option<Shown>,
}

/// The answer of `POST /gateway/v1/requests/{id}/cancel`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cancelled {
    pub request_id: String,
    /// Always true; a request that does not run is not found.
    pub cancelled: bool,
}

/// The answer of `GET /v1/models`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Models {
    pub object: &'static str,
    /// Models that this key may use.
    pub data: Vec<ListedModel>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListedModel {
    /// The name to ask for.
    pub id: String,
    pub object: &'static str,
    /// Seconds since 1970; clients only need a number.
    pub created: u64,
    pub owned_by: String,
    pub display: String,
    /// The provider's name of it.
    pub model: String,
}

#[cfg(all(test, feature = "ts"))]
mod wire_types {
    use ts_rs::{Config, TS};

    /// Writes the declarations that the page compiles against; `cargo xtask ci` finds drift.
    #[test]
    fn export_declarations() {
        let config = Config::from_env();
        super::ErrorShape::export_all(&config).unwrap();
        super::Quote::export_all(&config).unwrap();
        super::CreatedKey::export_all(&config).unwrap();
        crate::ledger::KeyRow::export_all(&config).unwrap();
        crate::ledger::RunView::export_all(&config).unwrap();
        crate::ledger::UsageReport::export_all(&config).unwrap();
        crate::ledger::RunningCall::export_all(&config).unwrap();
        crate::ledger::LedgerItem::export_all(&config).unwrap();
        crate::ledger::ExtensionRow::export_all(&config).unwrap();
        crate::ledger::AuditRow::export_all(&config).unwrap();
        holdpoint_gateway::indicator::Indicator::export_all(&config).unwrap();
    }
}
