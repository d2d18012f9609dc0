//! A profile as its user sees it: never its key, and what a call would use now (spec: ai-sessions.md §8).

use holdpoint_check::code::Sentence;
use holdpoint_check::{ApiError, args};
use serde::{Deserialize, Serialize};

use super::codes::{AVAILABLE_OWN, AVAILABLE_SYSTEM, LLM_PROFILE_INCOMPLETE};
use super::resolve::{Ground, Resolved, resolve};
use super::{Health, ModelProfile, ProfileProvider};
use crate::instant::iso;

/// Whether a call would find a model now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Availability {
    pub available: bool,
    /// `OK`, `AI_DISABLED`, `LLM_PROFILE_INCOMPLETE` or `LLM_PROFILE_ORG_POLICY_BLOCKED`.
    pub code: String,
    pub message: String,
    /// What the sentence is said from.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub args: serde_json::Map<String, serde_json::Value>,
}

impl Availability {
    fn of(resolved: &Result<Resolved, ApiError>) -> Self {
        let (available, Sentence { code, message, args }) = match resolved {
            Ok(Resolved::Own(own)) => (true, Sentence::of(&AVAILABLE_OWN, args! { model: own.model })),
            Ok(Resolved::System(system)) => (true, Sentence::of(&AVAILABLE_SYSTEM, args! { model: system.display })),
            Err(error) if matches!(error.code.as_str(), "AI_DISABLED" | "LLM_PROFILE_ORG_POLICY_BLOCKED") => {
                let ApiError { code, message, args, .. } = error.clone();
                (false, Sentence { code: code.into(), message, args })
            }
            Err(_) => (false, Sentence::of(&LLM_PROFILE_INCOMPLETE, args! {})),
        };
        Self { available, code: code.into_owned(), message, args }
    }
}

/// How one step of the resolution stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ProfileStanding"))]
#[serde(rename_all = "lowercase")]
pub enum ProfileUse {
    Used,
    /// There is none, or it is switched off.
    Off,
    /// It would be used if the step before were not.
    Ready,
    /// Something is missing in it.
    Incomplete,
    /// The organisation does not allow it.
    Blocked,
}

/// Which model is used, in the order of the resolution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ProfileOrder"))]
#[serde(rename_all = "camelCase")]
pub struct Order {
    /// It is one of `allow-all`, `allow-openai-compatible-only` or `disable-all`.
    pub policy: String,
    pub profile: ProfileUse,
    pub system: ProfileUse,
    /// What people call the platform's; null where there is none.
    pub system_model: Option<String>,
}

impl Order {
    fn of(profile: &ModelProfile, ground: &Ground<'_>, resolved: &Result<Resolved, ApiError>) -> Self {
        let own = match resolved {
            _ if profile.provider == ProfileProvider::Disabled => ProfileUse::Off,
            // The server of another choice is kept for the way back.
            _ if profile.provider == ProfileProvider::System => {
                if profile.base_url.is_some() && profile.model.is_some() { ProfileUse::Ready } else { ProfileUse::Off }
            }
            Ok(Resolved::Own(_)) => ProfileUse::Used,
            Err(error) if error.code == "LLM_PROFILE_ORG_POLICY_BLOCKED" => ProfileUse::Blocked,
            _ => ProfileUse::Incomplete,
        };
        let system = match (ground.system, resolved) {
            (None, _) => ProfileUse::Off,
            (Some(system), _) if ground.allows_system(system).is_err() => ProfileUse::Blocked,
            (Some(_), Ok(Resolved::System(_))) => ProfileUse::Used,
            (Some(_), _) => ProfileUse::Ready,
        };
        Self {
            policy: ground.policy.name().to_owned(),
            profile: own,
            system,
            system_model: ground.system.map(|system| system.display.clone()),
        }
    }
}

/// A profile as it is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LlmProfile"))]
#[serde(rename_all = "camelCase")]
pub struct ProfileView {
    pub provider: ProfileProvider,
    pub base_url: Option<String>,
    pub model: Option<String>,
    /// First three and last four characters of the key; null without one.
    pub api_key_masked: Option<String>,
    /// Where the stored key may go: scheme, host and port.
    pub api_key_origin: Option<String>,
    pub timeout_seconds: u32,
    pub context_window: Option<u64>,
    pub health_status: Health,
    /// The time as ISO 8601 in UTC.
    pub last_tested_at: Option<String>,
    /// ISO 8601, UTC; null where it was never saved.
    pub saved_at: Option<String>,
    pub effective_availability: Availability,
    pub resolution: Order,
}

/// What its user sees of a profile.
pub fn view(profile: &ModelProfile, ground: &Ground<'_>) -> ProfileView {
    let resolved = resolve(profile, ground);
    ProfileView {
        provider: profile.provider,
        base_url: profile.base_url.clone(),
        model: profile.model.clone(),
        api_key_masked: profile.key.as_ref().map(|key| key.masked.clone()),
        api_key_origin: profile.key.as_ref().map(|key| key.origin.clone()),
        timeout_seconds: profile.timeout_seconds,
        context_window: profile.context_window,
        health_status: profile.health,
        last_tested_at: profile.last_tested_at.map(iso),
        saved_at: (profile.explicit || profile.provider == ProfileProvider::System).then(|| iso(profile.updated_at)),
        effective_availability: Availability::of(&resolved),
        resolution: Order::of(profile, ground, &resolved),
    }
}
