//! How a family of routes names its requests and says what went wrong, also of a path that is not there.

use holdpoint_check::route::Errors;
use holdpoint_gateway::Protocol;
use holdpoint_gateway::key::request_id;
use holdpoint_text::hex;
use serde_json::Value;
use worker::{Request, Response};

use crate::answer::{EdgeError, json_response};
use crate::auth;
use crate::envelope::{self, REQUEST_HEADER};
use crate::js::{now_ms, random};
use crate::project::reply::{CORRELATION_HEADER, error_answer, json_answer};
use crate::relay::VERSION_HEADER;

pub struct Voice {
    errors: Errors,
    /// The correlation id, or the id of a model's call.
    pub id: String,
    /// Whose shapes answers have, where it is one of a model's.
    pub protocol: Protocol,
    /// Beside English, where answers are said in more.
    language: Option<&'static str>,
}

impl Voice {
    pub fn of(errors: Errors, request: &Request) -> Result<Self, EdgeError> {
        let id = match errors {
            Errors::House | Errors::Envelope => named(request)?,
            Errors::Protocol => request_id(now_ms(), &random()?),
            Errors::Correlated => correlation(request)?,
        };
        let language = if errors == Errors::Envelope { envelope::language(request)? } else { None };
        let protocol = if errors == Errors::Protocol { protocol(request)? } else { Protocol::default() };
        Ok(Self { errors, id, protocol, language })
    }

    /// What a header of every answer names; those of other families name their request themselves.
    pub fn request_id(&self) -> Option<&str> {
        (self.errors == Errors::House).then_some(self.id.as_str())
    }

    /// That of a request which another part of the edge has named.
    pub fn forwarded(errors: Errors, id: String, request: &Request) -> Result<Self, EdgeError> {
        let language = if errors == Errors::Envelope { envelope::language(request)? } else { None };
        Ok(Self { errors, id, protocol: Protocol::default(), language })
    }

    pub fn give(&self, status: u16, data: Value) -> worker::Result<Response> {
        match self.errors {
            Errors::House | Errors::Protocol => json_response(status, &data),
            Errors::Correlated => json_answer(status, &data, &self.id),
            Errors::Envelope => envelope::given(status, data, self.language, &self.id),
        }
    }

    pub fn refuse(&self, fault: &EdgeError) -> worker::Result<Response> {
        match self.errors {
            Errors::House => fault.response(),
            Errors::Protocol => fault.protocol_response(self.protocol, &self.id),
            Errors::Correlated => error_answer(fault, &self.id),
            Errors::Envelope => envelope::refused(fault, self.language, &self.id),
        }
    }

    /// An error of a page that may not call: it is looked at before what is called.
    pub fn refuse_page(&self, fault: &EdgeError) -> worker::Result<Response> {
        match self.errors {
            Errors::Correlated | Errors::Envelope => self.refuse(fault),
            Errors::House | Errors::Protocol => fault.response(),
        }
    }

    /// The answer to a preflight.
    pub fn preflight(&self, request: &Request) -> worker::Result<Response> {
        let response = auth::preflight(request)?;
        match self.errors {
            Errors::Correlated => response.headers().set(CORRELATION_HEADER, &self.id)?,
            Errors::Envelope => response.headers().set(REQUEST_HEADER, &self.id)?,
            Errors::House | Errors::Protocol => {}
        }
        Ok(response)
    }
}

/// The protocol that a client speaks: where a path is of both, or of none, it says so by its version.
fn protocol(request: &Request) -> Result<Protocol, EdgeError> {
    let path = request.path();
    let named = request.headers().get(VERSION_HEADER)?.is_some() && path != "/v1/chat/completions";
    let is_anthropic = named || path == "/v1/messages" || path.starts_with("/v1/messages/");
    Ok(if is_anthropic { Protocol::Anthropic } else { Protocol::OpenAi })
}

/// The request's UUID, or a fresh one.
fn correlation(request: &Request) -> Result<String, EdgeError> {
    let given = request.headers().get(CORRELATION_HEADER)?.unwrap_or_default();
    if is_uuid(&given) {
        return Ok(given);
    }
    let mut bytes: [u8; 16] = random()?;
    // Version 4, variant 1 (RFC 9562).
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = hex(&bytes);
    Ok([&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-"))
}

/// The request's own name where it is a plain word, or a fresh one.
fn named(request: &Request) -> Result<String, EdgeError> {
    const MOST: usize = 64;
    let given = request.headers().get(REQUEST_HEADER)?.unwrap_or_default();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if (1..=MOST).contains(&given.len()) && given.bytes().all(plain) {
        return Ok(given);
    }
    Ok(request_id(now_ms(), &random()?))
}

fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
