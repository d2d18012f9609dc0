//! The transitions (spec: authoring.md §6.2, the table of states).

use crate::planning::{Purpose, RunWork};
use holdpoint_check::{Diagnostic, args, codes};

use super::attempt::{Attempt, AttemptEnd};
use super::budget::{
    ATTEMPT_WALL_MS, MAX_SAME_FINDINGS, SCRIPT_HOLD_TOKENS, TOTAL_WALL_MS, TRANSPORT_RETRIES, attempts, output_tokens,
};
use super::effect::{AttemptId, CallModel, Effect, FailureReason, SCRIPT_PROFILE};
use super::event::{Event, EventKind, Reply, TestResult};
use super::view::{ProseReply, StateName, Storage, TokenUse};
use super::{Repaired, Run};
use crate::script::SCRIPT;
use holdpoint_bundle::Files;
use holdpoint_engine::attempt::{Attempted as _, Limits, another, better};

codes! {
    /// the model did not answer
    UPSTREAM_UNREACHABLE / SILENT: Warning, "The model did not answer.";
    REPLY_EMPTY / NO_ANSWER: Error, "The model did not answer.";
    /// the model took too long; what came so far was used
    ATTEMPT_TIMEOUT: Warning, "The model took too long; what came so far was used.";
    /// the tests did not end in time
    TEST_TIMEOUT / CLOCK: Error, "Make the tests end sooner: their time was used up.";
    /// what was signed is not what is shown
    CONFLICT / SIGNED: Warning, "What was signed is not what is shown: look again.";
    // Borrowed by the code of the project's refusal.
    INTERNAL / NOT_TAKEN: Warning,
        "The project did not take it: the review is shown again, nothing was stored.";
}

impl Run {
    /// Takes one event and answers what the world must do, in order. An event that the state does not know changes
    /// nothing and has no effects.
    pub fn step(&mut self, event: &Event) -> Vec<Effect> {
        let before = self.before();
        let effects = self.stepped(event);
        self.note(event, &before);
        effects
    }

    fn stepped(&mut self, event: &Event) -> Vec<Effect> {
        use EventKind as E;
        use StateName as S;
        let before = self.now;
        self.now = event.at;
        match (self.state, &event.kind) {
            (S::Idle, E::Asked { text, context }) => self.asked(text, context.as_ref()),

            (S::Planning | S::Generating, E::Reply(reply)) => self.reply(reply),
            (S::Planning | S::Generating, E::TransportError) => self.transport_error(),
            (S::Planning | S::Generating, E::BudgetRefused) => self.fail(FailureReason::Tokens),
            (S::Planning | S::Generating | S::Testing, E::AttemptTimeout { partial }) => {
                self.attempt_timeout(partial.as_deref())
            }
            (S::Planning | S::Generating | S::Testing, E::TotalTimeout) => self.total_timeout(),
            (S::Planning | S::Generating | S::Testing, E::Cancel) => self.cancel(),
            (S::Testing, E::TestsDone { tests }) => self.tests_done(tests),

            (S::Gate, E::PlanEdited { plan }) => self.plan_edited(plan),
            (S::Gate, E::Adjust { text }) => self.adjust(text),
            (S::Gate, E::RunOnce) => self.reroute(),
            (S::Rerouted, E::RunOnce) => self.run_once(),
            (S::Idle | S::Answered, E::Promote { files }) => self.promote(files),
            (S::Answered | S::Rerouted, E::AsTool) => self.as_tool(),
            (S::Failed, E::AsTool) if self.work == RunWork::Script => self.as_tool(),
            (S::Failed, E::Retry) if self.work == RunWork::Script => self.run_once(),
            (S::Gate, E::Approved { plan_hash }) => self.approved(plan_hash),

            (S::Review, E::Install { confirmation }) => self.install(confirmation.as_ref()),
            (S::Review, E::AnotherVersion) | (S::Failed, E::Retry) if self.planning.approved => self.generate(),
            (S::Review | S::Failed | S::Cancelled, E::Choose { result_hash }) => match self.version(result_hash) {
                Some(index) => self.choose(index),
                None => self.ignored(before),
            },
            // Files that a person brings go the road from the check on: nobody planned them, and no model is asked.
            (S::Idle | S::Answered, E::HandEdit { files }) => self.hand_edit(files),
            (S::Idle | S::Review, E::Repair { text, files, changelog, test }) => {
                self.repair(text, Repaired { files: files.clone(), changelog: changelog.clone(), test: *test })
            }
            (S::Review | S::Failed, E::HandEdit { files }) if self.planning.approved || self.unplanned() => {
                if self.work == RunWork::Promoted {
                    // What a person changed is no longer the script that ran: it needs tests like all others.
                    self.work = RunWork::Bundle;
                }
                self.hand_edit(files)
            }
            (S::Failed, E::Retry) if !self.brought() && !self.unplanned() => self.retry_plan(),
            (S::Gate, E::Cancel) => self.let_go(true),
            (S::Review | S::Failed, E::Discard) => self.let_go(self.work == RunWork::Promoted),

            (S::Installed, E::Stored { revision_id }) => {
                self.storage = Some(Storage::Stored { revision_id: revision_id.clone() });
                Vec::new()
            }
            (S::Installed, E::Queued) => {
                self.storage = Some(Storage::Queued);
                Vec::new()
            }
            (S::Installed, E::Refused { code }) => self.refused(code),

            _ => self.ignored(before),
        }
    }

