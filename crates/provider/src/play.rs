//! Choosing the turn that answers a request, and counting what it uses.
//!
//! Owns the request's reading, the matchers and the played cache. Invariant: `usage: "auto"` counts the tokens of this
//! server and nothing else, so figures repeat.

use std::collections::HashMap;

use holdpoint_gateway::wire::{Asked as Said, Request, Usage};
use holdpoint_gateway::{Limits, Protocol};
use serde_json::Value;

use crate::script::{InjectedFault, Play, ScriptedReply, Transcript, When};
use crate::tokens::{count, tokens};

/// Tokens that a message adds to its text.
const MESSAGE_TOKENS: u64 = 4;
/// A shared prefix of at least this many tokens is cached, in steps.
const CACHE_FROM: usize = 1_024;
const CACHE_STEP: usize = 128;
/// Prompts that the cache remembers.
const CACHE_PROMPTS: usize = 64;

/// A request as the matchers see it.
#[derive(Debug)]
pub struct ModelRequest {
    pub protocol: Protocol,
    pub model: String,
    pub stream: bool,
    pub include_usage: bool,
    pub max_output: Option<u64>,
    assistant_turns: usize,
    last_user: String,
    system: String,
    tools: Vec<String>,
    answered_tools: Vec<String>,
    headers: HashMap<String, String>,
    /// All text, for usage and the cache.
    text: String,
    /// The text up to the last mark of Anthropic's cache.
    marked: Option<String>,
    messages: u64,
}

impl ModelRequest {
    /// Reads an OpenAI request; `None` when it is none.
    pub fn read(body: &Value, headers: HashMap<String, String>) -> Option<Self> {
        let request = Request::read(body, &Limits::default()).ok()?;
        let messages: Vec<_> = request.messages().collect();
        let last_user = messages.iter().rev().find(|message| message.role() == "user");
        let system = messages.iter().filter(|message| matches!(message.role(), "system" | "developer"));
        let last = messages.last().filter(|message| message.role() == "tool");
        let mut calls = messages.iter().flat_map(Said::calls);
        let answered = last.and_then(|last| calls.find(|(id, ..)| Some(*id) == last.answers()));
        Some(Self {
            protocol: Protocol::OpenAi,
            marked: None,
            model: request.model.to_owned(),
            stream: request.stream,
            include_usage: request.include_usage,
            max_output: request.max_output(Protocol::OpenAi).ok()?,
            assistant_turns: messages.iter().filter(|message| message.role() == "assistant").count(),
            last_user: last_user.map(Said::text).unwrap_or_default(),
            system: system.map(Said::text).collect::<Vec<_>>().join("\n"),
            tools: request.tools().map(str::to_owned).collect(),
            answered_tools: answered.map(|(_, name, _)| name.to_owned()).into_iter().collect(),
            headers,
            text: messages.iter().copied().map(message_text).collect::<Vec<_>>().join("\n"),
            messages: messages.len() as u64,
        })
    }

    /// Reads a request of Anthropic's protocol; `None` when it is none.
    pub fn read_message(body: &Value, headers: HashMap<String, String>) -> Option<Self> {
        let request = Request::read(body, &Limits::default()).ok()?;
        let max_output = request.max_output(Protocol::Anthropic).ok()??;
        let messages = body["messages"].as_array()?;
        let mut parts = Parts::default();
        parts.read(&body["system"]);
        let system = std::mem::take(&mut parts.last);
        let (mut assistant_turns, mut last_user) = (0, String::new());
        for message in messages {
            parts.last.clear();
            parts.results.clear();
            parts.read(&message["content"]);
            match message["role"].as_str() {
                Some("assistant") => assistant_turns += 1,
                Some("user") if !parts.last.is_empty() => last_user.clone_from(&parts.last),
                _ => {}
            }
        }
        let named = |id: &String| parts.calls.iter().find(|(call, _)| call == id).map(|(_, name)| name.clone());
        let tools = body["tools"].as_array().into_iter().flatten();
        Some(Self {
            protocol: Protocol::Anthropic,
            model: request.model.to_owned(),
            stream: request.stream,
            include_usage: true,
            max_output: Some(max_output),
            assistant_turns,
            last_user,
            system,
            tools: tools.filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect(),
            answered_tools: parts.results.iter().filter_map(named).collect(),
            headers,
            marked: parts.marked.map(|end| parts.all[..end].to_owned()),
            text: parts.all,
            messages: messages.len() as u64,
        })
    }

