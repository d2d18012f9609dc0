//! What providers report of a call's tokens, and what it means in one set of words.
//!
//! A counter is an integer from 0; one that no call can reach is a fault of the upstream and counts as absent, as does
//! everything else. Invariant: `input` is fresh tokens only.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::read::Place;

/// The most tokens of a kind that an upstream is believed to have used in one call: a hundred times the largest context
/// window there is.
const MAX_REPORTED: u64 = 1_000_000_000;

/// It counts the tokens of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    pub input: u64,
    pub cached_input: u64,
    pub cache_write: u64,
    /// The part of `cache_write` that was written for an hour.
    pub cache_write_1h: u64,
    pub output: u64,
    /// The part of `output` that was reasoning.
    pub reasoning: u64,
}

impl Usage {
    /// All input: fresh, cached and written.
    pub fn prompt(&self) -> u64 {
        self.input.saturating_add(self.cached_input).saturating_add(self.cache_write)
    }

    /// Input, cached, written and output together.
    pub fn total(&self) -> u64 {
        self.prompt().saturating_add(self.output)
    }

    /// As the OpenAI protocol reports it.
    pub fn openai(&self) -> Value {
        let mut body = json!({
            "prompt_tokens": self.prompt(), "completion_tokens": self.output, "total_tokens": self.total(),
            "prompt_tokens_details": { "cached_tokens": self.cached_input },
        });
        if self.cache_write > 0 {
            body["prompt_tokens_details"]["cache_write_tokens"] = self.cache_write.into();
        }
        if self.reasoning > 0 {
            body["completion_tokens_details"] = json!({ "reasoning_tokens": self.reasoning });
        }
        body
    }

    /// The same with each detail, also where it is 0.
    pub(super) fn openai_in_full(&self) -> Value {
        let mut body = self.openai();
        body["prompt_tokens_details"]["cache_write_tokens"] = self.cache_write.into();
        body["completion_tokens_details"] = json!({ "reasoning_tokens": self.reasoning });
        body
    }

    /// As Anthropic's protocol reports it.
    pub fn anthropic(&self) -> Value {
        json!({
            "input_tokens": self.input, "cache_read_input_tokens": self.cached_input,
            "cache_creation_input_tokens": self.cache_write, "output_tokens": self.output,
        })
    }
}

/// A counter: an integer from 0 to [`MAX_REPORTED`]; `12.0` counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count(pub(super) Option<u64>);

impl Place for Count {
    fn number(&mut self, number: f64) {
        let is_count = (0.0..=MAX_REPORTED as f64).contains(&number) && number.fract() == 0.0;
        self.0 = is_count.then_some(number as u64);
    }
}

/// A report in a protocol's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counters {
    /// All of a call; the last one counts.
    OpenAi(OpenAi),
    /// Cumulative: each counter that is there replaces the one before.
    Anthropic(Anthropic),
}

/// `usage` of the OpenAI protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenAi {
    pub(super) prompt: Count,
    pub(super) completion: Count,
    pub(super) total: Count,
    pub(super) cached: Count,
    pub(super) cache_hit: Count,
    pub(super) cache_write: Count,
    pub(super) reasoning: Count,
}

/// `usage` of the Anthropic protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Anthropic {
    pub(super) input: Count,
    pub(super) cache_read: Count,
    pub(super) cache_write: Count,
    pub(super) five_minutes: Count,
    pub(super) hour: Count,
    pub(super) output: Count,
    pub(super) thinking: Count,
    /// Of a delta or a body, which are told at the end.
    pub(super) last: bool,
}

/// What was reported of one call so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reported {
    /// Counters that were not told are 0.
    pub usage: Usage,
    /// Whether input and output were both told, and the output at its end.
    pub complete: bool,
    input: bool,
    output: bool,
}

impl Reported {
    /// Takes the next report; `false`: it says nothing that can be believed.
    pub fn take(&mut self, counters: &Counters) -> bool {
        match counters {
            Counters::OpenAi(counters) => counters.report().is_some_and(|reported| {
                *self = reported;
                true
            }),
            Counters::Anthropic(counters) => self.add(counters),
        }
    }

    fn add(&mut self, counters: &Anthropic) -> bool {
        let usage = &mut self.usage;
        let mut seen = false;
        let mut take = |value: Option<u64>, place: &mut u64| {
            if let Some(value) = value {
                *place = value;
                seen = true;
            }
            value.is_some()
        };
        let (five_minutes, hour) = (counters.five_minutes.0, counters.hour.0);
        let created = five_minutes.map_or(hour, |five| Some(five.saturating_add(hour.unwrap_or(0))));
        self.input |= take(counters.input.0, &mut usage.input);
        take(counters.cache_read.0, &mut usage.cached_input);
        take(counters.cache_write.0.or(created), &mut usage.cache_write);
        take(hour, &mut usage.cache_write_1h);
        self.output |= take(counters.output.0, &mut usage.output) && counters.last;
        take(counters.thinking.0, &mut usage.reasoning);
        usage.cache_write_1h = usage.cache_write_1h.min(usage.cache_write);
        usage.reasoning = usage.reasoning.min(usage.output);
        self.complete = self.input && self.output;
        seen
    }
}

impl OpenAi {
    /// Cached and written tokens are parts of the prompt. `None` without a prompt.
    fn report(&self) -> Option<Reported> {
        let prompt = self.prompt.0?;
        let cached = self.cached.0.or(self.cache_hit.0).unwrap_or(0).min(prompt);
        let written = self.cache_write.0.unwrap_or(0).min(prompt - cached);
        let total = self.total.0;
        let counted = self.completion.0.or_else(|| total.map(|total| total.saturating_sub(prompt)));
        let mut output = counted.unwrap_or(0);
        let reasoning = self.reasoning.0.unwrap_or(0);
        // A server that counts reasoning apart says so by its total.
        if reasoning > 0 && self.completion.0.is_some() && total == Some(prompt + output + reasoning) {
            output += reasoning;
        }
        let usage = Usage {
            input: prompt - cached - written,
            cached_input: cached,
            cache_write: written,
            cache_write_1h: 0,
            output,
            reasoning: reasoning.min(output),
        };
        Some(Reported { usage, complete: counted.is_some(), input: true, output: counted.is_some() })
    }
}
