//! How many tokens a text costs, before a provider says so (spec: ai-sessions.md §7.1, script-tool.md).
//!
//! Estimates only: budgets hold more than these numbers and settle on what the provider reports.

use serde::{Deserialize, Serialize};

/// Tokens that each message costs beside its text.
pub const MESSAGE_TOKENS: u64 = 4;
