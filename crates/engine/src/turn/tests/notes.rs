//! A protocol that no kind has: changes that go back as often as its bounds allow, gates of a driver, and tools.
//!
//! Its replies: `CHANGE a,b` is a change in which its first gate finds `a` and `b`; `BAD a` is no reply; all else is
//! words.

use holdpoint_kind::protocol::{
    Access, Bounds, Content, EndsWith, Feedback, Finding, Frame, Gate, NoPrompt, OnDisconnect, Prompt, Reading, Tool,
};
use serde_json::{Value, json};

use super::super::*;
use super::{finished, text};
use crate::attempt::MAX_FINDINGS;

/// See the module.
#[derive(Debug)]
pub struct Notes {
    pub bounds: Bounds,
    pub on_disconnect: OnDisconnect,
    pub streams: bool,
}

pub const BOUNDS: Bounds = Bounds {
    attempts: 3,
    same: Some(2),
    calls: 6,
    tool_calls: 3,
    all_tool_calls: 5,
    argument_bytes: 200,
    result_chars: 400,
    reply_bytes: 10_000,
    call_ms: 1,
    history: 1,
    tokens: None,
};

pub static NOTES: Notes = Notes { bounds: BOUNDS, on_disconnect: OnDisconnect::Stop, streams: false };
pub static STREAMED: Notes = Notes { streams: true, ..NOTES };
/// What was staged last is what its turns end with.
pub static KEPT: Notes =
    Notes { bounds: Bounds { same: None, ..BOUNDS }, on_disconnect: OnDisconnect::Continue, streams: false };

const READ: Tool = Tool {
    name: "note.read",
    about: "Reads a note.",
    schema: r#"{"type": "object", "properties": {"line": {"type": "integer"}}, "required": ["line"],
        "additionalProperties": false}"#,
    access: Access::Read,
};
const END: Tool = Tool { name: "ask", about: "Asks.", schema: r#"{"type": "object"}"#, access: Access::End };

#[derive(Debug)]
struct Note;

impl Protocol for Notes {
    fn id(&self) -> &'static str {
        "notes"
    }

    fn bounds(&self) -> &'static Bounds {
        // A test names what is its own.
        match self.on_disconnect {
            OnDisconnect::Stop => &NOTES.bounds,
            OnDisconnect::Continue => &KEPT.bounds,
        }
    }

    fn ends_with(&self) -> EndsWith {
        if self.on_disconnect == OnDisconnect::Continue { EndsWith::Newest } else { EndsWith::Best }
    }

    fn on_disconnect(&self) -> OnDisconnect {
        self.on_disconnect
    }

    fn streams(&self) -> bool {
        self.streams
    }

    fn tools(&self) -> &'static [Tool] {
        &[READ, END]
    }

    fn gates(&self) -> &'static [Gate] {
        &[Gate::Place, Gate::Check]
    }

    fn ask(&self, _: &Value) -> Result<Box<dyn TurnRequest>, ApiError> {
        Ok(Box::new(Note))
    }

    fn past(&self, role: &str, content: &str, _: Option<&str>) -> Message {
        Message::new(role, content)
    }

    fn ending(&self, cause: &Cause<'_>) -> Ending {
        let (outcome, status) = match cause {
            Cause::Replied(_) => ("done", TurnStatus::Complete),
            Cause::Cancelled => ("stopped", TurnStatus::Cancelled),
            Cause::Limit(name) => (*name, TurnStatus::Failed),
            _ => ("failed", TurnStatus::Failed),
        };
        Ending { outcome, status }
    }

    fn refusal(&self, cause: &Cause<'_>) -> Option<ApiError> {
        let has_events = self.streams || self.on_disconnect == OnDisconnect::Continue;
        has_events.then(|| match cause {
            Cause::Refused(refused) => (*refused).clone(),
            Cause::Limit(name) => ApiError::new(*name, ""),
            Cause::Unread => ApiError::new("UNREAD", ""),
            _ => ApiError::new("FAILED", ""),
        })
    }

    fn frames(&self, said: &Said<'_>) -> Vec<Frame> {
        let (name, data, last) = match said {
            Said::Words(text) => ("words", json!(text), false),
            Said::Opened(_) => ("turn", Value::Null, false),
            Said::Phase(phase) => ("phase", json!(format!("{phase:?}")), false),
            Said::Summary(content) => ("summary", json!(content.words), false),
            Said::Tool { name, over, .. } => ("tool", json!([name, over.map(|over| over.is_ok())]), false),
            Said::Done { .. } | Said::Cancelled | Said::Failed(_) => ("end", Value::Null, true),
            _ => return Vec::new(),
        };
        vec![Frame { name, data, last }]
    }
}

