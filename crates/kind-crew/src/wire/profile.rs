//! What the routes of a user's own model are asked and answer (spec: ai-sessions.md §8).

use holdpoint_gateway::profile::{ProfileProvider, ProviderWords};
use serde::{Deserialize, Serialize};

/// A profile to save or to try out, for the reference: it is read member by member, each with its own refusal.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LlmProfileBody"))]
#[serde(rename_all = "camelCase")]
pub struct ProfileBody {
    pub provider: ProfileProvider,
    pub base_url: Option<String>,
    pub model: Option<String>,
    /// Left out keeps the key, null or nothing clears it.
    pub api_key: Option<String>,
    /// From 1 to 600 seconds; 60 without it.
    pub timeout_seconds: Option<u32>,
    /// A number from 1,024 to 10,000,000.
    pub context_window: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LlmProfileTested"))]
#[serde(rename_all = "camelCase")]
pub struct Tested {
    pub ok: bool,
    pub code: String,
    pub message: String,
    /// What to try, in the reader's language: at least one where it is not ok.
    pub hints: Vec<String>,
    /// From the order to the answer.
    pub latency_ms: u64,
    /// What the provider said, where it said something.
    pub said: Option<ProviderWords>,
}
