//! A stream of a model's words: bytes in, chunks out.

use super::chunk::Chunk;
use super::protocol::Protocol;
use super::sse::{Parser, Step};
use crate::limits::Limits;
use crate::refusal::{Code, GatewayError};

/// How a stream of a model's words ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// `[DONE]`, a finish reason, `message_stop`.
    Complete,
    /// The upstream's own error event.
    Error,
    Cut,
}

/// The state of reading one stream.
#[derive(Debug)]
pub struct Stream {
    protocol: Protocol,
    parser: Parser,
    /// Bytes of words that may still come.
    left: u64,
}

impl Stream {
    /// A stream whose words are as many as an answer may have.
    pub fn new(protocol: Protocol, limits: &Limits) -> Self {
        let parser = Parser::new(limits.sse_event_bytes as usize);
        Self { protocol, parser, left: limits.max_response_bytes }
    }

    /// Reads on; gives each chunk that these bytes close, in order. A refusal is the end: nothing is read behind it.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(Chunk)) -> Result<(), GatewayError> {
        for byte in bytes {
            if let Step::Blank(Some(event)) = self.parser.byte(*byte)? {
                let chunk = Chunk::event(self.protocol, &event)?;
                let left = self.left.checked_sub(chunk.said_bytes());
                self.left = left.ok_or_else(|| GatewayError::new(Code::UpstreamTooLarge))?;
                each(chunk);
            }
        }
        Ok(())
    }
}
