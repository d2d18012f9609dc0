//! What a request may hold: every member that the official clients document goes through, and nothing else does.
//!
//! The oracle is a list of paths read off the clients' types (openai-node 6, anthropic-sdk-typescript), in
//! `tests/data`, and not the gateway's own table.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail it")]

use holdpoint_gateway::price::Price;
use holdpoint_gateway::quote::{ModelRow, quote};
use holdpoint_gateway::{GatewayError, Limits, Protocol};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const BOTH: [Protocol; 2] = [Protocol::OpenAi, Protocol::Anthropic];

fn documented(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::OpenAi => include_str!("data/openai-members.txt"),
        Protocol::Anthropic => include_str!("data/anthropic-members.txt"),
    }
}

/// A request with every documented member.
fn whole(protocol: Protocol) -> Value {
    serde_json::from_str(match protocol {
        Protocol::OpenAi => include_str!("data/openai-whole.json"),
        Protocol::Anthropic => include_str!("data/anthropic-whole.json"),
    })
    .unwrap()
}

fn row() -> ModelRow {
    ModelRow {
        price: Some(Price { input: 1, output: 1, ..Price::default() }),
        image_tokens_max: Some(10),
        document_tokens_max: Some(20),
        audio_tokens_max: Some(30),
        ..ModelRow::default()
    }
}

fn quoted(protocol: Protocol, body: &Value, passes: &[&str]) -> Result<u64, GatewayError> {
    let passes: Vec<String> = passes.iter().map(|pass| (*pass).to_owned()).collect();
    quote(protocol, body, &row(), &passes, None, &Limits::default()).map(|quote| quote.input_bound)
}

/// The code and the pointers of a refusal.
fn told(found: Result<u64, GatewayError>) -> Option<(&'static str, Vec<String>)> {
    let refusal = found.err()?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let pointers = match (&refusal.details.get("pointers"), &refusal.details.get("pointer")) {
        (Some(Value::Array(list)), _) => list.iter().filter_map(text).collect(),
        (_, Some(pointer)) => text(pointer).into_iter().collect(),
        _ => Vec::new(),
    };
    Some((refusal.code.name(), pointers))
}

/// The members of a body that no line of the list names, as dotted paths. Below a path with `*` everything goes.
fn undocumented(protocol: Protocol, body: &Value) -> Vec<String> {
    fn walk(value: &Value, path: &str, known: &dyn Fn(&str) -> bool, found: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| walk(item, path, known, found)),
            Value::Object(members) => {
                if known(&format!("{path}.*")) {
                    return;
                }
                for (name, member) in members {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    // A block may hold blocks again.
                    let path =
                        path.replace(".content.content", ".content").replace(".content.source.content", ".content");
                    if known(&path) || known(&format!("{path}.*")) {
                        walk(member, &path, known, found);
                    } else {
                        found.push(path);
                    }
                }
            }
            _ => {}
        }
    }
    let known = |path: &str| documented(protocol).lines().any(|line| line == path);
    let mut found = Vec::new();
    walk(body, "", &known, &mut found);
    found
}

#[test]
fn a_request_with_every_documented_member_goes_through() {
    for protocol in BOTH {
        let body = whole(protocol);
        assert_eq!(undocumented(protocol, &body), Vec::<String>::new(), "the list lacks them");
        assert_eq!(told(quoted(protocol, &body, &[])), None, "{protocol:?}");
    }
}

