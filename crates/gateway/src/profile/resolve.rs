//! Which model a call uses: organisation policy → explicit profile → system default → disabled
//! (spec: ai-sessions.md §8 "Resolution").
//!
//! One resolver serves the profile's routes, its test and every call of a turn. Invariant: what it answers was judged
//! with the rules of the moment, never with those at the save.

use holdpoint_check::{ApiError, Code, args};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::codes::{
    AI_DISABLED, CHOSEN_NONE, LLM_PROFILE_ENCRYPTION_ERROR, LLM_PROFILE_INCOMPLETE, LLM_PROFILE_ORG_POLICY_BLOCKED,
    LONG, NO_SYSTEM, URL_CREDENTIALS, URL_HAS_QUERY, URL_INVALID, URL_METADATA, URL_NO_PUBLIC_ADDRESS, URL_PORT,
    URL_PRIVATE_ADDRESS, URL_PRIVATE_NAME, URL_SCHEME, URL_SELF,
};
use super::read::refused;
use super::{ModelProfile, ProfileProvider, StoredKey, belongs, origin};
use crate::url_check::{self, Address, Blocked};

/// It counts the characters of an address.
const MAX_BASE_URL: usize = 500;
const POINTER: &str = "/baseUrl";

/// What the organisation allows: `LLM_ORG_POLICY_MODE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    #[default]
    AllowAll,
    /// Servers that speak the OpenAI protocol, and none.
    AllowOpenaiCompatibleOnly,
    DisableAll,
}

impl Policy {
    /// The policy of that name. A word that is none of them allows nothing.
    pub fn read(word: Option<&str>) -> Self {
        match word {
            None | Some("allow-all") => Self::AllowAll,
            Some("allow-openai-compatible-only") => Self::AllowOpenaiCompatibleOnly,
            Some(_) => Self::DisableAll,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::AllowAll => "allow-all",
            Self::AllowOpenaiCompatibleOnly => "allow-openai-compatible-only",
            Self::DisableAll => "disable-all",
        }
    }
}

/// Which addresses may be called.
#[derive(Debug, Clone, Default)]
pub struct AddressRules {
    /// `ALLOW_PRIVATE_UPSTREAMS=1`: also http, loopback and private ranges.
    pub allow_private: bool,
    /// Names that we answer to ourselves.
    pub own_hosts: Vec<String>,
}

impl AddressRules {
    /// The address in its one spelling. Errors: `LLM_PROFILE_INVALID_BASE_URL`.
    pub fn check(&self, base_url: &str) -> Result<String, ApiError> {
        if base_url.chars().count() > MAX_BASE_URL {
            let long = refused(POINTER, &LONG, args! { limit: MAX_BASE_URL });
            return Err(long.with("code", URL_INVALID.case));
        }
        let address = Address {
            url: base_url.to_owned(),
            allow_http: self.allow_private,
            allow_private: self.allow_private,
            own_hosts: self.own_hosts.clone(),
            ..Address::default()
        };
        url_check::check(&address).map(|allowed| allowed.normalized).map_err(|blocked| invalid(&blocked))
    }

    /// What an address is refused with that passed [`check`](Self::check), and whose name led to no public address when
    /// it was called.
    pub fn no_public_address() -> ApiError {
        invalid(&Blocked { code: URL_NO_PUBLIC_ADDRESS.case, category: None })
    }

    /// What no text at all is refused with.
    pub(super) fn not_an_address() -> ApiError {
        invalid(&Blocked { code: URL_INVALID.case, category: None })
    }
}

fn invalid(blocked: &Blocked) -> ApiError {
    const SAYS: &[&holdpoint_check::Code] = &[
        &URL_SCHEME,
        &URL_CREDENTIALS,
        &URL_HAS_QUERY,
        &URL_PORT,
        &URL_PRIVATE_NAME,
        &URL_PRIVATE_ADDRESS,
        &URL_METADATA,
        &URL_NO_PUBLIC_ADDRESS,
        &URL_SELF,
    ];
    let says = SAYS.iter().find(|code| code.case == blocked.code).copied().unwrap_or(&URL_INVALID);
    let error = refused(POINTER, says, args! {}).with("code", blocked.code);
    match blocked.category {
        Some(category) => error.with("category", json!(category)),
        None => error,
    }
}

