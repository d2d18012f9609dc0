//! Keys at rest: AES-256-GCM under a named key of the deployment (spec: gateway.md §10 "BYOK").
//!
//! Owns the shape of a sealed secret and which key opens it; nonces come in, because this crate rolls no dice. Invariant:
//! without an active key nothing is sealed and nothing is opened, and what is opened is wiped when it is dropped.
//!
//! ```
//! use holdpoint_gateway::cipher::{Keys, SealedFor, Secret};
//!
//! let keys = Keys::read(Some(r#"{"k1":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}"#), Some("k1")).unwrap();
//! let place = SealedFor { account: "acme", id: "llm_1", kind: "llm-profile", user: "ann" };
//! let sealed = keys.seal(&Secret::new("sk-1"), [7; 12], &place).unwrap();
//! assert_eq!(keys.open(&sealed, &place).unwrap().expose(), "sk-1");
//! assert!(keys.open(&sealed, &SealedFor { user: "bob", ..place }).is_err());
//! ```

use std::collections::BTreeMap;
use std::fmt;

use aes_gcm::aead::{Aead as _, KeyInit as _, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize as _, Zeroizing};

/// It counts the bytes of a nonce.
pub const NONCE_BYTES: usize = 12;
const KEY_BYTES: usize = 32;

/// A plain secret: never shown, wiped when dropped.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Its text, for the one call that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// A secret as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    /// The key that opens it.
    pub kid: String,
    pub nonce: Vec<u8>,
    pub ciphertext: Vec<u8>,
}

/// Where a secret belongs: sealed with it, so that it opens nowhere else.
#[derive(Debug, Clone, Copy)]
pub struct SealedFor<'p> {
    pub account: &'p str,
    pub id: &'p str,
    pub kind: &'p str,
    pub user: &'p str,
}

impl SealedFor<'_> {
    /// Only the last part may hold the separator.
    fn bytes(&self) -> Vec<u8> {
        format!("{}|{}|{}|{}", self.account, self.id, self.kind, self.user).into_bytes()
    }
}

/// A secret cannot be sealed or opened here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the secret cannot be sealed or opened with the keys at hand")]
pub struct CipherError;

/// The keys of a deployment, one of them active.
pub struct Keys {
    active: String,
    keys: BTreeMap<String, Zeroizing<[u8; KEY_BYTES]>>,
}

impl Keys {
    /// `SECRETS_KEYS` (`{kid: base64 of 32 bytes}`) and `SECRETS_ACTIVE_KID`. `None`: there is no active key.
    pub fn read(keys: Option<&str>, active: Option<&str>) -> Option<Self> {
        let written: BTreeMap<String, String> = serde_json::from_str(keys?).ok()?;
        let bytes = |text: &str| {
            let decoded = Zeroizing::new(STANDARD.decode(text.trim()).ok()?);
            <[u8; KEY_BYTES]>::try_from(decoded.as_slice()).ok().map(Zeroizing::new)
        };
        let keys: BTreeMap<_, _> = written.into_iter().filter_map(|(kid, text)| Some((kid, bytes(&text)?))).collect();
        let active = active?.to_owned();
        keys.contains_key(&active).then_some(Self { active, keys })
    }

    /// Seals under the active key. A nonce is used once.
    pub fn seal(
        &self,
        secret: &Secret,
        nonce: [u8; NONCE_BYTES],
        place: &SealedFor<'_>,
    ) -> Result<Sealed, CipherError> {
        let payload = Payload { msg: secret.expose().as_bytes(), aad: &place.bytes() };
        let ciphertext =
            self.cipher(&self.active)?.encrypt(Nonce::from_slice(&nonce), payload).map_err(|_| CipherError)?;
        Ok(Sealed { kid: self.active.clone(), nonce: nonce.to_vec(), ciphertext })
    }

    /// Opens what was sealed for this place, under whichever key.
    pub fn open(&self, sealed: &Sealed, place: &SealedFor<'_>) -> Result<Secret, CipherError> {
        if sealed.nonce.len() != NONCE_BYTES {
            return Err(CipherError);
        }
        let payload = Payload { msg: &sealed.ciphertext, aad: &place.bytes() };
        let plain =
            self.cipher(&sealed.kid)?.decrypt(Nonce::from_slice(&sealed.nonce), payload).map_err(|_| CipherError)?;
        String::from_utf8(plain).map(Secret).map_err(|error| {
            error.into_bytes().zeroize();
            CipherError
        })
    }