/// Members that change what a call costs, or that nobody here can price: patch, pointers of the refusal.
#[test]
fn members_that_change_the_price_are_refused() {
    let openai: &[(Value, &[&str])] = &[
        (json!({ "N": 5 }), &["/N"]),
        (json!({ "Max_Tokens": 9 }), &["/Max_Tokens"]),
        (json!({ "MAX_COMPLETION_TOKENS": 9 }), &["/MAX_COMPLETION_TOKENS"]),
        (json!({ "maxTokens": 9 }), &["/maxTokens"]),
        (json!({ "Model": "dear" }), &["/Model"]),
        (json!({ "\u{ff4e}": 5, "n\u{200b}": 5, " n": 5 }), &["/ n", "/n\u{200b}", "/\u{ff4e}"]),
        (json!({ "Messages": [], "Stream": true }), &["/Messages", "/Stream"]),
        (json!({ "models": ["a", "b"] }), &["/models"]),
        (json!({ "plugins": [{ "id": "web" }], "transforms": [] }), &["/plugins", "/transforms"]),
        (json!({ "provider": { "order": ["dear"] }, "route": "fallback" }), &["/provider", "/route"]),
        (json!({ "best_of": 5 }), &["/best_of"]),
        (json!({ "max_output_tokens": 9, "max_new_tokens": 9 }), &["/max_new_tokens", "/max_output_tokens"]),
        (json!({ "reasoning": { "max_tokens": 100_000 } }), &["/reasoning"]),
        (json!({ "thinking": { "budget_tokens": 100_000 } }), &["/thinking"]),
        (json!({ "extra_body": { "n": 5 } }), &["/extra_body"]),
        (json!({ "options": { "num_predict": 5 } }), &["/options"]),
        (json!({ "web_search_options": {} }), &["/web_search_options"]),
        (json!({ "moderation": { "model": "m" } }), &["/moderation"]),
        (json!({ "modalities": ["text", "image"] }), &["/modalities"]),
        (json!({ "audio": { "voice": "ash", "format": "wav" } }), &["/audio"]),
        (json!({ "service_tier": "priority" }), &["/service_tier"]),
        (json!({ "service_tier": "AUTO" }), &["/service_tier"]),
        (json!({ "tools": [{ "type": "web_search" }] }), &["/tools/0/type"]),
        (json!({ "tools": [{ "type": "Function", "function": { "name": "f" } }] }), &["/tools/0/type"]),
        (json!({ "tools": [{ "google_search": {} }] }), &["/tools/0/google_search"]),
        (
            json!({ "tools": [{ "type": "function", "function": { "name": "f", "web_search": {} }, "mcp": 1 }] }),
            &["/tools/0/function/web_search", "/tools/0/mcp"],
        ),
        (json!({ "tools": { "0": { "type": "web_search" } } }), &["/tools"]),
        (json!({ "tool_choice": { "type": "web_search_preview" } }), &["/tool_choice/type"]),
        (json!({ "stream_options": { "include_usage": true, "n": 5 } }), &["/stream_options/n"]),
        (json!({ "response_format": { "type": "json_schema", "n": 5 } }), &["/response_format/n"]),
        (json!({ "temperature": { "n": 5 } }), &["/temperature"]),
        (json!({ "stop": [["a"]] }), &["/stop/0"]),
        (json!({ "prediction": { "type": "content", "content": "a", "n": 5 } }), &["/prediction/n"]),
        (json!({ "prompt_cache_options": { "ttl": "7d" } }), &["/prompt_cache_options/ttl"]),
        (json!({ "messages": [{ "role": "user", "content": "a", "N": 5 }] }), &["/messages/0/N"]),
        (
            json!({ "messages": [{ "role": "assistant", "content": "a", "audio": { "id": "a" } }] }),
            &["/messages/0/audio"],
        ),
        (
            json!({ "messages": [{ "role": "user", "content": [{ "type": "text", "text": "a", "image_url": { "url": "b" } }] }] }),
            &["/messages/0/content/0/image_url"],
        ),
        (json!({ "messages": [{ "role": "user", "content": { "type": "video_url" } }] }), &["/messages/0/content"]),
        (
            json!({ "messages": [{ "role": "user", "content": [{ "type": "text", "text": "a", "cache_control": { "type": "ephemeral", "ttl": "1H" } }] }] }),
            &["/messages/0/content/0/cache_control/ttl"],
        ),
        (
            json!({ "messages": [{ "role": "assistant", "tool_calls": [{ "type": "web_search_call", "id": "a" }] }] }),
            &["/messages/0/tool_calls/0/type"],
        ),
    ];
    let anthropic: &[(Value, &[&str])] = &[
        (json!({ "N": 5 }), &["/N"]),
        (json!({ "n": 5 }), &["/n"]),
        (json!({ "Max_Tokens": 9, "Mcp_Servers": [] }), &["/Max_Tokens", "/Mcp_Servers"]),
        (json!({ "max_completion_tokens": 9 }), &["/max_completion_tokens"]),
        (json!({ "mcp_servers": [{}], "container": "c" }), &["/container", "/mcp_servers"]),
        (json!({ "fallbacks": [{ "model": "dear" }] }), &["/fallbacks"]),
        (json!({ "speed": "fast" }), &["/speed"]),
        (json!({ "inference_geo": "us" }), &["/inference_geo"]),
        (json!({ "service_tier": "priority" }), &["/service_tier"]),
        (json!({ "tools": [{ "type": "web_search_20250305", "name": "web_search" }] }), &["/tools/0/type"]),
        (json!({ "tools": [{ "type": "Custom", "name": "f" }] }), &["/tools/0/type"]),
        (json!({ "tools": [{ "name": "f", "max_uses": 5 }] }), &["/tools/0/max_uses"]),
        (
            json!({ "context_management": { "edits": [{ "type": "compact_20260112" }] } }),
            &["/context_management/edits/0/type"],
        ),
        (json!({ "cache_control": { "type": "ephemeral", "ttl": "24h" } }), &["/cache_control/ttl"]),
        (
            json!({ "thinking": { "type": "enabled", "budget_tokens": 9, "Budget_Tokens": 99 } }),
            &["/thinking/Budget_Tokens"],
        ),
        (json!({ "output_config": { "effort": "low", "tier": "fast" } }), &["/output_config/tier"]),
        (json!({ "metadata": { "user_id": "a", "tier": "fast" } }), &["/metadata/tier"]),
        (
            json!({ "messages": [{ "role": "assistant", "content": [{ "type": "server_tool_use", "id": "a", "name": "web_search", "input": {} }] }] }),
            &["/messages/0/content/0/type"],
        ),
        (
            json!({ "messages": [{ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "t",
                "content": [{ "type": "text", "text": "a", "Type": "image" }] }] }] }),
            &["/messages/0/content/0/content/0/Type"],
        ),
    ];
    for (protocol, cases) in [(Protocol::OpenAi, openai), (Protocol::Anthropic, anthropic)] {
        for (patch, want) in cases {
            let mut body = small(protocol);
            body.extend(patch.as_object().unwrap().clone());
            let found = told(quoted(protocol, &Value::Object(body), &[]));
            let want: Vec<String> = want.iter().map(|pointer| (*pointer).to_owned()).collect();
            assert_eq!(found, Some(("UNMETERED_FEATURE", want)), "{protocol:?} {patch}");
        }
    }
}

