//! What one protocol says in the words of the other (spec: gateway.md §8).

use serde::{Deserialize, Serialize};

/// Where a request that is translated to Anthropic's protocol is marked for the provider's cache (spec: gateway.md §9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AutoCache {
    /// Behind system and tools, where they are long.
    #[default]
    Prefix,
    /// Also behind the last message, once the model has spoken.
    Conversation,
    Off,
}
