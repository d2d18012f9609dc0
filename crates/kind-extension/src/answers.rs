//! This kind's answers to an authoring run (spec: authoring.md).

use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;
use holdpoint_sdk::{capability, fixtures, members};
use serde_json::Value;

use super::policy::{MANIFEST, POLICY};
use super::{IfcExtension, Origin, autofix, dialect, intent, judged, kept, plan, prompts, review, script};
use crate::planning::{
    Autofix, CapabilityUse, Classification, Estimate, IntentContext, Judgement, Manifest, ParsedReply, PlanReport,
    Planning, Prompt, PromptRequest, PromptTooLargeError, Proposed, ReplyTooLargeError, Review, RunWork, ToolCall,
};
use holdpoint_kind::Kind;

impl Planning for IfcExtension {
    fn kind(&self) -> &'static str {
        Self::ID
    }

    fn route(&self, text: &str, context: &IntentContext) -> Classification {
        intent::classify(text, context)
    }

    fn check_plan(&self, plan: &Value, files: Option<&Files>, base: Option<&Files>) -> PlanReport {
        plan::check(plan, files, base)
    }

    fn present_plan(&self, files: &Files, why: &str) -> Option<Value> {
        plan::present(files, why)
    }

    fn carried(&self, before: &Value, plan: Value) -> Value {
        plan::carried(before, plan)
    }

    fn plan_hash(&self, plan: &Value) -> String {
        plan::hash(plan)
    }

    fn estimate(&self, plan: &Value) -> Estimate {
        plan::estimate(plan)
    }

    fn conform(&self, plan: &Value, manifest: Option<&Manifest>, files: &Files) -> Vec<Diagnostic> {
        let mut found = plan::conform(plan, manifest, files);
        found.extend(plan::missing_needs(plan));
        found
    }

    fn kept(&self, base: &Files, files: &Files, plan: &Value) -> Vec<Diagnostic> {
        kept::lost(base, files, plan)
    }

    fn compose(&self, request: &PromptRequest) -> Result<Prompt, PromptTooLargeError> {
        prompts::compose(request)
    }

    fn read(
        &self,
        reply: Option<&str>,
        tool_calls: &[ToolCall],
        base: &Files,
        finish_reason: Option<&str>,
        work: RunWork,
    ) -> Result<ParsedReply, ReplyTooLargeError> {
        let named = reply.filter(|_| work == RunWork::Script).map(script::read);
        dialect::parse(named.as_deref().or(reply), tool_calls, base, finish_reason, &POLICY)
    }

    fn judge(&self, files: &Files, work: RunWork) -> Judgement {
        let origin = match work {
            RunWork::Bundle => Origin::Authored,
            RunWork::Promoted => Origin::Promoted,
            RunWork::Script => return Judgement { diagnostics: script::judge(files), manifest: None },
        };
        let judged = judged::judge_as(files, origin);
        Judgement { diagnostics: judged.diagnostics, manifest: judged.manifest }
    }

    fn autofix(&self, files: &mut Files) -> Vec<Autofix> {
        autofix::mend(files)
    }

    fn help(&self, finding: &Diagnostic, plan: Option<&Value>) -> (Vec<String>, Option<Value>) {
        help(finding, plan)
    }

    fn review(&self, proposed: &Proposed<'_>) -> Review {
        review::review(proposed)
    }

    fn uses(&self, files: &Files, work: RunWork) -> Vec<CapabilityUse> {
        if work == RunWork::Script { script::uses(files) } else { review::uses(files) }
    }

    fn manifest_path(&self) -> &'static str {
        MANIFEST
    }
}

/// Allowed values and a shape, by code (the table of §6.4).
fn help(finding: &Diagnostic, plan: Option<&Value>) -> (Vec<String>, Option<Value>) {
    let strings = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect();
    match &*finding.code {
        "UNKNOWN_CAPABILITY"
        | "INVALID_CAPABILITY"
        | "CAPABILITY_TARGET_REQUIRED"
        | "CAPABILITY_TARGET_FORBIDDEN"
        | "CAPABILITY_TARGET_INVALID" => {
            let forms = capability::catalogue().iter().map(|entry| match entry.target {
                None => entry.name.clone(),
                Some(kind) => format!("{}:{kind:?}", entry.name).to_lowercase(),
            });
            (forms.collect(), None)
        }
        "CAPABILITY_HOST_WILDCARD" => {
            (Vec::new(), Some("network.fetch:HOST, one line for each host of the code".into()))
        }
        "CAPABILITY_UNDECLARED" => {
            let planned = plan.and_then(|plan| plan.get("capabilities")).and_then(Value::as_array);
            let planned = planned.into_iter().flatten().filter_map(Value::as_str).collect();
            (strings(planned), Some("declare it if the plan has it, else remove the call".into()))
        }
        "UNKNOWN_FIXTURE" => {
            let rows = fixtures::all().iter().map(|fixture| {
                let counts = fixture.distribution.iter().map(|(class, count)| format!("{class} {count}"));
                format!("{}: {}", fixture.id, counts.collect::<Vec<_>>().join(", "))
            });
            (rows.collect(), None)
        }
        "CODE_CTX_FIELD" => (strings(members::sdk().ctx_names()), None),
        "CODE_SDK_METHOD" | "CODE_SDK_ARGUMENTS" => (strings(members::sdk().namespace_names()), None),
        _ => (Vec::new(), None),
    }
}
