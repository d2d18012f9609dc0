//! What the Worker tells a relay beside the body.

use holdpoint_check::args;
use holdpoint_gateway::cipher::Secret;
use holdpoint_gateway::profile::Own;
use holdpoint_store::codes::HEADER;
use serde::{Deserialize, Serialize};
use worker::Request;

use crate::account::Caller;
use crate::answer::EdgeError;

/// Carries the [`Order`].
pub const ORDER_HEADER: &str = "x-holdpoint-order";
/// Where a relay takes calls.
pub const RELAY_CALL: &str = "http://relay/call";

/// Whose model is called.
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
    /// Whose it is.
    pub user_id: String,
}

/// A call as ordered.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    /// Of this request.
    pub request_id: String,
    /// Who asks.
    pub caller: Caller,
    /// `holdpoint-run`.
    pub run: Option<String>,
    /// `holdpoint-tag`.
    pub tag: Option<String>,
    /// `holdpoint-template`.
    pub template: Option<String>,
    /// `holdpoint-usage-comment: 1`.
    pub usage_comment: bool,
    /// Of our own callers: the stream begins with the admission, and a caller that leaves means `cancel_estimate`.
    #[serde(default)]
    pub early: bool,
    /// Whose model it is.
    #[serde(default)]
    pub via: Via,
}

impl Order {
    /// As a header carries it: a header has no letters beyond ASCII, a model's name may.
    pub fn written(&self) -> Result<String, EdgeError> {
        let mut written = String::new();
        for letter in serde_json::to_string(self)?.chars() {
            if letter.is_ascii() {
                written.push(letter);
            } else {
                let units =
                    letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
                written.push_str(&units);
            }
        }
        Ok(written)
    }

    /// Reads our own headers of a client's request.
    pub fn read(request_id: &str, caller: Caller, request: &Request) -> Result<Self, EdgeError> {
        const MAX_TAG: usize = 64;
        let word = |name: &str| -> Result<Option<String>, EdgeError> {
            let Some(text) = request.headers().get(name)? else { return Ok(None) };
            let plain = |c: char| c.is_ascii_alphanumeric() || "._:-".contains(c);
            if !text.is_empty() && text.len() <= MAX_TAG && text.chars().all(plain) {
                return Ok(Some(text));
            }
            Err(EdgeError::of(400, &HEADER, args! { header: name, most: MAX_TAG }).with("header", name))
        };
        Ok(Self {
            request_id: request_id.to_owned(),
            caller,
            run: word("holdpoint-run")?,
            tag: word("holdpoint-tag")?,
            template: word("holdpoint-template")?,
            usage_comment: request.headers().get("holdpoint-usage-comment")?.as_deref() == Some("1"),
            early: false,
            via: Via::Platform,
        })
    }
}
