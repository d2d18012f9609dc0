//! Plans: what a person approves before anything is written (spec: authoring.md §3).
//!
//! Owns whether a plan holds, what it costs, how it reads, and whether a bundle is what was approved. Invariant: the
//! bundle is judged against the plan, never the other way; nothing here changes a plan.

mod against;
mod conform;
mod present;
mod rules;
mod shape;
#[cfg(test)]
mod tests;
mod words;

pub use against::{PlanChange, PlanDiff, PlanList, PlanPart, against};
pub use conform::CODES as CONFORM;
pub use rules::CODES as JUDGED;

use std::sync::LazyLock;

use holdpoint_bundle::{Files, text_hash};
use holdpoint_check::Diagnostic;
use holdpoint_check::json::{self, canonical};
use holdpoint_schema::Schema;
use holdpoint_sdk::capability::{Capability, overall, parse};
use holdpoint_sdk::schemas;
use serde_json::Value;

use super::judged;
use crate::planning::{
    ATTEMPT_INPUT_TOKENS, CALLS_MAX, Estimate, GENERATE_OUTPUT_TOKENS, Manifest, PlanReport, PlannedCapability,
    REPAIR_OUTPUT_TOKENS, RUN_HEADROOM_TOKENS,
};

pub use conform::conform;
pub use present::present;
pub use shape::{Contribution, ContributionKind, DeclinedKind, DeclinedPart, Plan, Widget, WrittenTest};
pub use words::text;

/// The path of a plan's findings.
pub const PATH: &str = "plan";
const MIN_OUTPUT_TOKENS: u64 = 2_000;
const MAX_JSON_DEPTH: usize = 100;
const MAX_DIAGNOSTICS: usize = 200;
/// Most entries of `declined` (plan.schema.json).
const MAX_DECLINED: usize = 120;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let source = serde_json::from_str(schemas::PLAN).expect("plan.schema.json is JSON");
    Schema::compile(source, &[])
});

/// `sha256:` of the plan's RFC 8785 JSON: what an approval names.
pub fn hash(plan: &Value) -> String {
    text_hash(&canonical(plan))
}

/// Judges a plan, and with `files` whether they are what it says. `base` is the bundle that is changed.
pub fn check(plan: &Value, files: Option<&Files>, base: Option<&Files>) -> PlanReport {
    let mut findings = SCHEMA.validate_value(plan).findings;
    let holds = findings.is_empty();
    let needs = rules::judge(plan, &base.map(base_commands).unwrap_or_default(), holds, &mut findings);
    for finding in &mut findings {
        finding.path = Some(PATH.to_owned());
    }
    arrange(&mut findings, plan);
    if let (true, Some(files)) = (holds, files) {
        let mut found = conform(plan, judged::manifest(files).as_ref(), files);
        found.append(&mut findings);
        findings = found;
    }
    let capabilities: Vec<Capability> = declared(plan);
    PlanReport {
        ok: !findings.iter().any(Diagnostic::is_error),
        diagnostics: findings,
        overall_risk: overall(&capabilities),
        capabilities: capabilities.iter().map(|one| planned(one, &needs)).collect(),
        estimate: holds.then(|| estimate(plan)),
        text: text(plan),
    }
}

fn planned(capability: &Capability, needs: &[rules::PartNeed]) -> PlannedCapability {
    let mut needed_by: Vec<String> = Vec::new();
    for need in needs.iter().filter(|need| capability.covers(&need.capability)) {
        if !needed_by.contains(&need.pointer) {
            needed_by.push(need.pointer.clone());
        }
    }
    let (capability, risk, said) = (capability.raw().to_owned(), capability.risk(), capability.said());
    PlannedCapability { capability, risk, sentence: said.message, args: said.args, needed_by }
}

/// The cost of a plan whose schema holds.
pub fn estimate(plan: &Value) -> Estimate {
    let count = |member: &str| plan.get(member).and_then(Value::as_array).map_or(0, Vec::len) as u64;
    let low = 600 + 250 * count("contributions") + 400 * count("widgets") + 300 * count("tests");
    let most = u64::from(GENERATE_OUTPUT_TOKENS);
    let low = low.clamp(MIN_OUTPUT_TOKENS, most);
    let output_high = (2 * low).min(most) as u32;
    Estimate {
        output_low: low as u32,
        output_high,
        repair_output_max: REPAIR_OUTPUT_TOKENS,
        input_per_call_max: ATTEMPT_INPUT_TOKENS,
        calls_max: CALLS_MAX,
        hold_tokens: CALLS_MAX * ATTEMPT_INPUT_TOKENS + output_high + REPAIR_OUTPUT_TOKENS + RUN_HEADROOM_TOKENS,
    }
}

