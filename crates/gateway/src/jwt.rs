//! Tokens of an identity provider: JSON Web Tokens, signed with HS256 or EdDSA (spec: gateway.md §3).
//!
//! Owns which token is believed and what it says. Time comes in. Invariants: a key id is bound to one algorithm, and a
//! token cannot name another one or bring a key along; nothing that a token says is read before its signature holds.
//!
//! ```
//! use holdpoint_gateway::{Code, jwt::TokenRules};
//!
//! let keys = r#"{"k1":{"alg":"HS256","secret":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}"#;
//! let rules = TokenRules::read(keys, "https://id.example", "holdpoint").unwrap();
//! assert_eq!(rules.claims("a.b.c", 0).unwrap_err(), Code::AuthInvalidToken);
//! assert!(TokenRules::read(r#"{"k1":{"alg":"HS256","secret":"c2hvcnQ="}}"#, "i", "a").is_err());
//! ```

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ed25519_dalek::{Signature, VerifyingKey};
use hmac::{Hmac, Mac as _};
use serde::Deserialize;
use serde_json::Value;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::budget::Ms;
use crate::json::{self, JsonBounds};
use crate::key::SCOPES;
use crate::refusal::Code;

/// Longer texts are no token.
const MAX_TOKEN_BYTES: usize = 8 << 10;
/// Bytes of a secret that signs.
const LEAST_SECRET_BYTES: usize = 32;
/// Two, so that one can follow the other.
const MOST_KEYS: usize = 2;
/// Characters of a subject or an organisation.
const MAX_NAME: usize = 128;
const MOST_LIFE_S: i64 = 24 * 3_600;
/// What clocks may differ by.
const LEEWAY_S: i64 = 30;
/// What somebody may do whose provider says nothing about it.
const USUAL_SCOPES: [&str; 3] = ["llm", "usage", "edit"];
/// Headers that bring a key along, or say that more must be understood.
const REFUSED_HEADERS: [&str; 6] = ["jwk", "jku", "x5u", "x5c", "crit", "zip"];
const BOUNDS: JsonBounds = JsonBounds { depth: 8, nodes: 1_000 };

/// Why settings are not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// What stands there is not told: it may be a key.
    #[error("it is no object of keys; look at line {0}, column {1}")]
    Form(usize, usize),
    #[error("it has {0} keys; write one or two")]
    Count(usize),
    #[error("the key `{0}` cannot be used")]
    Key(String),
    #[error("`TOKEN_ISSUER` and `TOKEN_AUDIENCE` are needed")]
    NoName,
}

/// A key as it is written.
#[derive(Deserialize)]
#[serde(tag = "alg", deny_unknown_fields)]
enum WrittenKey {
    #[serde(rename = "HS256")]
    Hs256 { secret: String },
    #[serde(rename = "EdDSA")]
    EdDsa { public: String },
}

enum TokenKey {
    Hs256(Zeroizing<Vec<u8>>),
    EdDsa(VerifyingKey),
}

/// The keys, the issuer and the audience of tokens that are believed.
pub struct TokenRules {
    keys: BTreeMap<String, TokenKey>,
    issuer: String,
    audience: String,
}

/// What a token says that is believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    pub subject: String,
    /// `None`: the account is the subject's own.
    pub organisation: Option<String>,
    pub scopes: Vec<String>,
    /// From then on it is not believed any more.
    pub ends_ms: Ms,
}

impl Claims {
    /// The name of the account, as budget scopes have it.
    pub fn account(&self) -> &str {
        self.organisation.as_deref().unwrap_or(&self.subject)
    }

    /// The same as ids of accounts are made of it.
    pub fn account_key(&self) -> String {
        let kind = if self.organisation.is_some() { "org" } else { "user" };
        format!("{kind}:{}", self.account())
    }
}

