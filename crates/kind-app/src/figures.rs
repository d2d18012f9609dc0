//! What the events of a run come to, for the counts of a deployment (spec: app-builder.md §13).
//!
//! Invariant: numbers, times, codes and words of ours come out, and nothing that a person or a model wrote.

use serde_json::Value;

/// Stages of the gates of a run.
const GATES: [&str; 4] = ["compile", "test", "worker_build", "bundle"];

/// A run that ended. Times are those of its envelopes, ISO 8601 in UTC.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFigures {
    /// Of the first word or tool.
    pub first_at: Option<String>,
    pub proposed_at: Option<String>,
    pub outcome: String,
    /// Of its error; empty where it had none.
    pub code: String,
    /// Whether a gate said no on the way.
    pub gate_failed: bool,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cost_micros: u64,
}

impl RunFigures {
    /// Reads the envelopes of a run, in their order.
    pub fn of<'e>(events: impl IntoIterator<Item = &'e Value>) -> Self {
        let mut figures = Self::default();
        for event in events {
            let text = |pointer| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
            let at = || Some(text("/ts").to_owned());
            match text("/event") {
                "tool" => {
                    figures.first_at = figures.first_at.or_else(at);
                    figures.gate_failed |= text("/data/status") == "failed" && GATES.contains(&text("/stage"));
                }
                "token" => figures.first_at = figures.first_at.or_else(at),
                "patch_ops" => figures.proposed_at = at(),
                "error" => text("/data/code").clone_into(&mut figures.code),
                "done" => {
                    let number = |name: &str| event["data"]["usage"][name].as_u64().unwrap_or_default();
                    text("/data/outcome").clone_into(&mut figures.outcome);
                    figures.input_tokens = number("input_tokens");
                    figures.output_tokens = number("output_tokens");
                    figures.cost_micros = number("cost_micros");
                }
                _ => {}
            }
        }
        figures
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(name: &str, stage: &str, ts: &str, data: &Value) -> Value {
        json!({"event": name, "stage": stage, "ts": ts, "data": data})
    }

    #[test]
    fn a_run_is_its_times_its_end_and_what_it_used() {
        let usage = json!({"input_tokens": 8_120, "output_tokens": 640, "cost_micros": 3_100});
        let events = [
            event("status", "start", "0", &json!({"content": "Reading the project"})),
            event("tool", "inspect", "1", &json!({"status": "failed"})),
            event("tool", "compile", "2", &json!({"status": "ok"})),
            event("token", "assistant_response", "3", &json!({"content": "a word"})),
            event("patch_ops", "patch_ready", "4", &json!({"summary": "Done."})),
            event("done", "complete", "5", &json!({"outcome": "succeeded", "usage": usage})),
        ];
        let figures = RunFigures {
            first_at: Some("1".to_owned()),
            proposed_at: Some("4".to_owned()),
            outcome: "succeeded".to_owned(),
            input_tokens: 8_120,
            output_tokens: 640,
            cost_micros: 3_100,
            ..RunFigures::default()
        };
        assert_eq!(RunFigures::of(&events), figures, "a tool that only looks is no gate");
    }

    #[test]
    fn a_failure_has_its_code_and_whether_a_gate_said_no() {
        let events = [
            event("tool", "worker_build", "1", &json!({"status": "failed"})),
            event("error", "worker_build", "2", &json!({"code": "RUN_STALLED"})),
            event("done", "complete", "3", &json!({"outcome": "failed"})),
        ];
        let RunFigures { code, outcome, gate_failed, proposed_at, .. } = RunFigures::of(&events);
        assert_eq!((code.as_str(), outcome.as_str(), gate_failed, proposed_at), ("RUN_STALLED", "failed", true, None));
    }
}
