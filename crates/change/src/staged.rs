//! A change on its way to a person: staged on a base, then looked at (ENGINE §4).
//!
//! Plain data that a kind fills in. The records behind each token are fixed by the kind's spec and hashed there:
//! nothing here makes a token.

use holdpoint_bundle::Files;
use holdpoint_check::Report;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// `sha256:` and 64 hex digits (spec: facade.md "Hash").
pub type Hash = String;

/// What only one kind knows of a bundle or a revision: grants, an entry, how a proposal was placed. Written and read
/// back by that kind's own type; stored and carried unread by everybody else.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Facts(pub Json);

/// What a change is staged on, as the single writer has it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Base {
    /// The revision; `None`: there is none yet.
    pub revision: Option<String>,
    /// Its files; `None`: the bundle is not there.
    pub files: Option<Files>,
    pub facts: Facts,
}

/// One thing that staleness is asked of: a file, a whole bundle, an object. What stands elsewhere may change meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The path of a file, or [`Unit::WHOLE`].
    pub key: String,
    /// What the change found; `None`: not there.
    pub before: Option<Hash>,
    /// What it leaves; `None`: not there.
    pub after: Option<Hash>,
}

impl Unit {
    /// The key of the whole bundle, whose hash is that of all its files: no path is empty.
    pub const WHOLE: &str = "";
}

/// What names a change. A member is `None` where the kind's spec has no such token or it is null.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Of what the change is made on.
    pub base: Option<Hash>,
    /// Of the change itself, not of how it was written.
    pub patch: Option<Hash>,
    pub result: Option<Hash>,
}

/// What a person must give beside the tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Confirm {
    /// Nothing. Where there are reasons this cannot be signed: a doubt always asks for a confirmation.
    #[default]
    None,
    /// The token that follows from change and reasons: whoever previews again computes it again.
    Derived(Hash),
    /// A token that was made for this preview and this user, and is good once: the store knows it and spends it with
    /// the write.
    Issued,
}

/// A change that could be made, or could not: then `after` is `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Staged {
    /// What it is made on.
    pub base: Base,
    /// All files after it; `None`: it cannot be made, and no signature can make it.
    pub after: Option<Files>,
    /// Facts of the revision that it would be.
    pub facts: Facts,
    /// What is asked for staleness.
    pub units: Vec<Unit>,
    pub tokens: Tokens,
    pub confirm: Confirm,
    /// What a person must type, word for word.
    pub typed: Option<String>,
    /// Why a confirmation is asked for.
    pub reasons: Vec<String>,
    /// What takes it back, where a kind stores that with the revision; its own type at both ends.
    pub inverse: Option<Json>,
    /// The change as the kind's spec shows it to a person, without findings; its own type at both ends.
    pub shown: Json,
}

/// A staged change with what the kind's check says of the files after it: what can be signed.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    pub staged: Staged,
    /// Findings of the files after it.
    pub report: Report,
}

impl Preview {
    /// What a person is shown: the change, and the findings of the files after it as `diagnostics`.
    pub fn shown(&self) -> Json {
        let mut shown = self.staged.shown.clone();
        if let Some(members) = shown.as_object_mut() {
            members.insert("diagnostics".to_owned(), serde_json::json!(self.report.diagnostics));
        }
        shown
    }
}

impl Staged {
    /// Keys of the units that are not, by `now`, as the change found them: what makes it stale.
    pub fn moved(&self, now: impl Fn(&str) -> Option<Hash>) -> Vec<&str> {
        self.units.iter().filter(|unit| now(&unit.key) != unit.before).map(|unit| unit.key.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moved_is_asked_of_the_units_only() {
        let unit = |key: &str, before: Option<&str>| Unit {
            key: key.to_owned(),
            before: before.map(str::to_owned),
            after: Some("after".to_owned()),
        };
        let staged = Staged { units: vec![unit("a", Some("1")), unit("b", None)], ..Staged::default() };
        let now = |a: Option<&'static str>, b: Option<&'static str>| {
            move |key: &str| match key {
                "a" => a.map(str::to_owned),
                "b" => b.map(str::to_owned),
                other => panic!("{other} is no unit of the change"),
            }
        };
        assert_eq!(staged.moved(now(Some("1"), None)), [""; 0]);
        assert_eq!(staged.moved(now(Some("2"), None)), ["a"]);
        assert_eq!(staged.moved(now(None, Some("1"))), ["a", "b"]);
    }
}
