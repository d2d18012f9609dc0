//! A scripted answer that follows the plan which a request states: what a person took out, renamed, moved or tests
//! elsewhere is so in the answer too, and what cannot be followed is said in words.
//!
//! It reads what any model would read: the plan in the words of the request, and the plan that the transcript itself
//! proposes. Invariant: an answer to the transcript's own plan is played as it was written, byte for byte.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::blocks::{Block, blocks, joined};
use crate::bundle::{PlannedBundle, without_command};

/// How the answers of a transcript follow an edited plan.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FollowsPlan {
    /// Tests by name, and what of them is otherwise on another fixture.
    tests: BTreeMap<String, BTreeMap<String, Map<String, Value>>>,
}

/// The plan of a request: the text of its `PLAN` block.
pub fn stated(text: &str) -> Option<Value> {
    data(text, "PLAN").find_map(|block| serde_json::from_str(block).ok())
}

/// Texts of the blocks with a name.
fn data<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let head = format!("<<<DATA {name} ");
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.split_once(&head)?.1;
        let (mark, body) = rest.split_once('\n')?;
        Some(body.split_once(&format!("\n{mark} DATA>>>"))?.0)
    })
}

/// The plan that a reply proposes.
pub fn proposed(reply: &str) -> Option<Value> {
    blocks(reply).into_iter().find_map(|block| match block {
        Block::Code { info, text } if info.starts_with("hp:plan") => serde_json::from_str(&text).ok(),
        _ => None,
    })
}

/// What a transcript writes of its own accord.
#[derive(Debug, Default)]
pub struct Own {
    /// The plans that it proposes, the usual one last.
    plans: Vec<Value>,
    /// The manifest that it writes first.
    manifest: Value,
    code: Vec<(String, String)>,
}

impl Own {
    /// Of the replies of a transcript, in their order.
    pub fn of<'t>(replies: impl Iterator<Item = &'t str> + Clone) -> Self {
        let files = replies.clone().flat_map(blocks).filter_map(|block| match &block {
            Block::Code { text, .. } => Some((block.path()?.to_owned(), text.clone())),
            Block::Words(_) => None,
        });
        let files: Vec<(String, String)> = files.collect();
        let mut manifest = files.iter().filter(|(path, _)| path == "manifest.json");
        let manifest = manifest.find_map(|(_, text)| serde_json::from_str(text).ok()).unwrap_or_default();
        let code = files.into_iter().filter(|(path, _)| path.ends_with(".js")).collect();
        Self { plans: replies.filter_map(proposed).collect(), manifest, code }
    }

    /// Whether code that stays names something that went.
    fn needs(&self, plan: &Value, id: &str) -> bool {
        let entries = || self.manifest.pointer("/entry/commands").and_then(Value::as_object).into_iter().flatten();
        let planned = |id: &str| list(plan, "contributions").any(|part| text(part, "id") == id);
        let stays = |path: &str| {
            let mut runs = entries().filter(|(_, file)| file.as_str() == Some(path)).peekable();
            runs.peek().is_none() || runs.any(|(id, _)| planned(id))
        };
        self.code.iter().any(|(path, text)| stays(path) && text.contains(&format!("\"{id}\"")))
    }
}

/// Follows the plan of `asked` in `reply`.
pub fn follow(reply: &str, asked: &str, own: &Own, how: &FollowsPlan) -> String {
    let (Some(plan), Some(usual)) = (stated(asked), own.plans.last()) else { return reply.to_owned() };
    if plan == *usual && proposed(reply).is_none() {
        return reply.to_owned();
    }
    let cannot = impossible(&plan, usual, own, how);
    if !cannot.is_empty() {
        return format!(
            "I cannot follow this plan: my answers were written beforehand. {} Take that back in the plan, or ask a real \
             model.",
            cannot.join(" ")
        );
    }
    match proposed(reply) {
        Some(next) => replanned(reply, next, &plan, usual),
        None => rewritten(reply, asked, &plan, usual, how),
    }
}