impl TokenRules {
    /// Reads `{kid: {"alg": "HS256", "secret": base64} | {"alg": "EdDSA", "public": base64}}`.
    pub fn read(keys: &str, issuer: &str, audience: &str) -> Result<Self, RulesError> {
        let written: BTreeMap<String, WrittenKey> =
            serde_json::from_str(keys).map_err(|error| RulesError::Form(error.line(), error.column()))?;
        if written.is_empty() || written.len() > MOST_KEYS {
            return Err(RulesError::Count(written.len()));
        }
        if issuer.is_empty() || audience.is_empty() {
            return Err(RulesError::NoName);
        }
        let mut read = BTreeMap::new();
        for (kid, key) in written {
            let key = key.read().ok_or_else(|| RulesError::Key(kid.clone()))?;
            read.insert(kid, key);
        }
        Ok(Self { keys: read, issuer: issuer.to_owned(), audience: audience.to_owned() })
    }

    /// What a token says. Errors: `AUTH_TOKEN_EXPIRED` of one that was good, else `AUTH_INVALID_TOKEN`.
    pub fn claims(&self, token: &str, now: Ms) -> Result<Claims, Code> {
        let claims = self.signed(token).ok_or(Code::AuthInvalidToken)?;
        self.believed(&claims, now)
    }

    /// The claims of a token whose signature holds.
    fn signed(&self, token: &str) -> Option<Value> {
        if token.len() > MAX_TOKEN_BYTES {
            return None;
        }
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        let header = read_part(header)?;
        if REFUSED_HEADERS.iter().any(|name| header.get(name).is_some()) {
            return None;
        }
        let key = self.keys.get(header["kid"].as_str()?)?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        let holds = header["alg"] == key.algorithm() && key.verify(signed.as_bytes(), &signature);
        read_part(claims).filter(|_| holds)
    }

    fn believed(&self, claims: &Value, now: Ms) -> Result<Claims, Code> {
        let for_us = match &claims["aud"] {
            Value::Array(names) => names.iter().any(|name| *name == *self.audience),
            name => *name == *self.audience,
        };
        let seconds = |name: &str| claims[name].as_i64().filter(|at| (0..i64::MAX / 2_000).contains(at));
        let (Some(subject), Some(exp), Some(iat)) = (name(&claims["sub"]), seconds("exp"), seconds("iat")) else {
            return Err(Code::AuthInvalidToken);
        };
        let organisation = match &claims["org"] {
            Value::Null => None,
            value => Some(name(value).ok_or(Code::AuthInvalidToken)?),
        };
        let begins = if claims["nbf"].is_null() { iat } else { seconds("nbf").ok_or(Code::AuthInvalidToken)? };
        let latest = now.div_euclid(1_000) + LEEWAY_S;
        let life = exp - iat;
        let whose = claims["iss"] == *self.issuer && for_us;
        if !whose || life <= 0 || life > MOST_LIFE_S || iat > latest || begins > latest {
            return Err(Code::AuthInvalidToken);
        }
        let ends_ms = (exp + LEEWAY_S) * 1_000;
        if now >= ends_ms {
            return Err(Code::AuthTokenExpired);
        }
        Ok(Claims { subject, organisation, scopes: scopes(&claims["scope"])?, ends_ms })
    }
}

impl WrittenKey {
    fn read(self) -> Option<TokenKey> {
        match self {
            Self::Hs256 { secret } => {
                let secret = Zeroizing::new(STANDARD.decode(secret.trim()).ok()?);
                (secret.len() >= LEAST_SECRET_BYTES).then_some(TokenKey::Hs256(secret))
            }
            Self::EdDsa { public } => {
                let bytes: [u8; 32] = STANDARD.decode(public.trim()).ok()?.try_into().ok()?;
                let key = VerifyingKey::from_bytes(&bytes).ok()?;
                (!key.is_weak()).then_some(TokenKey::EdDsa(key))
            }
        }
    }
}

impl TokenKey {
    fn algorithm(&self) -> &'static str {
        match self {
            Self::Hs256(_) => "HS256",
            Self::EdDsa(_) => "EdDSA",
        }
    }

    fn verify(&self, signed: &[u8], signature: &[u8]) -> bool {
        match self {
            Self::Hs256(secret) => {
                let Ok(mac) = Hmac::<Sha256>::new_from_slice(secret) else { return false };
                mac.chain_update(signed).verify_slice(signature).is_ok()
            }
            Self::EdDsa(key) => {
                Signature::from_slice(signature).is_ok_and(|signature| key.verify_strict(signed, &signature).is_ok())
            }
        }
    }
}

/// A part of a token: an object without a member that stands twice.
fn read_part(part: &str) -> Option<Value> {
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(part).ok()?).ok()?;
    json::read(&text, BOUNDS).ok().filter(Value::is_object)
}

