//! What is left out of a context that is over its budget (spec: ai-sessions.md §7.3 "Trimming").
//!
//! Owns the order in which things go, each told in a report. Invariants: nothing goes while the context fits; the
//! target, the session and the counters are never touched; the seven members stay; time is in proportion to the
//! context, because each action counts only what it changes.

use holdpoint_check::json::canonical;
use holdpoint_check::{ApiError, args, codes};
use holdpoint_tokens::quarters;
use serde::Serialize;
use serde_json::{Map, Value};

use super::budget::WindowShares;
use super::envelope::{DIGEST, Envelope};
use super::snip::snip;
use crate::dialect::path::Path;

codes! {
    /// the target alone, or what stays of its context, is over the budget
    AI_CONTEXT_BUDGET_EXCEEDED: Error,
        "Choose a smaller target or a larger model: the context needs {estimate} tokens of {budget}."
        [estimate, budget];
}

/// Items that a list keeps at first.
const LISTED: usize = 20;
/// Characters that a text keeps.
const TEXT_CHARS: usize = 400;
/// Characters that a text of an item keeps at last.
const ITEM_CHARS: usize = 120;
/// What an item keeps at last.
const ITEM_MEMBERS: [&str; 8] = ["type", "id", "path", "workflowId", "nodeId", "name", "summary", "hash"];
/// Those of them that mean nothing when they are cut.
const WHOLE_MEMBERS: [&str; 2] = ["path", "hash"];
/// Where texts are cut, in this order.
const TEXTS: [&str; 4] = [DIGEST, "normative_baseline", "domain_profile", "tool_capabilities"];
/// Bytes of the name of a place in the report (`INPUT_TOO_LARGE`).
const MAX_SECTION_BYTES: usize = 1_024;

/// A context that fits, and what was done for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trimmed {
    pub envelope: Envelope,
    pub trim_report: TrimReport,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrimReport {
    pub applied: bool,
    pub estimate_before: u64,
    pub estimate_after: u64,
    pub context_budget: u64,
    pub reserve_for_response: u64,
    pub actions: Vec<Action>,
}

/// One thing that was made shorter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    pub section: Path,
    pub action: &'static str,
    pub before_chars: usize,
    pub after_chars: usize,
}

/// Trims a context until it fits.
pub fn trim(mut envelope: Envelope, budget: WindowShares) -> Result<Trimmed, ApiError> {
    let mut trim = Trim { quarters: quarters(&envelope.canonical()), budget: budget.context, actions: Vec::new() };
    let estimate_before = trim.estimate();
    trim.lists(&mut envelope, "summarize", summarize);
    for key in TEXTS {
        if let Some(value) = envelope.member_mut(key) {
            trim.texts(value, &Path::default().key(key))?;
        }
    }
    trim.lists(&mut envelope, "drop", reduce);
    trim.lists(&mut envelope, "drop", empty);
    let estimate = trim.estimate();
    if trim.is_over() {
        let refusal = ApiError::of(&AI_CONTEXT_BUDGET_EXCEEDED, args! { estimate, budget: budget.context });
        return Err(refusal.status(413).with("estimate", estimate).with("contextBudget", budget.context));
    }
    let trim_report = TrimReport {
        applied: !trim.actions.is_empty(),
        estimate_before,
        estimate_after: estimate,
        context_budget: budget.context,
        reserve_for_response: budget.reserve,
        actions: trim.actions,
    };
    Ok(Trimmed { envelope, trim_report })
}

struct Trim {
    quarters: u64,
    budget: u64,
    actions: Vec<Action>,
}

impl Trim {
    fn estimate(&self) -> u64 {
        self.quarters.div_ceil(4)
    }

    fn is_over(&self) -> bool {
        self.estimate() > self.budget
    }

    /// Notes that one text of the canonical form took the place of another.
    fn note(&mut self, section: Path, action: &'static str, before: &str, after: &str) {
        self.quarters = self.quarters.saturating_sub(quarters(before)) + quarters(after);
        let (before_chars, after_chars) = (before.chars().count(), after.chars().count());
        self.actions.push(Action { section, action, before_chars, after_chars });
    }

