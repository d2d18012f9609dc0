//! Translation by its properties: nothing is lost on the way there and back, and no body breaks it.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Asking, Telling, Unsupported, answer, request};
use crate::limits::Limits;
use crate::passage::Passage;
use crate::refusal::Code;
use crate::wire::{
    Choice, ChunkMessage, Ended, Head, Protocol, Reply, Stream, Tool, ToolCall, answer_text, chunk_text, sse,
};

const HEAD: Head<'_> = Head { id: "c1", created: 7, model: "m" };

/// What a model says, piece by piece.
#[derive(Debug, Clone)]
enum Piece {
    Text(String),
    /// A call, in pieces of its arguments.
    Call(Vec<String>),
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let text = "[a-zé\"\\\\\n ]{0,9}".prop_map(Piece::Text);
    let call = prop::collection::vec("[a-z{}\"]{0,6}", 0..4).prop_map(Piece::Call);
    prop::collection::vec(prop_oneof![text, call], 0..8)
}

/// The stream that an OpenAI server makes of it.
fn streamed(pieces: &[Piece], usage: Option<&Value>) -> String {
    let mut text = String::new();
    let mut say = |message: ChunkMessage, finish: Option<&str>| {
        let choice = Choice { index: None, message, finish: finish.map(str::to_owned) };
        text.push_str(&sse::event(None, &chunk_text(&HEAD, &[choice], None), "\n"));
    };
    let mut calls = 0;
    for piece in pieces {
        match piece {
            Piece::Text(text) => say(ChunkMessage { content: Some(text.clone()), ..ChunkMessage::default() }, None),
            Piece::Call(arguments) => {
                let name = (Some(format!("id{calls}")), Some("tool".to_owned()), Some(String::new()));
                let rest = arguments.iter().map(|more| (None, None, Some(more.clone())));
                for (id, name, arguments) in std::iter::once(name).chain(rest) {
                    let call = ToolCall { index: Some(calls), id, name, arguments };
                    say(ChunkMessage { tool_calls: vec![call], ..ChunkMessage::default() }, None);
                }
                calls += 1;
            }
        }
    }
    say(ChunkMessage::default(), Some(if calls > 0 { "tool_calls" } else { "stop" }));
    if let Some(usage) = usage {
        text.push_str(&sse::event(None, &chunk_text(&HEAD, &[], Some(usage)), "\n"));
    }
    text + "data: [DONE]\n\n"
}

/// The same in the words of the other protocol; `cuts`: where chunks end.
fn across(from: Protocol, text: &str, cuts: &[usize]) -> (String, Ended) {
    let telling = Telling { include_usage: true, ..Telling::default() };
    let mut passage = Passage::translated(from, telling, &Limits::default());
    let mut told = Vec::new();
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut % (text.len() + 1)).chain([0, text.len()]).collect();
    places.sort_unstable();
    for pair in places.windows(2) {
        let passed = passage.push(&text.as_bytes()[pair[0]..pair[1]]);
        assert!(passed.broken.is_none(), "{text}");
        told.extend_from_slice(&passed.bytes);
    }
    let (rest, ended) = passage.end();
    told.extend(rest);
    (String::from_utf8(told).unwrap(), ended)
}

fn read(protocol: Protocol, text: &str) -> Reply {
    let mut reply = Reply::default();
    let mut stream = Stream::new(protocol, &Limits::default());
    stream.push(text.as_bytes(), |chunk| reply.take(chunk)).unwrap();
    reply
}

/// Calls by what they are, wherever their block stands.
fn calls(reply: &Reply) -> Vec<&Tool> {
    reply.tools.iter().filter(|tool| !tool.name.is_empty()).collect()
}

