//! How many tokens a text costs, before a provider says so (spec: ai-sessions.md §7.1, script-tool.md §8).
//!
//! Estimates only: budgets hold more than these numbers and settle on what the provider reports. Same text, same
//! number, in the page and at the edge.

use serde::{Deserialize, Serialize};

/// Tokens that a message costs beside its text.
pub const MESSAGE_TOKENS: u64 = 4;
/// The same for models of the `bytes3` family.
const BYTES3_MESSAGE_TOKENS: u64 = 3;

/// How characters are turned into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counting {
    /// ASCII a quarter, up to U+2E7F a half, else a whole token.
    ScriptAware,
    /// It estimates four characters a token.
    Chars4,
    /// It estimates two characters a token.
    Chars2,
    /// It estimates three bytes a token.
    Bytes3,
}

/// A text's cost and how it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    pub tokens: u64,
    pub method: Counting,
    pub chars: u64,
}

/// One message of a call or of a thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    #[serde(default)]
    pub role: String,
    pub content: String,
}

impl Message {
    /// A message of a role.
    pub fn new(role: &str, content: impl Into<String>) -> Self {
        Self { role: role.to_owned(), content: content.into() }
    }
}

impl Counting {
    /// Tokens of one text, rounded up.
    pub fn count(self, text: &str) -> u64 {
        match self {
            Self::ScriptAware => quarters(text).div_ceil(4),
            Self::Chars4 => (text.chars().count() as u64).div_ceil(4),
            Self::Chars2 => (text.chars().count() as u64).div_ceil(2),
            Self::Bytes3 => (text.len() as u64).div_ceil(3),
        }
    }

    pub fn text(self, text: &str) -> Tokens {
        Tokens { tokens: self.count(text), method: self, chars: text.chars().count() as u64 }
    }

    /// Tokens of one message: its text, and the cost of a message beside.
    pub fn message(self, text: &str) -> u64 {
        let beside = if self == Self::Bytes3 { BYTES3_MESSAGE_TOKENS } else { MESSAGE_TOKENS };
        self.count(text) + beside
    }

    /// Cost of messages: each on its own, and the cost of a message beside.
    pub fn messages<'a>(self, messages: impl IntoIterator<Item = &'a str>) -> Tokens {
        let nothing = Tokens { tokens: 0, method: self, chars: 0 };
        messages.into_iter().fold(nothing, |sum, text| Tokens {
            tokens: sum.tokens + self.message(text),
            chars: sum.chars + text.chars().count() as u64,
            ..sum
        })
    }
}

/// Cost of one message of a conversation. An empty system message is not sent, so it costs nothing.
pub fn message(method: Counting, role: &str, content: &str) -> u64 {
    if role == "system" && content.is_empty() { 0 } else { method.message(content) }
}

pub fn messages(method: Counting, messages: &[Message]) -> Tokens {
    let chars = messages.iter().map(|one| one.content.chars().count() as u64).sum();
    let tokens = messages.iter().map(|one| message(method, &one.role, &one.content)).sum();
    Tokens { tokens, method, chars }
}

/// The `script-aware` estimate, which budgets of authoring use.
pub fn estimate(text: &str) -> u64 {
    Counting::ScriptAware.count(text)
}

/// Quarters of a token that a text costs by [`estimate`]: they can be added up, rounded numbers cannot.
pub fn quarters(text: &str) -> u64 {
    text.chars().map(quarters_of).sum()
}

fn quarters_of(c: char) -> u64 {
    match c as u32 {
        ..0x80 => 1,
        0x80..0x2e80 => 2,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods() {
        let cases = [
            (Counting::ScriptAware, "", 0),
            (Counting::ScriptAware, "Bake rye.", 3),
            (Counting::ScriptAware, "烤 40 分钟 o", 5),
            (Counting::ScriptAware, "åäö", 2),
            (Counting::Chars4, "abcde", 2),
            (Counting::Chars2, "abcde", 3),
            (Counting::Bytes3, "åäö", 2),
        ];
        for (method, text, want) in cases {
            assert_eq!(method.count(text), want, "{method:?} {text}");
        }
        assert_eq!(Counting::ScriptAware.messages(["abcd", "abcde"]).tokens, 11);
        assert_eq!(quarters("\u{7f}\u{80}\u{2e7f}\u{2e80}\u{10ffff}"), 1 + 2 + 2 + 4 + 4);
    }
}
