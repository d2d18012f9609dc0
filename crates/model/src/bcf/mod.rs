//! Topics of the BIM Collaboration Format: findings about elements go out as a file, and come in.
//!
//! Owns BCF 2.1 and 3.0 as archives of XML ([`write`]) and what of them, and of 2.0, a viewer shows ([`read`]). Draws no
//! ids and reads no clock: a topic comes with both. Refuses document types, and archives that unpack to too much.

pub mod codes;
mod read;
mod write;

pub use read::{BcfTopic, Comment, InvalidBcfError, read};
pub use write::{BcfVersion, TopicRequest, write};
