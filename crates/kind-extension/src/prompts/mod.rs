//! Prompts: sections, limits, the cached prefix, blocks of untrusted text (spec: authoring.md §4).
//!
//! Owns what a model is told and in which order. Invariants: deterministic; sections 1 to 10 are the same bytes for
//! every purpose, user and selection; no section is over its limit; text of others stands in blocks only.

mod data;
mod fixed;
mod outline;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::policy::MANIFEST;
use super::{intent, judged};
use crate::planning::{Prompt, PromptMessage, PromptRequest as Request, PromptTooLargeError, Purpose, Section};

pub use fixed::EXAMPLE;

/// Input tokens of a call.
pub const MAX_INPUT_TOKENS: u64 = 32_000;
/// Findings that stay when a prompt is too large.
const KEPT_FINDINGS: usize = 20;
/// Most tokens of sections 11, 12, 14, 15 and 16.
const OVERLAY_TOKENS: u64 = 2_000;
const MODEL_TOKENS: u64 = 2_000;
const PLAN_TOKENS: u64 = 2_000;
const DIAGNOSTICS_TOKENS: u64 = 4_000;
const REQUEST_TOKENS: u64 = 2_000;
/// Elements of the selection that a model is told of.
const MAX_SELECTED: usize = 5;

/// How much has been cut, in the order of §4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cut {
    Nothing,
    ModelToCounts,
    FilesToNames,
    FewFindings,
    NoModel,
}

impl Cut {
    const ALL: [Self; 5] = [Self::Nothing, Self::ModelToCounts, Self::FilesToNames, Self::FewFindings, Self::NoModel];

    fn name(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::ModelToCounts => Some("model: to type counts"),
            Self::FilesToNames => Some("bundle: unnamed files to their names"),
            Self::FewFindings => Some("diagnostics: to the 20 first errors"),
            Self::NoModel => Some("model"),
        }
    }
}

/// Composes a prompt; cuts until it fits.
pub fn compose(request: &Request) -> Result<Prompt, PromptTooLargeError> {
    let limit = request.budget.unwrap_or(MAX_INPUT_TOKENS).min(MAX_INPUT_TOKENS);
    let mut need = 0;
    for cut in Cut::ALL {
        let mut dropped: Vec<String> = Cut::ALL
            .iter()
            .filter(|other| **other <= cut)
            .filter_map(|other| other.name())
            .map(str::to_owned)
            .collect();
        let prompt = assemble(request, cut, &mut dropped);
        if prompt.tokens <= limit {
            return Ok(prompt);
        }
        need = prompt.tokens;
    }
    Err(PromptTooLargeError { tokens: need, limit })
}

fn assemble(request: &Request, cut: Cut, dropped: &mut Vec<String>) -> Prompt {
    let fixed = fixed::fixed();
    let mut sections = fixed.sections.clone();
    let mut user: Vec<Section> = Vec::new();
    let mut add = |id: &str, cache: &str, text: String| {
        if !text.is_empty() {
            user.push(Section::new(id, cache, &text));
        }
    };
    let mut limited = |id: &str, name: &str, text: &str, most: u64| -> String {
        let (text, cut) = within(name, text, most);
        if cut {
            dropped.push(format!("{id}: cut to {most} tokens"));
        }
        text
    };
    if let Some(overlay) = request.overlay.as_deref().filter(|overlay| !overlay.trim().is_empty()) {
        let text = limited("overlay", "WISHES", overlay.trim(), OVERLAY_TOKENS);
        add("overlay", "session", text);
    }
    if let Some(model) = request.model_context.as_ref().filter(|_| cut < Cut::NoModel) {
        let shown = if cut < Cut::ModelToCounts { model_shown(model) } else { model_counts(model) };
        let mut text = data::block("MODEL", &shown.to_string());
        if holdpoint_tokens::estimate(&text) > MODEL_TOKENS {
            text = limited("model", "MODEL", &model_counts(model).to_string(), MODEL_TOKENS);
        }
        add("model", "volatile", text);
    }
    add("bundle", "volatile", bundle(request, cut));
    if let Some(plan) = &request.plan {
        let text = limited("plan", "PLAN", &decisions_first(plan).to_string(), PLAN_TOKENS - 160);
        let lead = if request.purpose == Purpose::Plan { "The present plan" } else { "The approved plan" };
        add("plan", "volatile", format!("{lead}{}:\n{text}", decided(plan, request.purpose)));
    }
    let notes = [("FINDINGS", findings(request, cut)), ("CHANGELOG", request.changelog.clone())];
    let notes: Vec<String> = notes
        .iter()
        .filter_map(|(name, value)| {
            Some(limited("diagnostics", name, &value.as_ref()?.to_string(), DIAGNOSTICS_TOKENS / 2))
        })
        .collect();
    add("diagnostics", "volatile", notes.join("\n"));
    let words = limited("request", "REQUEST", &request.request, REQUEST_TOKENS - 60);
    add("request", "volatile", format!("{}{}\n{words}", task(request.purpose), in_language(&request.request)));

    let texts: Vec<&str> = user.iter().map(|section| section.text.as_str()).collect();
    let overlay = user.first().filter(|section| section.id == "overlay").map(|section| section.text.len());
    let messages = vec![
        PromptMessage { role: "system".into(), content: fixed.text.clone(), cache_marks: vec![fixed.text.len()] },
        PromptMessage { role: "user".into(), content: texts.join("\n\n"), cache_marks: overlay.into_iter().collect() },
    ];
    let counted =
        holdpoint_tokens::Counting::ScriptAware.messages(messages.iter().map(|message| message.content.as_str()));
    sections.extend(user);
    Prompt {
        sections,
        messages,
        prefix_hash: fixed.hash.clone(),
        tokens: counted.tokens,
        dropped: std::mem::take(dropped),
    }
}

