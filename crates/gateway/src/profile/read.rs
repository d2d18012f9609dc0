//! A profile as a client sends it: what each member may be, and its refusal (spec: ai-sessions.md §8).

use holdpoint_check::{ApiError, Code, args};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::codes::{
    LLM_PROFILE_INVALID_API_KEY, LLM_PROFILE_INVALID_CONTEXT_WINDOW, LLM_PROFILE_INVALID_PROVIDER,
    LLM_PROFILE_INVALID_TIMEOUT, LLM_PROFILE_MISSING_BASE_URL, LLM_PROFILE_MISSING_MODEL,
};
use super::resolve::no_secrets;
use super::{AddressRules, ProfileProvider, TIMEOUT_SECONDS};
use crate::cipher::{Keys, NONCE_BYTES, Sealed, SealedFor, Secret};
use crate::mask::mask;

const MAX_MODEL: usize = 200;
const MAX_KEY: usize = 1_000;
const TIMEOUTS: [u64; 2] = [1, 600];
const WINDOWS: [u64; 2] = [1_024, 10_000_000];
/// What a masked key has in its middle.
const MASK: &str = "***";

/// What becomes of the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyChange<K> {
    Keep,
    /// There is none any more.
    Clear,
    Set(K),
}

/// A key as it goes to where it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewKey {
    pub sealed: Sealed,
    /// All that is ever shown of it.
    pub masked: String,
}

/// A profile that holds by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileChange<K> {
    pub provider: ProfileProvider,
    pub base_url: Option<String>,
    pub model: Option<String>,
    pub key: KeyChange<K>,
    pub timeout_seconds: u32,
    pub context_window: Option<u64>,
}

impl ProfileChange<Secret> {
    /// The same without its plain key. Errors: `LLM_PROFILE_ENCRYPTION_ERROR` where a key cannot be sealed.
    pub fn sealed(
        self,
        keys: Option<&Keys>,
        nonce: [u8; NONCE_BYTES],
        place: &SealedFor<'_>,
    ) -> Result<ProfileChange<NewKey>, ApiError> {
        let key = match &self.key {
            KeyChange::Keep => KeyChange::Keep,
            KeyChange::Clear => KeyChange::Clear,
            KeyChange::Set(secret) => {
                let sealed = keys.and_then(|keys| keys.seal(secret, nonce, place).ok()).ok_or_else(no_secrets)?;
                KeyChange::Set(NewKey { sealed, masked: mask(Some(secret.expose())).masked.unwrap_or_default() })
            }
        };
        let Self { provider, base_url, model, timeout_seconds, context_window, .. } = self;
        Ok(ProfileChange { provider, base_url, model, key, timeout_seconds, context_window })
    }
}

/// Reads the body of a save or of a test. The first member that cannot be is refused with its code, status 400.
pub fn read(body: &Value, addresses: &AddressRules) -> Result<ProfileChange<Secret>, ApiError> {
    read_over(body, addresses, None)
}

/// The same over a profile that has the address `kept`. Where no server of the user's own is chosen that address is not
/// called, so it is not judged again: rules that changed since must not lock somebody into their own model.
pub fn read_over(
    body: &Value,
    addresses: &AddressRules,
    kept: Option<&str>,
) -> Result<ProfileChange<Secret>, ApiError> {
    let provider = body["provider"].as_str().and_then(ProfileProvider::named);
    let provider = provider.ok_or_else(|| refused("/provider", &LLM_PROFILE_INVALID_PROVIDER, args! {}))?;
    let needed = provider == ProfileProvider::OpenaiCompatible;
    Ok(ProfileChange {
        provider,
        base_url: match kept {
            Some(kept) if !needed && body["baseUrl"].as_str() == Some(kept) => Some(kept.to_owned()),
            _ => base_url(&body["baseUrl"], needed, addresses)?,
        },
        model: model(&body["model"], needed)?,
        key: key(body.get("apiKey"))?,
        timeout_seconds: timeout(&body["timeoutSeconds"])?,
        context_window: window(&body["contextWindow"])?,
    })
}

fn base_url(member: &Value, needed: bool, addresses: &AddressRules) -> Result<Option<String>, ApiError> {
    match member {
        Value::Null => {}
        Value::String(text) if text.is_empty() => {}
        Value::String(text) => return addresses.check(text).map(Some),
        _ => return Err(AddressRules::not_an_address()),
    }
    if needed { Err(refused("/baseUrl", &LLM_PROFILE_MISSING_BASE_URL, args! {})) } else { Ok(None) }
}

fn model(member: &Value, needed: bool) -> Result<Option<String>, ApiError> {
    let name = match member {
        Value::Null => None,
        Value::String(text) => Some(text.trim()).filter(|text| !text.is_empty()),
        _ => Some("\0"),
    };
    let fits = |name: &str| name.chars().count() <= MAX_MODEL && !name.chars().any(char::is_control);
    match name {
        Some(name) if fits(name) => Ok(Some(name.to_owned())),
        None if !needed => Ok(None),
        _ => Err(refused("/model", &LLM_PROFILE_MISSING_MODEL, args! { limit: MAX_MODEL })),
    }
}

/// Absent keeps, null or nothing clears, text sets.
fn key(member: Option<&Value>) -> Result<KeyChange<Secret>, ApiError> {
    let text = match member {
        None => return Ok(KeyChange::Keep),
        Some(Value::Null) => return Ok(KeyChange::Clear),
        Some(Value::String(text)) if text.is_empty() => return Ok(KeyChange::Clear),
        Some(Value::String(text)) => text.as_str(),
        Some(_) => "",
    };
    let printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    // A header has no blanks at its ends, so a key with them would be another key at its server.
    let whole = !text.is_empty() && text.len() <= MAX_KEY && text.trim() == text && !text.contains(MASK);
    if printable && whole {
        Ok(KeyChange::Set(Secret::new(text)))
    } else {
        Err(refused("/apiKey", &LLM_PROFILE_INVALID_API_KEY, args! { limit: MAX_KEY }))
    }
}

fn timeout(member: &Value) -> Result<u32, ApiError> {
    let [least, most] = TIMEOUTS;
    match number(member, TIMEOUTS) {
        Ok(seconds) => Ok(seconds.map_or(TIMEOUT_SECONDS, |seconds| seconds as u32)),
        Err(NoNumber) => Err(refused("/timeoutSeconds", &LLM_PROFILE_INVALID_TIMEOUT, args! { least, most })),
    }
}

fn window(member: &Value) -> Result<Option<u64>, ApiError> {
    let [least, most] = WINDOWS;
    number(member, WINDOWS)
        .map_err(|NoNumber| refused("/contextWindow", &LLM_PROFILE_INVALID_CONTEXT_WINDOW, args! { least, most }))
}

/// Something else than a whole number within its bounds.
struct NoNumber;

/// A whole number between two, or nothing.
fn number(member: &Value, [least, most]: [u64; 2]) -> Result<Option<u64>, NoNumber> {
    if member.is_null() {
        return Ok(None);
    }
    member.as_u64().filter(|number| (least..=most).contains(number)).map(Some).ok_or(NoNumber)
}

pub(super) fn refused(pointer: &str, code: &'static Code, args: holdpoint_check::code::Args<'_>) -> ApiError {
    ApiError::at(pointer, code, args).status(400)
}
