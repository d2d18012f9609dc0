//! The quote: an upper bound of what a request can use and cost (spec: gateway.md §5).
//!
//! Invariant: no usage that a server may report for the request is above it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::limits::Limits;
use crate::price::{Price, micros};
use crate::refusal::{Code, GatewayError};
use crate::wire::members::{self, Found, Media, MediaPart, Rules};
use crate::wire::{Protocol, request};

const MAX_CHOICES: u64 = 16;

/// What a quote must know of a model: a price row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelRow {
    /// Tokens of input that it reads at most.
    pub context_window: u64,
    /// Tokens that it writes at most.
    pub max_output: u64,
    /// Its prices; `None`: nobody set them.
    pub price: Option<Price>,
    /// It counts the tokens of an image.
    pub image_tokens_max: Option<u64>,
    /// Tokens of a document or file.
    pub document_tokens_max: Option<u64>,
    /// Tokens of an audio part.
    pub audio_tokens_max: Option<u64>,
    /// Service tiers whose price is the row's.
    pub service_tiers: Option<Vec<String>>,
}

impl Default for ModelRow {
    fn default() -> Self {
        Self {
            context_window: u64::MAX,
            max_output: u64::MAX,
            price: None,
            image_tokens_max: None,
            document_tokens_max: None,
            audio_tokens_max: None,
            service_tiers: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Quote {
    /// The most tokens that the input may have.
    pub input_bound: u64,
    /// Most output tokens of one choice; goes into the request.
    pub max_output: u64,
    /// Most output tokens in all.
    pub output_bound: u64,
    pub tokens: u64,
    /// The most millionths that may be spent.
    pub cost: u64,
    /// The dearest input price that could apply.
    pub price_in: u64,
    /// The dearest output price that could apply.
    pub price_out: u64,
    /// Media parts: each counts its price row's maximum in the input bound.
    pub media: u64,
}

/// The bounds of a request, or why it has none. `passes`: members that the provider lets pass beside the listed ones.
pub fn quote(
    protocol: Protocol,
    body: &Value,
    model: &ModelRow,
    passes: &[String],
    default_output: Option<u64>,
    limits: &Limits,
) -> Result<Quote, GatewayError> {
    let price = model.price.as_ref().ok_or_else(|| GatewayError::new(Code::ModelNotPriced))?;
    let found = metered(protocol, body, passes, model.service_tiers.as_deref())?;
    let mut media_tokens = 0_u64;
    for part in &found.media {
        media_tokens = media_tokens.saturating_add(model.tokens_of(part)?);
    }
    if !body.is_object() {
        return Err(GatewayError::at(Code::InvalidRequest, ""));
    }

    let compact = compact_len(body).saturating_sub(found.payload_bytes);
    let tools = ["tools", "functions"].iter().any(|name| body[*name].as_array().is_some_and(|list| !list.is_empty()));
    let overhead = limits.overhead_tokens + if tools { limits.tools_overhead_tokens } else { 0 };
    let input_bound = compact.saturating_add(overhead).saturating_add(media_tokens).min(model.context_window);

    let max_output = max_output(protocol, body, model, default_output.unwrap_or(limits.default_max_output))?;
    let choices = match protocol {
        Protocol::OpenAi => request::positive(body, "n")?.unwrap_or(1),
        Protocol::Anthropic => 1,
    };
    if choices > MAX_CHOICES {
        return Err(GatewayError::at(Code::InvalidRequest, "/n"));
    }
    let prediction = match (protocol, body.pointer("/prediction/content")) {
        (Protocol::OpenAi, Some(content)) if !content.is_null() => compact_len(content),
        _ => 0,
    };
    let output_bound = max_output.saturating_mul(choices).saturating_add(prediction);

    let (mut price_in, mut price_out) = (0, 0);
    for rates in price.reachable(input_bound) {
        let hour = if found.hour { rates.cache_write_1h } else { 0 };
        price_in = price_in.max(rates.input).max(rates.cached_input).max(rates.cache_write).max(hour);
        price_out = price_out.max(rates.output);
    }
    let cost = micros(&[(input_bound, price_in), (output_bound, price_out)]).saturating_add(price.request);
    let tokens = input_bound.saturating_add(output_bound);
    let media = found.media.len() as u64;
    Ok(Quote { input_bound, max_output, output_bound, tokens, cost, price_in, price_out, media })
}

/// What a body holds, if every member of it is one whose price is known: listed, or let pass by the provider.
pub(crate) fn metered(
    protocol: Protocol,
    body: &Value,
    passes: &[String],
    tiers: Option<&[String]>,
) -> Result<Found, GatewayError> {
    let found = members::read(protocol, body, Rules { passes, tiers });
    if found.unmetered.is_empty() {
        return Ok(found);
    }
    Err(GatewayError::new(Code::UnmeteredFeature).with(json!({ "pointers": found.unmetered })))
}

impl ModelRow {
    /// The most tokens of a part.
    fn tokens_of(&self, part: &MediaPart) -> Result<u64, GatewayError> {
        let most = match part.media {
            Media::Image => self.image_tokens_max,
            Media::Document => self.document_tokens_max,
            Media::Audio => self.audio_tokens_max,
            Media::Other(_) => None,
        };
        most.ok_or_else(|| {
            GatewayError::at(Code::MediaNotPriced, part.pointer.as_str()).with(json!({ "media": part.media.name() }))
        })
    }
}

/// UTF-8 length as minimal JSON.
pub fn compact_len(value: &Value) -> u64 {
    value.to_string().len() as u64
}

fn max_output(protocol: Protocol, body: &Value, model: &ModelRow, default: u64) -> Result<u64, GatewayError> {
    let given = request::max_output(protocol, body)?;
    if given.is_none() && protocol == Protocol::Anthropic {
        return Err(GatewayError::at(Code::InvalidRequest, "/max_tokens"));
    }
    Ok(given.unwrap_or(default).min(model.max_output))
}
