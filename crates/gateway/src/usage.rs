//! Usage of a call: reported by the upstream, or estimated from bytes (spec: gateway.md §11 `usage.extract`).
//!
//! Invariant: the observer keeps counters, never content; `input` is fresh tokens only.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::protocol::Protocol;

/// Tokens of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Fresh input.
    pub input: u64,
    /// Read from a cache.
    pub cached_input: u64,
    /// Written to a cache.
    pub cache_write: u64,
    /// The part of `cache_write` that was written for an hour.
    pub cache_write_1h: u64,
    /// Output, reasoning included.
    pub output: u64,
    /// The part of `output` that was reasoning.
    pub reasoning: u64,
}

impl Usage {
    /// Input, cached, written and output together.
    pub fn total(&self) -> u64 {
        [self.input, self.cached_input, self.cache_write, self.output].into_iter().fold(0, u64::saturating_add)
    }
}

/// Where the numbers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Source {
    Reported,
    Partial,
    Missing,
    Estimated,
}

/// What a call used, as far as is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Extract {
    /// Where from.
    pub source: Source,
    /// Tokens.
    #[serde(flatten)]
    pub usage: Usage,
    /// Their sum.
    pub total: u64,
    /// Why the model stopped, in the upstream's words.
    pub finish: Option<String>,
}

/// Watches the events of one stream, or one body.
#[derive(Debug, Clone)]
pub struct Observer {
    protocol: Protocol,
    usage: Option<Usage>,
    complete: bool,
    has_input: bool,
    finish: Option<String>,
    received_bytes: u64,
    /// How many of them had come with the last usage.
    reported_bytes: u64,
}