/// What of an edited plan was not written beforehand, in words.
fn impossible(plan: &Value, usual: &Value, own: &Own, how: &FollowsPlan) -> Vec<String> {
    let (mut said, manifest) = (Vec::new(), &own.manifest);
    for part in list(usual, "contributions").filter(|part| !has_part(plan, part)) {
        if own.needs(plan, text(part, "id")) {
            said.push(format!("My code works with \"{}\".", text(part, "label")));
        }
    }
    let own = &own.plans;
    let docks = manifest.pointer("/contributes/dock").and_then(Value::as_array);
    for dock in docks.into_iter().flatten() {
        let stays =
            list(plan, "contributions").find(|part| text(part, "kind") == "dock" && part.get("id") == dock.get("id"));
        let works = |part: &&Value| text(part, "kind") == "command" && part.get("id") == dock.get("data");
        let gone = list(usual, "contributions").find(works).filter(|part| !has_part(plan, part));
        if let (Some(panel), Some(gone)) = (stays, gone) {
            said.push(format!(
                "My panel \"{}\" shows what \"{}\" works out.",
                text(panel, "label"),
                text(gone, "label")
            ));
        }
    }
    for part in list(plan, "contributions") {
        let label = text(part, "label");
        if !list(usual, "contributions").any(|other| same_part(other, part)) {
            said.push(format!("I know no part \"{label}\"."));
        }
    }
    for test in list(plan, "tests") {
        let name = text(test, "name");
        let known = |own: &Value| list(own, "tests").find(|other| text(other, "name") == name).cloned();
        let Some(mine) = known(usual) else {
            said.push(format!("I know no test \"{name}\"."));
            continue;
        };
        if !own.iter().filter_map(known).any(|own| own.get("assertionSummary") == test.get("assertionSummary")) {
            said.push(format!("I cannot read your words for the test \"{name}\"."));
        }
        let fixture = text(test, "fixture");
        if text(&mine, "fixture") != fixture && how.tests.get(name).is_none_or(|on| !on.contains_key(fixture)) {
            said.push(format!("I do not know what the test \"{name}\" finds in {fixture}."));
        }
    }
    let notes = |plan: &Value| plan.get("notes").cloned();
    if notes(plan).is_some_and(|words| !own.iter().any(|own| notes(own).as_ref() == Some(&words))) {
        said.push("I cannot read your words under what the plan assumes.".to_owned());
    }
    let runs = |part: &&Value| !matches!(text(part, "kind"), "toolbar" | "dock" | "contextMenu" | "keybinding");
    let all = list(usual, "contributions").filter(runs).all(|part| has_part(plan, part));
    for name in list(usual, "capabilities").filter_map(Value::as_str) {
        if all && !list(plan, "capabilities").any(|other| other.as_str() == Some(name)) {
            said.push(format!("My code needs {name}."));
        }
    }
    said
}

