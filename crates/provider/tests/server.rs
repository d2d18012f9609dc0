//! The scripted server over a real socket: choosing turns, streams, faults, control.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail it")]

use std::path::PathBuf;

use holdpoint_provider::{Running, ServeError, ServerOptions, serve};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn transcripts() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/transcripts"))
}

async fn start() -> Running {
    serve(ServerOptions { transcripts: vec![transcripts()], port: 0 }).await.unwrap()
}

/// Sends one request; answers everything that came until the connection ended.
async fn send(server: &Running, method: &str, path: &str, body: &Value) -> String {
    let body = body.to_string();
    let mut socket = TcpStream::connect(server.address).await.unwrap();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = socket.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    if answer.contains("transfer-encoding: chunked") { joined(&answer) } else { answer }
}

/// The head and the chunks of a chunked answer, as far as they came.
fn joined(answer: &str) -> String {
    let (head, mut rest) = answer.split_once("\r\n\r\n").unwrap();
    let mut whole = format!("{head}\r\n\r\n");
    while let Some((size, more)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        whole.push_str(more.get(..size).unwrap_or(more));
        rest = more.get(size + 2..).unwrap_or("");
    }
    whole
}

fn json_of(answer: &str) -> Value {
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

fn ask(text: &str) -> Value {
    json!({ "model": "scripted-1", "messages": [{ "role": "user", "content": text }] })
}

/// Posts a transcript without pacing whose only turn always answers.
async fn script(server: &Running, turn: Value) {
    let answer =
        send(server, "POST", "/__scripted/transcripts", &json!({ "transcript": 1, "name": "t", "turns": [turn] }))
            .await;
    assert_eq!(json_of(&answer)["ok"], true, "{answer}");
}

#[tokio::test]
async fn a_request_is_answered_by_what_it_says() {
    let server = start().await;
    let cases = [
        ("TASK: plan\nadd a panel that shows  fire rating coverage by storey", "dock.right"),
        ("TASK: plan\nAdd a panel that shows fire-rating coverage by storey, on the left please", "dock.left"),
        ("TASK: generate\nAdd a button that colours doors by fire rating: EI 30, EI 60, none", "viewer.paint"),
        ("TASK: repair\nCODE_SDK_METHOD\nAdd a button that colours doors by fire rating", "viewer.colorize"),
        ("TASK: repair\nEXPECT_FAILED\nAdd a button that colours doors by fire rating", "EI2 30"),
        ("TASK: generate\nMake a button that prints the drawings", "I can't write this"),
        ("TASK: plan\nmake me a sandwich", "I am the scripted model"),
    ];
    for (text, want) in cases {
        for _ in 0..2 {
            let mut request = ask(text);
            request["stream"] = false.into();
            let answer = send(&server, "POST", "/v1/chat/completions", &request).await;
            let content = json_of(&answer)["choices"][0]["message"]["content"].to_string();
            assert!(content.contains(want), "{text}: {content}");
        }
    }
}

#[tokio::test]
async fn streams_end_with_usage_and_done() {
    let server = start().await;
    script(&server, json!({ "reply": { "text": "hello world" }, "wire": { "eol": "crlf", "split_bytes": 7 } })).await;
    let mut request = ask("hi");
    request["stream"] = true.into();
    request["stream_options"] = json!({ "include_usage": true });
    let answer = send(&server, "POST", "/chat/completions", &request).await;
    assert!(answer.contains("text/event-stream"));
    assert!(answer.ends_with("data: [DONE]\r\n\r\n"), "{answer}");

    request["max_tokens"] = 1.into();
    request["stream"] = false.into();
    let body = json_of(&send(&server, "POST", "/chat/completions", &request).await);
    assert_eq!(body["choices"][0]["finish_reason"], "length");
    assert_eq!(body["choices"][0]["message"]["content"], "hello");
    assert_eq!(
        body["usage"],
        json!({
            "prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6, "prompt_tokens_details": { "cached_tokens": 0 },
        })
    );
    let log = json_of(&send(&server, "GET", "/__scripted/log", &Value::Null).await);
    assert_eq!(log["requests"][0]["turn"], "t/0");
    assert_eq!(log["requests"][0]["client_closed_at_token"], Value::Null);
    assert_eq!(log["requests"][1]["tokens_sent"], 1);
}

#[tokio::test]
async fn faults_end_as_they_say() {
    let server = start().await;
    let mut request = ask("hi");
    request["stream"] = true.into();
    let cases = [
        (json!([{ "kind": "reset" }]), "", "HTTP"),
        (json!([{ "kind": "status", "status": 429, "retry_after": 2 }]), "retry-after: 2", "data:"),
        (json!([{ "kind": "cut", "after_tokens": 1 }]), "hello", "[DONE]"),
        (json!([{ "kind": "cut_mid_event", "after_tokens": 1 }]), "hello", "[DONE]"),
        (json!([{ "kind": "malformed", "after_tokens": 1, "data": "{oops" }]), "data: {oops", "never"),
        (
            json!([{ "kind": "error_event", "after_tokens": 1, "type": "server_error", "message": "m" }]),
            "server_error",
            "[DONE]",
        ),
        (json!([{ "kind": "no_done" }]), "\"stop\"", "[DONE]"),
        (json!([{ "kind": "no_finish" }]), "[DONE]", "\"stop\""),
        (json!([{ "kind": "redirect", "location": "http://x.example/" }]), "302", "data:"),
    ];
    for (faults, with, without) in cases {
        script(&server, json!({ "reply": { "text": "hello world" }, "faults": faults })).await;
        let answer = send(&server, "POST", "/v1/chat/completions", &request).await;
        assert!(answer.contains(with), "{faults}: {answer}");
        assert!(!answer.contains(without), "{faults}: {answer}");
    }
}

#[tokio::test]
async fn a_client_that_leaves_is_seen() {
    let server = start().await;
    let text = "word ".repeat(200);
    script(&server, json!({ "reply": { "text": text }, "pace": { "per_token_ms": 5 } })).await;
    let mut request = ask("hi");
    request["stream"] = true.into();
    let body = request.to_string();
    let mut socket = TcpStream::connect(server.address).await.unwrap();
    let head = format!("POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut first = [0_u8; 512];
    assert!(socket.read(&mut first).await.unwrap() > 0);
    drop(socket);
    for _ in 0..100 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        let log = json_of(&send(&server, "GET", "/__scripted/log", &Value::Null).await);
        if let Some(token) = log["requests"][0]["client_closed_at_token"].as_u64() {
            assert!(token < 200);
            return;
        }
    }
    panic!("the closed client was not seen");
}

#[tokio::test]
async fn a_taken_port_is_named() {
    let first = start().await;
    let port = first.address.port();
    let second = serve(ServerOptions { transcripts: Vec::new(), port }).await;
    match second {
        Err(error @ ServeError::Port { .. }) => assert!(error.to_string().contains(&port.to_string())),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_program_says_which_version_it_is() {
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_holdpoint-provider")).arg("--version").output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), told.trim()),
        (Some(0), concat!("holdpoint-provider ", env!("CARGO_PKG_VERSION")))
    );
}

/// A page whose name was made to lead here, and one that sends without being allowed to read, control nothing.
#[tokio::test]
async fn control_answers_programs_of_this_machine_alone() {
    let server = start().await;
    let asked = async |path: &str, headers: &str| {
        let mut socket = TcpStream::connect(server.address).await.unwrap();
        let method = if path.ends_with("log") || path.ends_with("models") { "GET" } else { "POST" };
        let head = format!("{method} {path} HTTP/1.1\r\n{headers}connection: close\r\ncontent-length: 0\r\n\r\n");
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer).await;
        String::from_utf8_lossy(&answer).into_owned()
    };
    let (port, foreign) = (server.address.port(), "host: rebound.example\r\n");
    for path in ["/__scripted/log", "/__scripted/reset", "/__scripted/transcripts"] {
        let own = format!("host: 127.0.0.1:{port}\r\n");
        assert!(!asked(path, &own).await.starts_with("HTTP/1.1 403"), "{path}");
        for headers in [foreign.to_owned(), format!("{own}origin: https://site.example\r\n")] {
            let answer = asked(path, &headers).await;
            assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("loopback_only"), "{path} {answer}");
        }
    }
    assert!(asked("/v1/models", foreign).await.starts_with("HTTP/1.1 200"), "the model itself is no secret");
}

