//! A stream on its way from an upstream to a client (spec: gateway.md §2 "Fidelity", §7, §8).
//!
//! Owns what is seen on the way: usage, finish, completeness, a broken event. Invariant: to a client of the same
//! protocol bytes pass unchanged, chunk for chunk, but for the usage event that an OpenAI client did not ask for; only
//! then are bytes held back, and at most to the end of the event that they belong to. A client of the other protocol is
//! told each event in its own words.

use std::borrow::Cow;

use crate::limits::Limits;
use crate::refusal::{Code, GatewayError};
use crate::usage::{Extract, Observer};
use crate::wire::sse::{Parser, SseEvent, Step};
use crate::wire::translate::{Interpreter, Telling};
use crate::wire::{Chunk, Ended, Error, Protocol};

#[derive(Debug)]
pub struct Passed<'c> {
    pub bytes: Cow<'c, [u8]>,
    /// The stream ends here with this; `bytes` holds what came before the broken event.
    pub broken: Option<GatewayError>,
}

/// The state of one stream.
#[derive(Debug)]
pub struct Passage {
    parser: Parser,
    observer: Observer,
    protocol: Protocol,
    drop_usage: bool,
    most_pending: usize,
    pending: Vec<u8>,
    dropped_last: bool,
    sign: Option<Ended>,
    error: Option<Error>,
    /// What speaks to a client of the other protocol.
    interpreter: Option<Interpreter>,
}

impl Passage {
    /// A stream; with `drop_usage` the unasked usage event of the OpenAI protocol is left out.
    pub fn new(protocol: Protocol, drop_usage: bool, limits: &Limits) -> Self {
        let limit = limits.sse_event_bytes as usize;
        Self {
            parser: Parser::new(limit),
            observer: Observer::new(),
            protocol,
            drop_usage: drop_usage && protocol == Protocol::OpenAi,
            most_pending: limit.saturating_mul(2),
            pending: Vec::new(),
            dropped_last: false,
            sign: None,
            error: None,
            interpreter: None,
        }
    }

    /// A stream of the protocol `from` to a client of the other one.
    pub fn translated(from: Protocol, telling: Telling, limits: &Limits) -> Self {
        Self { interpreter: Some(Interpreter::new(from, telling)), ..Self::new(from, false, limits) }
    }