/// The model of the platform, where its operator gives the account one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct System {
    pub alias: String,
    pub display: String,
    /// Tokens that it reads at most.
    pub context_window: u64,
    /// Whether its server speaks the OpenAI protocol.
    pub openai: bool,
}

/// What a resolution stands on.
#[derive(Debug, Clone)]
pub struct Ground<'g> {
    pub policy: Policy,
    pub system: Option<&'g System>,
    pub addresses: &'g AddressRules,
    /// Whether a key can be opened.
    pub secrets: bool,
}

impl Ground<'_> {
    pub fn allows(&self, provider: ProfileProvider) -> Result<(), ApiError> {
        match (self.policy, provider) {
            (Policy::DisableAll, ProfileProvider::OpenaiCompatible | ProfileProvider::System) => Err(blocked()),
            _ => Ok(()),
        }
    }

    pub(super) fn allows_system(&self, system: &System) -> Result<(), ApiError> {
        match self.policy {
            Policy::AllowAll => Ok(()),
            Policy::AllowOpenaiCompatibleOnly if system.openai => Ok(()),
            _ => Err(blocked()),
        }
    }
}

fn blocked() -> ApiError {
    ApiError::of(&LLM_PROFILE_ORG_POLICY_BLOCKED, args! {}).status(403)
}

/// The user's own model, complete and allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Own {
    /// Checked, without a trailing slash.
    pub base_url: String,
    /// As its server names it.
    pub model: String,
    pub key: Option<StoredKey>,
    /// To the first byte, and between two.
    pub timeout_seconds: u32,
    /// Tokens that it reads at most.
    pub context_window: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolved {
    /// The user's own model, on the user's own money.
    Own(Own),
    System(System),
}

/// What a call uses, or why there is none: `AI_DISABLED`, `LLM_PROFILE_ORG_POLICY_BLOCKED` (403), `LLM_PROFILE_INCOMPLETE`,
/// `LLM_PROFILE_INVALID_BASE_URL` (400), `LLM_PROFILE_ENCRYPTION_ERROR` (500).
pub fn resolve(profile: &ModelProfile, ground: &Ground<'_>) -> Result<Resolved, ApiError> {
    if profile.explicit {
        return own(profile, ground).map(Resolved::Own);
    }
    let Some(system) = ground.system else {
        let says = if profile.provider == ProfileProvider::System { &NO_SYSTEM } else { &AI_DISABLED };
        return Err(disabled(says));
    };
    ground.allows_system(system)?;
    Ok(Resolved::System(system.clone()))
}

/// The profile's own model, whatever else there is. Errors: as those of [`resolve`].
pub fn own(profile: &ModelProfile, ground: &Ground<'_>) -> Result<Own, ApiError> {
    match profile.provider {
        ProfileProvider::OpenaiCompatible => {}
        ProfileProvider::Disabled if profile.explicit => return Err(disabled(&CHOSEN_NONE)),
        ProfileProvider::Disabled | ProfileProvider::System => return Err(disabled(&AI_DISABLED)),
    }
    ground.allows(profile.provider)?;
    let (Some(base_url), Some(model)) = (&profile.base_url, &profile.model) else {
        return Err(ApiError::of(&LLM_PROFILE_INCOMPLETE, args! {}).status(400));
    };
    let base_url = ground.addresses.check(base_url)?;
    if let Some(key) = &profile.key {
        belongs(key, &origin(&base_url).unwrap_or_default())?;
        if !ground.secrets {
            return Err(no_secrets());
        }
    }
    Ok(Own {
        base_url,
        model: model.clone(),
        key: profile.key.clone(),
        timeout_seconds: profile.timeout_seconds,
        context_window: profile.context_window,
    })
}

fn disabled(says: &'static Code) -> ApiError {
    ApiError::of(says, args! {}).status(403)
}

pub fn no_secrets() -> ApiError {
    ApiError::of(&LLM_PROFILE_ENCRYPTION_ERROR, args! {}).status(500)
}
