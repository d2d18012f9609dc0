//! What the events of a day come to (spec: ai-sessions.md §10 `GET P/ai/metrics`).
//!
//! Counted from stored events, so that a restart forgets nothing. Invariant: nothing but numbers, codes and switches
//! comes out.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::rollout::Rollout;

/// How far back is counted, in ms.
pub const WINDOW_MS: i64 = 24 * 3_600_000;
/// Fewer are too few for an alert.
const MIN_SAMPLES: usize = 20;

/// An event, as far as it is counted.
#[derive(Debug, Clone, Default)]
pub struct Counted {
    pub kind: String,
    pub outcome: String,
    pub code: Option<String>,
    pub duration: Option<i64>,
    /// What its teller counted beside.
    pub detail: Value,
}

/// From which values on somebody should look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// Milliseconds of the slowest messages but one in twenty.
    pub p95_ms: f64,
    pub failure_rate: f64,
    /// Applied of all staged sets: below is too few.
    pub apply_conversion: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewMetrics"))]
#[serde(rename_all = "camelCase")]
pub struct Metrics {
    pub messages: Messages,
    pub applies: Applies,
    /// How often each code was said.
    pub codes: BTreeMap<String, usize>,
    pub latency_ms: Latency,
    /// Applies over a newer revision than the one that was named.
    pub revision_mismatch_warnings: u64,
    /// Applied of all staged sets.
    pub apply_conversion: f64,
    /// Calls of the tool that no model has.
    pub tool_forbidden: usize,
    pub repairs: u64,
    pub tokens: TokenSums,
    /// The switches of the deployment.
    pub rollout: Value,
    pub alerts: Vec<Alert>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewMessageCounts"))]
pub struct Messages {
    pub total: usize,
    pub ok: usize,
    pub failed: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewApplyCounts"))]
pub struct Applies {
    pub total: usize,
    pub ok: usize,
    pub failed: usize,
    pub blocked: usize,
}

/// Of messages; null where there was none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewLatency"))]
pub struct Latency {
    pub p50: Option<i64>,
    pub p95: Option<i64>,
}

/// As the provider counted them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewTokenCounts"))]
pub struct TokenSums {
    pub prompt: u64,
    pub completion: u64,
}

/// A value on the wrong side of its threshold.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewAlert"))]
pub struct Alert {
    pub name: &'static str,
    pub value: f64,
    pub threshold: f64,
}

impl Thresholds {
    /// As the variables of a deployment say them.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Self {
        let number = |name: &str, otherwise: f64| {
            let said = variable(name).and_then(|text| text.trim().parse::<f64>().ok());
            said.filter(|number| number.is_finite() && *number >= 0.0).unwrap_or(otherwise)
        };
        Self {
            p95_ms: number("AI_METRICS_ALERT_P95_MS", 20_000.0),
            failure_rate: number("AI_METRICS_ALERT_FAILURE_RATE", 0.2),
            apply_conversion: number("AI_METRICS_ALERT_APPLY_CONVERSION_RATE", 0.1),
        }
    }
}

/// Counts the events of the window.
pub fn metrics(events: &[Counted], rollout: &Rollout, thresholds: &Thresholds) -> Metrics {
    let of = |kind: &'static str| events.iter().filter(move |event| event.kind == kind);
    let is_ok = |event: &&Counted| event.outcome == "ok";
    let total = of("ai.message.sent").count();
    let ok = of("ai.message.sent").filter(is_ok).count();
    let messages = Messages { total, ok, failed: total - ok };
    let [ok, failed, blocked] =
        ["ai.apply.succeeded", "ai.apply.failed", "ai.apply.blocked"].map(|kind| of(kind).count());
    let applies = Applies { total: ok + failed + blocked, ok, failed, blocked };
    let mut codes = BTreeMap::new();
    for code in events.iter().filter_map(|event| event.code.as_ref()) {
        *codes.entry(code.clone()).or_insert(0) += 1;
    }
    let sum = |member: &str| events.iter().filter_map(|event| event.detail[member].as_u64()).sum();
    let mut times: Vec<i64> = of("ai.message.sent").filter_map(|event| event.duration).collect();
    times.sort_unstable();
    let latency_ms = Latency { p50: percentile(&times, 50), p95: percentile(&times, 95) };
    let staged = of("ai.change.staged").count();
    let apply_conversion = rate(applies.ok, staged);
    let forbidden = |event: &&Counted| event.code.as_deref() == Some("AI_TOOL_FORBIDDEN");
    let alerts = alerts(&messages, &latency_ms, (staged, apply_conversion), thresholds);
    Metrics {
        messages,
        applies,
        codes,
        latency_ms,
        revision_mismatch_warnings: sum("revisionMismatchWarnings"),
        apply_conversion,
        tool_forbidden: of("ai.tool.called").filter(forbidden).count(),
        repairs: sum("repairs"),
        tokens: TokenSums { prompt: sum("promptTokens"), completion: sum("completionTokens") },
        rollout: serde_json::json!(rollout),
        alerts,
    }
}

fn alerts(messages: &Messages, latency: &Latency, (staged, conversion): (usize, f64), at: &Thresholds) -> Vec<Alert> {
    let mut alerts = Vec::new();
    if messages.total >= MIN_SAMPLES {
        if let Some(value) = latency.p95.map(exact).filter(|value| *value > at.p95_ms) {
            alerts.push(Alert { name: "p95Ms", value, threshold: at.p95_ms });
        }
        let value = rate(messages.failed, messages.total);
        if value > at.failure_rate {
            alerts.push(Alert { name: "failureRate", value, threshold: at.failure_rate });
        }
    }
    if staged >= MIN_SAMPLES && conversion < at.apply_conversion {
        alerts.push(Alert { name: "applyConversionRate", value: conversion, threshold: at.apply_conversion });
    }
    alerts
}

/// The value at or below which so many of a hundred are.
fn percentile(sorted: &[i64], percent: usize) -> Option<i64> {
    let place = (sorted.len() * percent).div_ceil(100);
    sorted.get(place.checked_sub(1)?).copied()
}

fn rate(part: usize, whole: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if whole == 0 { 0.0 } else { number(part) / number(whole) }
}

/// Milliseconds of a turn: far below what a float holds exactly.
fn exact(ms: i64) -> f64 {
    f64::from(i32::try_from(ms).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(kind: &str, outcome: &str, code: Option<&str>, duration: i64, detail: Value) -> Counted {
        let (kind, outcome, code) = (kind.to_owned(), outcome.to_owned(), code.map(str::to_owned));
        Counted { kind, outcome, code, duration: Some(duration), detail }
    }

    fn said(events: &[Counted]) -> Metrics {
        metrics(events, &Rollout::default(), &Thresholds::read(|_| None))
    }

    #[test]
    fn nothing_happened() {
        let said = said(&[]);
        assert_eq!((said.messages.total, said.latency_ms.p95, said.alerts.len()), (0, None, 0));
        assert_eq!(json!(said)["applyConversion"], json!(0.0));
    }

    #[test]
    fn a_day_is_counted() {
        let detail = |tokens: u64| json!({"repairs": 1, "promptTokens": tokens, "completionTokens": 2});
        let events = [
            event("ai.message.sent", "ok", None, 10, detail(5)),
            event("ai.message.sent", "failed", Some("AI_PROVIDER_ERROR"), 30, detail(7)),
            event("ai.change.staged", "ok", None, 1, json!({})),
            event("ai.change.staged", "ok", None, 1, json!({})),
            event("ai.apply.succeeded", "ok", None, 1, json!({"revisionMismatchWarnings": 2})),
            event("ai.apply.blocked", "blocked", Some("CONFLICT"), 1, json!({})),
            event("ai.tool.called", "failed", Some("AI_TOOL_FORBIDDEN"), 1, json!({})),
        ];
        let said = said(&events);
        assert_eq!(said.messages, Messages { total: 2, ok: 1, failed: 1 });
        assert_eq!(said.applies, Applies { total: 2, ok: 1, failed: 0, blocked: 1 });
        assert_eq!((said.latency_ms.p50, said.latency_ms.p95), (Some(10), Some(30)));
        assert_eq!((said.tokens.prompt, said.tokens.completion, said.repairs), (12, 4, 2));
        assert_eq!((said.revision_mismatch_warnings, said.tool_forbidden), (2, 1));
        assert!((said.apply_conversion - 0.5).abs() < 1e-9);
        let codes: Vec<_> = said.codes.into_iter().collect();
        let want = [("AI_PROVIDER_ERROR", 1), ("AI_TOOL_FORBIDDEN", 1), ("CONFLICT", 1)];
        assert_eq!(codes, want.map(|(code, n)| (code.to_owned(), n)));
    }

    #[test]
    fn alerts_need_twenty_samples_and_a_value_beyond_the_threshold() {
        let names = |events: &[Counted]| said(events).alerts.iter().map(|alert| alert.name).collect::<Vec<_>>();
        let many = |n: usize, failed: usize, ms: i64| {
            let outcome = |at: usize| if at < failed { "failed" } else { "ok" };
            (0..n).map(|at| event("ai.message.sent", outcome(at), None, ms, json!({}))).collect::<Vec<_>>()
        };
        assert_eq!(names(&many(19, 19, 60_000)), [""; 0]);
        assert_eq!(names(&many(20, 4, 20_000)), [""; 0], "the threshold itself is fine");
        assert_eq!(names(&many(20, 5, 20_001)), ["p95Ms", "failureRate"]);
        let staged = |n: usize| vec![event("ai.change.staged", "ok", None, 1, json!({})); n];
        assert_eq!(names(&staged(19)), [""; 0]);
        assert_eq!(names(&staged(20)), ["applyConversionRate"]);
        let mut applied = staged(20);
        applied.extend(vec![event("ai.apply.succeeded", "ok", None, 1, json!({})); 2]);
        assert_eq!(names(&applied), [""; 0]);
    }

    #[test]
    fn thresholds_are_numbers_or_the_usual_ones() {
        for (text, want) in [("0.5", 0.5), ("-1", 0.2), ("much", 0.2), ("inf", 0.2)] {
            let read = Thresholds::read(|_| Some(text.to_owned())).failure_rate;
            assert!((read - want).abs() < 1e-9, "{text}");
        }
    }
}