impl TurnRequest for Note {
    fn message(&self) -> &'static str {
        "Note it."
    }

    fn measures(&self, _: &ModelSetting) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn compose(&self, _: &ModelSetting, _: &[Message]) -> Result<Prompt, NoPrompt> {
        let messages = vec![Message::new("user", self.message())];
        Ok(Prompt { messages, max_output: 9, temperature: None, schema: None, notice: None, facts: json!({}) })
    }

    fn read(&self, reply: &str, _: Option<&str>) -> Reading {
        if let Some(faults) = reply.strip_prefix("BAD ") {
            return Reading::Bad {
                outcome: "bad",
                code: Some("NO_NOTE".to_owned()),
                findings: faults_of(faults),
                words: String::new(),
            };
        }
        let wire = reply.strip_prefix("CHANGE ").map(Value::from);
        Reading::Said(Content { words: "Words.".to_owned(), wire, notes: Value::Null })
    }

    fn judge(&self, gate: Gate, wire: &Value) -> Option<Vec<Finding>> {
        (gate == Gate::Place).then(|| faults_of(wire.as_str().unwrap_or_default()))
    }

    fn feedback(&self, _: &ModelSetting, _: &[Message], told: &[Value]) -> Option<Feedback> {
        Some(Feedback::Behind(json!(told).to_string()))
    }
}

pub fn faults_of(names: &str) -> Vec<Finding> {
    let fault = |name: &str| Finding { key: (name.to_owned(), String::new(), String::new()), told: name.into() };
    names.split(',').filter(|name| !name.is_empty()).map(fault).collect()
}

pub fn model() -> ModelSetting {
    let profile = holdpoint_kind::protocol::Profile { window: 9, max_output: 9, margin: 0, system_cap: 9 };
    ModelSetting { alias: "m".to_owned(), name: "m".to_owned(), profile, additions: [].into(), constrained: false }
}

/// A turn about to call the model.
pub fn start(protocol: &'static dyn Protocol, body: &Value, model: ModelSetting) -> (Turn, Vec<Effect>) {
    let request = protocol.ask(body).unwrap();
    let prompt = request.compose(&model, &[]).unwrap();
    Turn::new(protocol, request, model, vec![], prompt)
}

/// A turn whose call was admitted.
pub fn begun(protocol: &'static Notes) -> Turn {
    let (mut turn, effects) = start(protocol, &json!({}), model());
    assert!(matches!(effects.as_slice(), [Effect::Call(_)]));
    assert_eq!(turn.step(Event::Admitted)[0], Effect::Begin);
    turn
}

pub fn says(turn: &mut Turn, words: &str) -> Vec<Effect> {
    turn.step(Event::Admitted);
    turn.step(text(words, 1));
    turn.step(finished("stop"))
}

pub fn is_asked(effects: &[Effect]) -> bool {
    matches!(effects, [Effect::Call(_)])
}

pub fn ended(effects: &[Effect]) -> &Ended {
    let Some(Effect::Answer(ended)) = effects.last() else { panic!("{effects:?}") };
    ended
}

