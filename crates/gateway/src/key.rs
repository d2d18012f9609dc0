//! Proxy keys: `hp_<live|test>_<account 16>_<key id 10>_<secret 43><crc 6>` (spec: gateway.md §3).
//!
//! Random bytes come in as arguments. Invariant: a secret leaves this module only in the key text made here once;
//! what is kept is its hash, compared in constant time.

use hmac::{Hmac, Mac as _};
use sha2::{Digest, Sha256};

use crate::cipher::Secret;

/// Written in lower-case Crockford base32.
const BASE32: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ACCOUNT_CHARS: usize = 16;
const ID_CHARS: usize = 10;
const SECRET_CHARS: usize = 43;
const CRC_CHARS: usize = 6;
/// What keys and tokens may be for.
pub const SCOPES: [&str; 5] = ["llm", "usage", "edit", "admin", "metrics"];
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

/// The secrets that mark ids of keys as made here, at most two; new keys have the mark of the first.
pub struct KeySecrets(Vec<Secret>);

impl KeySecrets {
    /// Reads words of at least 32 characters. `None`: there is none, or one is too short.
    pub fn read(text: &str) -> Option<Self> {
        const LEAST: usize = 32;
        const MOST: usize = 2;
        let words: Vec<Secret> = text.split([',', ' ']).filter(|word| !word.is_empty()).map(Secret::new).collect();
        let usable = (1..=MOST).contains(&words.len()) && words.iter().all(|word| word.expose().len() >= LEAST);
        usable.then_some(Self(words))
    }

    /// An id of that account whose first half is random.
    pub fn id(&self, account: &str, random: &[u8; ID_BYTES]) -> String {
        let half = base32(random, MARK_CHARS);
        let mark = self.0.first().map(|secret| mark(secret, account, &half)).unwrap_or_default();
        half + &mark
    }

    /// Whether an id was made with one of the secrets.
    pub fn knows(&self, key: &ProxyKey) -> bool {
        let Some((half, told)) = key.id.split_at_checked(MARK_CHARS) else { return false };
        self.0.iter().any(|secret| constant_time_equal(mark(secret, &key.account, half).as_bytes(), told.as_bytes()))
    }
}

/// Half of an id is random, the other half its mark.
const MARK_CHARS: usize = ID_CHARS / 2;

/// 25 bits of HMAC-SHA-256 over account, `|` and the first half.
fn mark(secret: &Secret, account: &str, half: &str) -> String {
    let Ok(mac) = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()) else { return String::new() };
    base32(&mac.chain_update(format!("{account}|{half}")).finalize().into_bytes(), MARK_CHARS)
}

impl ProxyKey {
    /// A new key from random bytes.
    pub fn make(env: Env, account: &str, id: &[u8; ID_BYTES], secret: &[u8; SECRET_BYTES]) -> Self {
        Self::again(env, account, &base32(id, ID_CHARS), secret)
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

    #[test]
    fn ids_carry_the_mark_of_their_account_and_secret() {
        let words = ["a".repeat(32), "b".repeat(32)];
        let old = KeySecrets::read(&words[0]).unwrap();
        let both = KeySecrets::read(&format!("{} {}", words[1], words[0])).unwrap();
        let account = account_id("i", "org:acme");
        let key = ProxyKey::again(Env::Live, &account, &old.id(&account, &[5; 7]), &[1; 32]);
        assert!(old.knows(&key) && both.knows(&key));
        assert!(ProxyKey::parse(&key.text()).is_some());
        let new = ProxyKey::again(Env::Live, &account, &both.id(&account, &[5; 7]), &[1; 32]);
        assert!(both.knows(&new) && !old.knows(&new));
        let elsewhere = ProxyKey { account: account_id("i", "org:other"), ..key.clone() };
        let guessed = ProxyKey::make(Env::Live, &account, &[5; 7], &[1; 32]);
        assert!(!old.knows(&elsewhere) && !old.knows(&guessed));
        assert!(KeySecrets::read("short").is_none() && KeySecrets::read("").is_none());
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
