//! The bytes of an answer: a body, or steps of a stream with waits and ends (spec: gateway.md §10).
//!
//! Pure: what is sent, when, and how it ends is decided here; the server only performs it.

use std::collections::VecDeque;

use holdpoint_gateway::Protocol;
use holdpoint_gateway::wire::{
    Choice, ChunkMessage, Error, Head, MessageWriter, ToldEvent, ToolCall, answer_text, chunk_text, sse,
};
use serde_json::{Value, json};

use crate::play::ModelRequest;
use crate::script::{InjectedFault, Play};
use crate::tokens::tokens;

/// What thinking is signed with.
const SIGNATURE: &str = "scripted";
/// Errors of Anthropic's protocol name a request.
const REQUEST_ID: &str = "req_scripted";

/// What the server does next with an open stream.
#[derive(Debug, PartialEq)]
pub enum StreamStep {
    /// Wait so many milliseconds; `None`: for ever.
    Wait(Option<u64>),
    /// Send; so many tokens of the reply have gone out then.
    Send(Vec<u8>, u64),
    /// Close the connection without the end of the body.
    Abort,
}

/// A piece of a reply, one token of it.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Thinking(String),
    Text(String),
    Call(ToolCall),
}

impl Piece {
    fn delta(self) -> ChunkMessage {
        let mut message = ChunkMessage::default();
        match self {
            Self::Thinking(text) => message.reasoning = Some(text),
            Self::Text(text) => message.content = Some(text),
            Self::Call(call) => message.tool_calls.push(call),
        }
        message
    }

