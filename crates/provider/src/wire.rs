//! The bytes of an answer: a body, or steps of a stream with waits and ends (spec: gateway.md §10).
//!
//! Pure: what is sent, when, and how it ends is decided here; the server only performs it.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use crate::play::Asked;
use crate::script::{Fault, Play};
use crate::tokens::tokens;

/// What the server does next with an open stream.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// Wait so many milliseconds; `None`: for ever.
    Wait(Option<u64>),
    /// Send; so many tokens of the reply have gone out then.
    Send(Vec<u8>, u64),
    /// Close the connection without the end of the body.
    Abort,
}

/// Pieces of a reply, each one token.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Thinking(String),
    Text(String),
    Call { index: usize, first: Option<(String, String)>, arguments: String },
}

impl Piece {
    fn delta(&self) -> Value {
        match self {
            Self::Thinking(text) => json!({ "reasoning_content": text }),
            Self::Text(text) => json!({ "content": text }),
            Self::Call { index, first: Some((id, name)), arguments } => json!({ "tool_calls": [
                { "index": index, "id": id, "type": "function", "function": { "name": name, "arguments": arguments } },
            ]}),
            Self::Call { index, first: None, arguments } => {
                json!({ "tool_calls": [{ "index": index, "function": { "arguments": arguments } }] })
            }
        }
    }

    /// Appends the next piece where both are of one kind, so that a chunk may hold several tokens.
    fn join(&mut self, next: &Self) -> bool {
        match (self, next) {
            (Self::Thinking(text), Self::Thinking(more)) | (Self::Text(text), Self::Text(more)) => text.push_str(more),
            (Self::Call { index, arguments, .. }, Self::Call { index: other, first: None, arguments: more })
                if index == other =>
            {
                arguments.push_str(more);
            }
            _ => return false,
        }
        true
    }
}

/// A reply that was cut to its maximum.
#[derive(Debug)]
pub struct Spoken {
    pieces: Vec<Piece>,
    /// Tokens of output.
    pub tokens: u64,
    finish: String,
}

