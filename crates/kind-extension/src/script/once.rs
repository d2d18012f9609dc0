//! A script that answers a question: what it may hold, the bundle that runs it, and what its run says.
//!
//! Invariants: it runs with [`GRANTED`] and nothing else, also where it asks for more; a finding stands at the script's
//! own lines.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use holdpoint_bundle::{Files, PathError};
use holdpoint_check::{Diagnostic, Position, args, codes};
use holdpoint_sdk::run::{Failure, Place, Profile};
use regex::Regex;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::answer::ScriptAnswer;
use super::frame;
use super::infer::{InferredCapability, infer};
use super::promote::{Promotion, promote};
use crate::review::{CapabilityUse, UsePlace};
use crate::run::{TestFinding, TestResult};
use crate::testing::thrown;

/// The one file that a script is.
pub const SCRIPT: &str = "src/script.js";
/// All that it may do: read the open model.
pub const GRANTED: &str = "model.read";

/// A fence that opens code and names no file.
static UNNAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^[ \t]*(`{3,}|~{3,})[ \t]*(?:hp:file|hp:script|js|javascript|mjs|jsx|ts|typescript)[ \t]*\r?$")
        .expect("a constant pattern is valid")
});
/// A fence whose header names a file.
static NAMED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^[ \t]*(?:`{3,}|~{3,}).*\bpath\s*=").expect("a constant pattern is valid"));

codes! {
    /// the reply has no block that is the script
    SCRIPT_MISSING / NO_SCRIPT: Error, "Send the script as one hp:file block with the path {path}." [path];
    CAPABILITY_UNDECLARED / BEYOND: Error,
        "A question is answered with `{granted}` alone, and `{call}` needs `{name}`: return what was found, with its \
         elements, and do nothing else." [granted, call, name];
    /// what the script returned says nothing at all
    ANSWER_EMPTY: Error, "The script returned nothing: return the answer as a sentence, a number, or rows.";
}

/// A reply in which the one block of code is the script, though its header names no file.
pub fn read(reply: &str) -> Cow<'_, str> {
    let headers: Vec<_> = UNNAMED.captures_iter(reply).collect();
    match headers.as_slice() {
        [one] if !NAMED.is_match(reply) => {
            let fence = &one[1];
            let header = one.get(0).map_or(0..0, |found| found.range());
            Cow::Owned(format!("{}{fence}hp:file path=\"{SCRIPT}\"{}", &reply[..header.start], &reply[header.end..]))
        }
        _ => Cow::Borrowed(reply),
    }
}

/// What stands in the way of running it, at its own lines.
pub fn judge(files: &Files) -> Vec<Diagnostic> {
    let others = files.keys().filter(|path| *path != SCRIPT);
    let misplaced = |path: &String| Diagnostic::of(PathError::NotAllowed.code(), args! {}).in_file(path.clone());
    let mut found: Vec<Diagnostic> = others.map(misplaced).collect();
    let Some(source) = files.get(SCRIPT) else {
        found.push(Diagnostic::of(&NO_SCRIPT, args! { path: SCRIPT }).in_file(SCRIPT));
        return found;
    };
    let inferred = infer(source);
    found.extend(inferred.diagnostics.into_iter().map(|finding| finding.in_file(SCRIPT)));
    for call in inferred.calls {
        let Some(name) = call.capability.filter(|name| name != GRANTED) else { continue };
        let values = args! { granted: GRANTED, call: call.call, name };
        found.push(Diagnostic::of(&BEYOND, values).in_file(SCRIPT).at(call.range));
    }
    found
}

/// What it needs of the SDK, with the lines that need it.
pub fn uses(files: &Files) -> Vec<CapabilityUse> {
    let Some(source) = files.get(SCRIPT) else { return Vec::new() };
    let inferred = infer(source);
    let row = |InferredCapability { capability, risk, sentence, args }: InferredCapability| {
        let calls = inferred.calls.iter().filter(|call| call.capability.as_deref() == Some(&capability));
        let place = |line: u32| UsePlace { path: SCRIPT.into(), line: Some(line), pointer: None, text: String::new() };
        let mut lines: Vec<u32> = calls.map(|call| call.range.start.line).collect();
        lines.dedup();
        CapabilityUse {
            declared: capability.clone(),
            capability,
            risk,
            sentence,
            args,
            required: true,
            places: lines.into_iter().map(place).collect(),
        }
    };
    inferred.capabilities.into_iter().map(row).collect()
}

/// What the sandbox is asked: one command of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScriptCall {
    pub files: Files,
    pub command: String,
    pub granted: [&'static str; 1],
}

/// The call that runs a script that [`judge`] has no error for.
pub fn call(files: &Files) -> Option<ScriptCall> {
    let source = files.get(SCRIPT)?.clone();
    let wanted = Promotion { source, name: "script".to_owned(), ..Promotion::default() };
    let command = wanted.command();
    Some(ScriptCall { files: promote(&wanted).files?, command, granted: [GRANTED] })
}

/// What a [`call`] says, as a run takes it: the answer, or the finding at the script's own line. `ran` is
/// `{outcome, ms, model}`: what the sandbox wrote (`holdpoint_sdk::run::Outcome`), and on which model it ran.
pub fn ran(files: &Files, ran: &Value) -> TestResult {
    let outcome = &ran["outcome"];
    let source = files.get(SCRIPT).map(String::as_str).unwrap_or_default();
    let answer = ScriptAnswer::of(&outcome["value"]);
    let finding = match outcome["failure"].as_object() {
        Some(failure) => Some(thrown(&failed(source, failure), Profile::Production)),
        None if answer.is_none() => Some(Diagnostic::of(&ANSWER_EMPTY, args! {}).in_file(SCRIPT)),
        None => None,
    };
    let mut more = BTreeMap::new();
    let told = [("answer", json!(answer)), ("logs", outcome["logs"].clone())];
    for (name, value) in told.into_iter().chain(["ms", "model"].map(|name| (name, ran[name].clone()))) {
        more.insert(name.to_owned(), value);
    }
    let (ok, diagnostics) = (finding.is_none(), finding.iter().map(TestFinding::from).collect());
    TestResult { name: SCRIPT.into(), ok, diagnostics, more }
}

/// The failure at the script's own line.
fn failed(source: &str, failure: &Map<String, Value>) -> Failure {
    let text = |name: &str| failure.get(name).and_then(Value::as_str).map(str::to_owned);
    let at = failure.get("at").and_then(|at| {
        let number = |name: &str| u32::try_from(at.get(name)?.as_u64()?).ok();
        Some(frame::place(source, Position { line: number("line")?, column: number("column")? }))
    });
    Failure {
        code: text("code").unwrap_or_default(),
        name: text("name"),
        message: text("message").unwrap_or_default(),
        args: failure.get("args").and_then(Value::as_object).cloned().unwrap_or_default(),
        at: at.map(|Position { line, column }| Place { path: SCRIPT.into(), line, column }),
        ..Failure::default()
    }
}
