//! What a run leaves on the sheet of its change: words, plans, signatures, attempts (spec: authoring.md §9.1
//! "Conversation", UI.md §11).
//!
//! Owns when an entry is made; its shape is `kinds::planning`'s. Invariants: a sheet follows from the log alone; an entry
//! that was made stays, also when the run goes on from the same plan; edits by hand in a row are one.

use crate::planning::{RunWork, SheetAttempt, SheetEntry, SheetFinding, SheetStep, note};

use super::Run;
use super::effect::AttemptId;
use super::event::{Event, EventKind};
use super::view::{AttemptView, Finding, StateName, Verdict};

#[derive(Debug, Clone, Default)]
pub(super) struct Sheet {
    pub(super) entries: Vec<SheetEntry>,
    /// Attempts that stand on it.
    attempts: usize,
}

/// What stood before an event.
pub(super) struct Before {
    state: StateName,
    adjustments: u32,
}

impl Run {
    pub(super) fn before(&self) -> Before {
        Before { state: self.state, adjustments: self.planning.adjustments }
    }

    /// Notes what an event did.
    pub(super) fn note(&mut self, event: &Event, before: &Before) {
        use EventKind as E;
        match &event.kind {
            E::Asked { text, .. } if before.state == StateName::Idle && self.state != StateName::Idle => {
                self.enter(SheetStep::Asked { text: text.clone() });
            }
            E::Repair { text, .. } if self.repaired.is_some() => {
                self.enter(SheetStep::Asked { text: text.clone() });
            }
            E::Adjust { text } if self.planning.adjustments > before.adjustments => {
                self.enter(SheetStep::Adjusted { text: text.clone() });
            }
            E::Approved { .. } | E::AnotherVersion | E::Retry
                if self.state == StateName::Generating && self.work != RunWork::Script =>
            {
                let plan_hash = self.planning.hash.clone();
                let signs = matches!(event.kind, E::Approved { .. });
                self.enter(if signs { SheetStep::Approved { plan_hash } } else { SheetStep::Another });
            }
            _ => {}
        }
        if self.state == StateName::Gate {
            self.note_plan();
        }
        self.note_attempts();
    }

    /// The plan that is shown, once; as a person leaves it, behind the model's own.
    fn note_plan(&mut self) {
        let Some(plan) = self.planning.plan.clone() else { return };
        let (plan_hash, edited) = (self.planning.hash.clone(), self.planning.edits > 0);
        if let Some(SheetEntry { step: SheetStep::Plan { edited: true, .. }, .. }) = self.sheet.entries.last() {
            self.sheet.entries.pop();
        }
        if self.last_plan().is_none_or(|last| *last != plan_hash) {
            self.enter(SheetStep::Plan { plan, plan_hash, edited });
        }
    }

    fn last_plan(&self) -> Option<&String> {
        self.sheet.entries.iter().rev().find_map(|entry| match &entry.step {
            SheetStep::Plan { plan_hash, .. } => Some(plan_hash),
            _ => None,
        })
    }

    /// The attempts that ended since.
    fn note_attempts(&mut self) {
        while self.attempts.get(self.sheet.attempts).is_some_and(|attempt| attempt.ended_at.is_some()) {
            let view = self.attempt_view(self.sheet.attempts);
            self.sheet.attempts += 1;
            // A script that ran was not tested, and nor is the tool that it becomes.
            if self.work == RunWork::Bundle {
                self.enter(SheetStep::Attempt(ended(&view)));
            }
        }
    }

    fn enter(&mut self, step: SheetStep) {
        note(&mut self.sheet.entries, SheetEntry { at: self.now, step });
    }
}

fn ended(view: &AttemptView) -> SheetAttempt {
    let number = match view.number {
        AttemptId::Number(number) => Some(number),
        AttemptId::Hand(_) => None,
    };
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    SheetAttempt {
        number,
        ok: view.verdict == Verdict::Passed,
        ms: view.duration_ms.unwrap_or_default(),
        passed: count(view.tests.iter().filter(|test| test.ok).count()),
        tests: count(view.tests.len()),
        finding: view.findings.iter().find(|finding| finding.diagnostic.is_error()).map(finding),
    }
}

fn finding(Finding { diagnostic, test, .. }: &Finding) -> SheetFinding {
    SheetFinding {
        code: diagnostic.code.clone().into_owned(),
        message: diagnostic.message.clone(),
        args: diagnostic.args.clone(),
        test: test.clone(),
    }
}
