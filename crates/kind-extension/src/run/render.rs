//! From a run's state to the view that the page draws.
//!
//! Invariant: the view follows from the event log alone; nothing here changes the run.

use crate::planning::{Proposed, Purpose, Review, RunWork};
use crate::script::SCRIPT;
use crate::{Origin, claimed_id};
use holdpoint_check::{Diagnostic, LineIndex};
use holdpoint_text::DiffOptions;
use serde_json::Value;

use super::Run;
use super::attempt::{Attempt, AttemptEnd};
use super::budget::{MAX_ADJUSTMENTS, TOTAL_WALL_MS, attempts};
use super::effect::AttemptId;
use super::view::{
    AttemptView, ChangedFile, Finding, Mark, PlanView, RunView, SnippetLine, Stage, StateName, Step, StepStatus,
    StepView, Verdict,
};
use holdpoint_bundle::Files;

impl Run {
    /// Everything that the page shows.
    pub fn view(&self) -> RunView {
        let files = self.files().clone();
        let shown = match self.state {
            StateName::Testing | StateName::Review | StateName::Answered | StateName::Installed => self.current,
            _ => self.best.or(self.current),
        };
        let running = matches!(self.state, StateName::Generating | StateName::Testing);
        // A person's own files have no clock: nobody waits for a model.
        let running = running && self.attempt() != Some(AttemptId::HAND);
        let total = self.approved_at.filter(|_| running).map(|at| at.saturating_add(TOTAL_WALL_MS));
        RunView {
            kind: self.kind.kind().to_owned(),
            state: self.state,
            work: self.work,
            attempts_max: attempts(self.work),
            attempt: self.attempt(),
            reason: self.reason(),
            best: self.best(),
            request: self.request.clone(),
            intent: self.intent.clone(),
            plan: self.plan_view(),
            attempts: self.shown_attempts().map(|index| self.attempt_view(index)).collect(),
            versions: self.versions_view(),
            capabilities: self.kind.uses(&files, self.work),
            tests: shown.and_then(|index| self.attempts[index].tests.clone()).unwrap_or_default(),
            review: self.review(),
            tokens: self.tokens,
            replies: self.replies.clone(),
            answer: self.answer(),
            notices: self.notices.clone(),
            pending: self.call.as_ref().map(|call| call.request.clone()),
            storage: self.storage.clone(),
            sheet: self.sheet.entries.clone(),
            asked_at: self.asked_at,
            approved_at: self.approved_at,
            total_deadline_at: total,
            updated_at: self.now,
            base: self.reviewed_base().cloned().unwrap_or_default(),
            edited: self.edited().cloned(),
            files,
        }
    }

    /// What is signed: the shown bundle over the base, with everything declared granted. In `review` and after.
    fn review(&self) -> Option<Review> {
        let signed = matches!(self.state, StateName::Review | StateName::Installed);
        let base = self.reviewed_base();
        let origin = if self.work == RunWork::Promoted { Origin::Promoted } else { Origin::Authored };
        let plan = self.approved_plan();
        signed.then(|| self.kind.review(&Proposed { base, plan, origin, ..Proposed::new(self.files()) }))
    }

    /// What the bundle changes: a script that became a tool is a new one, also where it was asked for in the place of
    /// a change.
    fn reviewed_base(&self) -> Option<&Files> {
        let changes = |base: &&Files| self.work != RunWork::Promoted || claimed_id(base) == claimed_id(self.files());
        Some(&self.base).filter(|base| !base.is_empty()).filter(changes)
    }

    /// The hand edit that failed, where a better bundle is shown.
    fn edited(&self) -> Option<&Files> {
        let last = self.current.filter(|_| self.state == StateName::Failed)?;
        let attempt = &self.attempts[last];
        (attempt.id == AttemptId::HAND && attempt.files != *self.files()).then_some(&attempt.files)
    }

    /// The model's words, when it answered nothing else.
    fn answer(&self) -> Option<String> {
        let of_plan = self.replies.last().is_some_and(|reply| reply.purpose == Purpose::Plan);
        let words = match self.work {
            RunWork::Script => self.only_words(),
            RunWork::Bundle => !self.planning.approved && self.planning.only_words() && of_plan,
            RunWork::Promoted => false,
        };
        (words && self.state == StateName::Failed)
            .then(|| self.replies.last().map(|reply| reply.text.clone()))
            .flatten()
    }

    /// Nobody planned what a script became.
    fn plan_view(&self) -> Option<PlanView> {
        if self.work == RunWork::Promoted {
            return None;
        }
        let (plan, report) = (self.planning.plan.as_ref()?, self.planning.report.as_ref()?);
        Some(PlanView {
            plan: plan.clone(),
            plan_hash: self.planning.hash.clone(),
            ok: report.ok,
            approved: self.planning.approved,
            diagnostics: report.diagnostics.clone(),
            capabilities: report.capabilities.clone(),
            overall_risk: report.overall_risk,
            estimate: report.estimate,
            text: report.text.clone(),
            edits: self.planning.edits,
            adjustments_left: MAX_ADJUSTMENTS - self.planning.adjustments,
        })
    }

