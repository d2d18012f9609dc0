//! From the request to the approved plan (spec: authoring.md §3.4, §6.2).

use crate::planning::{AskStage, Intent, IntentContext, MAX_TEXT_CHARS, Mode, PlanAction, Purpose, RunWork, Session};
use holdpoint_check::{Diagnostic, args, codes};
use serde_json::Value;

use super::budget::{MAX_ADJUSTMENTS, PLAN_OUTPUT_TOKENS, PLAN_RETRIES, PLAN_WALL_MS};
use super::effect::{CallModel, Effect, FailureReason};
use super::event::Reply;
use super::view::StateName;
use super::{Call, PlanState, Repaired, Run};

codes! {
    /// the request or a reply is over a limit
    INPUT_TOO_LARGE / REQUEST: Warning, "Shorten the request to {limit} characters." [limit];
    /// the run has no adjustment left
    PLAN_ADJUSTMENTS_USED: Warning,
        "A plan is adjusted at most {limit} times in words: edit it, or ask anew." [limit];
}

impl Run {
    pub(super) fn asked(&mut self, text: &str, context: Option<&IntentContext>) -> Vec<Effect> {
        text.clone_into(&mut self.request);
        self.asked_at = Some(self.now);
        if text.chars().count() > MAX_TEXT_CHARS {
            self.state = StateName::Refused;
            self.notice(Diagnostic::of(&REQUEST, args! { limit: MAX_TEXT_CHARS }));
            return vec![Effect::Refuse];
        }
        let intent = self.kind.route(text, &context.cloned().unwrap_or_default());
        let (kind, mode) = (intent.intent, intent.mode);
        self.intent = Some(intent);
        match (kind, mode) {
            (Intent::OneShot, _) => self.reroute(),
            (Intent::OutOfScope, _) => {
                self.state = StateName::Refused;
                vec![Effect::Refuse]
            }
            (Intent::Extension, Some(Mode::A)) => {
                self.state = StateName::Rerouted;
                vec![Effect::Promote]
            }
            (Intent::Extension | Intent::Fork, _) => self.ask_plan(),
        }
    }

    /// Files that fail are tried, and then repaired by the model; the user approved that by asking for it.
    pub(super) fn repair(&mut self, text: &str, repaired: Repaired) -> Vec<Effect> {
        if text.chars().count() > MAX_TEXT_CHARS {
            self.notice(Diagnostic::of(&REQUEST, args! { limit: MAX_TEXT_CHARS }));
            return Vec::new();
        }
        let report = self
            .kind
            .present_plan(&repaired.files, text)
            .map(|plan| (self.kind.check_plan(&plan, None, None).ok, plan));
        text.clone_into(&mut self.request);
        self.asked_at.get_or_insert(self.now);
        let Some((true, plan)) = report else { return self.fail(FailureReason::Plan) };
        self.take_plan(plan);
        self.planning.approved = true;
        self.work = RunWork::Bundle;
        self.repaired = Some(repaired);
        self.generate()
    }

    pub(super) fn reroute(&mut self) -> Vec<Effect> {
        self.state = StateName::Rerouted;
        vec![Effect::Reroute { text: self.request.clone() }]
    }

    /// Asks for a plan, with what was wrong with the last one if this is not the first try of the turn.
    pub(super) fn ask_plan(&mut self) -> Vec<Effect> {
        (self.state, self.work) = (StateName::Planning, RunWork::Bundle);
        let request = CallModel {
            purpose: Purpose::Plan,
            attempt: None,
            max_output_tokens: PLAN_OUTPUT_TOKENS,
            deadline_at: self.now.saturating_add(PLAN_WALL_MS),
            whole_files: None,
            base_attempt: None,
        };
        self.call_model(request)
    }

    pub(super) fn call_model(&mut self, request: CallModel) -> Vec<Effect> {
        self.call = Some(Call { request: request.clone(), transport_errors: 0 });
        if let Some(Err(too_large)) = self.compose(&Session::default()) {
            self.notice(too_large.finding());
            return self.fail(FailureReason::Tokens);
        }
        vec![Effect::CallModel(request)]
    }

