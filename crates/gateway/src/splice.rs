//! The few edits that a request takes on its way to an upstream of the same protocol (spec: gateway.md §2 "Fidelity",
//! §11 `gateway.translate_request`).
//!
//! Invariant: a changed value is replaced in place, a new member stands right behind the opening brace, and every
//! other byte stays as it was.

use std::ops::Range;

use serde_json::{Value, json};

use crate::json::members;
use crate::wire::Protocol;

#[derive(Debug, Clone, Default)]
pub struct Wanted<'w> {
    /// The upstream's name of the model.
    pub model: Option<&'w str>,
    /// The most output tokens that are allowed.
    pub max_output: Option<u64>,
    /// How the provider calls its maximum; `max_completion_tokens` when `None`.
    pub limit_field: Option<&'w str>,
    /// Whether the provider can report usage on streams.
    pub stream_usage: bool,
}

/// A request that goes upstream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spliced {
    pub text: String,
    /// Changed members in the order model, maximum, `stream_options`.
    pub edits: Vec<String>,
}

/// Edits the text of an object that [`crate::json::read`] accepted. Nothing else is looked at.
pub fn splice(protocol: Protocol, text: &str, wanted: &Wanted<'_>) -> Spliced {
    let (inside, found) = members(text, 0..text.len());
    let place = |name: &str| found.iter().find(|m| m.key == name).map(|m| m.value.clone());
    let value = |range: &Range<usize>| serde_json::from_str::<Value>(&text[range.clone()]).unwrap_or_default();
    let mut cuts: Vec<(Range<usize>, String)> = Vec::new();
    let mut inserts: Vec<(String, String)> = Vec::new();
    let mut edits = Vec::new();

    if let Some(model) = wanted.model {
        match place("model") {
            Some(range) if value(&range) == json!(model) => {}
            Some(range) => {
                cuts.push((range, json!(model).to_string()));
                edits.push("model".to_owned());
            }
            None => {
                inserts.push(("model".to_owned(), json!(model).to_string()));
                edits.push("model".to_owned());
            }
        }
    }
    if let Some(most) = wanted.max_output {
        let names: &[&str] = match protocol {
            Protocol::OpenAi => &["max_completion_tokens", "max_tokens"],
            Protocol::Anthropic => &["max_tokens"],
        };
        let mut given = false;
        for name in names {
            let Some(range) = place(name) else { continue };
            let now = value(&range);
            if now.is_null() {
                continue;
            }
            given = true;
            if now.as_f64().is_some_and(|now| now > most as f64) {
                cuts.push((range, most.to_string()));
                edits.push((*name).to_owned());
            }
        }
        if !given {
            let default = if protocol == Protocol::OpenAi { "max_completion_tokens" } else { "max_tokens" };
            let name = wanted.limit_field.unwrap_or(default);
            match place(name) {
                Some(range) => cuts.push((range, most.to_string())),
                None => inserts.push((name.to_owned(), most.to_string())),
            }
            edits.push(name.to_owned());
        }
    }
    if protocol == Protocol::OpenAi && wanted.stream_usage && place("stream").is_some_and(|r| value(&r) == json!(true))
    {
        let usage = json!({ "include_usage": true }).to_string();
        let changed = match place("stream_options") {
            None => {
                inserts.push(("stream_options".to_owned(), usage));
                true
            }
            Some(range) if value(&range).is_object() => ask_for_usage(text, range, &mut cuts),
            Some(range) => {
                cuts.push((range, usage));
                true
            }
        };
        if changed {
            edits.push("stream_options".to_owned());
        }
    }

    if !inserts.is_empty() {
        let mut new: Vec<String> = inserts.iter().map(|(key, value)| format!("{}:{value}", json!(key))).collect();
        if !found.is_empty() {
            new.push(String::new());
        }
        cuts.push((inside..inside, new.join(",")));
    }
    Spliced { text: apply(text, cuts), edits }
}

/// Turns `include_usage` on inside its object; `false`: it is on.
fn ask_for_usage(text: &str, range: Range<usize>, cuts: &mut Vec<(Range<usize>, String)>) -> bool {
    let (inside, found) = members(text, range);
    match found.iter().find(|member| member.key == "include_usage") {
        Some(member) if &text[member.value.clone()] == "true" => false,
        Some(member) => {
            cuts.push((member.value.clone(), "true".to_owned()));
            true
        }
        None => {
            let comma = if found.is_empty() { "" } else { "," };
            cuts.push((inside..inside, format!("\"include_usage\":true{comma}")));
            true
        }
    }
}

fn apply(text: &str, mut cuts: Vec<(Range<usize>, String)>) -> String {
    cuts.sort_by_key(|(range, _)| range.start);
    let mut spliced = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for (range, new) in cuts {
        spliced.push_str(&text[at..range.start]);
        spliced.push_str(&new);
        at = range.end;
    }
    spliced.push_str(&text[at..]);
    spliced
}
