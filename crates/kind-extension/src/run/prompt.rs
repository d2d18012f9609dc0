//! The prompt of the pending call: what of a run the model is told.

use crate::planning::{Prompt, PromptRequest, PromptTooLargeError, Purpose, RunWork, Session};
use serde_json::Value;

use super::budget::{attempts, output_tokens};
use super::effect::CallModel;
use super::{Run, feedback};
use holdpoint_bundle::Files;

impl Run {
    /// The messages of the pending `CallModel`; `None` when no call is pending.
    pub fn messages(&self, session: &Session) -> Option<Result<Prompt, PromptTooLargeError>> {
        self.compose(session)
    }

    fn budget_of(&self, call: &CallModel) -> feedback::Repairs {
        let output = output_tokens(self.work, call.attempt.unwrap_or_default());
        feedback::Repairs { of: attempts(self.work) - 1, output }
    }

    pub(super) fn compose(&self, session: &Session) -> Option<Result<Prompt, PromptTooLargeError>> {
        let call = &self.call.as_ref()?.request;
        let plan = self.planning.plan.as_ref().filter(|_| self.work != RunWork::Script);
        let attempt = self.current.map(|index| &self.attempts[index]);
        let (files, diagnostics): (&Files, Option<Value>) = match call.purpose {
            Purpose::Plan | Purpose::Fork => {
                let wrong = !self.planning.findings.is_empty();
                (&self.base, wrong.then(|| feedback::of_plan(self.kind, &self.planning.findings)))
            }
            Purpose::Generate => (&self.base, None),
            Purpose::Continue => (attempt.map_or(&self.base, |attempt| &attempt.files), None),
            Purpose::Script | Purpose::Test if self.current == Some(self.first()) => {
                (attempt.map_or(&self.base, |attempt| &attempt.before), None)
            }
            Purpose::Repair | Purpose::Drift | Purpose::Script | Purpose::Test => {
                let index = self.current?;
                let last = self.attempts[self.first()..index].last()?;
                let base = self.best.map_or(last, |best| &self.attempts[best]);
                let mut told = feedback::of_attempt(self.kind, base, last, plan, self.budget_of(call));
                if let (Some(members), Some(whole)) = (told.as_object_mut(), call.whole_files) {
                    members.insert("whole_files".into(), whole.into());
                }
                (&self.attempts[index].before, Some(told))
            }
        };
        // A wish at the gate stands beside the request, and the plan that it is about with it.
        let mut words = self.request.clone();
        for wish in &self.planning.wishes {
            words.push_str("\n\nAnd then: ");
            words.push_str(wish);
        }
        if call.purpose == Purpose::Continue {
            let sent = attempt.map(|it| it.files.keys().cloned().collect::<Vec<_>>().join(", ")).unwrap_or_default();
            words.push_str("\n\nComplete so far: ");
            words.push_str(&sent);
        }
        Some(self.kind.compose(&PromptRequest {
            purpose: call.purpose,
            overlay: session.overlay.clone(),
            model_context: session.model_context.clone(),
            request: words,
            plan: plan.cloned(),
            files: files.clone(),
            diagnostics,
            changelog: self.repaired.as_ref().and_then(|repaired| repaired.changelog.clone()),
            budget: None,
        }))
    }
}
