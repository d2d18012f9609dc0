//! The events of a chat stream (spec: script-tool.md §6 "Chat stream").

use holdpoint_check::Sentence;
use serde_json::{Map, Value, json};

use crate::outcome::Outcome;
use holdpoint_kind::protocol::{Frame, Said};

/// What a client is told, as events.
pub(super) fn frames(said: &Said<'_>) -> Vec<Frame> {
    match said {
        Said::Opened(names) => vec![frame(
            "meta",
            json!({
                "enabled": true, "correlation_id": names.correlation, "turn_id": names.turn,
                "assistant_message_id": names.message,
            }),
        )],
        Said::Notice(said) => vec![notice(said, "info")],
        Said::Words(text) => vec![frame("delta", json!({ "text": text }))],
        Said::Tool { .. } | Said::Phase(_) | Said::Summary(_) | Said::Composed(_) | Said::Used(_) => Vec::new(),
        Said::Done { finish } => vec![done(if *finish == Some("length") { "length" } else { "stop" })],
        Said::Cancelled => vec![done("cancelled")],
        Said::Failed(ending) => {
            let said = Outcome::named(ending.outcome).and_then(Outcome::sentence);
            said.map(|said| notice(&said, "warning")).into_iter().chain([done("error")]).collect()
        }
        Said::Off(why) => {
            vec![last(told(json!({ "enabled": false, "message": why.message }), &why.code, &why.args))]
        }
    }
}

fn frame(name: &'static str, data: Value) -> Frame {
    Frame { name, data, last: false }
}

fn notice(said: &Sentence, variant: &str) -> Frame {
    frame("notice", told(json!({ "message": said.message, "variant": variant }), &said.code, &said.args))
}

/// With what other languages say the message from.
fn told(mut data: Value, code: &str, args: &Map<String, Value>) -> Value {
    data["code"] = code.into();
    if !args.is_empty() {
        data["args"] = args.clone().into();
    }
    data
}

fn done(reason: &str) -> Frame {
    last(json!({ "enabled": true, "reason": reason }))
}

fn last(data: Value) -> Frame {
    Frame { name: "done", data, last: true }
}

#[cfg(test)]
mod tests {
    use holdpoint_check::ApiError;

    use super::*;
    use holdpoint_kind::protocol::Names;

    #[test]
    fn what_a_client_reads() {
        let names = Names { correlation: "c".into(), turn: "t".into(), message: "m".into(), ..Names::default() };
        let said = [
            Said::Opened(&names),
            Said::Notice(&Sentence { code: "CUT".into(), message: "Left out.".to_owned(), args: Map::new() }),
            Said::Words("a\nb\r\n"),
            Said::Done { finish: Some("stop") },
            Said::Done { finish: Some("length") },
            Said::Cancelled,
            Said::Failed(&Outcome::Timeout.ending()),
            Said::Off(&ApiError::new("FEATURE_OFF", "Off.")),
        ];
        let line = |frame: Frame| format!("{} {}{}", frame.name, frame.data, if frame.last { " |" } else { "" });
        let lines: Vec<String> = said.iter().flat_map(frames).map(line).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        meta {"enabled":true,"correlation_id":"c","turn_id":"t","assistant_message_id":"m"}
        notice {"message":"Left out.","variant":"info","code":"CUT"}
        delta {"text":"a\nb\r\n"}
        done {"enabled":true,"reason":"stop"} |
        done {"enabled":true,"reason":"length"} |
        done {"enabled":true,"reason":"cancelled"} |
        notice {"message":"The model did not answer in time. Try again, or ask for less at once.","variant":"warning","code":"SERVICE_UNAVAILABLE","args":{"case":"ANSWER_LATE"}}
        done {"enabled":true,"reason":"error"} |
        done {"enabled":false,"message":"Off.","code":"FEATURE_OFF"} |
        "#);
    }
}
