//! `hpx.json`, the first entry: what the archive is, whose hash it has, who signed it.
//!
//! Invariant: one value has one text. A reader takes any JSON object; that it is spelt so is decided by packing again.

use serde_json::{Map, Value, json};

use super::KIND;
use super::signature::Signature;

/// Its place in the archive.
pub const PATH: &str = "hpx.json";
const FORMAT: &str = "hpx";
const FORMAT_VERSION: u64 = 1;

/// What was read, not yet believed.
pub struct Header(Map<String, Value>);

impl Header {
    /// The text of a header: one line, keys sorted, no white space.
    pub fn text(content_hash: &str, signature: Option<&Signature>) -> String {
        let mut header = json!({
            "content_hash": content_hash,
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "kind": KIND,
        });
        if let Some(signature) = signature {
            header["signature"] = json!(signature);
        }
        header.to_string()
    }

    /// The members of a text that is a JSON object.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Self)
    }

    /// Whether this is the format, version and kind that are read here.
    pub fn is_supported(&self) -> bool {
        let says = |member: &str, value: Value| self.0.get(member) == Some(&value);
        says("format", FORMAT.into()) && says("format_version", FORMAT_VERSION.into()) && says("kind", KIND.into())
    }

    /// The hash that the files must have.
    pub fn content_hash(&self) -> Option<&str> {
        self.0.get("content_hash")?.as_str()
    }

    /// The signature; the error is a value of another shape.
    pub fn signature(&self) -> Result<Option<Signature>, ()> {
        let signature = self.0.get("signature").cloned();
        signature.map(|value| serde_json::from_value(value).map_err(drop)).transpose()
    }
}