proptest! {
    #[test]
    fn a_stream_says_the_same_across_and_back(pieces in pieces(), cuts in prop::collection::vec(any::<usize>(), 0..9)) {
        let usage = json!({ "prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13 });
        let first = streamed(&pieces, Some(&usage));
        let (anthropic, ended) = across(Protocol::OpenAi, &first, &cuts);
        prop_assert_eq!(ended, Ended::Complete);
        prop_assert_eq!(&anthropic, &across(Protocol::OpenAi, &first, &[]).0, "whatever the chunks");
        let (said, told) = (read(Protocol::OpenAi, &first), read(Protocol::Anthropic, &anthropic));
        prop_assert!(told.complete);
        prop_assert_eq!((&said.text, calls(&said)), (&told.text, calls(&told)));
        prop_assert_eq!(told.usage(), said.usage());
        let (back, ended) = across(Protocol::Anthropic, &anthropic, &cuts);
        prop_assert_eq!(ended, Ended::Complete);
        let back = read(Protocol::OpenAi, &back);
        prop_assert_eq!((&back.text, &back.tools, &back.finish), (&said.text, &said.tools, &said.finish));
        prop_assert_eq!(back.usage(), said.usage());
    }

    #[test]
    fn a_stream_that_is_cut_never_ends_well(pieces in pieces(), at in any::<prop::sample::Index>()) {
        let whole = streamed(&pieces, None);
        // Behind the finish reason an OpenAI stream is whole.
        let finish = whole.find("\"finish_reason\":\"").unwrap();
        let cut = whole.floor_char_boundary(at.index(finish));
        let (told, ended) = across(Protocol::OpenAi, &whole[..cut], &[]);
        prop_assert_eq!(ended, Ended::Cut);
        prop_assert!(!told.contains("message_stop"));
        let (anthropic, _) = across(Protocol::OpenAi, &whole, &[]);
        let cut = anthropic.floor_char_boundary(at.index(anthropic.find("event: message_stop").unwrap()));
        let (told, ended) = across(Protocol::Anthropic, &anthropic[..cut], &[]);
        prop_assert_eq!(ended, Ended::Cut);
        prop_assert!(!told.contains("[DONE]"));
    }

    #[test]
    fn no_body_makes_a_translation_panic(body in json_value(), from_openai in any::<bool>()) {
        let from = if from_openai { Protocol::OpenAi } else { Protocol::Anthropic };
        let asking = Asking { unsupported: Unsupported::Drop, ..Asking::default() };
        if let Ok(translated) = request(from, &body, &asking, &Limits::default()) {
            prop_assert!(!translated.body["messages"].as_array().unwrap().is_empty());
        }
        let _ = answer(from, body.to_string().as_bytes(), &Telling::default(), &Limits::default());
    }
}

/// JSON of the members that requests and answers have, in wrong places and of wrong types as well.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i8>().prop_map(Value::from),
        prop::sample::select(vec![
            "user",
            "assistant",
            "tool",
            "system",
            "text",
            "image",
            "image_url",
            "tool_use",
            "",
            "é"
        ])
        .prop_map(Value::from),
        Just(json!("data:é;base64,x")),
    ];
    let names = [
        "model",
        "messages",
        "role",
        "content",
        "type",
        "text",
        "image_url",
        "url",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "id",
        "input",
        "tools",
        "tool_choice",
        "system",
        "max_tokens",
        "choices",
        "message",
        "source",
        "tool_use_id",
        "usage",
        "stop",
        "metadata",
        "output_config",
        "response_format",
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        let members = prop::collection::vec((prop::sample::select(names.to_vec()), inner.clone()), 0..6);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            members.prop_map(|members| members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        ]
    })
}

