//! Who signs, and what they name (DESIGN §3, ENGINE §4).
//!
//! Each has one source: a [`Signature`] is what a request, or a validation that was stored for its user, says; a
//! [`Person`] is whom the edge's authentication found. Neither has a literal outside this crate and neither can be
//! written out, so nothing of the kind is invented or passed on behind a person's back.

use serde::Deserialize;

use crate::Hash;

/// What a person saw and names. It comes from [`Deserialize`] and from nowhere else: members of a request's body, in
/// whichever of the two spellings its routes have. A member that is absent or null names nothing.
///
/// ```
/// let seen = r#"{"base_hash": null, "patch_id": "sha256:…", "result_hash": "sha256:…"}"#;
/// let signature: holdpoint_change::Signature = serde_json::from_str(seen).unwrap();
/// ```
/// ```compile_fail
/// let hash = || Some("sha256:…".to_owned());
/// let signature = holdpoint_change::Signature {
///     base: None, patch: hash(), result: hash(), confirm: None, typed: None,
/// };
/// ```
///
/// It may hold a token that is good once, so it is neither printed nor written out again.
#[derive(Deserialize)]
pub struct Signature {
    #[serde(default, rename = "base_hash", alias = "baseHash")]
    pub(crate) base: Option<Hash>,
    #[serde(default, rename = "patch_id", alias = "patchId")]
    pub(crate) patch: Option<Hash>,
    #[serde(default, rename = "result_hash", alias = "resultHash")]
    pub(crate) result: Option<Hash>,
    #[serde(default, rename = "confirm_token", alias = "confirmToken")]
    pub(crate) confirm: Option<String>,
    #[serde(default, rename = "typed_id", alias = "typedId")]
    pub(crate) typed: Option<String>,
}

impl Signature {
    /// The base that was named: a choice of parts that this base does not have is stale where another one was seen.
    pub fn base(&self) -> Option<&str> {
        self.base.as_deref()
    }

    /// The change that was named: after a refusal a kind looks for which of its records is another one. To read it
    /// approves nothing.
    pub fn patch(&self) -> Option<&str> {
        self.patch.as_deref()
    }
}

/// Somebody whose credential was verified for the request at hand. Whoever holds one may decide for that user, so it
/// lives no longer than the request: it cannot be copied, stored or sent.
///
/// ```
/// # use holdpoint_change::Person;
/// let person = Person::authenticated("ada");
/// ```
/// ```compile_fail
/// # use holdpoint_change::Person;
/// let person = Person { user: "ada".to_owned() };
/// ```
///
/// What neither goes out nor comes in nor is copied, beside what does:
///
/// ```
/// # use holdpoint_change::*;
/// fn goes_out<T: serde::Serialize>() {}
/// fn comes_in<T: serde::de::DeserializeOwned>() {}
/// fn is_copied<T: Clone>() {}
/// goes_out::<Facts>();
/// comes_in::<Facts>();
/// is_copied::<Facts>();
/// ```
/// ```compile_fail
/// # use holdpoint_change::*;
/// fn goes_out<T: serde::Serialize>() {}
/// goes_out::<Person>();
/// ```
/// ```compile_fail
/// # use holdpoint_change::*;
/// fn comes_in<T: serde::de::DeserializeOwned>() {}
/// comes_in::<Person>();
/// ```
/// ```compile_fail
/// # use holdpoint_change::*;
/// fn is_copied<T: Clone>() {}
/// is_copied::<Person>();
/// ```
pub struct Person {
    user: String,
}

impl Person {
    /// The user of a credential that was just verified. Only the Worker's authentication calls this, in one place: a
    /// test over the tree counts the callers (`a_person_is_made_by_authentication_only`).
    pub fn authenticated(user: impl Into<String>) -> Self {
        Self { user: user.into() }
    }

    pub fn user(&self) -> &str {
        &self.user
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_spellings_and_nothing_else_are_read() {
        let members = |sent: serde_json::Value| {
            let signature: Signature = serde_json::from_value(sent).unwrap();
            let patch = signature.patch().map(str::to_owned);
            let Signature { base, result, confirm, typed, .. } = signature;
            [base, patch, result, confirm, typed].map(Option::unwrap_or_default)
        };
        let snake = json!({
            "base_hash": "b", "patch_id": "p", "result_hash": "r", "confirm_token": "c", "typed_id": "t", "files": {},
        });
        let camel = json!({"baseHash": "b", "patchId": "p", "resultHash": "r", "confirmToken": "c", "typedId": "t"});
        assert_eq!(members(snake), ["b", "p", "r", "c", "t"]);
        assert_eq!(members(camel), ["b", "p", "r", "c", "t"]);
        assert_eq!(members(json!({"base_hash": null})), [""; 5]);
        for wrong in [json!({"base_hash": 1}), json!({"patch_id": "p", "patchId": "p"}), json!("b")] {
            assert!(serde_json::from_value::<Signature>(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
