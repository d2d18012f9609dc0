//! The user's own model: its profile, who may use it, and how a call with it fails (spec: ai-sessions.md §8,
//! gateway.md §10).
//!
//! Owns the rules of a profile: what may stand in it, to which address its key may go, which model a call resolves to.
//! Knows nothing of HTTP, SQL or time, and never holds a plain key but for the moment in which it is sealed
//! ([`crate::cipher`]). Invariants: a stored key belongs to one origin and is used there only; what the organisation
//! blocks is never called; an address is judged again before every call.

pub mod codes;
mod outcome;
mod read;
mod resolve;
mod view;

pub use outcome::{ProviderWords, Trial, because, said, told};
pub use read::{KeyChange, NewKey, ProfileChange, read, read_over};
pub use resolve::{AddressRules, Ground, Own, Policy, Resolved, System, no_secrets, own, resolve};
pub use view::{Availability, Order, ProfileUse, ProfileView, view};

use holdpoint_check::{ApiError, args};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::cipher::{Sealed, SealedFor};

/// What the secrets of profiles are called in what they are sealed with.
pub const SECRET_KIND: &str = "llm-profile";
/// Tests that a user may make in [`TESTS_MS`].
pub const MOST_TESTS: usize = 10;
/// The time in which they are counted.
pub const TESTS_MS: i64 = 60_000;
/// Bytes of an answer with a user's own key.
pub const MAX_ANSWER_BYTES: u64 = 8 << 20;
/// Characters of a provider's words that anybody sees.
pub const MAX_SAID: usize = 300;
/// Seconds to wait where nobody said how many.
pub const TIMEOUT_SECONDS: u32 = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ProfileProvider"))]
#[serde(rename_all = "kebab-case")]
pub enum ProfileProvider {
    #[default]
    Disabled,
    /// The platform, where its operator gives the account a model.
    System,
    /// A server that speaks the OpenAI protocol.
    OpenaiCompatible,
}

impl ProfileProvider {
    pub fn name(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::System => "system",
            Self::OpenaiCompatible => "openai-compatible",
        }
    }

    /// The provider of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Disabled, Self::System, Self::OpenaiCompatible].into_iter().find(|provider| provider.name() == name)
    }
}

/// What the newest test of the saved profile said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ProfileHealth"))]
#[serde(rename_all = "lowercase")]
pub enum Health {
    #[default]
    Unknown,
    Ok,
    Failed,
}

impl Health {
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Ok => "ok",
            Self::Failed => "failed",
        }
    }

    /// The health of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Unknown, Self::Ok, Self::Failed].into_iter().find(|health| health.name() == name)
    }
}

/// A key as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredKey {
    pub sealed: Sealed,
    /// All that is ever shown of it.
    pub masked: String,
    /// Where it may go: scheme, host and port.
    pub origin: String,
}

/// A user's profile as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelProfile {
    pub id: String,
    pub user_id: String,
    pub provider: ProfileProvider,
    /// Whether its user chose between a model of their own and none. Where not, the platform's is used.
    pub explicit: bool,
    /// The address without a trailing slash.
    pub base_url: Option<String>,
    /// As its server names it.
    pub model: Option<String>,
    pub key: Option<StoredKey>,
    /// To the first byte, and between two.
    pub timeout_seconds: u32,
    /// Tokens that the model reads at most.
    pub context_window: Option<u64>,
    /// What the newest test said.
    pub health: Health,
    /// When that was, ms since 1970.
    pub last_tested_at: Option<i64>,
    /// When the row was made.
    pub created_at: i64,
    pub updated_at: i64,
}

impl ModelProfile {
    /// The profile of somebody who saved none.
    pub fn unset(id: &str, user_id: &str, now: i64) -> Self {
        Self {
            id: id.to_owned(),
            user_id: user_id.to_owned(),
            provider: ProfileProvider::Disabled,
            explicit: false,
            base_url: None,
            model: None,
            key: None,
            timeout_seconds: TIMEOUT_SECONDS,
            context_window: None,
            health: Health::Unknown,
            last_tested_at: None,
            created_at: now,
            updated_at: now,
        }
    }

    /// What its key is sealed with.
    pub fn place<'p>(&'p self, account: &'p str) -> SealedFor<'p> {
        SealedFor { account, id: &self.id, kind: SECRET_KIND, user: &self.user_id }
    }

    /// The profile after a save.
    ///
    /// Errors: `LLM_PROFILE_API_KEY_REQUIRED` where a stored key would belong to another origin than it was given for.
    pub fn saved(&self, wanted: &ProfileChange<NewKey>, now: i64) -> Result<Self, ApiError> {
        let origin = wanted.base_url.as_deref().and_then(origin);
        let key = match &wanted.key {
            KeyChange::Keep => self.key.clone(),
            KeyChange::Clear => None,
            KeyChange::Set(NewKey { sealed, masked }) => Some(StoredKey {
                sealed: sealed.clone(),
                masked: masked.clone(),
                origin: origin.clone().unwrap_or_default(),
            }),
        };
        if let (Some(key), Some(origin)) = (&key, &origin) {
            belongs(key, origin)?;
        }
        Ok(Self {
            provider: wanted.provider,
            explicit: wanted.provider != ProfileProvider::System,
            base_url: wanted.base_url.clone(),
            model: wanted.model.clone(),
            key,
            timeout_seconds: wanted.timeout_seconds,
            context_window: wanted.context_window,
            health: Health::Unknown,
            updated_at: now,
            ..self.clone()
        })
    }
}

/// Scheme, host and port of an address.
pub fn origin(base_url: &str) -> Option<String> {
    Url::parse(base_url).ok().map(|url| url.origin().ascii_serialization())
}

/// Whether a key was given for that origin.
pub(crate) fn belongs(key: &StoredKey, origin: &str) -> Result<(), ApiError> {
    if key.origin == origin {
        return Ok(());
    }
    let host = key.origin.split_once("://").map_or(key.origin.as_str(), |(_, host)| host);
    let host = if host.is_empty() { "no server" } else { host };
    Err(ApiError::at("/apiKey", &codes::LLM_PROFILE_API_KEY_REQUIRED, args! { host }).status(400))
}

#[cfg(test)]
mod tests;