    pub fn push<'c>(&mut self, chunk: &'c [u8]) -> Passed<'c> {
        match (&self.interpreter, self.drop_usage) {
            (Some(_), _) => self.interpreted(chunk),
            (None, true) => self.filtered(chunk),
            (None, false) => self.watched(chunk),
        }
    }

    fn interpreted(&mut self, chunk: &[u8]) -> Passed<'static> {
        let mut told = Vec::new();
        let step = |byte: &u8| match self.step(*byte)? {
            (Step::Blank(Some(event)), Some(chunk)) => self.interpret(&event, &chunk, &mut told),
            _ => Ok(()),
        };
        let broken = chunk.iter().try_for_each(step).err();
        Passed { bytes: Cow::Owned(told), broken }
    }

    fn interpret(&mut self, event: &SseEvent, chunk: &Chunk, told: &mut Vec<u8>) -> Result<(), GatewayError> {
        let Some(interpreter) = &mut self.interpreter else { return Ok(()) };
        interpreter.take(event, chunk, |event| told.extend(event.text().into_bytes()))
    }

    fn watched<'c>(&mut self, chunk: &'c [u8]) -> Passed<'c> {
        let mut boundary = 0;
        for (at, byte) in chunk.iter().enumerate() {
            match self.step(*byte) {
                Ok((Step::Blank(_), _)) => boundary = at + 1,
                Ok(_) => {}
                Err(refusal) => return Passed { bytes: Cow::Borrowed(&chunk[..boundary]), broken: Some(refusal) },
            }
        }
        Passed { bytes: Cow::Borrowed(chunk), broken: None }
    }

    fn filtered<'c>(&mut self, chunk: &'c [u8]) -> Passed<'c> {
        let mut passed = Vec::with_capacity(self.pending.len() + chunk.len());
        let mut broken = None;
        for byte in chunk {
            let at_start = self.pending.is_empty();
            self.pending.push(*byte);
            match self.step(*byte) {
                // The other half of the line end that closed the event before shares its fate.
                Ok((Step::SecondHalf, _)) if at_start && self.dropped_last => self.pending.clear(),
                Ok((Step::SecondHalf, _)) if at_start => passed.append(&mut self.pending),
                Ok((Step::Blank(_), read)) => {
                    self.dropped_last = read.is_some_and(|chunk| chunk.is_only_usage());
                    if self.dropped_last {
                        self.pending.clear();
                    } else {
                        passed.append(&mut self.pending);
                    }
                }
                Ok((Step::Inside | Step::SecondHalf, _)) => {}
                Err(refusal) => {
                    broken = Some(refusal);
                    self.pending.clear();
                    break;
                }
            }
            if self.pending.len() > self.most_pending {
                broken = Some(GatewayError::new(Code::UpstreamProtocolError));
                self.pending.clear();
                break;
            }
        }
        Passed { bytes: Cow::Owned(passed), broken }
    }

    /// Reads one byte; answers the event that it closed.
    fn step(&mut self, byte: u8) -> Result<(Step, Option<Chunk>), GatewayError> {
        let step = self.parser.byte(byte).inspect_err(|error| self.observer.unreadable(error.limit as u64))?;
        let chunk = match &step {
            Step::Blank(Some(event)) => Some(self.event(event).inspect_err(|_| {
                self.observer.unreadable(event.data.len() as u64);
            })?),
            _ => None,
        };
        Ok((step, chunk))
    }

    fn event(&mut self, event: &SseEvent) -> Result<Chunk, GatewayError> {
        let chunk = Chunk::event(self.protocol, event)?;
        if chunk.error.is_some() {
            self.error.clone_from(&chunk.error);
            self.see(Ended::Error);
        } else if chunk.done {
            self.see(Ended::Complete);
        }
        self.observer.take(&chunk);
        Ok(chunk)
    }

    /// The upstream has ended: what was held back or is left to say, and how it ended. An event without its blank line
    /// still counts for usage, if it can be read.
    pub fn end(&mut self) -> (Vec<u8>, Ended) {
        let mut rest = std::mem::take(&mut self.pending);
        if let Ok(Some(tail)) = self.parser.clone().tail()
            && let Ok(chunk) = self.event(&tail)
        {
            // A tail that says nothing is the end as well.
            let _ = self.interpret(&tail, &chunk, &mut rest);
        }
        let ended = match &mut self.interpreter {
            Some(interpreter) => interpreter.end(|event| rest.extend(event.text().into_bytes())),
            None => self.ended(),
        };
        (rest, ended)
    }

    /// The upstream's own error, which a client of the other protocol is not told as it is.
    pub fn untold_error(&self) -> Option<&Error> {
        self.error.as_ref().filter(|_| self.interpreter.is_some())
    }

    /// How it would have ended, had it ended now.
    pub fn ended(&self) -> Ended {
        let finished = self.protocol == Protocol::OpenAi && self.observer.finish().is_some();
        self.sign.unwrap_or(if finished { Ended::Complete } else { Ended::Cut })
    }

    /// Notes a sign of the end; an error stays one.
    fn see(&mut self, sign: Ended) {
        if self.sign != Some(Ended::Error) {
            self.sign = Some(sign);
        }
    }

    /// Usage as reported so far.
    pub fn usage(&self) -> Extract {
        self.observer.extract()
    }

    /// Usage as reported at the end, else estimated.
    pub fn estimate(&self, input_bytes: u64, limits: &Limits) -> Extract {
        let ended = self.ended() == Ended::Complete;
        self.observer.estimate_stream(ended, input_bytes, limits.estimate_bytes_per_token)
    }

    /// Whether anything of an answer came.
    pub fn received_bytes(&self) -> u64 {
        self.observer.received_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::Source;
    use proptest::prelude::*;

    const USAGE: &str = "{\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}";

    fn stream(eol: &str) -> (String, String) {
        let event = |data: &str| format!("data: {data}{eol}{eol}");
        let text = event("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hé\"}}]}");
        let finish = event("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}");
        let (lead, done) = (format!(": ping{eol}{eol}{text}{finish}"), event("[DONE]"));
        (format!("{lead}{}{done}", event(USAGE)), format!("{lead}{done}"))
    }

    fn pass(drop_usage: bool, chunks: &[&[u8]]) -> (Vec<u8>, Passage) {
        let mut passage = Passage::new(Protocol::OpenAi, drop_usage, &Limits::default());
        let mut bytes = Vec::new();
        for chunk in chunks {
            let passed = passage.push(chunk);
            assert!(passed.broken.is_none());
            assert!(drop_usage || passed.bytes == *chunk, "chunk for chunk");
            bytes.extend_from_slice(&passed.bytes);
        }
        bytes.extend(passage.end().0);
        (bytes, passage)
    }

    proptest! {
        #[test]
        fn only_the_unasked_usage_event_is_left_out(cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..9), line in 0_usize..3) {
            let (with, without) = stream(["\n", "\r\n", "\r"][line]);
            let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(with.len() + 1)).collect();
            places.extend([0, with.len()]);
            places.sort_unstable();
            let chunks: Vec<&[u8]> = places.windows(2).map(|pair| &with.as_bytes()[pair[0]..pair[1]]).collect();
            for (drop, want) in [(true, &without), (false, &with)] {
                let (bytes, passage) = pass(drop, &chunks);
                prop_assert_eq!(String::from_utf8_lossy(&bytes), want.as_str());
                prop_assert_eq!(passage.usage().total, 5);
                prop_assert_eq!(passage.ended(), Ended::Complete);
            }
        }
    }

    #[test]
    fn a_broken_event_is_kept_from_the_client() {
        for drop_usage in [true, false] {
            let mut passage = Passage::new(Protocol::OpenAi, drop_usage, &Limits::default());
            let passed = passage.push(b"data: {\"choices\":[]}\n\ndata: {oops\n\ndata: 1\n\n");
            assert_eq!(String::from_utf8_lossy(&passed.bytes), "data: {\"choices\":[]}\n\n");
            assert_eq!(passed.broken.map(|refusal| refusal.code), Some(Code::UpstreamProtocolError));
        }
    }

    #[test]
    fn what_cannot_be_read_of_a_stream_is_charged_by_its_bytes() {
        let limits = Limits { sse_event_bytes: 300, ..Limits::default() };
        let words = "x".repeat(300);
        let broken =
            [format!("data: {{\"choices\":[{words}\n\n"), format!("data: \"{}\"\n\n", &words[2..]), words.repeat(3)];
        for text in broken {
            for drop_usage in [true, false] {
                let mut passage = Passage::new(Protocol::OpenAi, drop_usage, &limits);
                assert!(passage.push(text.as_bytes()).broken.is_some());
                let found = passage.estimate(30, &limits);
                assert_eq!((found.source, found.usage.input), (Source::Estimated, 10));
                assert!(found.usage.output >= 100, "{} of {text}", found.usage.output);
            }
        }
    }

    #[test]
    fn only_the_last_word_of_a_whole_stream_is_its_usage() {
        let chunk = |content: &str, usage: &str| {
            format!(
                "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{content}\"}}}}],\"usage\":{usage}}}\n\n"
            )
        };
        let zero = "{\"prompt_tokens\":0,\"completion_tokens\":0}";
        let some = "{\"prompt_tokens\":8,\"completion_tokens\":1}";
        let finish = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
        let (last, done) = (format!("data: {USAGE}\n\n"), "data: [DONE]\n\n");
        let error = "data: {\"error\":{\"message\":\"x\"}}\n\n";
        let cases: &[(&str, &[&str], Source, u64, u64)] = &[
            // what it is, the stream, where from, input, output
            ("cut behind a zero", &[&chunk("", zero), &chunk("abcdef", "null")], Source::Estimated, 10, 2),
            ("cut, zero in each chunk", &[&chunk("abc", zero), &chunk("def", zero)], Source::Estimated, 10, 2),
            ("cut, known input", &[&chunk("abc", some), &chunk("def", some)], Source::Estimated, 8, 2),
            ("cut behind a larger report", &[&chunk("abcdef", "null"), &last], Source::Estimated, 3, 2),
            ("an error ends it", &[&chunk("", zero), &chunk("abcdef", "null"), error], Source::Estimated, 10, 2),
            (
                "whole, but text followed",
                &[&chunk("", zero), &chunk("abcdef", "null"), finish, done],
                Source::Estimated,
                10,
                2,
            ),
            ("whole", &[&chunk("", zero), &chunk("abcdefghi", "null"), finish, &last, done], Source::Reported, 3, 2),
            (
                "whole, a count in each chunk",
                &[&chunk("abc", zero), &chunk("def", some), finish, done],
                Source::Reported,
                8,
                1,
            ),
        ];
        for (what, stream, source, input, output) in cases {
            let chunks: Vec<&[u8]> = stream.iter().map(|chunk| chunk.as_bytes()).collect();
            let found = pass(false, &chunks).1.estimate(30, &Limits::default());
            assert_eq!((found.source, found.usage.input, found.usage.output), (*source, *input, *output), "{what}");
        }
    }

    #[test]
    fn an_end_without_a_sign_is_a_cut() {
        let mut passage = Passage::new(Protocol::OpenAi, true, &Limits::default());
        passage.push(b"data: {\"choices\":[{\"delta\":{\"content\":\"abcd\"}}]}\n\ndata: {\"cho");
        assert_eq!(passage.end(), (b"data: {\"cho".to_vec(), Ended::Cut));
        assert_eq!(passage.estimate(30, &Limits::default()).usage.output, 2);
    }
}