    /// It counts the tokens of its input.
    pub fn input_tokens(&self) -> u64 {
        count(&self.text) + MESSAGE_TOKENS * self.messages
    }

    fn fits(&self, when: &When) -> bool {
        let texts =
            |wanted: &Option<crate::script::Texts>, text: &str| wanted.as_ref().is_none_or(|t| t.occur_in(text));
        when.protocol.is_none_or(|protocol| protocol == self.protocol)
            && when.model.as_ref().is_none_or(|pattern| glob(pattern, &self.model))
            && when.turn.is_none_or(|turn| turn == self.assistant_turns)
            && texts(&when.last_user_contains, &self.last_user)
            && texts(&when.system_contains, &self.system)
            && when.has_tool.as_ref().is_none_or(|tool| self.tools.contains(tool))
            && when.tool_result_for.as_ref().is_none_or(|tool| self.answered_tools.contains(tool))
            && when.stream.is_none_or(|stream| stream == self.stream)
            && when.header.as_ref().is_none_or(|wanted| {
                wanted
                    .iter()
                    .all(|(name, value)| self.headers.get(&name.to_lowercase()).map(String::as_str) == value.as_str())
            })
    }
}

/// The texts of a request's blocks, one behind the other.
#[derive(Default)]
struct Parts {
    all: String,
    /// Of the message that is read.
    last: String,
    /// Where the last mark of the cache stands in all text.
    marked: Option<usize>,
    /// Ids and names of the calls so far.
    calls: Vec<(String, String)>,
    /// Ids of the calls that the message answers.
    results: Vec<String>,
}

impl Parts {
    fn read(&mut self, content: &Value) {
        match content {
            Value::String(text) => self.text(text),
            Value::Array(blocks) => blocks.iter().for_each(|block| self.block(block)),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        self.last.push_str(text);
        self.add(text);
    }

    fn add(&mut self, text: &str) {
        if !self.all.is_empty() {
            self.all.push('\n');
        }
        self.all.push_str(text);
    }

    fn block(&mut self, block: &Value) {
        let name = |name: &str| block[name].as_str().unwrap_or_default().to_owned();
        match block["type"].as_str() {
            Some("text") => self.text(&name("text")),
            Some("tool_use") => {
                self.add(&format!("{}{}", name("name"), block["input"]));
                self.calls.push((name("id"), name("name")));
            }
            Some("tool_result") => {
                self.results.push(name("tool_use_id"));
                let said = self.last.clone();
                self.read(&block["content"]);
                self.last = said;
            }
            _ => {}
        }
        if !block["cache_control"].is_null() {
            self.marked = Some(self.all.len());
        }
    }
}

fn message_text(message: Said<'_>) -> String {
    message.calls().fold(message.text(), |text, (_, name, arguments)| text + name + arguments)
}

/// `*` stands for any characters.
fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut tail: Option<&str> = None;
    for part in parts {
        if let Some(middle) = tail.replace(part) {
            match rest.find(middle) {
                Some(at) => rest = &rest[at + middle.len()..],
                None => return false,
            }
        }
    }
    tail.map_or(rest.is_empty(), |tail| rest.ends_with(tail))
}

/// Transcripts with what is left of them, and the cache.
#[derive(Debug, Default)]
pub struct SceneStage {
    transcripts: Vec<Transcript>,
    left: HashMap<(usize, usize), u64>,
    failures: HashMap<(usize, usize), u64>,
    prompts: Vec<Vec<u64>>,
    /// Texts that were marked for Anthropic's cache, with their tokens.
    marks: Vec<(String, u64)>,
}

#[derive(Debug)]
pub struct Chosen {
    pub play: Play,
    /// It is one of `NAME/INDEX` or `NAME/otherwise`.
    pub turn: String,
}

/// What transcripts answer to a request of these words, and how it ends: text and finish. Nothing is counted.
pub fn said(transcripts: &[Transcript], last_user: &str) -> Option<(String, String)> {
    let fits = |when: &When| when.last_user_contains.as_ref().is_none_or(|texts| texts.occur_in(last_user));
    let turns = transcripts.iter().flat_map(|one| one.turns.iter().map(move |turn| (one, turn)));
    let (transcript, turn) = turns.into_iter().find(|(_, turn)| fits(&turn.when))?;
    let ScriptedReply { text, finish, .. } = transcript.answer(turn, last_user).reply;
    Some((text.unwrap_or_default(), finish.unwrap_or_else(|| "stop".to_owned())))
}