    /// Whether a secret stands under an older key: whoever opens it seals it anew.
    pub fn is_old(&self, sealed: &Sealed) -> bool {
        sealed.kid != self.active
    }

    fn cipher(&self, kid: &str) -> Result<Aes256Gcm, CipherError> {
        let key = self.keys.get(kid).ok_or(CipherError)?;
        Ok(Aes256Gcm::new(Key::<Aes256Gcm>::from_slice(key.as_slice())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: SealedFor<'_> = SealedFor { account: "acme", id: "llm_1", kind: "llm-profile", user: "ann" };

    fn key(byte: u8) -> String {
        STANDARD.encode([byte; KEY_BYTES])
    }

    fn keys(active: &str) -> Keys {
        let written = format!(r#"{{"old":"{}","new":"{}","short":"AAAA","bad":"%"}}"#, key(1), key(2));
        Keys::read(Some(&written), Some(active)).unwrap()
    }

    #[test]
    fn the_cipher_is_the_published_one() {
        // Case 14 of the test vectors of "The Galois/Counter Mode of Operation (GCM)": key and nonce of zeros.
        let zeros = Keys::read(Some(&format!(r#"{{"k":"{}"}}"#, key(0))), Some("k")).unwrap();
        let cipher = zeros.cipher("k").unwrap();
        let sealed = cipher.encrypt(Nonce::from_slice(&[0; NONCE_BYTES]), [0; 16].as_slice()).unwrap();
        assert_eq!(holdpoint_text::hex(&sealed), "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919");
    }

    #[test]
    fn a_secret_opens_in_its_place_only() {
        let keys = keys("new");
        let sealed = keys.seal(&Secret::new("sk-secret"), [9; NONCE_BYTES], &PLACE).unwrap();
        assert!(!sealed.ciphertext.windows(9).any(|bytes| bytes == b"sk-secret"));
        assert_eq!(keys.open(&sealed, &PLACE), Ok(Secret::new("sk-secret")));
        let elsewhere = [
            SealedFor { account: "other", ..PLACE },
            SealedFor { id: "llm_2", ..PLACE },
            SealedFor { kind: "provider", ..PLACE },
            SealedFor { user: "bob", ..PLACE },
        ];
        for place in elsewhere {
            assert_eq!(keys.open(&sealed, &place), Err(CipherError), "{place:?}");
        }
    }

    #[test]
    fn what_was_changed_does_not_open() {
        let keys = keys("new");
        let sealed = keys.seal(&Secret::new("sk-secret"), [9; NONCE_BYTES], &PLACE).unwrap();
        for at in 0..sealed.ciphertext.len() {
            let mut changed = sealed.clone();
            changed.ciphertext[at] ^= 1;
            assert_eq!(keys.open(&changed, &PLACE), Err(CipherError), "byte {at}");
        }
        for nonce in [vec![8; NONCE_BYTES], vec![9; 11], Vec::new()] {
            assert_eq!(keys.open(&Sealed { nonce, ..sealed.clone() }, &PLACE), Err(CipherError));
        }
        assert_eq!(keys.open(&Sealed { kid: "gone".to_owned(), ..sealed }, &PLACE), Err(CipherError));
    }

    #[test]
    fn an_older_key_opens_and_the_active_one_seals() {
        let (before, after) = (keys("old"), keys("new"));
        let sealed = before.seal(&Secret::new("sk-secret"), [1; NONCE_BYTES], &PLACE).unwrap();
        assert!(after.is_old(&sealed) && !before.is_old(&sealed));
        let opened = after.open(&sealed, &PLACE).unwrap();
        let anew = after.seal(&opened, [2; NONCE_BYTES], &PLACE).unwrap();
        assert_eq!((anew.kid.as_str(), after.is_old(&anew)), ("new", false));
        assert_eq!(after.open(&anew, &PLACE), Ok(opened));
    }

    #[test]
    fn without_an_active_key_there_are_none() {
        let written = format!(r#"{{"k":"{}","short":"AAAA"}}"#, key(1));
        let cases = [
            (None, Some("k")),
            (Some(written.as_str()), None),
            (Some(written.as_str()), Some("gone")),
            (Some(written.as_str()), Some("short")),
            (Some("[]"), Some("k")),
            (Some("no JSON"), Some("k")),
        ];
        for (keys, active) in cases {
            assert!(Keys::read(keys, active).is_none(), "{keys:?} {active:?}");
        }
    }

    #[test]
    fn a_secret_is_never_shown() {
        assert_eq!(format!("{:?}", Some(Secret::new("sk-secret"))), "Some(***)");
    }
}