impl Observer {
    /// Nothing seen yet.
    pub fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            usage: None,
            complete: false,
            has_input: false,
            finish: None,
            received_bytes: 0,
            reported_bytes: 0,
        }
    }

    /// The last finish reason.
    pub fn finish(&self) -> Option<&str> {
        self.finish.as_deref()
    }

    /// Bytes of text, thinking, tool names and arguments received.
    pub fn received_bytes(&self) -> u64 {
        self.received_bytes
    }

    /// Reads one parsed event; `name` stands in for a missing `type`.
    pub fn event(&mut self, name: Option<&str>, data: &Value) {
        match self.protocol {
            Protocol::OpenAi => self.openai(data, "delta"),
            Protocol::Anthropic => self.anthropic_event(name, data),
        }
    }

    /// Counts an answer, or a part of one, that cannot be read: all its bytes may be text.
    pub fn unreadable(&mut self, bytes: u64) {
        self.received_bytes = self.received_bytes.saturating_add(bytes);
    }

    /// Reads a whole answer.
    pub fn body(&mut self, body: &Value) {
        match self.protocol {
            Protocol::OpenAi => self.openai(body, "message"),
            Protocol::Anthropic => {
                for block in array(body.get("content")) {
                    self.count_block(block);
                }
                self.stop_reason(body);
                self.anthropic_usage(body.get("usage"), true);
            }
        }
    }

    fn openai(&mut self, data: &Value, part: &str) {
        for choice in array(data.get("choices")) {
            if let Some(message) = choice.get(part) {
                self.count_message(message);
            }
            let first = choice.get("index").is_none_or(|index| whole(Some(index)) == Some(0));
            if let Some(finish) = choice.get("finish_reason").and_then(Value::as_str)
                && first
            {
                self.finish = Some(finish.to_owned());
            }
        }
        if let Some(usage) = data.get("usage")
            && let Some(prompt) = whole(usage.get("prompt_tokens"))
        {
            let (usage, complete) = openai_usage(usage, prompt);
            (self.usage, self.complete) = (Some(usage), complete);
            self.reported_bytes = self.received_bytes;
        }
    }

    fn count_message(&mut self, message: &Value) {
        for member in ["content", "reasoning_content", "reasoning", "refusal"] {
            self.count(message.get(member));
            for part in array(message.get(member)) {
                self.count(part.get("text"));
                self.count(part.get("refusal"));
            }
        }
        for call in array(message.get("tool_calls")) {
            self.count(call.pointer("/function/name"));
            self.count(call.pointer("/function/arguments"));
        }
    }

    fn anthropic_event(&mut self, name: Option<&str>, data: &Value) {
        match data.get("type").and_then(Value::as_str).or(name) {
            Some("message_start") => self.anthropic_usage(data.pointer("/message/usage"), false),
            Some("content_block_start") => {
                if let Some(block) = data.get("content_block") {
                    self.count_block(block);
                }
            }
            Some("content_block_delta") => {
                for member in ["text", "thinking", "partial_json"] {
                    self.count(data.pointer(&format!("/delta/{member}")));
                }
            }
            Some("message_delta") => {
                if let Some(delta) = data.get("delta") {
                    self.stop_reason(delta);
                }
                self.anthropic_usage(data.get("usage"), true);
            }
            _ => {}
        }
    }

    fn count_block(&mut self, block: &Value) {
        for member in ["text", "thinking", "name"] {
            self.count(block.get(member));
        }
        if let Some(Value::Object(input)) = block.get("input")
            && !input.is_empty()
        {
            self.received_bytes += Value::Object(input.clone()).to_string().len() as u64;
        }
    }

    fn count(&mut self, text: Option<&Value>) {
        self.received_bytes += text.and_then(Value::as_str).map_or(0, str::len) as u64;
    }

    fn stop_reason(&mut self, holder: &Value) {
        if let Some(reason) = holder.get("stop_reason").and_then(Value::as_str) {
            self.finish = Some(reason.to_owned());
        }
    }

    /// The counters are cumulative: each one that is there replaces the one before. `last`: a delta or a body.
    fn anthropic_usage(&mut self, counters: Option<&Value>, last: bool) {
        let Some(counters @ Value::Object(_)) = counters else { return };
        let mut usage = self.usage.unwrap_or_default();
        let mut seen = false;
        let mut take = |value: Option<u64>, place: &mut u64| {
            if let Some(value) = value {
                *place = value;
                seen = true;
            }
            value.is_some()
        };
        self.has_input |= take(whole(counters.get("input_tokens")), &mut usage.input);
        take(whole(counters.get("cache_read_input_tokens")), &mut usage.cached_input);
        let five_minutes = whole(counters.pointer("/cache_creation/ephemeral_5m_input_tokens"));
        let hour = whole(counters.pointer("/cache_creation/ephemeral_1h_input_tokens"));
        let created = five_minutes.map_or(hour, |five| Some(five.saturating_add(hour.unwrap_or(0))));
        take(whole(counters.get("cache_creation_input_tokens")).or(created), &mut usage.cache_write);
        take(hour, &mut usage.cache_write_1h);
        self.complete |= take(whole(counters.get("output_tokens")), &mut usage.output) && last;
        let thinking = whole(counters.pointer("/output_tokens_details/thinking_tokens"));
        take(thinking, &mut usage.reasoning);
        usage.cache_write_1h = usage.cache_write_1h.min(usage.cache_write);
        usage.reasoning = usage.reasoning.min(usage.output);
        if seen {
            self.usage = Some(usage);
            self.reported_bytes = self.received_bytes;
        }
    }

    /// What was reported.
    pub fn extract(&self) -> Extract {
        let complete = self.complete && (self.protocol == Protocol::OpenAi || self.has_input);
        let source = match self.usage {
            None => Source::Missing,
            Some(_) if complete => Source::Reported,
            Some(_) => Source::Partial,
        };
        let usage = self.usage.unwrap_or_default();
        Extract { source, usage, total: usage.total(), finish: self.finish.clone() }
    }

    /// What was reported, else estimated from the bytes of the compact request and of what was received.
    pub fn estimate(&self, input_bytes: u64, bytes_per_token: u64) -> Extract {
        let extract = self.extract();
        if extract.source == Source::Reported { extract } else { self.at_least(input_bytes, bytes_per_token) }
    }

    /// The same of a stream: what it said before its end is how far it was, and the least that it used.
    pub fn estimate_stream(&self, ended: bool, input_bytes: u64, bytes_per_token: u64) -> Extract {
        if ended && self.reported_bytes == self.received_bytes {
            self.estimate(input_bytes, bytes_per_token)
        } else {
            self.at_least(input_bytes, bytes_per_token)
        }
    }

    fn at_least(&self, input_bytes: u64, bytes_per_token: u64) -> Extract {
        let mut extract = self.extract();
        let usage = &mut extract.usage;
        if usage.input.saturating_add(usage.cached_input).saturating_add(usage.cache_write) == 0 {
            usage.input = input_bytes.div_ceil(bytes_per_token.max(1));
        }
        usage.output = usage.output.max(self.received_bytes.div_ceil(bytes_per_token.max(1)));
        extract.total = usage.total();
        extract.source = Source::Estimated;
        extract
    }
}

