//! Reading a client's request: raw bytes in, a request that means something out (spec: gateway.md §2).
//!
//! Invariant: everything behind this module sees one reading of the body, within every limit of size and shape.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::config::{EFFORT, JSON_SCHEMA, Provider, STREAM_USAGE};
use crate::json::{self, JsonError};
use crate::limits::Limits;
use crate::quote::{ModelRow, Quote, metered, quote};
use crate::refusal::{Code, GatewayError};
use crate::splice::{Wanted, splice};
use crate::wire::request::too_large;
use crate::wire::translate::{self, Asking, Unsupported};
use crate::wire::{Protocol, Request};

/// A request as a provider is sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamBody {
    pub text: String,
    /// Features that the provider's protocol has no word for.
    pub dropped: Vec<String>,
}

/// A request for a model's answer.
#[derive(Debug, Clone)]
pub struct ModelCall {
    pub protocol: Protocol,
    pub text: String,
    pub body: Value,
    /// The alias that is asked for.
    pub model: String,
    /// Whether the answer is streamed.
    pub stream: bool,
    /// Whether the client asked for the usage chunk of an OpenAI stream.
    pub include_usage: bool,
}

impl ModelCall {
    /// Reads a body within the limits.
    pub fn read(protocol: Protocol, bytes: &[u8], limits: &Limits) -> Result<Self, GatewayError> {
        if bytes.len() as u64 > limits.max_body_bytes {
            return Err(too_large("bytes", bytes.len() as u64, limits.max_body_bytes));
        }
        let text = std::str::from_utf8(bytes)
            .map_err(|_| GatewayError::new(Code::InvalidJson).saying("Send the body as UTF-8."))?;
        let body = json::read(text, limits.json()).map_err(GatewayError::from)?;
        let Request { model, stream, include_usage, .. } = Request::read(&body, limits)?;
        let (model, text) = (model.to_owned(), text.to_owned());
        Ok(Self { protocol, text, body, model, stream, include_usage })
    }

    /// Its bounds on a model of a provider.
    pub fn quote(&self, provider: &Provider, model: &ModelRow, limits: &Limits) -> Result<Quote, GatewayError> {
        let model = self.row(provider, model);
        quote(self.protocol, &self.body, &model, &provider.passes, None, limits)
    }

    /// Refuses what [`ModelCall::quote`] refuses for its members, where nothing is charged.
    pub fn check_members(&self, provider: &Provider, model: &ModelRow) -> Result<(), GatewayError> {
        let tiers = self.row(provider, model).service_tiers.clone();
        metered(self.protocol, &self.body, &provider.passes, tiers.as_deref()).map(drop)
    }

    /// The fewest output tokens that its provider takes: what is thought is part of the output.
    pub fn least_output(&self) -> u64 {
        self.body["thinking"]["budget_tokens"].as_u64().map_or(1, |budget| budget.saturating_add(1))
    }

    /// A row's tiers are words of its provider's protocol.
    fn row<'m>(&self, provider: &Provider, model: &'m ModelRow) -> Cow<'m, ModelRow> {
        if provider.kind == self.protocol {
            return Cow::Borrowed(model);
        }
        Cow::Owned(ModelRow { service_tiers: None, ..model.clone() })
    }

    /// Its text for a provider, with at most so many tokens of output: spliced for one of the same protocol, translated
    /// for one of the other. Errors: what the other protocol has no words for.
    pub fn sent(
        &self,
        provider: &Provider,
        model: &str,
        max_output: Option<u64>,
        unsupported: Unsupported,
        limits: &Limits,
    ) -> Result<UpstreamBody, GatewayError> {
        let (model, limit_field) = (Some(model), provider.limit_field.as_deref());
        let stream_usage = provider.can(STREAM_USAGE);
        if provider.kind == self.protocol {
            let wanted = Wanted { model, max_output, limit_field, stream_usage };
            return Ok(UpstreamBody { text: splice(self.protocol, &self.text, &wanted).text, dropped: Vec::new() });
        }
        let asking = Asking {
            model,
            max_output,
            limit_field,
            stream_usage,
            json_schema: provider.can(JSON_SCHEMA),
            effort: provider.can(EFFORT),
            auto_cache: provider.auto_cache,
            unsupported,
        };
        let translated = translate::request(self.protocol, &self.body, &asking, limits)?;
        let dropped = translated.dropped.into_iter().map(|dropped| dropped.feature).collect();
        Ok(UpstreamBody { text: translated.body.to_string(), dropped })
    }
}

impl From<JsonError> for GatewayError {
    fn from(fault: JsonError) -> Self {
        let message = format!("Correct the body: {fault}.");
        match fault {
            JsonError::Duplicate(key) => Self::new(Code::DuplicateKey).with(json!({ "key": key })),
            JsonError::Invalid(_) => Self::new(Code::InvalidJson),
            JsonError::TooDeep(limit) => Self::at(Code::InvalidRequest, "").with(json!({ "limit": limit })),
            JsonError::TooMany(limit) => too_large("nodes", limit as u64 + 1, limit as u64),
        }
        .saying(message)
    }
}