/// The plan's capabilities that parse, in order.
pub fn declared(plan: &Value) -> Vec<Capability> {
    items(plan, "capabilities").filter_map(|(_, item)| parse(item.as_str()?).ok()).collect()
}

/// Items of a member that is a list, with their index.
pub fn items<'p>(plan: &'p Value, member: &str) -> impl Iterator<Item = (usize, &'p Value)> {
    plan.get(member).and_then(Value::as_array).into_iter().flatten().enumerate()
}

/// A text member of an object.
pub fn member<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}

fn base_commands(base: &Files) -> Vec<String> {
    let manifest = judged::manifest_value(base).unwrap_or_default();
    let commands = manifest.pointer("/contributes/commands").and_then(Value::as_array);
    commands.into_iter().flatten().filter_map(|command| Some(member(command, "id")?.to_owned())).collect()
}

/// By place in the plan as it is written, then code; at most one finding for a place and code.
fn arrange(findings: &mut Vec<Diagnostic>, plan: &Value) {
    let text = plan.to_string();
    let document = json::read(&text, MAX_JSON_DEPTH).ok();
    findings.sort_by_cached_key(|finding| {
        let pointer = finding.pointer.clone().unwrap_or_default();
        let place = document.as_ref().map(|document| document.range(&pointer).start);
        (place, finding.code.to_string(), pointer)
    });
    findings.dedup_by(|a, b| (&a.code, &a.pointer) == (&b.code, &b.pointer));
    findings.truncate(MAX_DIAGNOSTICS);
}

/// Whether a bundle is what the plan says; nothing is said of a plan whose schema does not hold.
pub fn conformity(plan: &Value, files: &Files) -> Vec<Diagnostic> {
    conformity_with(plan, judged::manifest(files).as_ref(), files)
}

/// The same of a bundle whose manifest was read already.
pub fn conformity_with(plan: &Value, manifest: Option<&Manifest>, files: &Files) -> Vec<Diagnostic> {
    if !SCHEMA.validate_value(plan).findings.is_empty() {
        return Vec::new();
    }
    let mut findings = conform(plan, manifest, files);
    findings.extend(missing_needs(plan));
    findings
}

/// `PLAN_CAPABILITY_MISSING` of a plan whose schema holds: a bundle cannot conform to a plan that lacks what it needs.
pub fn missing_needs(plan: &Value) -> Vec<Diagnostic> {
    let mut findings = check(plan, None, None).diagnostics;
    findings.retain(|finding| finding.code == "PLAN_CAPABILITY_MISSING");
    findings
}

/// A new plan with what a person took out of the one before it and what does not stand in the new one: a wish in words
/// takes no decision back.
pub fn carried(before: &Value, mut plan: Value) -> Value {
    let stands =
        |plan: &Value, kind: &str, id: &str| match kind {
            "test" => items(plan, "tests")
                .any(|(_, test)| member(test, "name").map(conform::plain) == Some(conform::plain(id))),
            "trigger" => items(plan, "triggers").any(|(_, event)| event.as_str() == Some(id)),
            _ => items(plan, "contributions")
                .any(|(_, it)| member(it, "kind") == Some(kind) && member(it, "id") == Some(id)),
        };
    let named = |one: &Value| Some((member(one, "kind")?.to_owned(), member(one, "id")?.to_owned()));
    let mut declined: Vec<Value> = items(&plan, "declined").map(|(_, one)| one.clone()).collect();
    for (_, one) in items(before, "declined") {
        let out = named(one).is_some_and(|(kind, id)| !stands(&plan, &kind, &id));
        if out && !declined.contains(one) && declined.len() < MAX_DECLINED {
            declined.push(one.clone());
        }
    }
    if let (false, Some(members)) = (declined.is_empty(), plan.as_object_mut()) {
        members.insert("declined".into(), declined.into());
    }
    plan
}