/// The events of a stream of Anthropic's protocol: name and data.
fn events(answer: &str) -> Vec<(String, Value)> {
    let body = answer.split_once("\r\n\r\n").unwrap().1;
    let event = |text: &str| {
        let (name, data) = text.strip_prefix("event: ")?.split_once("\ndata: ")?;
        Some((name.to_owned(), serde_json::from_str(data).ok()?))
    };
    body.split("\n\n").filter_map(event).collect()
}

#[tokio::test]
async fn the_other_protocol_is_spoken_as_well() {
    let server = start().await;
    let reply = json!({
        "thinking": "Let me see.", "text": "Two doors.",
        "tool_calls": [{ "id": "t1", "name": "count", "arguments": { "type": "IfcDoor" } }],
    });
    script(&server, json!({ "when": { "protocol": "anthropic", "last_user_contains": "doors" }, "reply": reply }))
        .await;
    let mut request = json!({
        "model": "scripted-1", "max_tokens": 100,
        "system": [{ "type": "text", "text": "Be brief.", "cache_control": { "type": "ephemeral" } }],
        "messages": [{ "role": "user", "content": [{ "type": "text", "text": "How many doors?" }] }],
    });
    let whole = json_of(&send(&server, "POST", "/v1/messages", &request).await);
    let kinds: Vec<_> = whole["content"].as_array().unwrap().iter().map(|block| block["type"].clone()).collect();
    assert_eq!(
        (kinds, &whole["stop_reason"]),
        (vec!["thinking".into(), "text".into(), "tool_use".into()], &json!("tool_use"))
    );
    assert_eq!(whole["content"][2]["input"], json!({ "type": "IfcDoor" }));
    let usage = &whole["usage"];
    assert_eq!((&usage["cache_creation_input_tokens"], &usage["cache_read_input_tokens"]), (&json!(3), &json!(0)));

    request["stream"] = true.into();
    let told = events(&send(&server, "POST", "/v1/messages", &request).await);
    let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"message_start"), Some(&"message_stop")));
    let starts: Vec<_> = told.iter().filter(|(name, _)| name == "content_block_start").collect();
    let indices: Vec<_> = starts.iter().map(|(_, data)| data["index"].as_u64()).collect();
    assert_eq!(indices, [Some(0), Some(1), Some(2)]);
    let usage = &told[0].1["message"]["usage"];
    assert_eq!((&usage["cache_read_input_tokens"], &usage["output_tokens"]), (&json!(3), &json!(1)), "seen before");
    let delta = &told[told.len() - 2].1;
    assert_eq!(
        (&delta["delta"]["stop_reason"], &delta["usage"]["output_tokens"]),
        (&json!("tool_use"), &whole["usage"]["output_tokens"])
    );

    let counted = json_of(&send(&server, "POST", "/v1/messages/count_tokens", &request).await);
    assert_eq!(counted["input_tokens"], 7 + 4);
    let refused = json_of(&send(&server, "POST", "/v1/messages", &json!({ "model": "m" })).await);
    assert_eq!((&refused["type"], refused["error"]["message"].is_string()), (&json!("error"), true));
}

#[tokio::test]
async fn what_a_tool_gave_is_found_and_a_stream_breaks_in_the_other_protocol_too() {
    let server = start().await;
    let turn = json!({
        "when": { "tool_result_for": "count", "turn": 1 },
        "reply": { "text": "one two three four" }, "faults": [{ "kind": "error_event", "after_tokens": 2, "type": "overloaded_error", "message": "busy" }],
    });
    script(&server, turn).await;
    let request = json!({
        "model": "scripted-1", "max_tokens": 100, "stream": true,
        "messages": [
            { "role": "user", "content": "go" },
            { "role": "assistant", "content": [{ "type": "tool_use", "id": "t1", "name": "count", "input": {} }] },
            { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "t1", "content": "4" }] },
        ],
    });
    let told = events(&send(&server, "POST", "/v1/messages", &request).await);
    let (name, data) = told.last().unwrap();
    assert_eq!((name.as_str(), &data["error"]["type"]), ("error", &json!("overloaded_error")));
    assert!(told.iter().all(|(name, _)| name != "message_stop"));
}
