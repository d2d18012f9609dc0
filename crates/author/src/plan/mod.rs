//! Plans: what a person approves before anything is written (spec: authoring.md §3).
//!
//! Owns whether a plan holds, what it costs, how it reads, and whether a bundle is what was approved. Invariant: the
//! bundle is judged against the plan, never the other way; nothing here changes a plan.

mod conform;
mod rules;
mod shape;
mod words;

use std::sync::LazyLock;

use holdpoint_bundle::text_hash;
use holdpoint_check::{Diagnostic, json};
use holdpoint_schema::Schema;
use holdpoint_sdk::capability::{Capability, Risk, overall, parse};
use holdpoint_sdk::schemas;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Files, canonical, kind};

pub use conform::conform;
pub use shape::{Contribution, ContributionKind, Plan, Widget, WrittenTest};
pub use words::text;

/// The path of a plan's findings.
pub const PATH: &str = "plan";
/// Output tokens of a generation, at most.
pub const GENERATE_OUTPUT_TOKENS: u32 = 12_000;
/// Output tokens of all repairs.
pub const REPAIR_OUTPUT_TOKENS: u32 = 24_000;
/// Input tokens of a call.
pub const ATTEMPT_INPUT_TOKENS: u32 = 32_000;
/// Calls that the card counts with.
pub const CALLS_MAX: u32 = 5;
/// What a run holds beyond its own worst case, because the gateway's quote counts bytes.
pub const RUN_HEADROOM_TOKENS: u32 = 128_000;

const MIN_OUTPUT_TOKENS: u64 = 2_000;
const MAX_JSON_DEPTH: usize = 100;
const MAX_DIAGNOSTICS: usize = 200;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let source = serde_json::from_str(schemas::PLAN).expect("plan.schema.json is JSON");
    Schema::compile(source, &[])
});

/// The answer of `plan.check`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlanCheck"))]
pub struct PlanReport {
    /// Whether it can be approved.
    pub ok: bool,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// Capabilities that parse, in the plan's order.
    pub capabilities: Vec<PlannedCapability>,
    /// Highest tier.
    pub overall_risk: Risk,
    /// Cost; none while the schema does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub estimate: Option<Estimate>,
    /// The plan in words.
    pub text: String,
}

/// A capability of a plan with its tier and sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct PlannedCapability {
    pub capability: String,
    pub risk: Risk,
    pub sentence: String,
}

/// What a plan will cost, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlanEstimate"))]
#[allow(missing_docs)]
pub struct Estimate {
    pub output_low: u32,
    pub output_high: u32,
    pub repair_output_max: u32,
    pub input_per_call_max: u32,
    pub calls_max: u32,
    pub hold_tokens: u32,
}

/// `sha256:` of the plan's RFC 8785 JSON: what an approval names.
pub fn hash(plan: &Value) -> String {
    text_hash(&canonical::json(plan))
}

/// Judges a plan, and with `files` whether they are what it says. `base` is the bundle that is changed.
pub fn check(plan: &Value, files: Option<&Files>, base: Option<&Files>) -> PlanReport {
    let mut findings = SCHEMA.validate_value(plan).findings;
    let holds = findings.is_empty();
    rules::judge(plan, &base.map(base_commands).unwrap_or_default(), holds, &mut findings);
    for finding in &mut findings {
        finding.path = Some(PATH.to_owned());
    }
    arrange(&mut findings, plan);
    if let (true, Some(files)) = (holds, files) {
        let mut found = conform(plan, kind::manifest(files).as_ref(), files);
        found.append(&mut findings);
        findings = found;
    }
    let capabilities: Vec<Capability> = declared(plan);
    PlanReport {
        ok: !findings.iter().any(Diagnostic::is_error),
        diagnostics: findings,
        overall_risk: overall(&capabilities),
        capabilities: capabilities.iter().map(PlannedCapability::of).collect(),
        estimate: holds.then(|| Estimate::of(plan)),
        text: text(plan),
    }
}

impl PlannedCapability {
    fn of(capability: &Capability) -> Self {
        Self {
            capability: capability.raw().to_owned(),
            risk: capability.risk(),
            sentence: capability.sentence().to_owned(),
        }
    }
}

impl Estimate {
    /// The cost of a plan whose schema holds.
    pub fn of(plan: &Value) -> Self {
        let count = |member: &str| plan.get(member).and_then(Value::as_array).map_or(0, Vec::len) as u64;
        let low = 600 + 250 * count("contributions") + 400 * count("widgets") + 300 * count("tests");
        let most = u64::from(GENERATE_OUTPUT_TOKENS);
        let low = low.clamp(MIN_OUTPUT_TOKENS, most);
        let output_high = (2 * low).min(most) as u32;
        Self {
            output_low: low as u32,
            output_high,
            repair_output_max: REPAIR_OUTPUT_TOKENS,
            input_per_call_max: ATTEMPT_INPUT_TOKENS,
            calls_max: CALLS_MAX,
            hold_tokens: CALLS_MAX * ATTEMPT_INPUT_TOKENS + output_high + REPAIR_OUTPUT_TOKENS + RUN_HEADROOM_TOKENS,
        }
    }
}

/// The plan's capabilities that parse, in order.
pub(crate) fn declared(plan: &Value) -> Vec<Capability> {
    items(plan, "capabilities").filter_map(|(_, item)| parse(item.as_str()?).ok()).collect()
}

/// Items of a member that is a list, with their index.
pub(crate) fn items<'p>(plan: &'p Value, member: &str) -> impl Iterator<Item = (usize, &'p Value)> {
    plan.get(member).and_then(Value::as_array).into_iter().flatten().enumerate()
}

/// A text member of an object.
pub(crate) fn member<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}

fn base_commands(base: &Files) -> Vec<String> {
    let manifest = kind::manifest_value(base).unwrap_or_default();
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
    if !SCHEMA.validate_value(plan).findings.is_empty() {
        return Vec::new();
    }
    let mut findings = conform(plan, kind::manifest(files).as_ref(), files);
    findings.extend(missing_needs(plan));
    findings
}

/// `PLAN_CAPABILITY_MISSING` of a plan whose schema holds: a bundle cannot conform to a plan that lacks what it needs.
pub(crate) fn missing_needs(plan: &Value) -> Vec<Diagnostic> {
    let mut findings = check(plan, None, None).diagnostics;
    findings.retain(|finding| finding.code == "PLAN_CAPABILITY_MISSING");
    findings
}