    /// Nothing happened, at no time.
    fn ignored(&mut self, before: u64) -> Vec<Effect> {
        self.now = before;
        Vec::new()
    }

    // ── writing ────────────────────────────────────────────────────────────────────────────────────────────────

    /// A new run with the approved plan: attempt 0. What was written before stays to be chosen.
    pub(super) fn generate(&mut self) -> Vec<Effect> {
        self.begin_anew();
        match self.repaired.clone() {
            Some(Repaired { files, test: None, .. }) => self.hand_edit(&files),
            _ => self.open(0, None),
        }
    }

    /// Holds what it may cost, and asks for attempt `number`.
    pub(super) fn open(&mut self, number: u32, whole_files: Option<bool>) -> Vec<Effect> {
        self.approved_at = Some(self.now);
        let plan = self.approved_plan();
        let held = plan.map_or(SCRIPT_HOLD_TOKENS, |plan| self.kind.estimate(plan).hold_tokens);
        self.tokens = TokenUse { held, ..TokenUse::default() };
        self.tokens.left = self.tokens.held;
        self.open = true;
        let mut effects = vec![Effect::OpenRun];
        effects.extend(self.write(number, whole_files));
        effects
    }

    /// Asks the model for attempt `number`, built on the best bundle.
    pub(super) fn write(&mut self, number: u32, whole_files: Option<bool>) -> Vec<Effect> {
        self.state = StateName::Generating;
        let total = self.approved_at.unwrap_or(self.now).saturating_add(TOTAL_WALL_MS);
        let deadline_at = self.now.saturating_add(ATTEMPT_WALL_MS).min(total);
        let drifted = self.repaired.as_ref().is_some_and(|it| it.changelog.is_some());
        let purpose = match number {
            _ if self.work == RunWork::Script => Purpose::Script,
            _ if self.test_first().is_some() => Purpose::Test,
            0 => Purpose::Generate,
            1 if drifted => Purpose::Drift,
            _ => Purpose::Repair,
        };
        let nothing = Files::new();
        let base = match &self.repaired {
            _ if self.work == RunWork::Script => &nothing,
            Some(Repaired { files, test: Some(_), .. }) => files,
            _ => &self.base,
        };
        let before = self.best.map_or(base, |best| &self.attempts[best].files).clone();
        let mut attempt = Attempt::new(AttemptId::Number(number), Some(purpose), before, self.now, deadline_at);
        attempt.builds_on = self.best;
        self.current = Some(self.attempts.len());
        self.attempts.push(attempt);
        self.call_model(CallModel {
            purpose,
            attempt: Some(number),
            max_output_tokens: output_tokens(self.work, number),
            deadline_at,
            whole_files,
            base_attempt: self.best.map(|best| self.attempts[best].id),
        })
    }

    fn reply(&mut self, reply: &Reply) -> Vec<Effect> {
        let Some(call) = self.call.take() else { return Vec::new() };
        self.book(reply);
        if call.request.purpose == Purpose::Plan {
            return self.plan_reply(reply);
        }
        let cut = self.take(reply, &call.request);
        match cut.then(|| self.continuation(&call.request)).flatten() {
            Some(request) => self.call_model(request),
            None if self.only_words() => self.fail(FailureReason::Attempts),
            None => self.check(),
        }
    }

