//! The members of requests that are known, by protocol: an allow list (spec: gateway.md §2 "Fidelity").
//!
//! Why: a server may read `Max_Tokens` where the gateway metered none, and may price a member that nobody here has heard
//! of. Invariant: what is known under one spelling is never passed on under another.

use serde_json::{Map, Value, json};

use super::protocol::Protocol;
use crate::refusal::{Code, Refusal};

const OPENAI: &[&str] = &[
    "model",
    "messages",
    "max_tokens",
    "max_completion_tokens",
    "n",
    "stream",
    "stream_options",
    "temperature",
    "top_p",
    "stop",
    "seed",
    "frequency_penalty",
    "presence_penalty",
    "logit_bias",
    "logprobs",
    "top_logprobs",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "functions",
    "function_call",
    "response_format",
    "reasoning_effort",
    "verbosity",
    "prediction",
    "modalities",
    "audio",
    "web_search_options",
    "service_tier",
    "user",
    "safety_identifier",
    "store",
    "metadata",
    "prompt_cache_key",
    "prompt_cache_retention",
    "prompt_cache_options",
];

const ANTHROPIC: &[&str] = &[
    "model",
    "messages",
    "max_tokens",
    "system",
    "stream",
    "temperature",
    "top_p",
    "top_k",
    "stop_sequences",
    "tools",
    "tool_choice",
    "thinking",
    "metadata",
    "output_config",
    "cache_control",
    "service_tier",
    "speed",
    "mcp_servers",
    "container",
    "context_management",
    "inference_geo",
];

/// The members of a request that a protocol knows.
pub(super) fn known(protocol: Protocol) -> &'static [&'static str] {
    match protocol {
        Protocol::OpenAi => OPENAI,
        Protocol::Anthropic => ANTHROPIC,
    }
}

/// Refuses a known member in another spelling: somebody behind the gateway might read it.
pub(crate) fn check_spelling(protocol: Protocol, body: &Map<String, Value>) -> Result<(), Refusal> {
    let other = |key: &str| {
        let plain = key.trim().to_lowercase().replace('-', "_");
        known(protocol).iter().find(|known| **known == plain && **known != key)
    };
    match body.keys().find_map(|key| Some((key, other(key)?))) {
        Some((key, known)) => Err(Refusal::at(Code::InvalidRequest, holdpoint_text::pointer::join("", key))
            .saying(format!("Spell this member `{known}`."))
            .with(json!({ "known": known }))),
        None => Ok(()),
    }
}

/// Refuses members that nobody here knows.
pub(crate) fn check_known(protocol: Protocol, body: &Map<String, Value>) -> Result<(), Refusal> {
    match body.keys().find(|key| !known(protocol).contains(&key.as_str())) {
        Some(key) => Err(Refusal::at(Code::InvalidRequest, holdpoint_text::pointer::join("", key))
            .saying("This provider gets no members that the gateway does not know. Leave it out.")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_spelling_of_a_known_member_is_refused() {
        let cases = [
            (Protocol::OpenAi, "Model", Some("/Model")),
            (Protocol::OpenAi, "N", Some("/N")),
            (Protocol::OpenAi, "Max_Tokens", Some("/Max_Tokens")),
            (Protocol::OpenAi, "max-completion-tokens", Some("/max-completion-tokens")),
            (Protocol::OpenAi, " stream ", Some("/ stream ")),
            (Protocol::OpenAi, "max_tokens", None),
            (Protocol::OpenAi, "thinking", None),
            (Protocol::Anthropic, "MAX_TOKENS", Some("/MAX_TOKENS")),
            (Protocol::Anthropic, "Mcp_Servers", Some("/Mcp_Servers")),
            (Protocol::Anthropic, "N", None),
        ];
        for (protocol, key, want) in cases {
            let body = Map::from_iter([(key.to_owned(), Value::from(1))]);
            let told = check_spelling(protocol, &body).err().map(|refusal| refusal.details["pointer"].clone());
            assert_eq!(told.as_ref().and_then(Value::as_str), want, "{key}");
        }
    }

    #[test]
    fn a_member_that_nobody_knows_is_refused() {
        let body = |key: &str| Map::from_iter([(key.to_owned(), Value::Null)]);
        assert!(check_known(Protocol::OpenAi, &body("top_k")).is_err());
        assert!(check_known(Protocol::Anthropic, &body("top_k")).is_ok());
        assert_eq!(
            check_known(Protocol::Anthropic, &body("a/b")).unwrap_err().details["pointer"],
            Value::from("/a~1b")
        );
    }
}
