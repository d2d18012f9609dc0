//! The providers' wire: one reader and one writer of requests, answers, streams, usage and errors (spec: gateway.md
//! §2, §7, §11).
//!
//! Owns the shapes that the OpenAI and the Anthropic protocol give these things, and the framing of event streams. Who
//! draws, meters, forwards or plays a model's words (the page's driver, the editor, the relay, the scripted server, the
//! tests) reads and writes them here and knows no member's name. Refuses to know prices, budgets, HTTP and who asks.
//!
//! **One policy for what cannot be read.** An event whose data is no JSON object ends the stream with
//! `UPSTREAM_PROTOCOL_ERROR`: nothing behind it is read, what stood before it counts. For money its bytes count as
//! text, so that nobody gets a call for nothing by writing badly. `[DONE]` (OpenAI) and an event without data are no
//! chunks and say nothing. A whole answer that cannot be read is treated alike. Within an object a member of a wrong
//! type counts as absent.
//!
//! Invariants: the same bytes give the same chunks for every chunking; what is written is read as what was written; no
//! bytes make a reader panic, and none make it keep more than a few times their number.
//!
//! ```
//! use holdpoint_gateway::wire::{Choice, Head, ChunkMessage, Reply, Stream, chunk_text, sse};
//! use holdpoint_gateway::{Limits, Protocol};
//! let said = Choice { message: ChunkMessage { content: Some("Hi".into()), ..ChunkMessage::default() }, ..Choice::default() };
//! let head = Head { id: "1", created: 0, model: "m" };
//! let bytes = sse::event(None, &chunk_text(&head, &[said], None), "\n");
//! let (mut stream, mut reply) = (Stream::new(Protocol::OpenAi, &Limits::default()), Reply::default());
//! stream.push(bytes.as_bytes(), |chunk| reply.take(chunk)).unwrap();
//! assert_eq!(reply.text, "Hi");
//! ```

mod anthropic;
mod chunk;
mod error;
pub(crate) mod members;
mod messages;
mod named;
mod openai;
mod protocol;
mod read;
mod reply;
pub(crate) mod request;
pub mod sse;
mod stream;
#[cfg(test)]
mod tests;
pub mod tools;
pub mod translate;
mod usage;
mod write;

pub use chunk::{Choice, Chunk, ChunkMessage, ToolCall};
pub use error::Error;
pub use messages::{MessageWriter, ToldEvent};
pub use named::is_answer;
pub use protocol::Protocol;
pub use reply::{Reply, Tool};
pub use request::{Asked, Draft, Most, Request};
pub use stream::{Ended, Stream};
pub use usage::{Counters, Reported, Usage};
pub use write::{Head, answer_text, chunk_text};