/// Cached and written tokens are parts of the prompt.
fn openai_usage(counters: &Value, prompt: u64) -> (Usage, bool) {
    let cached = whole(counters.pointer("/prompt_tokens_details/cached_tokens"))
        .or_else(|| whole(counters.get("prompt_cache_hit_tokens")))
        .unwrap_or(0)
        .min(prompt);
    let written =
        whole(counters.pointer("/prompt_tokens_details/cache_write_tokens")).unwrap_or(0).min(prompt - cached);
    let total = whole(counters.get("total_tokens"));
    let counted = whole(counters.get("completion_tokens")).or_else(|| total.map(|total| total.saturating_sub(prompt)));
    let complete = counted.is_some();
    let mut output = counted.unwrap_or(0);
    let reasoning = whole(counters.pointer("/completion_tokens_details/reasoning_tokens")).unwrap_or(0);
    // A server that counts reasoning apart says so by its total.
    let apart = prompt.checked_add(output).and_then(|sum| sum.checked_add(reasoning));
    if reasoning > 0 && whole(counters.get("completion_tokens")).is_some() && total == apart {
        output = output.saturating_add(reasoning);
    }
    let usage = Usage {
        input: prompt - cached - written,
        cached_input: cached,
        cache_write: written,
        cache_write_1h: 0,
        output,
        reasoning: reasoning.min(output),
    };
    (usage, complete)
}

/// The most tokens of a kind that an upstream is believed to have used in one call: a hundred times the largest context
/// window there is. A larger counter is a fault of the upstream and counts as absent.
const MAX_REPORTED: u64 = 1_000_000_000;

/// A counter: an integer from 0 to [`MAX_REPORTED`]; `12.0` counts.
fn whole(value: Option<&Value>) -> Option<u64> {
    let value = value?;
    let integral = |float: &f64| (0.0..=MAX_REPORTED as f64).contains(float) && float.fract() == 0.0;
    let number = value.as_u64().or_else(|| value.as_f64().filter(integral).map(|float| float as u64))?;
    (number <= MAX_REPORTED).then_some(number)
}

fn array(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn body(usage: &Value) -> Extract {
        let mut observer = Observer::new(Protocol::OpenAi);
        observer.body(&json!({"choices": [{"message": {"content": "abcdef"}}], "usage": usage}));
        observer.estimate(30, 3)
    }

    #[test]
    fn what_came_of_an_answer_that_cannot_be_read_is_charged_by_its_bytes() {
        let mut observer = Observer::new(Protocol::OpenAi);
        observer.unreadable(31);
        let found = observer.estimate(30, 3);
        assert_eq!((found.source, found.usage.input, found.usage.output), (Source::Estimated, 10, 11));
    }

    #[test]
    fn a_counter_that_no_call_can_reach_counts_as_absent() {
        let hostile = [
            json!(MAX_REPORTED + 1),
            json!((1_u64 << 53) - 1),
            json!(u64::MAX),
            json!(1e308),
            json!(-1),
            json!(i64::MIN),
            json!(-1e308),
            json!(0.5),
            json!("9"),
            json!([9]),
        ];
        for number in &hostile {
            let (prompt, completion) =
                (json!({"prompt_tokens": number}), json!({"prompt_tokens": 7, "completion_tokens": number}));
            let (prompt, completion) = (body(&prompt), body(&completion));
            assert_eq!(
                (prompt.source, prompt.usage.input, prompt.usage.output),
                (Source::Estimated, 10, 2),
                "{number}"
            );
            assert_eq!(
                (completion.source, completion.usage.input, completion.usage.output),
                (Source::Estimated, 7, 2),
                "{number}"
            );
            let details =
                json!({"prompt_tokens": 7, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": number}});
            assert_eq!(body(&details).usage, Usage { input: 7, output: 2, ..Usage::default() }, "{number}");
            let mut anthropic = Observer::new(Protocol::Anthropic);
            let members = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"];
            let counters: Value = members.iter().map(|name| ((*name).to_owned(), number.clone())).collect();
            anthropic.body(&json!({"content": [{"type": "text", "text": "abcdef"}], "usage": counters}));
            assert_eq!(anthropic.estimate(30, 3).total, 12, "{number}");
        }
        let most = body(&json!({"prompt_tokens": MAX_REPORTED, "completion_tokens": MAX_REPORTED}));
        assert_eq!((most.source, most.total), (Source::Reported, 2 * MAX_REPORTED));
    }
}
