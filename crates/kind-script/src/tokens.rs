//! How a model of the script editor counts (spec: script-tool.md §8).

pub use holdpoint_tokens::{Message, message, messages};

use holdpoint_tokens::Counting;

/// How the model with this id counts. Ids are compared in lower case.
pub fn method(model: &str) -> Counting {
    let model = model.to_ascii_lowercase();
    if is_large_family(&model) {
        Counting::Bytes3
    } else if model.contains("devstral") || model.contains("mistral") {
        Counting::Chars2
    } else {
        Counting::Chars4
    }
}

/// Whether a lower-case id is `gpt-5` or `openai/gpt-5`, alone or followed by `-`, `_` or `.`.
pub(super) fn is_large_family(model: &str) -> bool {
    let rest = model.strip_prefix("openai/").unwrap_or(model).strip_prefix("gpt-5");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_', '.']))
}

#[cfg(test)]
mod tests {
    use holdpoint_tokens::Tokens;

    use super::*;

    #[test]
    fn families() {
        let cases = [
            ("gpt-5", Counting::Bytes3),
            ("OpenAI/GPT-5.1", Counting::Bytes3),
            ("gpt-5_x", Counting::Bytes3),
            ("gpt-50", Counting::Chars4),
            ("azure/gpt-5", Counting::Chars4),
            ("Devstral-small", Counting::Chars2),
            ("open-mistral-7b", Counting::Chars2),
            ("", Counting::Chars4),
        ];
        for (model, want) in cases {
            assert_eq!(method(model), want, "{model}");
        }
    }

    #[test]
    fn messages_cost_more_than_their_text() {
        let sent = [Message::new("system", ""), Message::new("user", "12345678"), Message::new("assistant", "")];
        assert_eq!(messages(Counting::Chars4, &sent), Tokens { tokens: 10, method: Counting::Chars4, chars: 8 });
        assert_eq!(messages(Counting::Bytes3, &sent).tokens, 9);
        assert_eq!(messages(Counting::Chars4, &[Message::new("system", "a")]).tokens, 5);
    }
}
