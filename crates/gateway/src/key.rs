//! Proxy keys: `hp_<live|test>_<account 16>_<key id 10>_<secret 43><crc 6>` (spec: gateway.md §3).
//!
//! Random bytes come in as arguments. Invariant: a secret leaves this module only in the key text made here once;
//! what is kept is its hash, compared in constant time.

use sha2::{Digest, Sha256};

/// Written in lower-case Crockford base32.
const BASE32: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ACCOUNT_CHARS: usize = 16;
const ID_CHARS: usize = 10;
const SECRET_CHARS: usize = 43;
const CRC_CHARS: usize = 6;
/// Random bytes of a secret.
pub const SECRET_BYTES: usize = 32;
/// Random bytes of a key id; 50 bits are used.
pub const ID_BYTES: usize = 7;

/// Whether a key is for production.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Env {
    Live,
    Test,
}

impl Env {
    /// It is one of `live`, `test`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Test => "test",
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct ProxyKey {
    pub env: Env,
    pub account: String,
    /// Names the key in it.
    pub id: String,
    secret: String,
}

impl std::fmt::Debug for ProxyKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "ProxyKey({}/{})", self.account, self.id)
    }
}

impl ProxyKey {
    /// A new key from random bytes.
    pub fn make(env: Env, account: &str, id: &[u8; ID_BYTES], secret: &[u8; SECRET_BYTES]) -> Self {
        Self { env, account: account.to_owned(), id: base32(id, ID_CHARS), secret: base62(secret, SECRET_CHARS) }
    }

    /// Another secret for the key of that id.
    pub fn again(env: Env, account: &str, id: &str, secret: &[u8; SECRET_BYTES]) -> Self {
        Self { env, account: account.to_owned(), id: id.to_owned(), secret: base62(secret, SECRET_CHARS) }
    }

    /// Reads a key; `None` when its form or its checksum is wrong, so that no look-up is made.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("hp_")?;
        let (env, rest) = rest.split_once('_')?;
        let env = match env {
            "live" => Env::Live,
            "test" => Env::Test,
            _ => return None,
        };
        let (account, rest) = rest.split_once('_')?;
        let (id, secret) = rest.split_once('_')?;
        let lower = |part: &str, chars: usize| part.len() == chars && part.bytes().all(|b| BASE32.contains(&b));
        let well_formed = lower(account, ACCOUNT_CHARS)
            && lower(id, ID_CHARS)
            && secret.len() == SECRET_CHARS + CRC_CHARS
            && secret.bytes().all(|b| BASE62.contains(&b));
        let key = Self {
            env,
            account: account.to_owned(),
            id: id.to_owned(),
            secret: secret.get(..SECRET_CHARS)?.to_owned(),
        };
        (well_formed && key.text() == text).then_some(key)
    }

    /// The whole key, to be shown once.
    pub fn text(&self) -> String {
        let lead = format!("hp_{}_{}_{}_{}", self.env.name(), self.account, self.id, self.secret);
        let crc = base62(&crc32(lead.as_bytes()).to_be_bytes(), CRC_CHARS);
        lead + &crc
    }

    /// What is kept: SHA-256 of the secret.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.secret.as_bytes()).into()
    }

    /// Whether this key is the one with that hash, in constant time.
    pub fn matches(&self, hash: &[u8]) -> bool {
        constant_time_equal(&self.hash(), hash)
    }

    /// `hp_***` and the last four characters.
    pub fn display(&self) -> String {
        let text = self.text();
        format!("hp_***{}", &text[text.len() - 4..])
    }
}

/// An account's id: the first 80 bits of SHA-256 over issuer, `|`, `org:` or `user:` and its name.
pub fn account_id(issuer: &str, name: &str) -> String {
    let digest = Sha256::digest(format!("{issuer}|{name}").as_bytes());
    base32(&digest[..ACCOUNT_CHARS * 5 / 8], ACCOUNT_CHARS)
}

/// A person of an account as pages may name it: `pr_` and the first 130 bits of SHA-256 over account, `|` and user. It is
/// the same for all keys of the user, and tells neither.
pub fn principal_name(account: &str, user: &str) -> String {
    const CHARS: usize = 26;
    let digest = Sha256::digest(format!("principal|{account}|{user}").as_bytes());
    format!("pr_{}", base32(&digest, CHARS))
}

/// FNV-1a over a request id: the relay shard is this modulo the number of shards (spec: gateway.md §1).
pub fn fnv1a32(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// `req_` and a 26-character ULID of a time and 10 random bytes (spec: gateway.md §2).
pub fn request_id(now_ms: i64, random: &[u8; 10]) -> String {
    let mut bytes = [0_u8; 16];
    bytes[..6].copy_from_slice(&now_ms.to_be_bytes()[2..]);
    bytes[6..].copy_from_slice(random);
    let number = u128::from_be_bytes(bytes);
    let digits = (0..26).rev().map(|place| char::from(BASE32[(number >> (place * 5) & 31) as usize]));
    format!("req_{}", digits.collect::<String>().to_ascii_uppercase())
}

/// Equality whose time does not depend on where the texts differ.
pub fn constant_time_equal(left: &[u8], right: &[u8]) -> bool {
    let differ = left.iter().zip(right).fold(0, |differ, (a, b)| differ | (a ^ b));
    left.len() == right.len() && std::hint::black_box(differ) == 0
}

/// The first `chars` × 5 bits, most significant first.
fn base32(bytes: &[u8], chars: usize) -> String {
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| usize::from(byte >> (7 - at % 8) & 1));
    (0..chars)
        .map(|digit| (0..5).fold(0, |value, at| value << 1 | bit(digit * 5 + at)))
        .map(|v| char::from(BASE32[v]))
        .collect()
}

/// The bytes as one big-endian number, left-padded with `0`.
fn base62(bytes: &[u8], chars: usize) -> String {
    let mut number = bytes.to_vec();
    let mut digits = vec![0_u8; chars];
    for digit in digits.iter_mut().rev() {
        let remainder = number.iter_mut().fold(0_u32, |carry, byte| {
            let value = carry << 8 | u32::from(*byte);
            *byte = (value / 62) as u8;
            value % 62
        });
        *digit = BASE62[remainder as usize];
    }
    digits.into_iter().map(char::from).collect()
}

/// The CRC-32 checksum of IEEE 802.3.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_values() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(base62(&[1, 0], 4), "0048");
        assert_eq!(base62(&[0xFF; 32], 43).len(), 43);
        assert_eq!(base32(&[0xFF, 0xC0], 2), "zz");
        assert_eq!(fnv1a32("a"), 0xE40C_292C);
        assert_eq!(request_id(0, &[0; 10]), format!("req_{}", "0".repeat(26)));
        assert_eq!(account_id("holdpoint", "user:dev").len(), 16);
    }

    proptest! {
        #[test]
        fn round_trip_and_any_change_is_refused(id: [u8; 7], secret: [u8; 32], at in 8_usize..80, to in 0_usize..62) {
            let key = ProxyKey::make(Env::Live, &account_id("i", "user:u"), &id, &secret);
            let text = key.text();
            prop_assert_eq!(ProxyKey::parse(&text), Some(key.clone()));
            prop_assert!(key.matches(&key.hash()));
            prop_assert!(!key.display().contains(&text[30..70]));
            let mut changed = text.clone().into_bytes();
            changed[at] = BASE62[to];
            if changed != text.as_bytes() {
                prop_assert_eq!(ProxyKey::parse(&String::from_utf8(changed).unwrap()), None);
            }
        }
    }
}
