//! Proxy keys: how they are written, checked without a look-up, and what is stored of them (spec: gateway.md §3).
//!
//! Owns the format `hp_<env>_<account 16>_<key id 10>_<secret 43><crc 6>`. Rolls no dice: the entropy comes in.
//! Invariant: the secret leaves this module only inside [`MintedKey::key`]; everything else sees its SHA-256.
//!
//! ```
//! use holdpoint_store::{Env, MintedKey, ProxyKey, account_id};
//! let minted = MintedKey::new(Env::Test, &account_id("holdpoint", "org:dev"), [7; 7], [9; 32]);
//! let read = ProxyKey::read(&minted.key).unwrap();
//! assert_eq!((read.key_id, read.secret_hash), (minted.key_id, minted.secret_hash));
//! assert!(ProxyKey::read(&minted.key.replace("_test_", "_live_")).is_none());
//! ```

use sha2::{Digest, Sha256};

const CROCKFORD: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ACCOUNT_CHARS: usize = 16;
const ACCOUNT_BYTES: usize = 10;
const KEY_ID_CHARS: usize = 10;
const SECRET_CHARS: usize = 43;
const CRC_CHARS: usize = 6;
const DISPLAY_CHARS: usize = 4;

/// Which deployment a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Env {
    /// Production.
    Live,
    /// Everything else.
    Test,
}

impl Env {
    /// As it is written in the key.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Test => "test",
        }
    }
}

/// What a well-formed key says about itself. It proves nothing until the account compares the hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxyKey {
    /// The deployment.
    pub env: Env,
    /// Names the `Account` object.
    pub account_id: String,
    /// Row of the key in its account.
    pub key_id: String,
    /// SHA-256 of the secret.
    pub secret_hash: [u8; 32],
}

impl ProxyKey {
    /// Reads a key. `None`: not of the format, or its crc is wrong.
    pub fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("hp_")?;
        let (env, rest) = rest.split_once('_')?;
        let env = match env {
            "live" => Env::Live,
            "test" => Env::Test,
            _ => return None,
        };
        let (account_id, rest) = rest.split_once('_')?;
        let (key_id, tail) = rest.split_once('_')?;
        let base32 = |part: &str, length: usize| part.len() == length && part.bytes().all(|b| CROCKFORD.contains(&b));
        let well_formed = base32(account_id, ACCOUNT_CHARS)
            && base32(key_id, KEY_ID_CHARS)
            && tail.len() == SECRET_CHARS + CRC_CHARS
            && tail.bytes().all(|b| BASE62.contains(&b));
        if !well_formed {
            return None;
        }
        let (before, crc) = text.split_at(text.len() - CRC_CHARS);
        if crc != base62(&crc32(before.as_bytes()).to_be_bytes(), CRC_CHARS) {
            return None;
        }
        Some(Self {
            env,
            account_id: account_id.to_owned(),
            key_id: key_id.to_owned(),
            secret_hash: Sha256::digest(&tail[..SECRET_CHARS]).into(),
        })
    }
}

/// A key just made: shown once.
pub struct MintedKey {
    /// The whole key. Never stored, never logged.
    pub key: String,
    /// Row of the key in its account.
    pub key_id: String,
    /// SHA-256 of the secret.
    pub secret_hash: [u8; 32],
    /// `hp_***` and the last four characters.
    pub display: String,
}

impl MintedKey {
    /// Writes a key from 7 random bytes for its id and 32 for its secret.
    pub fn new(env: Env, account_id: &str, id: [u8; 7], secret: [u8; 32]) -> Self {
        let key_id: String = base32(&id).chars().take(KEY_ID_CHARS).collect();
        let secret = base62(&secret, SECRET_CHARS);
        let secret_hash = Sha256::digest(&secret).into();
        let before = format!("hp_{}_{account_id}_{key_id}_{secret}", env.as_str());
        let crc = base62(&crc32(before.as_bytes()).to_be_bytes(), CRC_CHARS);
        let display = format!("hp_***{}", &crc[CRC_CHARS - DISPLAY_CHARS..]);
        Self { key: before + &crc, key_id, secret_hash, display }
    }
}

/// The account id: the first 80 bits of SHA-256 over issuer, `|` and `org:` or `user:` with its name.
pub fn account_id(issuer: &str, owner: &str) -> String {
    let hash = Sha256::digest(format!("{issuer}|{owner}"));
    base32(&hash[..ACCOUNT_BYTES])
}

/// Whether two hashes are equal, in time that does not depend on where they differ.
pub fn same_hash(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len() && left.iter().zip(right).fold(0, |differ, (l, r)| differ | (l ^ r)) == 0
}

/// Lower-case Crockford base32, 5 bits a character, the last one padded with zero bits.
pub(crate) fn base32(bytes: &[u8]) -> String {
    let mut text = String::new();
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in bytes {
        bits = (bits << 8) | u32::from(*byte);
        count += 8;
        while count >= 5 {
            count -= 5;
            text.push(char::from(CROCKFORD[(bits >> count) as usize & 31]));
        }
        bits &= (1 << count) - 1;
    }
    if count > 0 {
        text.push(char::from(CROCKFORD[(bits << (5 - count)) as usize & 31]));
    }
    text
}

/// The big-endian number `bytes` in base 62, left-padded with `0` to `length` characters.
fn base62(bytes: &[u8], length: usize) -> String {
    let mut number = bytes.to_vec();
    let mut digits = Vec::with_capacity(length);
    for _ in 0..length {
        let mut remainder = 0_u32;
        for byte in &mut number {
            let value = (remainder << 8) | u32::from(*byte);
            *byte = (value / 62) as u8;
            remainder = value % 62;
        }
        digits.push(char::from(BASE62[remainder as usize]));
    }
    digits.iter().rev().collect()
}

/// CRC-32 (IEEE, reflected).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
    })
}

#[cfg(test)]
mod tests {
    use super::{Env, MintedKey, ProxyKey, account_id, base32, base62, crc32};

    #[test]
    fn encodings() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(base32(&[0xFF, 0x00]), "zw00");
        assert_eq!(base62(&[0, 61], 3), "00z");
        assert_eq!(base62(&[255; 32], 43).len(), 43);
        assert_eq!(account_id("holdpoint", "org:dev").len(), 16);
    }

    #[test]
    fn a_key_with_any_character_changed_is_refused() {
        let minted = MintedKey::new(Env::Live, &account_id("holdpoint", "org:dev"), [1, 2, 3, 4, 5, 6, 7], [200; 32]);
        assert_eq!(minted.key.len(), "hp_live_".len() + 16 + 1 + 10 + 1 + 43 + 6);
        assert!(minted.display.ends_with(&minted.key[minted.key.len() - 4..]));
        for at in 0..minted.key.len() {
            let mut changed = minted.key.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(ProxyKey::read(&changed), None, "{changed}");
        }
        for text in ["", "dev", "hp_live_", "hp_live_a_b_c", "hp_\u{e9}"] {
            assert_eq!(ProxyKey::read(text), None, "{text}");
        }
    }
}