    /// Books what the provider charged.
    fn book(&mut self, reply: &Reply) {
        let usage = reply.usage.unwrap_or_default();
        self.tokens.calls += 1;
        self.tokens.input = self.tokens.input.saturating_add(usage.input);
        self.tokens.cached = self.tokens.cached.saturating_add(usage.cached);
        self.tokens.output = self.tokens.output.saturating_add(usage.output);
        let spent = self.tokens.input.saturating_add(self.tokens.output);
        self.tokens.left = self.tokens.held.saturating_sub(spent);
    }

    /// Takes the good changes of a reply into the attempt; whether more should be asked for.
    fn take(&mut self, reply: &Reply, call: &CallModel) -> bool {
        let index = self.current.expect("a call for files belongs to an attempt");
        let kind = self.kind;
        let attempt = &mut self.attempts[index];
        let calls = reply.tool_calls.as_deref().unwrap_or_default();
        let text = reply.reply.as_deref();
        let used = reply.usage.map_or_else(
            || {
                let called: u64 =
                    calls.iter().map(|call| holdpoint_tokens::estimate(&call.arguments.to_string())).sum();
                (text.map_or(0, holdpoint_tokens::estimate) + called) as u32
            },
            |usage| usage.output,
        );
        attempt.output = attempt.output.saturating_add(used);
        let parsed = match kind.read(text, calls, &attempt.files, reply.finish_reason.as_deref(), self.work) {
            Ok(parsed) => parsed,
            Err(too_large) => {
                attempt.reply = vec![too_large.finding()];
                return false;
            }
        };
        let moved = !parsed.changes.is_empty();
        attempt.files = parsed.files;
        // A continuation answers the cut before it; its own findings take that place.
        attempt.reply.retain(|finding| finding.code != "REPLY_TRUNCATED");
        attempt.reply.extend(parsed.diagnostics);
        let continued = std::mem::replace(&mut attempt.continued, true);
        let cut = attempt.reply.iter().any(|finding| finding.code == "REPLY_TRUNCATED");
        let number = match attempt.id {
            AttemptId::Number(number) => Some(number),
            AttemptId::Hand(_) => None,
        };
        self.prose(call.purpose, number, &parsed.prose);
        // A continuation that brought no file would not bring one the next time either.
        cut && (moved || !continued)
    }

    pub(super) fn prose(&mut self, purpose: Purpose, attempt: Option<u32>, text: &str) {
        if !text.is_empty() {
            self.replies.push(ProseReply { at: self.now, purpose, attempt, text: text.to_owned() });
        }
    }

    /// The call that asks for the rest of a cut reply, while output and time of the attempt are left.
    fn continuation(&self, cut: &CallModel) -> Option<CallModel> {
        let attempt = &self.attempts[self.current?];
        let number = cut.attempt?;
        let left = output_tokens(self.work, number).saturating_sub(attempt.output);
        (left > 0 && self.now < attempt.deadline_at).then_some(CallModel {
            purpose: Purpose::Continue,
            attempt: Some(number),
            max_output_tokens: left,
            deadline_at: attempt.deadline_at,
            whole_files: None,
            base_attempt: None,
        })
    }

    fn transport_error(&mut self) -> Vec<Effect> {
        let Some(call) = self.call.as_mut() else { return Vec::new() };
        call.transport_errors += 1;
        if call.transport_errors <= TRANSPORT_RETRIES {
            return vec![Effect::CallModel(call.request.clone())];
        }
        self.notice(Diagnostic::of(&SILENT, args! {}));
        let call = self.call.take().expect("it was there a moment ago");
        if call.request.purpose == Purpose::Plan {
            let empty = Diagnostic::of(&NO_ANSWER, args! {});
            return self.invalid_plan(vec![empty]);
        }
        self.take(&Reply::default(), &call.request);
        self.check()
    }

    // ── checking and testing ───────────────────────────────────────────────────────────────────────────────────