    pub(super) fn plan_reply(&mut self, reply: &Reply) -> Vec<Effect> {
        let read = self.kind.read(
            reply.reply.as_deref(),
            reply.tool_calls.as_deref().unwrap_or_default(),
            &self.base,
            reply.finish_reason.as_deref(),
            RunWork::Bundle,
        );
        let parsed = match read {
            Ok(parsed) => parsed,
            Err(too_large) => {
                return self.invalid_plan(vec![too_large.finding()]);
            }
        };
        self.prose(Purpose::Plan, None, &parsed.prose);
        self.planning.blocks |= parsed.kind != "empty" || parsed.diagnostics.iter().any(|it| it.code != "REPLY_EMPTY");
        let Some(mut plan) = parsed.plan else { return self.invalid_plan(parsed.diagnostics) };
        if let Some(before) = &self.planning.plan {
            plan = self.kind.carried(before, plan);
        }
        let report = self.kind.check_plan(&plan, None, Some(&self.base));
        if !report.ok {
            let findings = report.diagnostics.clone();
            return self.invalid_plan(findings);
        }
        self.take_plan(plan);
        self.planning.edits = 0;
        self.planning.invalid = 0;
        self.planning.findings.clear();
        self.show_plan()
    }

    /// A plan that does not hold, or none: asked for again while retries are left.
    pub(super) fn invalid_plan(&mut self, findings: Vec<Diagnostic>) -> Vec<Effect> {
        self.planning.invalid += 1;
        self.planning.findings = findings;
        if self.planning.invalid > PLAN_RETRIES { self.fail(FailureReason::Plan) } else { self.ask_plan() }
    }

    pub(super) fn take_plan(&mut self, plan: Value) {
        self.planning.hash = self.kind.plan_hash(&plan);
        self.planning.report = Some(self.kind.check_plan(&plan, None, Some(&self.base)));
        self.planning.plan = Some(plan);
    }

    pub(super) fn show_plan(&mut self) -> Vec<Effect> {
        (self.state, self.work) = (StateName::Gate, RunWork::Bundle);
        vec![Effect::ShowPlan { plan_hash: self.planning.hash.clone(), ok: self.plan_holds() }]
    }

    fn plan_holds(&self) -> bool {
        self.planning.report.as_ref().is_some_and(|report| report.ok)
    }

    pub(super) fn plan_edited(&mut self, plan: &Value) -> Vec<Effect> {
        self.take_plan(plan.clone());
        self.planning.edits += 1;
        self.show_plan()
    }

    pub(super) fn adjust(&mut self, text: &str) -> Vec<Effect> {
        let plan_intent = self.intent.as_ref().map(|intent| intent.intent);
        let context = IntentContext { stage: AskStage::Plan, plan_intent, ..IntentContext::default() };
        match self.kind.route(text, &context).action {
            Some(PlanAction::Reroute) => self.reroute(),
            Some(PlanAction::Cancel) => {
                self.state = StateName::Cancelled;
                Vec::new()
            }
            Some(PlanAction::Adjust) | None => {
                if text.chars().count() > MAX_TEXT_CHARS || self.planning.adjustments >= MAX_ADJUSTMENTS {
                    self.notice(Diagnostic::of(&PLAN_ADJUSTMENTS_USED, args! { limit: MAX_ADJUSTMENTS }));
                    return self.show_plan();
                }
                self.planning.adjustments += 1;
                self.planning.wishes.push(text.to_owned());
                self.next_plan_turn();
                self.ask_plan()
            }
        }
    }

    fn next_plan_turn(&mut self) {
        self.planning.invalid = 0;
        self.planning.findings.clear();
        self.planning.blocks = false;
    }

    pub(super) fn approved(&mut self, plan_hash: &str) -> Vec<Effect> {
        if plan_hash != self.planning.hash || !self.plan_holds() {
            return self.show_plan();
        }
        self.planning.approved = true;
        self.generate()
    }

    /// After a failed plan: back to the plan that held, or asked for once more.
    pub(super) fn retry_plan(&mut self) -> Vec<Effect> {
        self.reason = None;
        self.next_plan_turn();
        if self.planning.plan.is_some() { self.show_plan() } else { self.ask_plan() }
    }
}

impl PlanState {
    /// The model answered in words every time of this turn.
    pub(super) fn only_words(&self) -> bool {
        !self.blocks
    }
}
