//! What the Worker tells a relay beside the body.

use holdpoint_check::args;
use holdpoint_gateway::cipher::Secret;
use holdpoint_gateway::profile::Own;
use holdpoint_gateway::wire::translate::Unsupported;
use holdpoint_gateway::{Code, GatewayError, Protocol};
use holdpoint_store::codes::HEADER;
use serde::{Deserialize, Serialize};
use serde_json::json;
use worker::Request;

use crate::account::Caller;
use crate::answer::EdgeError;

pub const ORDER_HEADER: &str = "x-holdpoint-order";
/// Where a relay takes calls.
pub const RELAY_CALL: &str = "http://relay/call";

/// The version of Anthropic's protocol that a client speaks.
pub const VERSION_HEADER: &str = "anthropic-version";
/// The fewest output tokens that a client takes.
const CLAMP_HEADER: &str = "holdpoint-clamp";
const CLAMP_FORMS: &str = "Send `holdpoint-clamp: N`, the fewest output tokens that you take, from 1.";
/// What every end of the wire carries alike.
const MOST_LEAST: u64 = (1 << 53) - 1;
const IDEMPOTENCY_FORMS: &str = "Send an `idempotency-key` of 1 to 128 visible ASCII characters.";
/// Whether a client does without what the provider's protocol has no words for.
const UNSUPPORTED_HEADER: &str = "holdpoint-unsupported";
const UNSUPPORTED_FORMS: &str = "Send `holdpoint-unsupported: refuse`, or `drop`.";
/// What a client would try of Anthropic's protocol.
const BETA_HEADER: &str = "anthropic-beta";

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// The platform's that the body names.
    #[default]
    Platform,
    /// What the caller's profile resolves to now, whatever the body names.
    Resolved,
    /// One that its user tries out: asked once.
    Test(TestCall),
}

/// A model that is tried out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TestCall {
    /// The server and its model.
    pub own: Own,
    /// A key that is not stored.
    pub key: Option<Secret>,
    /// Names the profile among secrets.
    pub id: String,
    pub user_id: String,
}

/// What a client agreed to beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Consent {
    #[default]
    None,
    /// A remote provider may answer for a local one.
    Remote,
}

/// Whether an administrator measures a call: its answer has the headers of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Measuring {
    #[default]
    Off,
    On,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    pub request_id: String,
    pub caller: Caller,
    /// What pages call who asks; empty where no page does.
    #[serde(default)]
    pub principal: String,
    #[serde(default)]
    pub protocol: Protocol,
    /// Only to count what the body holds; no model answers.
    #[serde(default)]
    pub counts: bool,
    #[serde(default)]
    pub version: Option<String>,
    #[serde(default)]
    pub betas: Vec<String>,
    /// What happens to features that the provider's protocol has no word for.
    #[serde(default)]
    pub unsupported: Unsupported,
    #[serde(default)]
    pub consent: Consent,
    /// What the client calls the call by, so that it is made once.
    #[serde(default)]
    pub idempotency_key: Option<String>,
    /// The fewest output tokens that the client takes.
    #[serde(default)]
    pub least_output: Option<u64>,
    pub run: Option<String>,
    pub tag: Option<String>,
    pub template: Option<String>,
    pub usage_comment: bool,
    #[serde(default)]
    pub measuring: Measuring,
    /// Of our own callers: the stream begins with the admission, and a caller that leaves means `cancel_estimate`.
    #[serde(default)]
    pub early: bool,
    #[serde(default)]
    pub via: Via,
}

/// How few output tokens a client takes where its budgets have no room for more.
fn least_output(request: &Request) -> Result<Option<u64>, EdgeError> {
    let Some(text) = request.headers().get(CLAMP_HEADER)? else { return Ok(None) };
    let least = text.parse().ok().filter(|least| (1..=MOST_LEAST).contains(least));
    least.map(Some).ok_or_else(|| {
        let refusal = GatewayError::new(Code::InvalidRequest).saying(CLAMP_FORMS);
        refusal.with(json!({ "header": CLAMP_HEADER })).into()
    })
}

/// The key of a call that is to be made once.
fn idempotency_key(request: &Request) -> Result<Option<String>, EdgeError> {
    const LIMIT: usize = 128;
    let Some(key) = request.headers().get("idempotency-key")? else { return Ok(None) };
    if key.is_empty() || key.len() > LIMIT || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let refusal = GatewayError::new(Code::InvalidRequest).saying(IDEMPOTENCY_FORMS);
        return Err(refusal.with(json!({ "header": "idempotency-key" })).into());
    }
    Ok(Some(key))
}

impl Order {
    /// A call of ours, in the protocol that our own callers speak.
    pub fn ours(request_id: String, caller: Caller) -> Self {
        Self {
            request_id,
            caller,
            principal: String::new(),
            protocol: Protocol::OpenAi,
            counts: false,
            version: None,
            betas: Vec::new(),
            unsupported: Unsupported::Refuse,
            consent: Consent::None,
            idempotency_key: None,
            least_output: None,
            run: None,
            tag: None,
            template: None,
            usage_comment: false,
            measuring: Measuring::Off,
            early: false,
            via: Via::Platform,
        }
    }

    /// Reads our own headers of a client's request.
    pub fn read(request_id: &str, caller: Caller, protocol: Protocol, request: &Request) -> Result<Self, EdgeError> {
        const MAX_TAG: usize = 64;
        const MAX_BETAS: usize = 32;
        let plain = |c: char| c.is_ascii_alphanumeric() || "._:-".contains(c);
        let word = |name: &str| -> Result<Option<String>, EdgeError> {
            let Some(text) = request.headers().get(name)? else { return Ok(None) };
            if !text.is_empty() && text.len() <= MAX_TAG && text.chars().all(plain) {
                return Ok(Some(text));
            }
            Err(EdgeError::of(400, &HEADER, args! { header: name, most: MAX_TAG }).with("header", name))
        };
        let unsupported = match request.headers().get(UNSUPPORTED_HEADER)?.as_deref() {
            None | Some("refuse") => Unsupported::Refuse,
            Some("drop") => Unsupported::Drop,
            Some(_) => {
                let refusal = GatewayError::new(Code::InvalidRequest).saying(UNSUPPORTED_FORMS);
                return Err(refusal.with(json!({ "header": UNSUPPORTED_HEADER })).into());
            }
        };
        let betas = request.headers().get(BETA_HEADER)?.unwrap_or_default();
        let betas = betas.split(',').map(str::trim).filter(|beta| !beta.is_empty() && beta.chars().all(plain));
        Ok(Self {
            protocol,
            version: word(VERSION_HEADER)?,
            betas: betas.take(MAX_BETAS).map(str::to_owned).collect(),
            unsupported,
            consent: match request.headers().get("holdpoint-allow-remote")?.as_deref() {
                Some("1") => Consent::Remote,
                _ => Consent::None,
            },
            idempotency_key: idempotency_key(request)?,
            least_output: least_output(request)?,
            run: word("holdpoint-run")?,
            tag: word("holdpoint-tag")?,
            template: word("holdpoint-template")?,
            usage_comment: request.headers().get("holdpoint-usage-comment")?.as_deref() == Some("1"),
            ..Self::ours(request_id.to_owned(), caller)
        })
    }
}