/// What a person took out stands first: where a plan is too long, that is not what is cut.
fn decisions_first(plan: &Value) -> Value {
    let Some(declined) = plan.get("declined") else { return plan.clone() };
    let rest = plan.as_object().into_iter().flatten().filter(|(name, _)| *name != "declined");
    let first = std::iter::once(("declined".to_owned(), declined.clone()));
    Value::Object(first.chain(rest.map(|(name, value)| (name.clone(), value.clone()))).collect())
}

/// What a person decided about a plan, in words; the names stand in the plan itself.
fn decided(plan: &Value, purpose: Purpose) -> String {
    let listed = |name: &str| plan.get(name).and_then(Value::as_array).into_iter().flatten();
    let pinned = listed("contributions").any(|part| part.get("labelPinned") == Some(&Value::Bool(true)));
    let mut said = String::new();
    if listed("declined").next().is_some() {
        said.push_str(match purpose {
            Purpose::Plan | Purpose::Fork => {
                ". A person took out what stands in `declined`: plan none of it again, unless the request asks for it"
            }
            _ => {
                ". A person took out what stands in `declined`: write none of it, neither under its id or name nor under \
                 another, with no code, button or test for it"
            }
        });
    }
    if pinned {
        said.push_str(". A label with `labelPinned` was written by a person: it is the title, letter by letter");
    }
    said
}

/// A block of at most `most` tokens; whether the text was cut for it.
fn within(name: &str, text: &str, most: u64) -> (String, bool) {
    let whole = data::block(name, text);
    if holdpoint_tokens::estimate(&whole) <= most {
        return (whole, false);
    }
    // A character costs at least a quarter of a token and at most one: halve until it fits.
    let mut chars = text.chars().count().min(most as usize * 4);
    loop {
        let part: String = text.chars().take(chars).collect();
        let block = data::block(name, &format!("{part}…"));
        if holdpoint_tokens::estimate(&block) <= most || chars == 0 {
            return (block, true);
        }
        chars = chars * 9 / 10;
    }
}

/// A request stays in its person's language: so does what the extension says.
fn in_language(request: &str) -> String {
    let other = intent::language_of(request).filter(|language| *language != intent::ENGLISH);
    other.map_or(String::new(), |language| {
        format!(" Write what people read (summary, titles, labels, messages) in {language}.")
    })
}

/// A script is no bundle: what it is stands here, so that the static part is the same for every purpose.
const SCRIPT_TASK: &str = "\
TASK: script. Answer the request once, from the open model: one hp:file block with the path src/script.js, and nothing else. \
It is the inside of an async function that is given `ctx` and `bim` (so no import, no export, no manifest, no test), runs \
at once with model.read and nothing else, and returns its answer: a sentence, a number, or \
{\"text\": a sentence, \"figure\": the one number that answers, \"rows\": [{\"element\": an Entity, more columns}]}. \
Rows are flat; a row that is about an element has it as `element`, so that a person can select it. Name columns as people \
would, with the unit in brackets. Count what has no value apart. What would select, colour, change or save is not done: \
return the elements. A request that cannot be answered so, or leaves open what is meant, is answered in a sentence \
without a block.";