fn small(protocol: Protocol) -> Map<String, Value> {
    let mut body = json!({ "model": "m", "messages": [{ "role": "user", "content": "x" }] });
    if protocol == Protocol::Anthropic {
        body["max_tokens"] = json!(9);
    }
    body.as_object().unwrap().clone()
}

/// A body of one message with one part.
fn with_part(protocol: Protocol, part: &Value) -> Value {
    let mut body = small(protocol);
    body.insert("messages".into(), json!([{ "role": "user", "content": [part] }]));
    Value::Object(body)
}

#[test]
fn parts_of_a_kind_that_nobody_prices_are_refused() {
    let cases = [
        (Protocol::OpenAi, json!({ "type": "video_url", "video_url": { "url": "https://a.example/b.mp4" } }), "video"),
        (Protocol::OpenAi, json!({ "type": "input_video", "input_video": { "data": "AAAA" } }), "video"),
        (Protocol::OpenAi, json!({ "type": "Image_URL", "image_url": { "url": "a" } }), "Image_URL"),
        (Protocol::OpenAi, json!({ "type": "image", "source": { "type": "url", "url": "a" } }), "image"),
        (Protocol::OpenAi, json!({ "video_url": { "url": "a" } }), "unknown"),
        (Protocol::Anthropic, json!({ "type": "video", "source": { "type": "url", "url": "a" } }), "video"),
        (Protocol::Anthropic, json!({ "type": "image_url", "image_url": { "url": "a" } }), "image"),
        (
            Protocol::Anthropic,
            json!({ "type": "tool_result", "tool_use_id": "t", "content": [{ "type": "audio", "source": {} }] }),
            "audio",
        ),
    ];
    for (protocol, part, media) in cases {
        let refusal = quoted(protocol, &with_part(protocol, &part), &[]).unwrap_err();
        assert_eq!(refusal.code.name(), "MEDIA_NOT_PRICED", "{part}");
        assert_eq!(refusal.details["media"], media, "{part}");
        let below =
            if part["type"] == "tool_result" { "/messages/0/content/0/content/0" } else { "/messages/0/content/0" };
        assert_eq!(refusal.details["pointer"], below, "{part}");
    }
}

/// Only where a server reads media are their bytes left out of the bound: in the arguments and schemas of tools they are
/// words like all others, and no media either.
#[test]
fn words_that_look_like_media_count_as_words() {
    let long = "x".repeat(50_000);
    let image = json!({ "type": "image_url", "image_url": { "url": long } });
    let source = json!({ "type": "image", "source": { "type": "base64", "data": long } });
    let free = [
        (
            Protocol::OpenAi,
            json!({ "tools": [{ "type": "function", "function": { "name": "f", "parameters": image } }] }),
        ),
        (Protocol::OpenAi, json!({ "metadata": { "type": "image_url", "image_url": long } })),
        (Protocol::Anthropic, json!({ "tools": [{ "name": "f", "input_schema": source }] })),
        (
            Protocol::Anthropic,
            json!({ "messages": [{ "role": "assistant", "content": [{ "type": "tool_use", "id": "t", "name": "f", "input": source }] }] }),
        ),
    ];
    for (protocol, patch) in free {
        let mut body = small(protocol);
        body.extend(patch.as_object().unwrap().clone());
        let bound = quoted(protocol, &Value::Object(body), &[]).unwrap();
        assert!(bound > 50_000, "{bound} for {patch:.80}");
    }
    let bound = quoted(Protocol::OpenAi, &with_part(Protocol::OpenAi, &image), &[]).unwrap();
    assert!(bound < 1_000, "{bound}");
    let bound = quoted(Protocol::Anthropic, &with_part(Protocol::Anthropic, &source), &[]).unwrap();
    assert!(bound < 1_000, "{bound}");
    // A file of the same name in a tool's arguments is no document.
    let call = json!({ "type": "tool_use", "id": "t", "name": "f", "input": { "type": "file", "path": "a" } });
    let mut unpriced = row();
    unpriced.document_tokens_max = None;
    let body = with_part(Protocol::Anthropic, &call);
    assert!(quote(Protocol::Anthropic, &body, &unpriced, &[], None, &Limits::default()).is_ok());
}