    /// Appends the next piece where both are of one kind, so that a chunk may hold several tokens.
    fn join(&mut self, next: &Self) -> bool {
        match (self, next) {
            (Self::Thinking(text), Self::Thinking(more)) | (Self::Text(text), Self::Text(more)) => text.push_str(more),
            (Self::Call(call), Self::Call(more)) if call.index == more.index && more.id.is_none() => {
                let arguments = more.arguments.as_deref().unwrap_or_default();
                call.arguments.get_or_insert_default().push_str(arguments);
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
    /// It counts the tokens of output.
    pub tokens: u64,
    finish: String,
}

/// What is said to a request: the reply, cut at the maximum.
pub fn speak(play: &Play, asked: &ModelRequest) -> Spoken {
    let mut pieces = Vec::new();
    let reply = &play.reply;
    let owned = |text: &Option<String>| {
        tokens(text.as_deref().unwrap_or_default()).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    pieces.extend(owned(&reply.thinking).into_iter().map(Piece::Thinking));
    pieces.extend(owned(&reply.text).into_iter().map(Piece::Text));
    for (index, call) in reply.tool_calls.iter().enumerate() {
        let arguments = call.arguments.to_string();
        for (at, token) in tokens(&arguments).into_iter().enumerate() {
            let head = |text: &String| (at == 0).then(|| text.clone());
            let (id, name, arguments) = (head(&call.id), head(&call.name), Some(token.to_owned()));
            pieces.push(Piece::Call(ToolCall { index: Some(index as u64), id, name, arguments }));
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
        if let InjectedFault::ExtraOutput { tokens } = fault {
            pieces.extend((0..*tokens).map(|_| Piece::Text(" more".to_owned())));
        }
    }
    Spoken { tokens: pieces.len() as u64, pieces, finish }
}

/// The body of an answer that is not streamed.
pub fn body(play: &Play, spoken: &Spoken, head: &Head<'_>, usage: Option<Value>, protocol: Protocol) -> Vec<u8> {
    if play.faults.iter().any(|fault| matches!(fault, InjectedFault::BadJsonBody)) {
        return b"{\"id\":\"chatcmpl\",\"choices\":[{".to_vec();
    }
    if protocol == Protocol::Anthropic {
        return message(play, spoken, head, told(play, usage)).to_string().into_bytes();
    }
    let mut message = ChunkMessage { role: Some("assistant".to_owned()), ..ChunkMessage::default() };
    let mut calls: Vec<Piece> = Vec::new();
    for piece in &spoken.pieces {
        match piece {
            Piece::Text(text) => message.content.get_or_insert_default().push_str(text),
            Piece::Thinking(text) => message.reasoning.get_or_insert_default().push_str(text),
            call @ Piece::Call(_) => {
                if !calls.last_mut().is_some_and(|last| last.join(call)) {
                    calls.push(call.clone());
                }
            }
        }
    }
    // A whole answer lists its calls in order and numbers none.
    let listed = calls.into_iter().flat_map(|call| call.delta().tool_calls);
    message.tool_calls = listed.map(|call| ToolCall { index: None, ..call }).collect();
    if message.tool_calls.is_empty() {
        message.content.get_or_insert_default();
    }
    let finish = (!has(play, &InjectedFault::NoFinish)).then(|| spoken.finish.clone());
    let choice = Choice { index: Some(0), message, finish };
    answer_text(head, &choice, told(play, usage).as_ref()).into_bytes()
}

/// A whole message: what its stream says, put together.
fn message(play: &Play, spoken: &Spoken, head: &Head<'_>, usage: Option<Value>) -> Value {
    let mut blocks: Vec<Piece> = Vec::new();
    for piece in &spoken.pieces {
        if !blocks.last_mut().is_some_and(|last| last.join(piece)) {
            blocks.push(piece.clone());
        }
    }
    let block = |piece: Piece| match piece {
        Piece::Thinking(text) => json!({ "type": "thinking", "thinking": text, "signature": SIGNATURE }),
        Piece::Text(text) => json!({ "type": "text", "text": text }),
        Piece::Call(ToolCall { id, name, arguments, .. }) => {
            let input: Value = serde_json::from_str(&arguments.unwrap_or_default()).unwrap_or_else(|_| json!({}));
            json!({ "type": "tool_use", "id": id, "name": name, "input": input })
        }
    };
    let content: Vec<Value> = blocks.into_iter().map(block).collect();
    let stop = (!has(play, &InjectedFault::NoFinish)).then(|| stop_word(&spoken.finish));
    let mut message = json!({
        "id": head.id, "type": "message", "role": "assistant", "model": head.model, "content": content,
        "stop_reason": stop, "stop_sequence": null,
    });
    if let Some(usage) = usage {
        message["usage"] = usage;
    }
    message
}

/// Usage after the faults that change it.
fn told(play: &Play, usage: Option<Value>) -> Option<Value> {
    play.faults.iter().fold(usage, |usage, fault| match fault {
        InjectedFault::NoUsage => None,
        InjectedFault::WrongUsage { usage } => Some(usage.clone()),
        _ => usage,
    })
}

fn has(play: &Play, fault: &InjectedFault) -> bool {
    play.faults.iter().any(|own| std::mem::discriminant(own) == std::mem::discriminant(fault))
}

/// The words of one answer in its protocol.
struct Speech<'h> {
    head: &'h Head<'h>,
    /// Writes messages of Anthropic's protocol.
    writer: Option<MessageWriter>,
}

/// An event: its name, where the protocol has names, and its data.
type Event = (Option<&'static str>, String);

impl<'h> Speech<'h> {
    fn new(protocol: Protocol, head: &'h Head<'h>) -> Self {
        let writer = (protocol == Protocol::Anthropic).then(MessageWriter::default);
        Self { head, writer }
    }

    /// The first event. `usage`: what is known of it by then.
    fn opening(&self, usage: Option<&Value>) -> Vec<Event> {
        if self.writer.is_some() {
            let known = usage.filter(|usage| usage.is_object()).map(|usage| {
                let mut usage = usage.clone();
                usage["output_tokens"] = 1.into();
                usage
            });
            return vec![event(&MessageWriter::start(self.head, known.as_ref()))];
        }
        let content = Some(String::new());
        let message = ChunkMessage { role: Some("assistant".to_owned()), content, ..ChunkMessage::default() };
        vec![(None, self.chunk(message, None, usage))]
    }

    fn chunk(&self, message: ChunkMessage, finish: Option<&str>, usage: Option<&Value>) -> String {
        let choice = Choice { index: Some(0), message, finish: finish.map(str::to_owned) };
        chunk_text(self.head, &[choice], usage)
    }

    fn piece(&mut self, message: ChunkMessage, usage: Option<&Value>) -> Vec<Event> {
        let Some(writer) = &mut self.writer else { return vec![(None, self.chunk(message, None, usage))] };
        let mut events = Vec::new();
        let tell = &mut |told: ToldEvent| events.push(event(&told));
        if let Some(text) = &message.reasoning {
            writer.thinking(text, tell);
            return events;
        }
        writer.end_thinking(SIGNATURE, tell);
        if let Some(text) = &message.content {
            writer.text(text, tell);
        }
        for call in &message.tool_calls {
            if let (Some(id), Some(name)) = (&call.id, &call.name) {
                writer.tool(id, name, tell);
            }
            writer.arguments(call.arguments.as_deref().unwrap_or_default(), tell);
        }
        events
    }

    fn finish(&mut self, finish: &str, usage: Option<&Value>) -> Vec<Event> {
        let Some(writer) = &mut self.writer else {
            return vec![(None, self.chunk(ChunkMessage::default(), Some(finish), usage))];
        };
        let mut events = Vec::new();
        let tell = &mut |told: ToldEvent| events.push(event(&told));
        writer.end_thinking(SIGNATURE, tell);
        writer.stop(stop_word(finish), usage.filter(|usage| usage.is_object()), tell);
        events
    }

    fn done(&self) -> Event {
        if self.writer.is_some() { event(&MessageWriter::end()) } else { (None, "[DONE]".to_owned()) }
    }
}

/// A transcript's word for the end in Anthropic's.
fn stop_word(finish: &str) -> &str {
    match finish {
        "stop" => "end_turn",
        "length" => "max_tokens",
        "tool_calls" => "tool_use",
        "content_filter" => "refusal",
        own => own,
    }
}

fn event(told: &ToldEvent) -> Event {
    (told.event, told.data_text())
}

/// The steps of a stream.
pub fn stream(
    play: &Play,
    spoken: &Spoken,
    head: &Head<'_>,
    usage: Option<Value>,
    asked: &ModelRequest,
) -> VecDeque<StreamStep> {
    let include_usage = asked.include_usage;
    let usage = told(play, usage);
    let mut writer = Writer { play, protocol: asked.protocol, steps: VecDeque::new(), sent: 0, bom: play.wire.bom };
    let mut speech = Speech::new(asked.protocol, head);
    let unknown = include_usage.then_some(&Value::Null);
    let every = has(play, &InjectedFault::UsageEveryChunk) || asked.protocol == Protocol::Anthropic;
    let running = if every { usage.as_ref().or(unknown) } else { unknown };
    let content = |text: &str| ChunkMessage { content: Some(text.to_owned()), ..ChunkMessage::default() };
    let extra = |text: &str| {
        let events = Speech::new(asked.protocol, head).piece(content(text), unknown);
        events.into_iter().next_back().unwrap_or_default()
    };

    writer.wait(play.pace.first_ms);
    for fault in &play.faults {
        if let InjectedFault::SlowFirstByte { ms } = fault {
            writer.wait(*ms);
        }
    }
    writer.events(speech.opening(running));
    for fault in &play.faults {
        if let InjectedFault::HugeEvent { bytes } = fault {
            writer.events(speech.piece(content(&"x".repeat(*bytes)), running));
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
                writer.events(speech.piece(joined.delta(), running));
            }
            if due && writer.faults(extra) {
                return writer.steps;
            }
            open = Some((piece.clone(), 1));
        }
        writer.sent += 1;
    }
    if let Some((joined, count)) = open {
        writer.wait(play.pace.per_token_ms.saturating_mul(count as u64));
        writer.events(speech.piece(joined.delta(), running));
    }
    if writer.faults(extra) {
        return writer.steps;
    }
    if !has(play, &InjectedFault::NoFinish) {
        writer.events(speech.finish(&spoken.finish, running));
    }
    if include_usage && usage.is_some() && asked.protocol == Protocol::OpenAi {
        writer.event((None, chunk_text(head, &[], usage.as_ref())));
    }
    if !has(play, &InjectedFault::NoDone) {
        writer.event(speech.done());
    }
    writer.steps
}

struct Writer<'p> {
    play: &'p Play,
    protocol: Protocol,
    steps: VecDeque<StreamStep>,
    sent: u64,
    bom: bool,
}

impl Writer<'_> {
    fn wait(&mut self, ms: u64) {
        if ms > 0 {
            self.steps.push_back(StreamStep::Wait(Some(ms)));
        }
    }

    fn events(&mut self, events: Vec<Event>) {
        for event in events {
            self.event(event);
        }
    }

    fn event(&mut self, (name, data): Event) {
        let eol = self.play.wire.eol.text();
        let comment = if self.play.wire.comments { sse::comment("scripted", eol) } else { String::new() };
        let bom = if std::mem::take(&mut self.bom) { "\u{FEFF}" } else { "" };
        self.bytes(format!("{bom}{comment}{}", sse::event(name, &data, eol)).as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let size = self.play.wire.split_bytes.unwrap_or(usize::MAX).max(1);
        for part in bytes.chunks(size.min(bytes.len().max(1))) {
            self.steps.push_back(StreamStep::Send(part.to_vec(), self.sent));
        }
    }

    /// Whether a fault stands at this token.
    fn fault_due(&self) -> bool {
        self.play.faults.iter().any(|fault| after(fault) == Some(self.sent))
    }

    /// Performs the faults at this token; `true`: the stream is over.
    fn faults(&mut self, chunk: impl Fn(&str) -> Event) -> bool {
        let (play, sent) = (self.play, self.sent);
        for fault in play.faults.iter().filter(|fault| after(fault) == Some(sent)) {
            match fault {
                InjectedFault::Stall { ms, .. } => self.steps.push_back(StreamStep::Wait(*ms)),
                InjectedFault::Cut { .. } => {
                    self.steps.push_back(StreamStep::Abort);
                    return true;
                }
                InjectedFault::CutMidEvent { .. } => {
                    let (name, data) = chunk("cut");
                    let name = name.map(|name| format!("event: {name}\n")).unwrap_or_default();
                    let event = format!("{name}data: {data}");
                    let half = event.get(..event.len() / 2).unwrap_or("data: {").as_bytes().to_vec();
                    self.bytes(&half);
                    self.steps.push_back(StreamStep::Abort);
                    return true;
                }
                InjectedFault::Malformed { data, .. } => self.event((None, data.clone())),
                InjectedFault::ErrorEvent { kind, message, .. } => {
                    let name = (self.protocol == Protocol::Anthropic).then_some("error");
                    self.event((name, error(self.protocol, kind, Some(kind), message).to_string()));
                    return true;
                }
                _ => {}
            }
        }
        false
    }
}

/// An error as a provider says it.
pub fn error(protocol: Protocol, kind: &str, code: Option<&str>, message: &str) -> Value {
    let (kind, code) = (Some(kind.to_owned()), code.map(str::to_owned));
    Error { code, kind, message: message.to_owned(), details: None }.object(protocol, REQUEST_ID)
}

/// After how many tokens a fault comes.
fn after(fault: &InjectedFault) -> Option<u64> {
    match fault {
        InjectedFault::Stall { after_tokens, .. }
        | InjectedFault::Cut { after_tokens }
        | InjectedFault::CutMidEvent { after_tokens }
        | InjectedFault::Malformed { after_tokens, .. }
        | InjectedFault::ErrorEvent { after_tokens, .. } => Some(*after_tokens),
        _ => None,
    }
}