/// What is said to a request: the reply, cut at the maximum.
pub fn speak(play: &Play, asked: &Asked) -> Spoken {
    let mut pieces = Vec::new();
    let reply = &play.reply;
    let owned = |text: &Option<String>| {
        tokens(text.as_deref().unwrap_or_default()).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    pieces.extend(owned(&reply.thinking).into_iter().map(Piece::Thinking));
    pieces.extend(owned(&reply.text).into_iter().map(Piece::Text));
    for (index, call) in reply.tool_calls.iter().enumerate() {
        let arguments = call.arguments.to_string();
        let mut first = Some((call.id.clone(), call.name.clone()));
        for token in tokens(&arguments) {
            pieces.push(Piece::Call { index, first: first.take(), arguments: token.to_owned() });
        }
    }
    let mut finish = match &reply.finish {
        Some(finish) => finish.clone(),
        None if reply.tool_calls.is_empty() => "stop".to_owned(),
        None => "tool_calls".to_owned(),
    };
    if let Some(most) = asked.max_output
        && pieces.len() as u64 > most
    {
        pieces.truncate(most as usize);
        "length".clone_into(&mut finish);
    }
    for fault in &play.faults {
        if let Fault::ExtraOutput { tokens } = fault {
            pieces.extend((0..*tokens).map(|_| Piece::Text(" more".to_owned())));
        }
    }
    Spoken { tokens: pieces.len() as u64, pieces, finish }
}

/// Members that every object of one answer shares.
#[derive(Debug, Clone)]
pub struct Head {
    pub id: String,
    pub created: u64,
    pub model: String,
}

/// The body of an answer that is not streamed.
pub fn body(play: &Play, spoken: &Spoken, head: &Head, usage: Option<Value>) -> Vec<u8> {
    if play.faults.iter().any(|fault| matches!(fault, Fault::BadJsonBody)) {
        return b"{\"id\":\"chatcmpl\",\"choices\":[{".to_vec();
    }
    let (mut content, mut thinking) = (String::new(), String::new());
    let mut calls: Vec<Value> = Vec::new();
    for piece in &spoken.pieces {
        match piece {
            Piece::Text(text) => content.push_str(text),
            Piece::Thinking(text) => thinking.push_str(text),
            Piece::Call { first: Some((id, name)), arguments, .. } => calls.push(json!({
                "id": id, "type": "function", "function": { "name": name, "arguments": arguments },
            })),
            Piece::Call { arguments, .. } => {
                if let Some(Value::String(text)) = calls.last_mut().map(|call| &mut call["function"]["arguments"]) {
                    text.push_str(arguments);
                }
            }
        }
    }
    let content = if content.is_empty() && !calls.is_empty() { Value::Null } else { content.into() };
    let mut message = json!({ "role": "assistant", "content": content });
    if !thinking.is_empty() {
        message["reasoning_content"] = thinking.into();
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    let finish = if has(play, &Fault::NoFinish) { Value::Null } else { spoken.finish.as_str().into() };
    let mut body = json!({
        "id": head.id, "object": "chat.completion", "created": head.created, "model": head.model,
        "choices": [{ "index": 0, "message": message, "finish_reason": finish }],
    });
    if let Some(usage) = told(play, usage) {
        body["usage"] = usage;
    }
    body.to_string().into_bytes()
}

/// Usage after the faults that change it.
fn told(play: &Play, usage: Option<Value>) -> Option<Value> {
    play.faults.iter().fold(usage, |usage, fault| match fault {
        Fault::NoUsage => None,
        Fault::WrongUsage { usage } => Some(usage.clone()),
        _ => usage,
    })
}

fn has(play: &Play, fault: &Fault) -> bool {
    play.faults.iter().any(|own| std::mem::discriminant(own) == std::mem::discriminant(fault))
}

/// The steps of a stream.
pub fn stream(play: &Play, spoken: &Spoken, head: &Head, usage: Option<Value>, include_usage: bool) -> VecDeque<Step> {
    let usage = told(play, usage);
    let mut writer = Writer { play, steps: VecDeque::new(), sent: 0, bom: play.wire.bom };
    let every_chunk = has(play, &Fault::UsageEveryChunk);
    let chunk = |choices: Value, usage: Option<&Value>| {
        let mut chunk = Map::new();
        chunk.insert("id".to_owned(), head.id.as_str().into());
        chunk.insert("object".to_owned(), "chat.completion.chunk".into());
        chunk.insert("created".to_owned(), head.created.into());
        chunk.insert("model".to_owned(), head.model.as_str().into());
        chunk.insert("choices".to_owned(), choices);
        match usage {
            Some(usage) => drop(chunk.insert("usage".to_owned(), usage.clone())),
            None if include_usage => drop(chunk.insert("usage".to_owned(), Value::Null)),
            None => {}
        }
        Value::Object(chunk).to_string()
    };
    let choice = |delta: Value, finish: Value| json!([{ "index": 0, "delta": delta, "finish_reason": finish }]);
    let running = if every_chunk { usage.as_ref() } else { None };

    writer.wait(play.pace.first_ms);
    for fault in &play.faults {
        if let Fault::SlowFirstByte { ms } = fault {
            writer.wait(*ms);
        }
    }
    writer.event(&chunk(choice(json!({ "role": "assistant", "content": "" }), Value::Null), running));
    for fault in &play.faults {
        if let Fault::HugeEvent { bytes } = fault {
            writer.event(&chunk(choice(json!({ "content": "x".repeat(*bytes) }), Value::Null), running));
        }
    }
    let mut open: Option<(Piece, usize)> = None;
    for piece in &spoken.pieces {
        let due = writer.fault_due();
        let room = open.as_ref().is_some_and(|(_, count)| *count < play.pace.tokens_per_chunk.max(1));
        let joined = !due && room && open.as_mut().is_some_and(|(joined, _)| joined.join(piece));
        if joined {
            open = open.map(|(joined, count)| (joined, count + 1));
        } else {
            if let Some((joined, count)) = open.take() {
                writer.wait(play.pace.per_token_ms.saturating_mul(count as u64));
                writer.event(&chunk(choice(joined.delta(), Value::Null), running));
            }
            if due && writer.faults(|text| chunk(choice(json!({ "content": text }), Value::Null), None)) {
                return writer.steps;
            }
            open = Some((piece.clone(), 1));
        }
        writer.sent += 1;
    }
    if let Some((joined, count)) = open {
        writer.wait(play.pace.per_token_ms.saturating_mul(count as u64));
        writer.event(&chunk(choice(joined.delta(), Value::Null), running));
    }
    if writer.faults(|text| chunk(choice(json!({ "content": text }), Value::Null), None)) {
        return writer.steps;
    }
    if !has(play, &Fault::NoFinish) {
        writer.event(&chunk(choice(json!({}), spoken.finish.as_str().into()), running));
    }
    if include_usage && let Some(usage) = &usage {
        writer.event(&chunk(json!([]), Some(usage)));
    }
    if !has(play, &Fault::NoDone) {
        writer.event("[DONE]");
    }
    writer.steps
}

struct Writer<'p> {
    play: &'p Play,
    steps: VecDeque<Step>,
    sent: u64,
    bom: bool,
}

impl Writer<'_> {
    fn wait(&mut self, ms: u64) {
        if ms > 0 {
            self.steps.push_back(Step::Wait(Some(ms)));
        }
    }

    fn event(&mut self, data: &str) {
        let eol = self.play.wire.eol.text();
        let comment = if self.play.wire.comments { format!(": scripted{eol}{eol}") } else { String::new() };
        let bom = if std::mem::take(&mut self.bom) { "\u{FEFF}" } else { "" };
        self.bytes(format!("{bom}{comment}data: {data}{eol}{eol}").as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let size = self.play.wire.split_bytes.unwrap_or(usize::MAX).max(1);
        for part in bytes.chunks(size.min(bytes.len().max(1))) {
            self.steps.push_back(Step::Send(part.to_vec(), self.sent));
        }
    }

    /// Whether a fault stands at this token.
    fn fault_due(&self) -> bool {
        self.play.faults.iter().any(|fault| after(fault) == Some(self.sent))
    }

    /// Performs the faults at this token; `true`: the stream is over.
    fn faults(&mut self, chunk: impl Fn(&str) -> String) -> bool {
        let (play, sent) = (self.play, self.sent);
        for fault in play.faults.iter().filter(|fault| after(fault) == Some(sent)) {
            match fault {
                Fault::Stall { ms, .. } => self.steps.push_back(Step::Wait(*ms)),
                Fault::Cut { .. } => {
                    self.steps.push_back(Step::Abort);
                    return true;
                }
                Fault::CutMidEvent { .. } => {
                    let event = format!("data: {}", chunk("cut"));
                    let half = event.get(..event.len() / 2).unwrap_or("data: {").as_bytes().to_vec();
                    self.bytes(&half);
                    self.steps.push_back(Step::Abort);
                    return true;
                }
                Fault::Malformed { data, .. } => self.event(data),
                Fault::ErrorEvent { kind, message, .. } => {
                    self.event(&json!({ "error": { "type": kind, "message": message, "code": kind } }).to_string());
                    return true;
                }
                _ => {}
            }
        }
        false
    }
}

/// After how many tokens a fault comes.
fn after(fault: &Fault) -> Option<u64> {
    match fault {
        Fault::Stall { after_tokens, .. }
        | Fault::Cut { after_tokens }
        | Fault::CutMidEvent { after_tokens }
        | Fault::Malformed { after_tokens, .. }
        | Fault::ErrorEvent { after_tokens, .. } => Some(*after_tokens),
        _ => None,
    }
}