#[test]
fn a_provider_lets_members_pass_by_name_and_place() {
    let body = json!({ "model": "m", "top_k": 5, "chat_template_kwargs": { "enable_thinking": false },
        "messages": [{ "role": "user", "content": [{ "type": "text", "text": "a", "weight": 2 }], "prefix": true }] });
    let all = ["top_k", "chat_template_kwargs", "messages.prefix", "messages.content.weight"];
    assert_eq!(told(quoted(Protocol::OpenAi, &body, &all)), None);
    let pointers = ["/top_k", "/chat_template_kwargs", "/messages/0/prefix", "/messages/0/content/0/weight"];
    for (left_out, pointer) in all.iter().zip(pointers) {
        let passes: Vec<&str> = all.iter().copied().filter(|pass| pass != left_out).collect();
        let want = Some(("UNMETERED_FEATURE", vec![pointer.to_owned()]));
        assert_eq!(told(quoted(Protocol::OpenAi, &body, &passes)), want);
    }
    let mut other = small(Protocol::OpenAi);
    other.insert("prefix".into(), json!(true));
    other.insert("Top_K".into(), json!(5));
    let want = Some(("UNMETERED_FEATURE", vec!["/Top_K".to_owned(), "/prefix".to_owned()]));
    assert_eq!(told(quoted(Protocol::OpenAi, &Value::Object(other), &all)), want);
}

/// Names as somebody writes them who would be read by a lenient server.
fn names() -> impl Strategy<Value = String> {
    let known = BOTH.iter().flat_map(|protocol| documented(*protocol).lines());
    let mut words: Vec<String> =
        known.filter_map(|line| line.trim_end_matches(".*").rsplit('.').next()).map(str::to_owned).collect();
    words.extend(
        ["models", "best_of", "plugins", "extra_body", "num_predict", "video_url", "fallbacks"].map(Into::into),
    );
    let word = prop::sample::select(words);
    prop_oneof![
        3 => word.clone(),
        2 => (word.clone(), any::<u64>()).prop_map(|(word, mask)| {
            let other = |(at, letter): (usize, char)| {
                if mask >> (at % 64) & 1 == 1 { letter.to_ascii_uppercase() } else { letter }
            };
            word.chars().enumerate().map(other).collect()
        }),
        1 => word.prop_map(|word| word.replace('_', "-")),
        1 => "[a-z_]{1,12}",
        1 => "\\PC{1,4}",
    ]
}

fn trees() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0_u32..9).prop_map(Value::from),
        prop::sample::select(vec![
            "text",
            "image_url",
            "image",
            "function",
            "custom",
            "tool_result",
            "tool_use",
            "document",
            "base64",
            "content",
            "json_schema",
            "ephemeral",
            "allowed_tools",
            "grammar",
            "auto",
            "enabled",
            "tokens"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((names(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Puts members into the objects of a body, at some of its places.
fn strew(value: &mut Value, at: &mut usize, places: &[(usize, String, Value)]) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| strew(item, at, places)),
        Value::Object(members) => {
            members.values_mut().for_each(|member| strew(member, at, places));
            for (_, name, tree) in places.iter().filter(|(place, ..)| place == at) {
                members.insert(name.clone(), tree.clone());
            }
            *at += 1;
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn nothing_goes_through_that_nobody_documented(
        places in prop::collection::vec((0_usize..60, names(), trees()), 1..4), pick in 0_usize..4,
    ) {
        let protocol = BOTH[pick % 2];
        let mut body = if pick < 2 { whole(protocol) } else { Value::Object(small(protocol)) };
        strew(&mut body, &mut 0, &places);
        if quoted(protocol, &body, &[]).is_ok() {
            prop_assert_eq!(undocumented(protocol, &body), Vec::<String>::new(), "{}", body);
        }
    }
}
