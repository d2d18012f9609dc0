//! The laws of the wire: any cut gives the same chunks, what is written is read, bytes of any kind are survived.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::Limits;
use crate::refusal::{Code, GatewayError};

const HEAD: Head<'static> = Head { id: "chatcmpl-1", created: 7, model: "m" };

/// What a reader that was given these pieces has heard, and what ended it.
fn heard(protocol: Protocol, pieces: &[&[u8]]) -> (Vec<Chunk>, Option<GatewayError>) {
    let limits = Limits { sse_event_bytes: 4_096, ..Limits::default() };
    let mut stream = Stream::new(protocol, &limits);
    let mut chunks = Vec::new();
    for piece in pieces {
        if let Err(refusal) = stream.push(piece, |chunk| chunks.push(chunk)) {
            return (chunks, Some(refusal));
        }
    }
    (chunks, None)
}

fn cut<'b>(bytes: &'b [u8], cuts: &[prop::sample::Index]) -> Vec<&'b [u8]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    places.extend([0, bytes.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
}

fn event(data: &str) -> Result<Chunk, Code> {
    let event = sse::SseEvent { event: "message".into(), data: data.to_owned(), id: None };
    Chunk::event(Protocol::OpenAi, &event).map_err(|refusal| refusal.code)
}

#[test]
fn what_is_no_chunk_ends_a_stream_and_what_says_nothing_does_not() {
    for nothing in ["", " ", "{}", "{\"id\":\"x\"}", "{\"choices\":null,\"usage\":null,\"error\":null}"] {
        assert_eq!(event(nothing), Ok(Chunk::default()), "{nothing}");
    }
    assert!(event(" [DONE] ").unwrap().done);
    for unreadable in ["{", "{oops", "{} {}", "[]", "1", "null", "\"text\"", "DONE", "{\"a\":\"\u{1}\"}"] {
        assert_eq!(event(unreadable), Err(Code::UpstreamProtocolError), "{unreadable}");
    }
    let text = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {oops\n\ndata: [DONE]\n\n";
    let (chunks, refusal) = heard(Protocol::OpenAi, &[text.as_bytes()]);
    assert_eq!((chunks.len(), refusal.map(|refusal| refusal.code)), (1, Some(Code::UpstreamProtocolError)));
}

#[test]
fn a_member_of_a_wrong_type_counts_as_absent() {
    let strange = [json!(1), json!(true), json!({"a": 1}), json!([]), Value::Null];
    let spoken = event(r#"{"choices":[{"delta":{"content":"a"}}]}"#).unwrap();
    for value in &strange {
        let text = json!({"choices": [{
            "index": 0, "delta": {"content": "a", "role": value, "refusal": value, "tool_calls": value}, "finish_reason": value,
        }]});
        let mut read = event(&text.to_string()).unwrap();
        let choice = &mut read.choices.as_mut().unwrap()[0];
        (choice.index, choice.message.refusal) = (None, None);
        assert_eq!(read, spoken, "{value}");
    }
    let parts = r#"{"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"refusal":"b"},7,{"text":[]}]}}]}"#;
    assert_eq!(event(parts).unwrap().first().unwrap().message.content.as_deref(), Some("ab"));
    let twice = r#"{"choices":[{"delta":{"content":"a"}}],"choices":[{"delta":{"content":"b"}}]}"#;
    assert_eq!(event(twice).unwrap().first().unwrap().message.content.as_deref(), Some("b"));
}

#[test]
fn an_error_is_read_as_it_was_written_and_as_others_write_it() {
    for refusal in [GatewayError::new(Code::UpstreamStalled), GatewayError::at(Code::InvalidRequest, "/model")] {
        let read = Error::body(refusal.body(Protocol::OpenAi, "req").to_string().as_bytes()).unwrap();
        assert_eq!(read.code.as_deref(), Some(refusal.code.name()));
        assert_eq!((&read.message, read.details), (&refusal.message, Some(refusal.details.clone())));
        let told = sse::SseEvent {
            event: "error".into(),
            data: refusal.body(Protocol::Anthropic, "req").to_string(),
            id: None,
        };
        let read = Chunk::event(Protocol::Anthropic, &told).unwrap().error.unwrap();
        assert_eq!(read.detail("error_code"), Some(&json!(refusal.code.name())));
    }
    let cases = [
        (r#"{"error":"overloaded"}"#, Some((None, "overloaded"))),
        (r#"{"error":{"code":429,"message":"slow down"}}"#, Some((Some("429"), "slow down"))),
        (r#"{"error":{"code":"context_length_exceeded"}}"#, Some((Some("context_length_exceeded"), ""))),
        (r#"{"error":null}"#, None),
        (r#"{"error":""}"#, None),
        (r#"{"error":false}"#, None),
        ("no JSON", None),
    ];
    for (body, want) in cases {
        let read = Error::body(body.as_bytes());
        assert_eq!(read.as_ref().map(|error| (error.code.as_deref(), error.message.as_str())), want, "{body}");
    }
}

#[test]
fn blocks_of_a_message_are_one_answer() {
    let events = [
        ("message_start", json!({"type": "message_start", "message": {"usage": {"input_tokens": 9}}})),
        ("content_block_start", json!({"index": 0, "content_block": {"type": "thinking", "thinking": "hm"}})),
        ("content_block_delta", json!({"index": 1, "delta": {"type": "text_delta", "text": "Hi"}})),
        (
            "content_block_start",
            json!({"index": 2, "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}}),
        ),
        ("content_block_delta", json!({"index": 2, "delta": {"partial_json": "{\"a\""}})),
        ("content_block_delta", json!({"index": 2, "delta": {"partial_json": ":1}"}})),
        ("ping", json!({"type": "ping"})),
        ("message_delta", json!({"delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 4}})),
        ("message_stop", json!({})),
    ];
    let text: String = events.iter().map(|(name, data)| sse::event(Some(name), &data.to_string(), "\r\n")).collect();
    let mut streamed = Reply::default();
    let (chunks, refusal) = heard(Protocol::Anthropic, &[text.as_bytes()]);
    assert_eq!(refusal, None);
    for chunk in chunks {
        streamed.take(chunk);
    }
    assert_eq!((streamed.text.as_str(), streamed.finish.as_deref(), streamed.complete), ("Hi", Some("tool_use"), true));
    assert_eq!(streamed.tools[2], Tool { id: "t".into(), name: "f".into(), arguments: "{\"a\":1}".into() });
    assert_eq!(streamed.usage().map(|usage| (usage.input, usage.output)), Some((9, 4)));

    let body = json!({
        "content": [{"type": "text", "text": "Hi"}, {"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}],
        "stop_reason": "tool_use", "usage": {"input_tokens": 9, "output_tokens": 4},
    });
    let mut whole = Reply::default();
    whole.take(Chunk::body(Protocol::Anthropic, body.to_string().as_bytes()).unwrap());
    assert_eq!((whole.text, &whole.tools[1], whole.finish), (streamed.text, &streamed.tools[2], streamed.finish));
}

#[test]
fn what_we_ask_is_what_a_server_reads() {
    let draft = Draft {
        model: "default",
        messages: vec![("system", "s"), ("user", "u\n\u{1F600}")],
        most: Most::CompletionTokens(64),
        temperature: None,
        schema: Some(("ops", json!({"type": "object"}))),
        include_usage: true,
    };
    let body = draft.body();
    let read = Request::read(&body, &Limits::default()).unwrap();
    assert_eq!((read.model, read.stream, read.include_usage), ("default", true, true));
    assert_eq!(read.max_output(Protocol::OpenAi), Ok(Some(64)));
    let said: Vec<_> = read.messages().map(|message| (message.role(), message.text())).collect();
    assert_eq!(said, [("system", "s".to_owned()), ("user", "u\n\u{1F600}".to_owned())]);
    assert_eq!(body.get("tools"), None);
}

#[test]
fn tools_and_their_calls_are_what_a_server_reads() {
    let mut asked = json!({"model": "m", "messages": [{"role": "user", "content": "u"}]});
    tools::offer(&mut asked, "f", "Does it.", &json!({"type": "object"}));
    let call = Tool { id: "1".into(), name: "f".into(), arguments: "{}".into() };
    tools::called(&mut asked, "", &[call]);
    tools::gave(&mut asked, "1", "f", "done");
    tools::say(&mut asked, "user", "Again.");
    let read = Request::read(&asked, &Limits::default()).unwrap();
    let messages: Vec<_> = read.messages().collect();
    assert_eq!(messages[1].calls().collect::<Vec<_>>(), [("1", "f", "{}")]);
    assert_eq!((messages[2].answers(), messages[2].text().as_str()), (Some("1"), "done"));
    assert_eq!((messages[3].role(), messages[3].text().as_str()), ("user", "Again."));
    assert_eq!(read.tools().collect::<Vec<_>>(), ["f"]);
    let parts = json!({"model": "m", "messages": [{"role": "tool", "content": [{"type": "text", "text": "done"}]}]});
    let read = Request::read(&parts, &Limits::default()).unwrap();
    assert_eq!(read.messages().next().unwrap().text(), "done");
}

#[test]
fn usage_is_read_as_it_was_written() {
    let usage = Usage { input: 5, cached_input: 3, cache_write: 2, cache_write_1h: 0, output: 7, reasoning: 4 };
    let chunk = event(&chunk_text(&HEAD, &[], Some(&usage.openai()))).unwrap();
    assert!(chunk.is_only_usage());
    let mut reported = Reported::default();
    assert!(reported.take(&chunk.usage.unwrap()) && reported.complete);
    assert_eq!(reported.usage, usage);
    assert!(!event(&chunk_text(&HEAD, &[], Some(&Value::Null))).unwrap().is_only_usage());
}

fn text() -> impl Strategy<Value = Option<String>> {
    proptest::option::of("[a-z\"\\\\\r\n\u{0}\u{2028}ö\u{1F600}{}:]{0,9}")
}

fn choices() -> impl Strategy<Value = Vec<Choice>> {
    let call = (proptest::option::of(0_u64..9), text(), text(), text())
        .prop_map(|(index, id, name, arguments)| ToolCall { index, id, name, arguments });
    let message = (text(), text(), text(), text(), prop::collection::vec(call, 0..3)).prop_map(
        |(role, content, reasoning, refusal, tool_calls)| ChunkMessage {
            role,
            content,
            reasoning,
            refusal,
            tool_calls,
        },
    );
    let choice =
        (0_u64..3, message, text()).prop_map(|(index, message, finish)| Choice { index: Some(index), message, finish });
    prop::collection::vec(choice, 0..3)
}

/// Text that looks like a stream here and there.
fn almost_a_stream() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..9),
        Just(b"data: ".to_vec()),
        Just(b"\n\n".to_vec()),
        Just(b"\r\n\r\n".to_vec()),
        Just(b"\xEF\xBB\xBF".to_vec()),
        Just(b"{\"choices\":[{\"delta\":".to_vec()),
        Just(b"{\"content\":\"a\"}}]}".to_vec()),
        Just(b"{\"type\":\"message_delta\",\"usage\":{\"output_tokens\":1e999}}".to_vec()),
        Just(b"{\"error\":{\"details\":{\"a\":[[[[".to_vec()),
        Just(b"event: content_block_start\n".to_vec()),
        Just(b"[DONE]".to_vec()),
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn what_is_written_is_read(choices in choices(), eol in prop_oneof![Just("\n"), Just("\r"), Just("\r\n")]) {
        let stream = sse::event(None, &chunk_text(&HEAD, &choices, None), eol);
        let (chunks, refusal) = heard(Protocol::OpenAi, &[stream.as_bytes()]);
        prop_assert_eq!(refusal, None);
        prop_assert_eq!(chunks, vec![Chunk { choices: Some(choices.clone()), ..Chunk::default() }]);
        for choice in choices {
            let body = answer_text(&HEAD, &choice, None);
            let read = Chunk::body(Protocol::OpenAi, body.as_bytes()).unwrap();
            prop_assert_eq!(read.choices(), &[choice]);
        }
    }

    #[test]
    fn any_cut_gives_the_same_chunks(
        bytes in almost_a_stream(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6), anthropic in any::<bool>(),
    ) {
        let protocol = if anthropic { Protocol::Anthropic } else { Protocol::OpenAi };
        prop_assert_eq!(heard(protocol, &cut(&bytes, &cuts)), heard(protocol, &[&bytes]));
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in almost_a_stream(), anthropic in any::<bool>()) {
        let protocol = if anthropic { Protocol::Anthropic } else { Protocol::OpenAi };
        let mut reply = Reply::default();
        for chunk in heard(protocol, &[&bytes]).0 {
            reply.take(chunk);
        }
        let _ = (Chunk::body(protocol, &bytes), Error::body(&bytes), reply.usage());
    }

    #[test]
    fn an_event_is_read_as_it_was_written(
        name in proptest::option::of("[a-z]{1,5}"), lines in prop::collection::vec("[a-z :\u{feff}ö]{0,5}", 1..4), eol in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
    ) {
        let data = lines.join("\n");
        let text = format!("{}{}", sse::comment("ping", eol), sse::event(name.as_deref(), &data, eol));
        let (mut parser, mut events) = (sse::Parser::new(1_000), Vec::new());
        parser.push(text.as_bytes(), |event| events.push(event)).unwrap();
        prop_assert_eq!(events, vec![sse::SseEvent { event: name.unwrap_or("message".into()), data, id: None }]);
    }
}
