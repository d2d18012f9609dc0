//! The wire protocols that clients and upstreams speak (spec: gateway.md §2).

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    #[default]
    OpenAi,
    Anthropic,
}

impl Protocol {
    /// The protocol of a ledger row.
    pub fn named(name: &str) -> Self {
        if name == Self::Anthropic.name() { Self::Anthropic } else { Self::OpenAi }
    }

    /// As configuration and ledger rows write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }
}