    /// Autofix, check, conformity; then the tests, or the decision.
    fn check(&mut self) -> Vec<Effect> {
        let index = self.current.expect("a check belongs to an attempt");
        let kind = self.kind;
        let attempt = &mut self.attempts[index];
        if self.work != RunWork::Script {
            attempt.autofixes = kind.autofix(&mut attempt.files);
        }
        let judged = kind.judge(&attempt.files, self.work);
        let plan = self.planning.plan.as_ref().filter(|_| self.planning.approved);
        let conforms = |plan| kind.conform(plan, judged.manifest.as_ref(), &attempt.files);
        attempt.plan = plan.map(conforms).unwrap_or_default();
        let approved = self.repaired.as_ref().map_or(&self.base, |repaired| &repaired.files);
        attempt.plan.extend(plan.map(|plan| kind.kept(approved, &attempt.files, plan)).unwrap_or_default());
        attempt.check = judged.diagnostics;
        attempt.manifest = judged.manifest;
        attempt.checked = true;
        if attempt.check_ok() {
            self.state = StateName::Testing;
            let profile = if self.work == RunWork::Script { SCRIPT_PROFILE } else { "dry-run" };
            return vec![Effect::RunTests { attempt: self.attempts[index].id, profile: profile.to_owned() }];
        }
        self.decide()
    }

    fn tests_done(&mut self, tests: &[TestResult]) -> Vec<Effect> {
        let index = self.current.expect("tests run for an attempt");
        self.attempts[index].tests = Some(tests.to_vec());
        self.decide()
    }

    /// The end of an attempt: review, the next repair, or the end of the run.
    fn decide(&mut self) -> Vec<Effect> {
        let index = self.current.expect("an attempt ends");
        self.attempts[index].ended_at = Some(self.now);
        if let Some(test) = self.expect_test(index) {
            return self.test_shown(index, test);
        }
        self.compare(index);
        let attempt = &self.attempts[index];
        if attempt.check_ok() && attempt.tests_pass() && attempt.end.is_none() {
            self.reason = None;
            let attempt = attempt.id;
            let (state, show) = match self.work {
                RunWork::Script => (StateName::Answered, Effect::ShowAnswer { attempt }),
                RunWork::Bundle | RunWork::Promoted => (StateName::Review, Effect::ShowReview { attempt }),
            };
            self.state = state;
            let mut effects = self.close();
            effects.push(show);
            return effects;
        }
        let id = attempt.id;
        match id {
            // What is to be repaired was tried first: a model is asked because it fails.
            AttemptId::Hand(_) if index == self.first() && self.repaired.is_some() => self.open(1, None),
            // It ran once more and did not end as before: the answer that stood is the one that it has.
            AttemptId::Hand(_) if self.is_rerun(index) && self.back_to_answer() => Vec::new(),
            AttemptId::Hand(_) => self.fail(FailureReason::Hand),
            AttemptId::Number(number) => match self.next(index, number) {
                Ok(whole_files) => self.write(number + 1, Some(whole_files)),
                Err(reason) => self.fail(reason),
            },
        }
    }

    /// Whether another repair makes sense, and whether it should send whole files.
    pub(super) fn next(&self, index: usize, number: u32) -> Result<bool, FailureReason> {
        let limits = Limits { attempts: attempts(self.work), same: Some(MAX_SAME_FINDINGS) };
        let same = another(&self.attempts[self.first()..index], &self.attempts[index], number + 1, limits)?;
        if self.now >= self.approved_at.unwrap_or(self.now).saturating_add(TOTAL_WALL_MS) {
            return Err(FailureReason::Wallclock);
        }
        Ok(same > 1)
    }

    /// Keeps the better one of the best so far and the attempt.
    fn compare(&mut self, index: usize) {
        self.best = better(&self.attempts, self.best, index);
    }

    // ── clocks and ends ────────────────────────────────────────────────────────────────────────────────────────

    fn attempt_timeout(&mut self, partial: Option<&str>) -> Vec<Effect> {
        let mut effects = vec![Effect::Abort];
        let cut = Reply { reply: partial.map(str::to_owned), finish_reason: Some("length".into()), ..Reply::default() };
        match self.state {
            StateName::Planning => {
                self.call = None;
                effects.extend(self.plan_reply(&cut));
            }
            StateName::Generating => {
                let call = self.call.take().expect("a running attempt waits for its call");
                self.take(&cut, &call.request);
                self.notice(Diagnostic::of(&ATTEMPT_TIMEOUT, args! {}));
                effects.extend(self.check());
            }
            _ => {
                let index = self.current.expect("tests run for an attempt");
                self.attempts[index].end = Some(AttemptEnd::TimedOut);
                let finding = Diagnostic::of(&CLOCK, args! {});
                let finding = match self.work {
                    RunWork::Script => finding.in_file(SCRIPT),
                    _ => finding.in_file(self.kind.manifest_path()).at_pointer("/tests"),
                };
                self.attempts[index].check.push(finding);
                effects.extend(self.decide());
            }
        }
        effects
    }