    pub(super) fn attempt_view(&self, index: usize) -> AttemptView {
        let attempt = &self.attempts[index];
        let verdict = self.verdict(index);
        AttemptView {
            number: attempt.id,
            purpose: attempt.purpose,
            steps: steps(attempt, verdict),
            changed: changed(&attempt.before, &attempt.files),
            findings: findings(attempt),
            autofixes: attempt.autofixes.clone(),
            tests: attempt.tests.clone().unwrap_or_default(),
            verdict,
            best: self.best == Some(index),
            duration_ms: attempt.ended_at.map(|end| end.saturating_sub(attempt.started_at)),
            started_at: attempt.started_at,
        }
    }

    fn verdict(&self, index: usize) -> Verdict {
        let attempt = &self.attempts[index];
        match attempt.end {
            Some(AttemptEnd::TimedOut) => return Verdict::TimedOut,
            Some(AttemptEnd::Stopped) => return Verdict::Stopped,
            None => {}
        }
        if attempt.ended_at.is_none() {
            return Verdict::Running;
        }
        let reply_failed = attempt.reply.iter().any(Diagnostic::is_error);
        match (attempt.check_ok(), attempt.tests_pass()) {
            (true, true) => Verdict::Passed,
            (true, false) => Verdict::TestsFailed,
            (false, _) if reply_failed => Verdict::ReplyFailed,
            (false, _) => Verdict::CheckFailed,
        }
    }
}

fn steps(attempt: &Attempt, verdict: Verdict) -> Vec<StepView> {
    let hand = attempt.id == AttemptId::HAND;
    let running = verdict == Verdict::Running;
    let ended = |ok: bool| if ok { StepStatus::Passed } else { StepStatus::Failed };
    let write = match (attempt.checked, running) {
        (false, true) => StepStatus::Running,
        (false, false) => StepStatus::Failed,
        (true, _) => ended(hand || !attempt.reply.iter().any(Diagnostic::is_error)),
    };
    let check = if attempt.checked { ended(attempt.check_ok()) } else { StepStatus::NotRun };
    let test = match &attempt.tests {
        Some(_) => ended(attempt.tests_pass()),
        None if attempt.check_ok() && running => StepStatus::Running,
        None if attempt.check_ok() => StepStatus::Failed,
        None => StepStatus::NotRun,
    };
    [(Step::Write, write), (Step::Check, check), (Step::Test, test)]
        .map(|(step, status)| StepView { step, status })
        .to_vec()
}

fn changed(before: &Files, after: &Files) -> Vec<ChangedFile> {
    let paths: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let empty = String::new();
    let rows = paths.into_iter().filter(|path| before.get(*path) != after.get(*path)).map(|path| {
        let (old, new) = (before.get(path).unwrap_or(&empty), after.get(path).unwrap_or(&empty));
        let stats = holdpoint_text::diff(old, new, &DiffOptions { context: 0, path }).map(|diff| diff.stats);
        let stats = stats.unwrap_or_default();
        ChangedFile {
            path: path.clone(),
            added: stats.added as u32,
            deleted: stats.deleted as u32,
            lines: new.lines().count() as u32,
        }
    });
    rows.collect()
}

/// Findings of all stages, errors first.
fn findings(attempt: &Attempt) -> Vec<Finding> {
    let stages = [(Stage::Reply, &attempt.reply), (Stage::Check, &attempt.check), (Stage::Plan, &attempt.plan)];
    let own =
        stages.into_iter().flat_map(|(stage, list)| list.iter().map(move |finding| (stage, finding.clone(), None)));
    // A script is no test with a name of its own.
    let tests = attempt
        .test_errors()
        .into_iter()
        .map(|(name, finding)| (Stage::Tests, finding, (name != SCRIPT).then_some(name)));
    let mut rows: Vec<Finding> = own
        .chain(tests)
        .map(|(stage, diagnostic, test)| {
            let text = diagnostic.path.as_deref().and_then(|path| attempt.files.get(path));
            let operand = |pointer: &str| attempt.manifest.as_ref()?.value.pointer(pointer).cloned();
            let failed = diagnostic.code == "EXPECT_FAILED";
            let result = attempt.tests.iter().flatten().find(|it| Some(&it.name) == test.as_ref());
            Finding {
                stage,
                snippet: text.map(|text| snippet(&diagnostic, text)).unwrap_or_default(),
                expected: diagnostic.pointer.as_deref().filter(|_| failed).and_then(operand),
                actual: result.filter(|_| failed).and_then(|result| {
                    let whole = || result.more.get("actual").cloned();
                    compared(&diagnostic).or_else(whole)
                }),
                test,
                diagnostic,
            }
        })
        .collect();
    rows.sort_by_key(|finding| finding.diagnostic.severity);
    rows
}

/// What an operator looked at, as its finding has it: JSON text.
fn compared(finding: &Diagnostic) -> Option<Value> {
    serde_json::from_str(finding.args.get("actual")?.as_str()?).ok()
}

/// The line of a finding with one before and one after.
fn snippet(finding: &Diagnostic, text: &str) -> Vec<SnippetLine> {
    let Some(range) = finding.range else { return Vec::new() };
    let (first, last) = (range.start.line, LineIndex::new(text).position(text.len()).line);
    let shown = first.saturating_sub(1).max(1)..=(first + 1).min(last);
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    let row = |number: u32| {
        let text = *lines.get(number as usize - 1)?;
        let end = text.encode_utf16().count() as u32 + 1;
        let mark = (number == first).then_some(Mark {
            start: range.start.column,
            end: if range.end.line == first { range.end.column } else { end },
        });
        Some(SnippetLine { number, text: text.to_owned(), mark })
    };
    shown.filter_map(row).collect()
}