#[test]
fn a_conversation_with_tools_comes_back_as_it_was() {
    let call = |id: &str, arguments: &str| json!({ "id": id, "type": "function", "function": { "name": "count", "arguments": arguments } });
    let tool = |id: &str, text: &str| json!({ "role": "tool", "tool_call_id": id, "content": text });
    let schema = json!({ "type": "object", "properties": { "type": { "type": "string" } } });
    let body = json!({
        "model": "m",
        "messages": [
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Count." },
            { "role": "assistant", "content": null, "tool_calls": [call("a", "{\"type\":\"IfcWall\"}"), call("b", "{}")] },
            tool("a", "12"), tool("b", "4"),
            { "role": "user", "content": "And now?" },
        ],
        "max_completion_tokens": 50, "stream": true, "stream_options": { "include_usage": true },
        "tools": [{ "type": "function", "function": { "name": "count", "parameters": schema } }],
        "tool_choice": "required", "parallel_tool_calls": false, "temperature": 0.5, "stop": ["END"], "user": "u",
    });
    let asking = Asking { stream_usage: true, ..Asking::default() };
    let there = request(Protocol::OpenAi, &body, &asking, &Limits::default()).unwrap();
    let back = request(Protocol::Anthropic, &there.body, &asking, &Limits::default()).unwrap();
    assert_eq!(back.body, body);
}

#[test]
fn a_translation_of_the_same_request_has_the_same_bytes() {
    let body = json!({ "model": "m", "stop": "x", "messages": [{ "role": "user", "content": "a" }], "top_p": 0.1 });
    let text = || request(Protocol::OpenAi, &body, &Asking::default(), &Limits::default()).unwrap().body.to_string();
    assert_eq!(text(), text());
    let want = r#"{"model":"m","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}],"#;
    assert_eq!(text(), format!(r#"{want}"top_p":0.1,"stop_sequences":["x"]}}"#));
}

#[test]
fn servers_that_number_nothing_and_name_everything_are_understood() {
    let part = |delta: Value, finish: Value| {
        let chunk = json!({ "id": "c", "model": "m", "choices": [{ "delta": delta, "finish_reason": finish }] });
        sse::event(None, &chunk.to_string(), "\n")
    };
    let call = |id: Value, name: &str, arguments: &str| json!({ "tool_calls": [{ "index": 0, "id": id, "function": { "name": name, "arguments": arguments } }] });
    // Two whole calls of one number, then a third without an id in pieces that repeat its name.
    let text = [
        part(call("x".into(), "f", "{}"), Value::Null),
        part(call("y".into(), "f", "{\"a\":1}"), Value::Null),
        part(json!({ "content": "" }), "stop".into()),
    ]
    .concat();
    let (told, ended) = across(Protocol::OpenAi, &text, &[]);
    assert_eq!(ended, Ended::Complete);
    let reply = read(Protocol::Anthropic, &told);
    let calls: Vec<_> = calls(&reply).into_iter().map(|call| (call.id.as_str(), call.arguments.as_str())).collect();
    assert_eq!(calls, [("x", "{}"), ("y", "{\"a\":1}")]);
    assert_eq!(reply.finish.as_deref(), Some("tool_use"));
}

#[test]
fn what_is_no_answer_is_refused() {
    let bodies = [
        (Protocol::OpenAi, "{\"choices\":[{\"index\":0}]}"),
        (Protocol::OpenAi, "{\"error\":{\"message\":\"x\"}}"),
        (Protocol::Anthropic, "{\"type\":\"message\",\"content\":\"x\"}"),
        (Protocol::Anthropic, "[]"),
    ];
    for (from, body) in bodies {
        let refused = answer(from, body.as_bytes(), &Telling::default(), &Limits::default());
        assert_eq!(refused.unwrap_err().code, Code::UpstreamProtocolError, "{body}");
    }
    let said = ChunkMessage { content: Some("Hi".to_owned()), ..ChunkMessage::default() };
    let body = answer_text(&HEAD, &Choice { message: said, ..Choice::default() }, None);
    let read = answer(Protocol::OpenAi, body.as_bytes(), &Telling::default(), &Limits::default()).unwrap();
    assert_eq!(read["content"], json!([{ "type": "text", "text": "Hi" }]));
}