impl SceneStage {
    pub fn new(transcripts: Vec<Transcript>) -> Self {
        Self { transcripts, ..Self::default() }
    }

    /// The first turn that fits and has `times` left, else the first `otherwise`.
    pub fn choose(&mut self, asked: &ModelRequest) -> Option<Chosen> {
        for (file, transcript) in self.transcripts.iter().enumerate() {
            for (index, turn) in transcript.turns.iter().enumerate() {
                if !asked.fits(&turn.when) {
                    continue;
                }
                if let Some(times) = turn.times {
                    let left = self.left.entry((file, index)).or_insert(times);
                    if *left == 0 {
                        continue;
                    }
                    *left -= 1;
                }
                let mut play = transcript.answer(turn, &asked.last_user);
                let failed = self.failures.entry((file, index)).or_default();
                // A status fault with `times` is over after so many answers.
                play.faults.retain(
                    |fault| !matches!(fault, InjectedFault::Status { times: Some(times), .. } if *failed >= *times),
                );
                *failed += u64::from(play.faults.iter().any(|fault| matches!(fault, InjectedFault::Status { .. })));
                return Some(Chosen { play, turn: format!("{}/{index}", transcript.name) });
            }
        }
        self.transcripts.iter().find_map(|transcript| {
            let play = transcript.otherwise.clone()?;
            Some(Chosen { play, turn: format!("{}/otherwise", transcript.name) })
        })
    }

    /// Usage of a call in the protocol's own fields; `None`: not told.
    pub fn usage(&mut self, asked: &ModelRequest, reply: &ScriptedReply, output: u64) -> Option<Value> {
        match &reply.usage {
            Some(Value::String(word)) if word == "none" => None,
            Some(own @ Value::Object(_)) => Some(own.clone()),
            _ => {
                let prompt = asked.input_tokens();
                if asked.protocol == Protocol::Anthropic {
                    let (read, written) = self.marked(asked.marked.as_deref());
                    let input = prompt.saturating_sub(read + written);
                    let usage = Usage { input, cached_input: read, cache_write: written, output, ..Usage::default() };
                    return Some(usage.anthropic());
                }
                let cached = self.cached(&asked.text).min(prompt);
                let usage = Usage { input: prompt - cached, cached_input: cached, output, ..Usage::default() };
                Some(usage.openai())
            }
        }
    }

    /// Tokens that are read of Anthropic's cache and written to it: what was marked before is read when it comes again.
    fn marked(&mut self, marked: Option<&str>) -> (u64, u64) {
        let Some(text) = marked else { return (0, 0) };
        let tokens = count(text);
        let known = self.marks.iter().filter(|(old, _)| text.starts_with(old.as_str())).map(|(_, tokens)| *tokens);
        let read = known.max().unwrap_or(0).min(tokens);
        if self.marks.len() == CACHE_PROMPTS {
            self.marks.remove(0);
        }
        self.marks.push((text.to_owned(), tokens));
        (read, tokens - read)
    }

    /// Tokens of the longest prefix shared with an earlier prompt, and remembers this one.
    fn cached(&mut self, text: &str) -> u64 {
        let prompt: Vec<u64> = tokens(text).into_iter().map(hash).collect();
        let shared = |old: &Vec<u64>| old.iter().zip(&prompt).take_while(|(old, new)| old == new).count();
        let longest = self.prompts.iter().map(shared).max().unwrap_or(0);
        if self.prompts.len() == CACHE_PROMPTS {
            self.prompts.remove(0);
        }
        self.prompts.push(prompt);
        if longest < CACHE_FROM { 0 } else { (longest - longest % CACHE_STEP) as u64 }
    }
}

/// FNV-1a: prompts are remembered without their text.
fn hash(token: &str) -> u64 {
    token.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn globs() {
        let cases = [
            ("scripted-*", "scripted-1", true),
            ("*", "", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b", "a", false),
            ("a", "ab", false),
            ("*x", "xy", false),
        ];
        for (pattern, text, want) in cases {
            assert_eq!(glob(pattern, text), want, "{pattern} {text}");
        }
    }
}
