//! A model's stream, event by event: the data of one event of the OpenAI protocol (spec: gateway.md §7).
//!
//! Invariant: what cannot be read is an error of the provider, never silently nothing; reasoning is not an answer.

use serde_json::Value;

use super::step::Failed;

/// What one event says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Words of the answer; may be empty.
    Text(String),
    /// Why the model ended; words may stand beside it.
    Finish(String, String),
    /// The end of the stream.
    Done,
    /// The call failed.
    Failed(Failed),
}

/// Reads the data of an event.
pub fn read(data: &str) -> Piece {
    if data.trim() == "[DONE]" {
        return Piece::Done;
    }
    let Ok(value) = serde_json::from_str::<Value>(data) else {
        return Piece::Failed(Failed::new("UPSTREAM_PROTOCOL_ERROR", ""));
    };
    if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
        let code = error["code"].as_str().unwrap_or_default();
        if code.starts_with("UPSTREAM_") || code == "REQUEST_CANCELLED" || code == "LEDGER_UNAVAILABLE" {
            let words = error["details"]["upstream"].as_str().unwrap_or_default();
            let retry_after_ms = error["details"]["retry_after_ms"].as_u64();
            return Piece::Failed(Failed { retry_after_ms, ..Failed::new(code, words) });
        }
        let words = error["message"].as_str().unwrap_or_default();
        return Piece::Failed(Failed::new("UPSTREAM_STREAM_ERROR", &format!("{code} {words}")));
    }
    let choice = &value["choices"][0];
    let text = choice["delta"]["content"].as_str().unwrap_or_default().to_owned();
    match choice["finish_reason"].as_str() {
        Some(reason) => Piece::Finish(reason.to_owned(), text),
        None => Piece::Text(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events() {
        let text = |text: &str| Piece::Text(text.to_owned());
        let failed = |code: &str, words: &str| Piece::Failed(Failed::new(code, words));
        let later = Failed { retry_after_ms: Some(7_000), ..Failed::new("UPSTREAM_RATE_LIMITED", "") };
        let cases = [
            (r#"{"choices":[{"delta":{"role":"assistant"}}]}"#, text("")),
            (r#"{"choices":[{"delta":{"content":"a"},"finish_reason":null}]}"#, text("a")),
            (r#"{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#, text("")),
            (r#"{"choices":[{"delta":{},"finish_reason":"length"}]}"#, Piece::Finish("length".into(), String::new())),
            (r#"{"choices":[],"usage":{"prompt_tokens":1}}"#, text("")),
            ("[DONE]", Piece::Done),
            ("{", failed("UPSTREAM_PROTOCOL_ERROR", "")),
            (r#"{"error":{"code":"UPSTREAM_STALLED","message":"x","details":{}}}"#, failed("UPSTREAM_STALLED", "")),
            (r#"{"error":{"code":"UPSTREAM_RATE_LIMITED","details":{"retry_after_ms":7000}}}"#, Piece::Failed(later)),
            (
                r#"{"error":{"code":"UPSTREAM_BAD_REQUEST","details":{"upstream":"{\"code\":\"context_length_exceeded\"}"}}}"#,
                failed("UPSTREAM_BAD_REQUEST", "{\"code\":\"context_length_exceeded\"}"),
            ),
            (
                r#"{"error":{"code":"context_length_exceeded","message":"too long"}}"#,
                failed("UPSTREAM_STREAM_ERROR", "context_length_exceeded too long"),
            ),
        ];
        for (data, want) in cases {
            assert_eq!(read(data), want, "{data}");
        }
    }
}
