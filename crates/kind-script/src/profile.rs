//! Profiles of models: window, output, margin, cap of the system prompt, clocks (spec: script-tool.md §8).
//!
//! The numbers are defaults: an operator may set each for a model.

use super::tokens::is_large_family;
pub use holdpoint_kind::protocol::Profile;

/// Milliseconds after which a chat call ends.
pub const CHAT_TIMEOUT_MS: u32 = 60_000;
/// Milliseconds after which a generation of ops ends.
pub const CHAT_OPS_TIMEOUT_MS: u32 = 120_000;
/// Temperature of models outside the large family.
pub const TEMPERATURE: f64 = 0.2;

pub const ORDINARY: Profile = Profile { window: 16_384, max_output: 4_096, margin: 256, system_cap: 8_192 };
pub const LARGE: Profile = Profile { window: 65_536, max_output: 8_192, margin: 256, system_cap: 8_192 };

/// The default of a model.
pub fn of(model: &str) -> Profile {
    if is_large_family(&model.to_ascii_lowercase()) { LARGE } else { ORDINARY }
}

/// Whether a model takes `max_completion_tokens` and no temperature.
pub fn has_fixed_temperature(model: &str) -> bool {
    is_large_family(&model.to_ascii_lowercase())
}
