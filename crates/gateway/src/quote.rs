//! The quote: an upper bound of what a request can use and cost (spec: gateway.md §5).
//!
//! Invariant: no usage that a server may report for the request is above it.

use holdpoint_text::pointer::join;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::limits::Limits;
use crate::price::{Price, micros};
use crate::refusal::{Code, Refusal};
use crate::wire::{Protocol, request};

/// The largest `n`.
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
    /// Tokens of an image.
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

/// Bounds of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Quote {
    /// Most input tokens.
    pub input_bound: u64,
    /// Most output tokens of one choice; goes into the request.
    pub max_output: u64,
    /// Most output tokens in all.
    pub output_bound: u64,
    /// Both bounds.
    pub tokens: u64,
    /// Most micros.
    pub cost: u64,
    /// The dearest input price that could apply.
    pub price_in: u64,
    /// The dearest output price that could apply.
    pub price_out: u64,
    /// Media parts: each counts its price row's maximum in the input bound.
    pub media: u64,
}

/// The bounds of a request, or why it has none.
pub fn quote(
    protocol: Protocol,
    body: &Value,
    model: &ModelRow,
    default_output: Option<u64>,
    limits: &Limits,
) -> Result<Quote, Refusal> {
    let price = model.price.as_ref().ok_or_else(|| Refusal::new(Code::ModelNotPriced))?;
    let mut open = unmetered(protocol, body, model.service_tiers.as_deref());
    if !open.is_empty() {
        open.sort();
        return Err(Refusal::new(Code::UnmeteredFeature).with(json!({ "pointers": open })));
    }
    let mut counted = Counted { model, parts: 0, tokens: 0, hour: false };
    let emptied = counted.empty(body, "")?;
    if !body.is_object() {
        return Err(Refusal::at(Code::InvalidRequest, ""));
    }

    let compact = compact_len(&emptied);
    let tools = ["tools", "functions"].iter().any(|name| body[*name].as_array().is_some_and(|list| !list.is_empty()));
    let overhead = limits.overhead_tokens + if tools { limits.tools_overhead_tokens } else { 0 };
    let input_bound = compact.saturating_add(overhead).saturating_add(counted.tokens).min(model.context_window);

    let max_output = max_output(protocol, body, model, default_output.unwrap_or(limits.default_max_output))?;
    let choices = match protocol {
        Protocol::OpenAi => request::positive(body, "n")?.unwrap_or(1),
        Protocol::Anthropic => 1,
    };
    if choices > MAX_CHOICES {
        return Err(Refusal::at(Code::InvalidRequest, "/n"));
    }
    let prediction = match (protocol, body.pointer("/prediction/content")) {
        (Protocol::OpenAi, Some(content)) if !content.is_null() => compact_len(content),
        _ => 0,
    };
    let output_bound = max_output.saturating_mul(choices).saturating_add(prediction);

    let (mut price_in, mut price_out) = (0, 0);
    for rates in price.reachable(input_bound) {
        let hour = if counted.hour { rates.cache_write_1h } else { 0 };
        price_in = price_in.max(rates.input).max(rates.cached_input).max(rates.cache_write).max(hour);
        price_out = price_out.max(rates.output);
    }
    let cost = micros(&[(input_bound, price_in), (output_bound, price_out)]).saturating_add(price.request);
    let tokens = input_bound.saturating_add(output_bound);
    Ok(Quote { input_bound, max_output, output_bound, tokens, cost, price_in, price_out, media: counted.parts })
}

/// UTF-8 length as minimal JSON.
pub fn compact_len(value: &Value) -> u64 {
    value.to_string().len() as u64
}

fn max_output(protocol: Protocol, body: &Value, model: &ModelRow, default: u64) -> Result<u64, Refusal> {
    let given = request::max_output(protocol, body)?;
    if given.is_none() && protocol == Protocol::Anthropic {
        return Err(Refusal::at(Code::InvalidRequest, "/max_tokens"));
    }
    Ok(given.unwrap_or(default).min(model.max_output))
}

