//! Writes the reference; `cargo xtask ci` finds drift.

use std::fmt::Write as _;

use serde_json::Value;

use super::call;
use super::check::COMMON;
use super::{Entry, Member, entries};

/// Characters of a text in an answer, at most.
const SHOWN: usize = 200;

const HEAD: &str = "\
# Methods

Every pure capability of Holdpoint is one method, JSON in and JSON out, with the same bytes everywhere:

- on the command line: `holdpoint call METHOD < input.json`, or `--jsonl` with one input a line;
- in the page: `call(method, input)` of `wasm-core`;
- in Rust: `holdpoint_facade::native_shell!(holdpoint_kinds).call`.

An answer is the output, or `{\"error\": {\"code\", \"message\", \"details\"?, \"hints\"?}}`. Messages are for people;
codes are stable. A name that ends with `?` may be left out.

`bundle.test` needs a sandbox and is put together by those who have one: `holdpoint call bundle.test`, and the page.

Written by `cargo xtask generate` from `crates/facade/src/methods/*/reference.rs`: each example below is what the method
answers, long texts cut; each refusal was provoked.
";

#[test]
fn export_methods() {
    super::export("methods.md", &document());
}

fn document() -> String {
    let mut text = String::from(HEAD);
    text.push_str("\n| every method may answer | when |\n|---|---|\n");
    for (code, when) in COMMON {
        let _ = writeln!(text, "| `{code}` | {when} |");
    }
    text.push_str("\n| method | what it does |\n|---|---|\n");
    for entry in entries() {
        let (name, first) = (entry.title(), entry.does.split_inclusive(". ").next().unwrap_or_default().trim_end());
        let _ = writeln!(text, "| [`{name}`](#{}) | {first} |", name.replace('.', "").replace(' ', "-").to_lowercase());
    }
    for entry in entries() {
        section(&mut text, entry);
    }
    text
}

fn section(text: &mut String, entry: &Entry) {
    let _ = write!(text, "\n## {}\n\n{} Specification: {}.\n", entry.title(), entry.does, entry.spec);
    table(text, "input", entry.input);
    table(text, "output", entry.output);
    if !entry.limits.is_empty() {
        text.push_str("\n| at most | |\n|---|---|\n");
        for (what, most) in entry.limits {
            let _ = writeln!(text, "| {what} | {most} |");
        }
    }
    if !entry.refuses.is_empty() {
        text.push_str("\n| refusal | of |\n|---|---|\n");
        for (input, code) in entry.refuses {
            let _ = writeln!(text, "| `{code}` | `{}` |", input.replace('|', "\\|"));
        }
    }
    let mut answer = call(entry.method, serde_json::from_str(entry.example).unwrap_or(Value::Null));
    shorten(&mut answer);
    let answer = serde_json::to_string_pretty(&answer).unwrap();
    let _ = write!(text, "\n```json\n{}\n```\n\nanswers\n\n```json\n{answer}\n```\n", entry.example);
}

fn table(text: &mut String, head: &str, members: &[Member]) {
    if members.is_empty() {
        return;
    }
    let _ = write!(text, "\n| {head} | type | |\n|---|---|---|\n");
    for (name, kind, note) in members {
        let name = if name.is_empty() { String::new() } else { format!("`{name}`") };
        let _ = writeln!(text, "| {name} | {kind} | {} |", note.replace('|', "\\|"));
    }
}

/// Cuts long texts, which are prompts: what they say stands in their sources.
fn shorten(value: &mut Value) {
    match value {
        Value::String(text) if text.chars().count() > SHOWN => {
            let lead: String = text.chars().take(SHOWN).collect();
            *text = format!("{lead}… ({} characters)", text.chars().count());
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(members) => members.values_mut().for_each(shorten),
        _ => {}
    }
}