fn task(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Plan => "TASK: plan. Write the plan for what is asked, as one hp:plan block.",
        Purpose::Generate => "TASK: generate. Write the whole bundle that the approved plan describes.",
        Purpose::Repair => "TASK: repair. Mend what the findings name; send only the files that change.",
        Purpose::Continue => {
            "TASK: continue. Your last reply was cut: send the file that was cut, whole, and those not yet sent."
        }
        Purpose::Fork => "TASK: fork. Plan the change of the bundle that stands above, as one hp:plan block.",
        Purpose::Script => SCRIPT_TASK,
        Purpose::Test => {
            "TASK: test. A person saw a wrong result and says what it should have been. Add one test to the manifest that \
             shows it, on a synthetic fixture where no canonical one has the case. It must fail as the code stands: change \
             nothing else, and send only what changes."
        }
        Purpose::Drift => "TASK: drift. Adapt the bundle to the changed SDK; let nothing grow.",
    }
}

fn model_shown(model: &Value) -> Value {
    let mut shown = data::cut_strings(model);
    if let Some(selected) = shown.get_mut("selection").and_then(Value::as_array_mut) {
        selected.truncate(MAX_SELECTED);
    }
    shown
}

fn model_counts(model: &Value) -> Value {
    let counts = model.get("types").map(data::cut_strings).unwrap_or_default();
    json!({"schema": model.get("schema").map(data::cut_strings), "types": counts})
}

fn findings(request: &Request, cut: Cut) -> Option<Value> {
    let mut findings = request.diagnostics.clone()?;
    let list = match &mut findings {
        Value::Array(list) => Some(list),
        other => other.get_mut("diagnostics").and_then(Value::as_array_mut),
    };
    if let Some(list) = list {
        if cut >= Cut::FewFindings {
            list.truncate(KEPT_FINDINGS);
        }
        // What other languages are said from is nothing for a model.
        for finding in list.iter_mut().filter_map(Value::as_object_mut) {
            finding.shift_remove("args");
        }
    }
    Some(findings)
}

/// Section 13: named files whole, of the others path, size and exported names.
fn bundle(request: &Request, cut: Cut) -> String {
    let named = named(request);
    let mut out: Vec<String> = Vec::new();
    for (path, text) in &request.files {
        if named.contains(path.as_str()) {
            out.push(data::block(&format!("FILE {path}"), text));
        } else if cut >= Cut::FilesToNames {
            out.push(data::block("FILE", path));
        } else {
            let line = format!("{path}, {} bytes, exports: {}", text.len(), exports(text).join(", "));
            out.push(data::block("FILE", &line));
        }
    }
    out.join("\n")
}

/// Files that diagnostics or plan name: the manifest, planned widgets, modules of planned commands, places of findings.
fn named(request: &Request) -> BTreeSet<String> {
    let mut named = BTreeSet::from([MANIFEST.to_owned()]);
    let plan = request.plan.as_ref().unwrap_or(&Value::Null);
    let list = |value: &Value, name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    named.extend(list(plan, "widgets").iter().filter_map(|widget| Some(widget.get("path")?.as_str()?.to_owned())));
    let manifest = judged::manifest_value(&request.files).unwrap_or_default();
    for planned in list(plan, "contributions") {
        let module =
            planned.get("id").and_then(Value::as_str).and_then(|id| manifest.get("entry")?.get("commands")?.get(id));
        named.extend(module.and_then(Value::as_str).map(str::to_owned));
    }
    let diagnostics = request.diagnostics.as_ref().unwrap_or(&Value::Null);
    let rows = diagnostics.as_array().cloned().unwrap_or_else(|| list(diagnostics, "diagnostics"));
    named.extend(rows.iter().filter_map(|row| Some(row.get("path")?.as_str()?.to_owned())));
    named.extend(list(diagnostics, "files_changed_last").iter().filter_map(Value::as_str).map(str::to_owned));
    named
}

fn exports(text: &str) -> Vec<String> {
    let names = text.lines().filter_map(|line| line.trim_start().strip_prefix("export "));
    names
        .filter_map(|rest| {
            let word = rest
                .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
                .find(|word| !matches!(*word, "" | "async" | "function" | "const" | "let" | "class"))?;
            Some(word.to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests;
