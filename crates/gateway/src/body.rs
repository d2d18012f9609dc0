//! A request body while it comes: bytes up to a limit (spec: gateway.md §1).
//!
//! Why: a sender need not say how much is to come, and may say less than it sends. Invariant: never more is held than
//! the limit; the chunk that passes it is not taken.

use serde_json::json;

use crate::refusal::{Code, GatewayError};

#[derive(Debug)]
pub struct Body {
    bytes: Vec<u8>,
    limit: u64,
}

impl Body {
    /// A body of at most `limit` bytes. `told` is its `content-length`, where there is one: what is too much by that
    /// is refused before anything is read.
    pub fn new(limit: u64, told: Option<u64>) -> Result<Self, GatewayError> {
        match told.filter(|told| *told > limit) {
            Some(told) => Err(too_large(told, limit)),
            None => Ok(Self { bytes: Vec::new(), limit }),
        }
    }

    /// Takes the next chunk, or refuses the whole: nothing more needs to be read.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), GatewayError> {
        let size = (self.bytes.len() + chunk.len()) as u64;
        if size > self.limit {
            return Err(too_large(size, self.limit));
        }
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// `size` is at least what was sent: reading ended there.
fn too_large(size: u64, limit: u64) -> GatewayError {
    GatewayError::new(Code::RequestTooLarge)
        .saying(format!("The body is larger than {limit} bytes. Send less."))
        .with(json!({"what": "bytes", "size": size, "limit": limit}))
}

#[cfg(test)]
mod tests {
    use super::Body;

    #[test]
    fn a_body_is_taken_up_to_its_limit() {
        // Limit, told, chunks, how many bytes are taken, or the size at which it is refused.
        let cases = [
            (4, None, &[][..], Ok(0)),
            (4, None, &["ab", "", "cd"], Ok(4)),
            (4, Some(4), &["abcd"], Ok(4)),
            (4, Some(5), &[], Err(5)),
            (4, None, &["abc", "de", "f"], Err(5)),
            (4, Some(2), &["abcde"], Err(5)),
            (0, None, &["a"], Err(1)),
        ];
        for (limit, told, chunks, want) in cases {
            let read = Body::new(limit, told).and_then(|mut body| {
                chunks.iter().try_for_each(|chunk| body.push(chunk.as_bytes()))?;
                Ok(body.into_bytes())
            });
            let got = read.map(|bytes| bytes.len()).map_err(|refusal| refusal.details["size"].as_u64().unwrap());
            assert_eq!(got, want, "{limit} {told:?} {chunks:?}");
        }
    }
}
