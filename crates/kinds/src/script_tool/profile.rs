//! Profiles of models: window, output, margin, cap of the system prompt, clocks (spec: script-tool.md §8).
//!
//! The numbers are defaults: an operator may set each for a model.

use serde::{Deserialize, Serialize};

use super::tokens::is_large_family;

/// What a model can take and give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Tokens that a call and its answer may have together.
    pub window: u64,
    /// Tokens of the answer.
    pub max_output: u64,
    /// Tokens kept back because estimates err.
    pub margin: u64,
    /// Tokens of the system prompt; over it the feature is off for the call.
    pub system_cap: u64,
}

/// Milliseconds after which a chat call ends.
pub const CHAT_TIMEOUT_MS: u32 = 60_000;
/// Milliseconds after which a generation of ops ends.
pub const CHAT_OPS_TIMEOUT_MS: u32 = 120_000;
/// Temperature of models outside the large family.
pub const TEMPERATURE: f64 = 0.2;

impl Profile {
    /// Any model.
    pub const ORDINARY: Self = Self { window: 16_384, max_output: 4_096, margin: 256, system_cap: 8_192 };
    /// The large family.
    pub const LARGE: Self = Self { window: 65_536, max_output: 8_192, margin: 256, system_cap: 8_192 };

    /// The default of a model.
    pub fn of(model: &str) -> Self {
        if is_large_family(&model.to_ascii_lowercase()) { Self::LARGE } else { Self::ORDINARY }
    }

    /// Tokens that system prompt, history and message may have together.
    pub fn prompt_budget(&self) -> u64 {
        self.window.saturating_sub(self.max_output).saturating_sub(self.margin)
    }
}

/// Whether a model takes `max_completion_tokens` and no temperature.
pub fn has_fixed_temperature(model: &str) -> bool {
    is_large_family(&model.to_ascii_lowercase())
}
