//! Usage of a call: reported by the upstream, or estimated from bytes (spec: gateway.md §11 `usage.extract`).
//!
//! Invariant: the observer keeps counters, never content.

use serde::Serialize;

use crate::wire::{Chunk, Reported, Usage};

/// Where the numbers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Reported,
    Partial,
    Missing,
    Estimated,
}

/// What a call used, as far as is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Extract {
    pub source: Source,
    #[serde(flatten)]
    pub usage: Usage,
    pub total: u64,
    /// Why the model stopped, in the upstream's words.
    pub finish: Option<String>,
}

/// Watches the chunks of one answer.
#[derive(Debug, Clone, Default)]
pub struct Observer {
    reported: Option<Reported>,
    finish: Option<String>,
    received_bytes: u64,
    /// How many of them had come with the last usage.
    reported_bytes: u64,
}

impl Observer {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn finish(&self) -> Option<&str> {
        self.finish.as_deref()
    }

    /// Bytes of text, thinking, tool names and arguments received.
    pub fn received_bytes(&self) -> u64 {
        self.received_bytes
    }

    pub fn take(&mut self, chunk: &Chunk) {
        self.received_bytes = self.received_bytes.saturating_add(chunk.said_bytes());
        let firsts = chunk.choices().iter().filter(|choice| choice.index.is_none_or(|index| index == 0));
        if let Some(finish) = firsts.filter_map(|choice| choice.finish.as_ref()).next_back() {
            self.finish = Some(finish.clone());
        }
        if let Some(counters) = &chunk.usage {
            let mut reported = self.reported.unwrap_or_default();
            if reported.take(counters) {
                (self.reported, self.reported_bytes) = (Some(reported), self.received_bytes);
            }
        }
    }

    /// Counts an answer, or a part of one, that cannot be read: all its bytes may be text.
    pub fn unreadable(&mut self, bytes: u64) {
        self.received_bytes = self.received_bytes.saturating_add(bytes);
    }

    pub fn extract(&self) -> Extract {
        let source = match self.reported {
            None => Source::Missing,
            Some(reported) if reported.complete => Source::Reported,
            Some(_) => Source::Partial,
        };
        let usage = self.reported.unwrap_or_default().usage;
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
        if usage.prompt() == 0 {
            usage.input = input_bytes.div_ceil(bytes_per_token.max(1));
        }
        usage.output = usage.output.max(self.received_bytes.div_ceil(bytes_per_token.max(1)));
        extract.total = usage.total();
        extract.source = Source::Estimated;
        extract
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::wire::Protocol;

    /// The largest counter that is believed.
    const MAX_REPORTED: u64 = 1_000_000_000;

    fn seen(protocol: Protocol, body: &Value) -> Extract {
        let mut observer = Observer::new();
        observer.take(&Chunk::body_value(protocol, body).unwrap());
        observer.estimate(30, 3)
    }

    fn body(usage: &Value) -> Extract {
        seen(Protocol::OpenAi, &json!({"choices": [{"message": {"content": "abcdef"}}], "usage": usage}))
    }

    #[test]
    fn what_came_of_an_answer_that_cannot_be_read_is_charged_by_its_bytes() {
        let mut observer = Observer::new();
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
            let members = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"];
            let counters: Value = members.iter().map(|name| ((*name).to_owned(), number.clone())).collect();
            let anthropic = json!({"content": [{"type": "text", "text": "abcdef"}], "usage": counters});
            assert_eq!(seen(Protocol::Anthropic, &anthropic).total, 12, "{number}");
        }
        let most = body(&json!({"prompt_tokens": MAX_REPORTED, "completion_tokens": MAX_REPORTED}));
        assert_eq!((most.source, most.total), (Source::Reported, 2 * MAX_REPORTED));
    }
}