/// Pointers of the members whose price has no bound.
fn unmetered(protocol: Protocol, body: &Value, tiers: Option<&[String]>) -> Vec<String> {
    let given = |name: &str| !body[name].is_null();
    let tier_outside = |fallback: &[&str]| match &body["service_tier"] {
        Value::Null => false,
        Value::String(tier) => match tiers {
            Some(tiers) => !tiers.contains(tier),
            None => !fallback.contains(&tier.as_str()),
        },
        _ => true,
    };
    let mut open = Vec::new();
    match protocol {
        Protocol::OpenAi => {
            open.extend(
                ["web_search_options", "audio"].into_iter().filter(|name| given(name)).map(|name| format!("/{name}")),
            );
            if body["modalities"].as_array().is_some_and(|list| list.contains(&json!("audio"))) {
                open.push("/modalities".to_owned());
            }
            if tier_outside(&["auto", "default"]) {
                open.push("/service_tier".to_owned());
            }
        }
        Protocol::Anthropic => {
            open.extend(
                ["mcp_servers", "container"].into_iter().filter(|name| given(name)).map(|name| format!("/{name}")),
            );
            for (index, tool) in body["tools"].as_array().into_iter().flatten().enumerate() {
                if !matches!(&tool["type"], Value::Null) && tool["type"] != json!("custom") {
                    open.push(format!("/tools/{index}/type"));
                }
            }
            if given("speed") && body["speed"] != json!("standard") {
                open.push("/speed".to_owned());
            }
            if tier_outside(&["auto", "standard_only"]) {
                open.push("/service_tier".to_owned());
            }
        }
    }
    open
}

/// Media found on the way through a body.
struct Counted<'m> {
    model: &'m ModelRow,
    parts: u64,
    tokens: u64,
    hour: bool,
}

impl Counted<'_> {
    /// The value with its media payloads emptied; each part counts its price row's maximum.
    fn empty(&mut self, value: &Value, pointer: &str) -> Result<Value, Refusal> {
        match value {
            Value::Array(items) => {
                let items = items.iter().enumerate().map(|(index, item)| self.empty(item, &join(pointer, index)));
                Ok(Value::Array(items.collect::<Result<_, _>>()?))
            }
            Value::Object(members) => {
                let kind = Media::of(value);
                if let Some(kind) = kind {
                    self.tokens = self.tokens.saturating_add(self.tokens_of(kind, pointer)?);
                    self.parts += 1;
                }
                if members.get("cache_control").is_some_and(|cache| cache["ttl"] == json!("1h")) {
                    self.hour = true;
                }
                let mut copy = serde_json::Map::with_capacity(members.len());
                for (key, member) in members {
                    let emptied = match (kind, key.as_str()) {
                        (Some(Media::ImageUrl), "image_url") => without(member, &["url"]),
                        (Some(Media::Image | Media::Document), "source") => without(member, &["data", "url"]),
                        (Some(Media::Audio), "input_audio") | (Some(Media::File), "file") => json!({}),
                        _ => self.empty(member, &join(pointer, key))?,
                    };
                    copy.insert(key.clone(), emptied);
                }
                Ok(Value::Object(copy))
            }
            other => Ok(other.clone()),
        }
    }

    fn tokens_of(&self, kind: Media, pointer: &str) -> Result<u64, Refusal> {
        let (most, name) = match kind {
            Media::ImageUrl | Media::Image => (self.model.image_tokens_max, "image"),
            Media::Document | Media::File => (self.model.document_tokens_max, "document"),
            Media::Audio => (self.model.audio_tokens_max, "audio"),
        };
        most.ok_or_else(|| Refusal::at(Code::MediaNotPriced, pointer).with(json!({ "media": name })))
    }
}

#[derive(Clone, Copy)]
enum Media {
    ImageUrl,
    Image,
    Document,
    File,
    Audio,
}

impl Media {
    /// What kind of media part an object is.
    fn of(part: &Value) -> Option<Self> {
        let payload = || matches!(part["source"]["type"].as_str(), Some("base64" | "url" | "file"));
        match part["type"].as_str()? {
            "image_url" => Some(Self::ImageUrl),
            "image" => Some(Self::Image),
            "document" if payload() => Some(Self::Document),
            "file" => Some(Self::File),
            "input_audio" => Some(Self::Audio),
            _ => None,
        }
    }
}

fn without(value: &Value, payloads: &[&str]) -> Value {
    let mut copy = value.clone();
    for name in payloads {
        if let Some(payload) = copy.get_mut(*name) {
            *payload = json!("");
        }
    }
    copy
}