    fn total_timeout(&mut self) -> Vec<Effect> {
        let hand = self.attempt() == Some(AttemptId::HAND);
        self.stop_attempt(AttemptEnd::TimedOut);
        let mut effects = vec![Effect::Abort];
        effects.extend(self.fail(if hand { FailureReason::Hand } else { FailureReason::Wallclock }));
        effects
    }

    fn cancel(&mut self) -> Vec<Effect> {
        self.stop_attempt(AttemptEnd::Stopped);
        let began = self.state == StateName::Planning || self.work != RunWork::Bundle;
        self.let_go(began);
        let mut effects = vec![Effect::Abort];
        effects.extend(self.close());
        effects
    }

    fn stop_attempt(&mut self, end: AttemptEnd) {
        self.call = None;
        if let Some(index) = self.current {
            self.attempts[index].end = Some(end);
            self.attempts[index].ended_at = Some(self.now);
            self.compare(index);
        }
    }

    pub(super) fn fail(&mut self, reason: FailureReason) -> Vec<Effect> {
        self.call = None;
        self.state = StateName::Failed;
        self.reason = Some(reason);
        self.set_failed(reason);
        if let Some(index) = self.current
            && self.attempts[index].ended_at.is_none()
        {
            self.attempts[index].ended_at = Some(self.now);
            self.attempts[index].end.get_or_insert(AttemptEnd::Stopped);
        }
        let mut effects = self.close();
        let best = self.best.map(|best| self.attempts[best].id);
        effects.push(Effect::ShowFailure { reason, best });
        effects
    }

    fn close(&mut self) -> Vec<Effect> {
        if std::mem::take(&mut self.open) { vec![Effect::CloseRun] } else { Vec::new() }
    }

    // ── people ─────────────────────────────────────────────────────────────────────────────────────────────────

    /// The run began with files of a person: an example, a file that somebody handed on.
    fn brought(&self) -> bool {
        self.asked_at.is_none() && !self.attempts.is_empty()
    }

    /// What was begun is let go: where it came `from_answer`, that stands again.
    fn let_go(&mut self, from_answer: bool) -> Vec<Effect> {
        if !from_answer || !self.back_to_answer() {
            self.state = StateName::Cancelled;
        }
        Vec::new()
    }

    /// A script that a person ran again as it is.
    fn is_rerun(&self, index: usize) -> bool {
        let best = self.best.map(|best| &self.attempts[best].files);
        self.work == RunWork::Script && best == Some(&self.attempts[index].files)
    }

    pub(super) fn hand_edit(&mut self, files: &Files) -> Vec<Effect> {
        let before = self.files().clone();
        self.continue_set();
        let mut attempt = Attempt::new(AttemptId::HAND, None, before, self.now, u64::MAX);
        attempt.files = files.clone();
        attempt.builds_on = self.best;
        self.reason = None;
        self.current = Some(self.attempts.len());
        self.attempts.push(attempt);
        self.check()
    }

    fn install(&mut self, confirmation: Option<&serde_json::Value>) -> Vec<Effect> {
        let index = self.current.expect("a review shows an attempt");
        let named = confirmation.and_then(|it| it.get("result_hash")).and_then(serde_json::Value::as_str);
        if named.is_some_and(|hash| hash != self.attempts[index].hash()) {
            self.notice(Diagnostic::of(&SIGNED, args! {}));
            return vec![Effect::ShowReview { attempt: self.attempts[index].id }];
        }
        self.state = StateName::Installed;
        self.storage = Some(Storage::Sending);
        vec![Effect::Apply]
    }

    fn refused(&mut self, code: &str) -> Vec<Effect> {
        let index = self.current.expect("what was installed is an attempt");
        self.state = StateName::Review;
        self.storage = None;
        self.notice(Diagnostic::of(&NOT_TAKEN, args! {}).called(code.to_owned()));
        vec![Effect::ShowReview { attempt: self.attempts[index].id }]
    }
}
