//! Server-sent events: from bytes that may be cut anywhere, and as text (spec: gateway.md §11 `sse.parse`).
//!
//! Invariant: the same bytes give the same events for every chunking; memory is bounded by one line and one event; what
//! is written is read as that event, whatever breaks stand in its data.

use serde::Serialize;

use crate::refusal::{Code, GatewayError};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SseEvent {
    /// It is `message` where nothing is named.
    pub event: String,
    /// Its data lines, joined with LF.
    pub data: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// A line, or an event's data, is larger than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("SSE_EVENT_TOO_LARGE: an event is larger than {limit} bytes")]
pub struct EventTooLargeError {
    pub limit: usize,
    pub events: usize,
}

impl From<EventTooLargeError> for GatewayError {
    fn from(error: EventTooLargeError) -> Self {
        Self::new(Code::UpstreamProtocolError).saying(format!("The provider's stream could not be read: {error}."))
    }
}

/// A comment that keeps a connection from looking idle.
pub const PING: &str = ": ping\n\n";

/// An event as text. Each line of its data gets a field of its own; `eol` ends the lines.
pub fn event(name: Option<&str>, data: &str, eol: &str) -> String {
    let mut text = String::with_capacity(data.len() + 16);
    if let Some(name) = name {
        text.extend(["event: ", name, eol]);
    }
    for line in lines(data) {
        text.extend(["data: ", line, eol]);
    }
    text.push_str(eol);
    text
}

/// A comment as text: one line that readers pass over.
pub fn comment(words: &str, eol: &str) -> String {
    format!(": {words}{eol}{eol}")
}

/// The lines between CR, LF and CRLF.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// The state of reading one stream.
#[derive(Debug, Clone)]
pub struct Parser {
    limit: usize,
    started: bool,
    after_cr: bool,
    line: Vec<u8>,
    name: String,
    data: Option<String>,
    events: usize,
    pub comments: usize,
    pub retry_ms: Option<u64>,
    pub last_event_id: Option<String>,
}

#[derive(Debug)]
pub(crate) enum Step {
    /// Part of a line, or the end of one that is not blank.
    Inside,
    /// The LF of a CRLF whose CR ended the line.
    SecondHalf,
    /// A blank line: the end of an event, of comments, or of nothing.
    Blank(Option<SseEvent>),
}

/// The byte order mark in UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";

impl Parser {
    /// A stream whose lines and events have at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            started: false,
            after_cr: false,
            line: Vec::new(),
            name: String::new(),
            data: None,
            events: 0,
            comments: 0,
            retry_ms: None,
            last_event_id: None,
        }
    }

    /// Reads on; gives each event that this chunk closes to `each`, in order.
    pub fn push(&mut self, chunk: &[u8], mut each: impl FnMut(SseEvent)) -> Result<(), EventTooLargeError> {
        for byte in chunk {
            if let Step::Blank(Some(event)) = self.byte(*byte)? {
                each(event);
            }
        }
        Ok(())
    }

    pub(crate) fn byte(&mut self, byte: u8) -> Result<Step, EventTooLargeError> {
        let after_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
        match byte {
            b'\n' if after_cr => Ok(Step::SecondHalf),
            b'\r' | b'\n' => {
                let step = self.end_line()?;
                self.events += usize::from(matches!(step, Step::Blank(Some(_))));
                Ok(step)
            }
            _ => {
                self.line.push(byte);
                if !self.started && self.line == BOM {
                    self.started = true;
                    self.line.clear();
                }
                if self.line.len() > self.limit { Err(self.too_large()) } else { Ok(Step::Inside) }
            }
        }
    }

    fn too_large(&self) -> EventTooLargeError {
        EventTooLargeError { limit: self.limit, events: self.events }
    }

    fn end_line(&mut self) -> Result<Step, EventTooLargeError> {
        self.started = true;
        let mut line = std::mem::take(&mut self.line);
        if line.is_empty() {
            let event = self.take_event();
            self.name.clear();
            return Ok(Step::Blank(event));
        }
        self.field(&line)?;
        line.clear();
        self.line = line;
        Ok(Step::Inside)
    }

    fn take_event(&mut self) -> Option<SseEvent> {
        let data = self.data.take()?;
        let name = std::mem::take(&mut self.name);
        let event = if name.is_empty() { "message".to_owned() } else { name };
        Some(SseEvent { event, data, id: self.last_event_id.clone() })
    }

    fn field(&mut self, line: &[u8]) -> Result<(), EventTooLargeError> {
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            Some(0) => {
                self.comments += 1;
                return Ok(());
            }
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &[][..]),
        };
        let value = String::from_utf8_lossy(value.strip_prefix(b" ").unwrap_or(value));
        match name {
            b"data" => match &mut self.data {
                None => self.data = Some(value.into_owned()),
                Some(data) => {
                    data.push('\n');
                    data.push_str(&value);
                }
            },
            b"event" => self.name = value.into_owned(),
            b"id" if !value.contains('\0') => self.last_event_id = Some(value.into_owned()),
            b"retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry_ms = value.parse().ok();
            }
            _ => {}
        }
        let size = self.data.as_ref().map_or(0, String::len);
        if size > self.limit { Err(self.too_large()) } else { Ok(()) }
    }

    /// What was not closed by a blank line, if it has data; the last line counts also without its end.
    pub fn tail(mut self) -> Result<Option<SseEvent>, EventTooLargeError> {
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.field(&line)?;
        }
        Ok(self.take_event())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn events(chunks: &[&[u8]]) -> (Vec<SseEvent>, usize, Option<SseEvent>) {
        let mut parser = Parser::new(1 << 20);
        let mut events = Vec::new();
        for chunk in chunks {
            parser.push(chunk, |event| events.push(event)).unwrap();
        }
        let comments = parser.comments;
        (events, comments, parser.tail().unwrap())
    }

    proptest! {
        #[test]
        fn every_chunking_gives_the_same_events(
            text in "(data|event|id|retry|:|x)?[: a0\\r\\n\u{feff}ö]{0,12}((data: |event: |: |id: )[a-z{}]{0,6}(\r\n|\n|\r)(\r\n|\n|\r)?){0,8}",
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let bytes = text.as_bytes();
            let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            places.extend([0, bytes.len()]);
            places.sort_unstable();
            let chunks: Vec<&[u8]> = places.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(events(&chunks), events(&[bytes]));
        }
    }
}