/// A name of a person or an organisation: visible characters without white space.
fn name(value: &Value) -> Option<String> {
    let name = value.as_str()?;
    let plain = |c: char| !c.is_control() && !c.is_whitespace();
    ((1..=MAX_NAME).contains(&name.chars().count()) && name.chars().all(plain)).then(|| name.to_owned())
}

/// Words that are no scopes of ours are another's.
fn scopes(said: &Value) -> Result<Vec<String>, Code> {
    let words: Vec<&str> = match said {
        Value::Null => USUAL_SCOPES.to_vec(),
        Value::String(words) => words.split_whitespace().collect(),
        Value::Array(words) => words.iter().map(Value::as_str).collect::<Option<_>>().ok_or(Code::AuthInvalidToken)?,
        _ => return Err(Code::AuthInvalidToken),
    };
    Ok(SCOPES.iter().filter(|scope| words.contains(scope)).map(|scope| (*scope).to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::{Signer as _, SigningKey};
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const NOW: Ms = 1_800_000_000_000;
    const SECRET: [u8; 32] = [7; 32];

    fn rules() -> TokenRules {
        let public = SigningKey::from_bytes(&[9; 32]).verifying_key();
        let keys = json!({
            "h": {"alg": "HS256", "secret": STANDARD.encode(SECRET)},
            "e": {"alg": "EdDSA", "public": STANDARD.encode(public.as_bytes())},
        });
        TokenRules::read(&keys.to_string(), "https://id", "hp").unwrap()
    }

    fn good() -> Value {
        let now = NOW / 1_000;
        json!({"iss": "https://id", "aud": "hp", "sub": "ann", "iat": now, "exp": now + 600})
    }

    fn with(name: &str, value: Value) -> Value {
        let mut claims = good();
        claims[name] = value;
        claims
    }

    fn signed(header: &Value, claims: &str) -> String {
        let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(header.to_string()), URL_SAFE_NO_PAD.encode(claims));
        let signature = if header["alg"] == "EdDSA" {
            SigningKey::from_bytes(&[9; 32]).sign(signed.as_bytes()).to_bytes().to_vec()
        } else {
            let mac = Hmac::<Sha256>::new_from_slice(&SECRET).unwrap();
            mac.chain_update(&signed).finalize().into_bytes().to_vec()
        };
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    fn token(claims: &Value) -> String {
        signed(&json!({"alg": "HS256", "kid": "h"}), &claims.to_string())
    }

    #[test]
    fn both_algorithms_are_believed() {
        for (alg, kid) in [("HS256", "h"), ("EdDSA", "e")] {
            let token = signed(&json!({"alg": alg, "kid": kid, "typ": "JWT"}), &good().to_string());
            let claims = rules().claims(&token, NOW).unwrap();
            assert_eq!((claims.account(), claims.account_key().as_str()), ("ann", "user:ann"));
            assert_eq!(claims.scopes, USUAL_SCOPES);
        }
    }

    #[test]
    fn an_organisation_and_scopes_are_read() {
        let mut claims = with("org", json!("acme"));
        claims["scope"] = json!("openid admin llm");
        claims["aud"] = json!(["other", "hp"]);
        let claims = rules().claims(&token(&claims), NOW).unwrap();
        assert_eq!(claims.account_key(), "org:acme");
        assert_eq!(claims.scopes, ["llm", "admin"]);
    }

    #[test]
    fn what_does_not_hold_is_refused() {
        let now = NOW / 1_000;
        let wrong = [
            ("iss", json!("https://other")),
            ("aud", json!("other")),
            ("aud", json!(["a", "b"])),
            ("aud", Value::Null),
            ("sub", Value::Null),
            ("sub", json!("")),
            ("sub", json!("a b")),
            ("sub", json!("a\u{0}")),
            ("sub", json!("x".repeat(129))),
            ("org", json!("")),
            ("org", json!(7)),
            ("exp", json!("soon")),
            ("exp", Value::Null),
            ("exp", json!(1.5)),
            ("exp", json!(i64::MAX)),
            ("exp", json!(now + 86_401)),
            ("exp", json!(now)),
            ("iat", Value::Null),
            ("iat", json!(now + 31)),
            ("nbf", json!(now + 31)),
            ("nbf", json!("now")),
            ("scope", json!(7)),
            ("scope", json!([7])),
        ];
        for (name, value) in wrong {
            let claims = with(name, value);
            assert_eq!(rules().claims(&token(&claims), NOW), Err(Code::AuthInvalidToken), "{claims}");
        }
        let twice = good().to_string().replacen('{', r#"{"sub":"eve","#, 1);
        let token = signed(&json!({"alg": "HS256", "kid": "h"}), &twice);
        assert_eq!(rules().claims(&token, NOW), Err(Code::AuthInvalidToken));
    }

    #[test]
    fn time_has_a_leeway() {
        let token = token(&good());
        for (later, held) in [(-30_000, true), (-31_000, false), (629_999, true)] {
            assert_eq!(rules().claims(&token, NOW + later).is_ok(), held, "{later}");
        }
        assert_eq!(rules().claims(&token, NOW + 630_000), Err(Code::AuthTokenExpired));
    }

    #[test]
    fn headers_cannot_choose() {
        let public = SigningKey::from_bytes(&[9; 32]).verifying_key();
        let headers = [
            json!({"alg": "none", "kid": "h"}),
            json!({"alg": "HS512", "kid": "h"}),
            json!({"alg": "EdDSA", "kid": "h"}),
            json!({"alg": "HS256", "kid": "e"}),
            json!({"alg": "HS256", "kid": "x"}),
            json!({"alg": "HS256"}),
            json!({"alg": "HS256", "kid": "h", "jwk": {}}),
            json!({"alg": "HS256", "kid": "h", "jku": "https://id"}),
            json!({"alg": "HS256", "kid": "h", "x5c": []}),
            json!({"alg": "HS256", "kid": "h", "crit": ["exp"]}),
        ];
        for header in headers {
            let token = signed(&header, &good().to_string());
            assert_eq!(rules().claims(&token, NOW), Err(Code::AuthInvalidToken), "{header}");
        }
        // The public key is no secret.
        let head = URL_SAFE_NO_PAD.encode(json!({"alg": "HS256", "kid": "e"}).to_string());
        let signed = format!("{head}.{}", URL_SAFE_NO_PAD.encode(good().to_string()));
        let mac = Hmac::<Sha256>::new_from_slice(public.as_bytes()).unwrap().chain_update(&signed);
        let token = format!("{signed}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()));
        assert_eq!(rules().claims(&token, NOW), Err(Code::AuthInvalidToken));
    }

    #[test]
    fn settings_say_what_is_wrong() {
        let secret = STANDARD.encode(SECRET);
        let key = |kid: &str| format!(r#""{kid}":{{"alg":"HS256","secret":"{secret}"}}"#);
        let read = |keys: String| TokenRules::read(&keys, "i", "a").map(drop);
        assert_eq!(read(format!("{{{},{}}}", key("1"), key("2"))), Ok(()));
        assert_eq!(read("{}".to_owned()), Err(RulesError::Count(0)));
        assert!(matches!(read(format!("{{{},{},{}}}", key("1"), key("2"), key("3"))), Err(RulesError::Count(3))));
        assert!(matches!(read(r#"{"k":{"alg":"RS256","secret":""}}"#.to_owned()), Err(RulesError::Form(..))));
        let mistaken = read(r#"{"k": "plain-secret"}"#.to_owned()).unwrap_err();
        assert!(!mistaken.to_string().contains("plain-secret"));
        assert_eq!(read(r#"{"k":{"alg":"EdDSA","public":"AAAA"}}"#.to_owned()), Err(RulesError::Key("k".to_owned())));
        assert_eq!(TokenRules::read(&format!("{{{}}}", key("1")), "", "a").map(drop), Err(RulesError::NoName));
    }

    proptest! {
        #[test]
        fn any_change_is_refused(at in 0_usize..200, to in any::<u8>()) {
            let mut token = token(&good()).into_bytes();
            let at = at % token.len();
            prop_assume!(token[at] != to);
            token[at] = to;
            if let Ok(token) = String::from_utf8(token) {
                prop_assert_eq!(rules().claims(&token, NOW), Err(Code::AuthInvalidToken));
            }
        }
    }
}