    /// Shortens the lists of the digest by their keys; `shorten` says whether there was something to shorten.
    fn lists(&mut self, envelope: &mut Envelope, action: &'static str, shorten: fn(&mut Vec<Value>) -> bool) {
        let Some(Value::Object(digest)) = envelope.member_mut(DIGEST) else { return };
        let mut lists: Vec<(&String, &mut Map<String, Value>)> =
            digest.iter_mut().filter_map(|(key, list)| Some((key, list.as_object_mut()?))).collect();
        lists.sort_by_key(|(key, _)| *key);
        for (key, list) in lists {
            if !self.is_over() {
                return;
            }
            let before = canonical_of(list);
            let Some(Value::Array(items)) = list.get_mut("items") else { continue };
            if shorten(items) {
                list.insert("truncated".to_owned(), true.into());
                self.note(Path::default().key(DIGEST).key(key), action, &before, &canonical_of(list));
            }
        }
    }

    /// Cuts long texts, members in the order of their canonical form.
    fn texts(&mut self, value: &mut Value, at: &Path) -> Result<(), ApiError> {
        if !self.is_over() {
            return Ok(());
        }
        let bytes = at.as_str().len();
        if bytes > MAX_SECTION_BYTES {
            return Err(ApiError::over("MAX_SECTION_BYTES", MAX_SECTION_BYTES, bytes));
        }
        match value {
            Value::String(text) => {
                if let Some(cut) = cut(text) {
                    let before = std::mem::replace(value, cut.into());
                    self.note(at.clone(), "truncate", &canonical(&before), &canonical(value));
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.texts(item, &at.item(index))?;
                }
            }
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter_mut().collect();
                members.sort_by_cached_key(|(key, _)| key.encode_utf16().collect::<Vec<u16>>());
                for (key, member) in members {
                    self.texts(member, &at.key(key))?;
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        Ok(())
    }
}

fn canonical_of(list: &Map<String, Value>) -> String {
    canonical(&Value::Object(list.clone()))
}

fn summarize(items: &mut Vec<Value>) -> bool {
    let long = items.len() > LISTED;
    items.truncate(LISTED);
    long
}

fn cut(text: &str) -> Option<String> {
    let (end, _) = text.char_indices().nth(TEXT_CHARS)?;
    Some(format!("{}… [+{} chars]", &text[..end], text[end..].chars().count()))
}

#[allow(clippy::ptr_arg)] // as every way to shorten is called
fn reduce(items: &mut Vec<Value>) -> bool {
    let mut changed = false;
    for members in items.iter_mut().filter_map(Value::as_object_mut) {
        let count = members.len();
        members.retain(|name, _| ITEM_MEMBERS.contains(&name.as_str()));
        changed |= members.len() < count;
        for (_, value) in members.iter_mut().filter(|(name, _)| !WHOLE_MEMBERS.contains(&name.as_str())) {
            let short = value.as_str().map(|text| snip(text, ITEM_CHARS));
            if let Some(short) = short.filter(|short| Some(short.as_str()) != value.as_str()) {
                *value = short.into();
                changed = true;
            }
        }
    }
    changed
}

fn empty(items: &mut Vec<Value>) -> bool {
    let any = !items.is_empty();
    items.clear();
    any
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn envelope(members: Value) -> Envelope {
        let mut whole = json!({
            "session_meta": {}, "domain_profile": {}, "normative_baseline": {}, "target_snapshot": {},
            "dependency_digest": {}, "tool_capabilities": {}, "revision_info": {},
        });
        let Value::Object(members) = members else { panic!("{members}") };
        for (key, value) in members {
            whole[&key] = value;
        }
        Envelope::read(&whole).unwrap()
    }

    fn estimate(envelope: &Envelope) -> u64 {
        holdpoint_tokens::estimate(&envelope.canonical())
    }

    fn told(trimmed: &Trimmed) -> Vec<String> {
        let action = |it: &Action| format!("{} {} {}>{}", it.action, it.section, it.before_chars, it.after_chars);
        trimmed.trim_report.actions.iter().map(action).collect()
    }

    fn within(envelope: &Envelope, context: u64) -> Result<Trimmed, ApiError> {
        trim(envelope.clone(), WindowShares { context, reserve: 0 })
    }

    /// One token less than the last answer needed, until nothing helps.
    fn squeezed(envelope: &Envelope) -> (Vec<String>, ApiError) {
        let mut actions = Vec::new();
        let mut context = estimate(envelope);
        loop {
            match within(envelope, context) {
                Ok(trimmed) => {
                    let after = trimmed.trim_report.estimate_after;
                    assert_eq!(after, estimate(&trimmed.envelope), "what is counted is what is there");
                    assert!(after <= context);
                    let now = told(&trimmed);
                    assert!(now.starts_with(&actions), "{now:?} goes on from {actions:?}");
                    actions = now;
                    context = after - 1;
                }
                Err(refusal) => return (actions, refusal),
            }
        }
    }

    #[test]
    fn what_fits_is_left_alone_and_one_token_less_is_not() {
        let long = envelope(json!({"normative_baseline": {"rule": "x".repeat(401)}}));
        let exact = estimate(&long);
        let fits = within(&long, exact).unwrap();
        assert!(!fits.trim_report.applied && fits.envelope == long);
        // 401 characters become 400 and the words of the cut: more than before, and still what the rule says.
        let over = within(&long, exact - 1).unwrap_err();
        assert_eq!((over.code.as_str(), over.status), ("AI_CONTEXT_BUDGET_EXCEEDED", 413));
        assert_eq!(over.details["contextBudget"], exact - 1);
        let short = envelope(json!({"normative_baseline": {"rule": "x".repeat(400)}}));
        assert_eq!(within(&short, estimate(&short) - 1).unwrap_err().details["estimate"], estimate(&short));
    }

    #[test]
    fn steps_in_their_order_and_each_checked_before() {
        let agent = |index: usize| json!({"id": format!("a{index:02}"), "name": "n", "role": "r", "summary": "s  s"});
        let agents: Vec<Value> = (0..21).map(agent).collect();
        let variables: Vec<Value> = (0..20).map(|index| json!({"name": format!("v{index:02}")})).collect();
        let sample = envelope(json!({
            "target_snapshot": {"content": "y".repeat(900)},
            "dependency_digest": {
                "variables": {"items": variables, "total": 20, "truncated": false},
                "agents": {"items": agents, "total": 21, "truncated": false},
                "empty": {"items": [], "total": 0, "truncated": false},
                "note": "n".repeat(600),
            },
            "normative_baseline": {"rules": ["r".repeat(600), "short"]},
            "domain_profile": {"b c": "d".repeat(600)},
            "tool_capabilities": {"b": {"t": "t".repeat(600)}, "a": "a".repeat(600)},
        }));
        let (actions, refusal) = squeezed(&sample);
        insta::assert_snapshot!(actions.join("\n"), @r#"
        summarize dependency_digest.agents 1132>1079
        truncate dependency_digest.note 602>416
        truncate normative_baseline.rules[0] 602>416
        truncate domain_profile["b c"] 602>416
        truncate tool_capabilities.a 602>416
        truncate tool_capabilities.b.t 602>416
        drop dependency_digest.agents 1079>839
        drop dependency_digest.agents 839>40
        drop dependency_digest.variables 340>40
        "#);
        assert_eq!(refusal.code, "AI_CONTEXT_BUDGET_EXCEEDED");
    }

    #[test]
    fn items_keep_what_names_them() {
        let mut items = vec![
            json!({"path": "p ".repeat(80), "hash": "h".repeat(130), "name": "n".repeat(121), "bytes": 1, "id": 7}),
            json!("text  text"),
            json!({"workflowId": 3, "nodeId": "a", "type": "step", "summary": "x"}),
        ];
        let same = items[2].clone();
        assert!(reduce(&mut items));
        let name = format!("{}…", "n".repeat(119));
        let want = json!({"path": "p ".repeat(80), "hash": "h".repeat(130), "name": name, "id": 7});
        assert_eq!(items, [want, json!("text  text"), same]);
        assert!(!reduce(&mut items), "what is short stays");
    }

    #[test]
    fn the_name_of_a_place_is_bounded() {
        let deep = envelope(json!({"domain_profile": {"k".repeat(1_100): ["x".repeat(500)]}}));
        assert_eq!(within(&deep, 10).unwrap_err().code, "INPUT_TOO_LARGE");
        assert!(within(&deep, 10_000).is_ok());
    }

    #[test]
    fn a_digest_of_another_shape_is_no_fault() {
        for digest in [json!(null), json!([1]), json!({"a": []}), json!({"a": {"items": {}}})] {
            let sample = envelope(json!({"dependency_digest": digest}));
            assert_eq!(within(&sample, 1).unwrap_err().code, "AI_CONTEXT_BUDGET_EXCEEDED");
        }
    }
}