/// The next plan keeps what a person decided about the present one; a place that the wish named is the wish's.
fn replanned(reply: &str, mut next: Value, plan: &Value, usual: &Value) -> String {
    let gone: Vec<(String, String)> =
        list(plan, "declined").map(|one| (text(one, "kind").to_owned(), text(one, "id").to_owned())).collect();
    let out = |kind: &str, id: &str| gone.iter().any(|(k, i)| k == kind && i == id);
    if let Some(parts) = next.get_mut("contributions").and_then(Value::as_array_mut) {
        parts.retain(|part| !out(text(part, "kind"), text(part, "id")));
        for part in parts {
            let Some(before) = list(plan, "contributions").find(|other| same_part(other, part)) else { continue };
            let places = list(usual, "contributions").find(|other| same_part(other, part)).map(|it| text(it, "slot"));
            let unasked = places == Some(text(part, "slot"));
            let pinned = before.get("labelPinned") == Some(&Value::Bool(true));
            let kept = [("slot", unasked), ("label", pinned), ("labelPinned", pinned)];
            for (member, _) in kept.into_iter().filter(|(_, keeps)| *keeps) {
                if let (Some(value), Some(part)) = (before.get(member), part.as_object_mut()) {
                    part.insert(member.to_owned(), value.clone());
                }
            }
        }
    }
    let stays: Vec<String> = list(&next, "contributions").map(|part| text(part, "id").to_owned()).collect();
    let widgets: Vec<String> = list(&next, "contributions").map(|part| text(part, "widget").to_owned()).collect();
    let retain = |next: &mut Value, member: &str, keep: &dyn Fn(&Value) -> bool| {
        if let Some(items) = next.get_mut(member).and_then(Value::as_array_mut) {
            items.retain(keep);
        }
    };
    retain(&mut next, "tests", &|test| {
        !out("test", text(test, "name")) && stays.iter().any(|id| id == text(test, "contribution"))
    });
    retain(&mut next, "triggers", &|event| !out("trigger", event.as_str().unwrap_or_default()));
    retain(&mut next, "widgets", &|widget| widgets.iter().any(|path| path == text(widget, "path")));
    let parts_gone = gone.iter().any(|(kind, _)| kind != "test" && kind != "trigger");
    retain(&mut next, "capabilities", &|name| !parts_gone || list(plan, "capabilities").any(|other| other == name));
    if let Some(tests) = next.get_mut("tests").and_then(Value::as_array_mut) {
        for test in tests {
            let before = list(plan, "tests").find(|other| text(other, "name") == text(test, "name"));
            if let Some(fixture) = before.and_then(|before| before.get("fixture")).cloned() {
                test["fixture"] = fixture;
            }
        }
    }
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default() + "\n";
    let changed = blocks(reply).into_iter().map(|block| match block {
        Block::Code { info, .. } if info.starts_with("hp:plan") => Block::Code { info, text: pretty(&next) },
        other => other,
    });
    joined(changed.collect())
}

/// The files of a reply as the plan has them.
fn rewritten(reply: &str, asked: &str, plan: &Value, usual: &Value, how: &FollowsPlan) -> String {
    let bundle = PlannedBundle { plan, usual, tests: &how.tests };
    let gone: Vec<&str> =
        list(usual, "contributions").filter(|part| !has_part(plan, part)).map(|part| text(part, "id")).collect();
    let all = blocks(reply);
    let whole = |path: &str| {
        all.iter().find_map(|block| match block {
            Block::Code { info, text } if block.path() == Some(path) && info.starts_with("hp:file") => {
                Some(text.as_str())
            }
            _ => None,
        })
    };
    let shown = |path: &str| data(asked, &format!("FILE {path}")).next();
    let manifest = whole("manifest.json").or_else(|| shown("manifest.json"));
    let manifest: Value = manifest.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let sources: Vec<(&str, &str)> = all
        .iter()
        .filter_map(|block| match block {
            Block::Code { text, .. } => Some((block.path()?, text.as_str())),
            Block::Words(_) => None,
        })
        .collect();
    let unused = bundle.unused(&manifest, &gone, &sources);
    let kept = all.iter().filter_map(|block| {
        let Block::Code { info, text } = block else { return Some(block.clone()) };
        let path = block.path().unwrap_or_default();
        if unused.iter().any(|other| other == path) {
            return None;
        }
        if info.starts_with("hp:edit") {
            // What it looks for may have gone with what a person took out.
            let search = text.split("\n=======\n").next()?.split_once('\n')?.1;
            let there = shown(path).is_none_or(|file| file.contains(search));
            return there.then(|| block.clone());
        }
        let text = match path {
            "manifest.json" => bundle.manifest(text, &gone),
            path if path.starts_with("widgets/") => without_command(text, &gone),
            _ => text.clone(),
        };
        Some(Block::Code { info: info.clone(), text })
    });
    joined(kept.collect())
}

pub fn list<'v>(value: &'v Value, member: &str) -> impl Iterator<Item = &'v Value> {
    value.get(member).and_then(Value::as_array).into_iter().flatten()
}

pub fn text<'v>(value: &'v Value, member: &str) -> &'v str {
    value.get(member).and_then(Value::as_str).unwrap_or_default()
}

pub fn same_part(a: &Value, b: &Value) -> bool {
    ["kind", "id"].iter().all(|member| a.get(member) == b.get(member))
}

pub fn has_part(plan: &Value, part: &Value) -> bool {
    list(plan, "contributions").any(|other| same_part(other, part))
}
