//! Who signed an archive: Ed25519 over kind, content hash and time (spec: ifc-extension.md §8).
//!
//! Invariant: a signature is taken only in its one spelling, under a key that is not weak, with a canonical `S`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::pkcs8::DecodePrivateKey;
use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey};
use holdpoint_bundle::bytes_hash;
use holdpoint_check::{ApiError, args, codes};
use serde::{Deserialize, Serialize};

use super::KIND;

codes! {
    /// a key that is no private Ed25519 key in PEM
    ARCHIVE_KEY_INVALID: Error, "Give a private Ed25519 key in PEM, without a password: `openssl genpkey -algorithm ed25519` makes one.";
    INVALID_INPUT / SIGNED_AT: Error, "Write the time in UTC as `YYYY-MM-DDTHH:MM:SSZ`.";
}

/// What the signed message begins with.
const DOMAIN: &[u8] = b"holdpoint.hpx.v1\0";
const ALGORITHM: &str = "ed25519";
/// How a time is written: digits stand for digits.
const TIME: &[u8] = b"0000-00-00T00:00:00Z";
/// The largest value of month, day, hour, minute and second, and where its two digits stand.
const MOST: [(usize, u8); 5] = [(5, 12), (8, 31), (11, 23), (14, 59), (17, 59)];

/// A signature as `hpx.json` holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    pub alg: String,
    /// The public key, 32 bytes in base64.
    pub key: String,
    /// The 64 bytes written in base64.
    pub sig: String,
    /// The time in UTC, as `YYYY-MM-DDTHH:MM:SSZ`.
    pub signed_at: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signer {
    /// `sha256:` and hex, of the public key.
    pub key_id: String,
    pub signed_at: String,
}

impl Signature {
    /// The signer, where the signature is one of this content.
    pub fn verify(&self, content_hash: &str) -> Option<Signer> {
        let key: [u8; 32] = STANDARD.decode(&self.key).ok()?.try_into().ok()?;
        let sig: [u8; 64] = STANDARD.decode(&self.sig).ok()?.try_into().ok()?;
        if self.alg != ALGORITHM || !is_time(&self.signed_at) {
            return None;
        }
        let verifier = VerifyingKey::from_bytes(&key).ok()?;
        verifier.verify_strict(&message(content_hash, &self.signed_at), &sig.into()).ok()?;
        Some(Signer { key_id: bytes_hash(&key), signed_at: self.signed_at.clone() })
    }
}

/// Signs a content hash with a private key in PEM (PKCS #8). Errors: `ARCHIVE_KEY_INVALID`; `INVALID_INPUT` for a time
/// of another form.
pub fn sign(content_hash: &str, key: &str, signed_at: &str) -> Result<Signature, ApiError> {
    if !is_time(signed_at) {
        return Err(ApiError::at("/signed_at", &SIGNED_AT, args! {}));
    }
    let key = SigningKey::from_pkcs8_pem(key.trim()).map_err(|_| ApiError::of(&ARCHIVE_KEY_INVALID, args! {}))?;
    Ok(Signature {
        alg: ALGORITHM.to_owned(),
        key: STANDARD.encode(key.verifying_key().as_bytes()),
        sig: STANDARD.encode(key.sign(&message(content_hash, signed_at)).to_bytes()),
        signed_at: signed_at.to_owned(),
    })
}

fn message(content_hash: &str, signed_at: &str) -> Vec<u8> {
    let mut message = DOMAIN.to_vec();
    for part in [KIND, content_hash, signed_at] {
        message.extend((part.len() as u64).to_be_bytes());
        message.extend(part.bytes());
    }
    message
}

fn is_time(text: &str) -> bool {
    let fits = |(byte, form): (u8, &u8)| if form.is_ascii_digit() { byte.is_ascii_digit() } else { byte == *form };
    if text.len() != TIME.len() || !text.bytes().zip(TIME).all(fits) {
        return false;
    }
    let bytes = text.as_bytes();
    let value = |at: usize| (bytes[at] - b'0') * 10 + (bytes[at + 1] - b'0');
    let counted_from_one = |at: usize| at < 11;
    MOST.iter().all(|(at, most)| value(*at) <= *most && (value(*at) > 0 || !counted_from_one(*at)))
}