#[test]
fn the_same_findings_twice_end_a_turn_with_its_best() {
    let mut turn = begun(&NOTES);
    let effects = says(&mut turn, "CHANGE a,b");
    let [Effect::Call(call)] = effects.as_slice() else { panic!("{effects:?}") };
    let messages = call.body["messages"].as_array().unwrap();
    let behind: Vec<_> = messages[1..].iter().map(|said| (&said["role"], &said["content"])).collect();
    assert_eq!(behind[0], (&json!("assistant"), &json!("CHANGE a,b")));
    assert_eq!(behind[1], (&json!("user"), &json!("[\"a\",\"b\"]")));
    let effects = says(&mut turn, "CHANGE b,a");
    let stands = ended(&effects);
    assert_eq!((stands.attempt, stands.findings.len()), (1, 2), "the later one of two that are as good");

    let mut turn = begun(&NOTES);
    assert!(is_asked(&says(&mut turn, "CHANGE a")) && is_asked(&says(&mut turn, "CHANGE b,c")));
    let effects = says(&mut turn, "CHANGE c,d");
    let stands = ended(&effects);
    assert_eq!((stands.attempt, stands.findings.len()), (0, 1), "three attempts, of which the first was the best");
}

#[test]
fn a_reply_that_says_nothing_is_asked_for_again() {
    let mut turn = begun(&NOTES);
    assert!(is_asked(&says(&mut turn, "BAD x")) && is_asked(&says(&mut turn, "BAD y")));
    let effects = says(&mut turn, "BAD z");
    let empty = ended(&effects);
    assert_eq!((empty.ending.outcome, empty.code.as_deref()), ("bad", Some("NO_NOTE")));
    assert_eq!((empty.ending.status, &empty.reply), (TurnStatus::Failed, &None));

    let mut turn = begun(&NOTES);
    assert!(is_asked(&says(&mut turn, "BAD x")));
    let effects = says(&mut turn, "Then in words.");
    assert_eq!(ended(&effects).ending.status, TurnStatus::Complete);

    let mut turn = begun(&NOTES);
    assert_eq!(ended(&says(&mut turn, "BAD ")).ending.outcome, "bad", "nothing can be told");

    let mut turn = begun(&NOTES);
    assert!(is_asked(&says(&mut turn, "BAD x")));
    let effects = turn.step(Event::Refused(ApiError::new("BUDGET_HELD", "").status(429)));
    assert_eq!(ended(&effects).code.as_deref(), Some("BUDGET_HELD"), "what was written is answered, whatever it cost");
}

#[test]
fn the_first_twenty_findings_go_back() {
    let faults: Vec<String> = (0..30).map(|number| format!("f{number}")).collect();
    let mut turn = begun(&NOTES);
    let effects = says(&mut turn, &format!("CHANGE {}", faults.join(",")));
    let [Effect::Call(call)] = effects.as_slice() else { panic!("{effects:?}") };
    let told = call.body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Vec<String>>(told).unwrap(), faults[..MAX_FINDINGS]);
}

#[test]
fn a_gate_of_the_driver_is_asked_behind_those_before_it() {
    let mut turn = begun(&NOTES);
    let effects = says(&mut turn, "CHANGE ");
    assert_eq!(effects, [Effect::Gate { gate: Gate::Check, wire: json!("") }]);
    assert_eq!(turn.step(text("late", 2)), [], "nobody writes while a gate is asked");
    assert!(is_asked(&turn.step(Event::Gated { findings: faults_of("x") })));
    assert!(is_asked(&says(&mut turn, "CHANGE a")), "a gate before it finds something");
    says(&mut turn, "CHANGE ");
    let effects = turn.step(Event::Gated { findings: vec![] });
    let stands = ended(&effects);
    assert_eq!((stands.attempt, stands.findings.len(), stands.ending.outcome), (2, 0, "done"));
}

#[test]
fn a_turn_uses_no_more_calls_than_it_has() {
    let mut turn = begun(&NOTES);
    let call = wire::Tool { id: String::new(), name: "note.read".into(), arguments: r#"{"line": 1}"#.into() };
    for number in 1..=5 {
        turn.step(Event::Admitted);
        let effects = turn.step(Event::Finished { reason: None, calls: vec![call.clone()] });
        let [Effect::Tool(run)] = effects.as_slice() else { panic!("{effects:?}") };
        let effects = turn.step(Event::ToolDone { id: run.id.clone(), result: Ok(json!({})) });
        assert!(is_asked(&effects), "call {number}");
    }
    turn.step(Event::Admitted);
    let effects = turn.step(Event::Finished { reason: None, calls: vec![call] });
    assert_eq!(ended(&effects).ending.outcome, "tool_calls");
}
