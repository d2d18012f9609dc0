//! A request that is answered once: a script that runs at once with `model.read`, and the tool that it may become
//! (spec: authoring.md §1 "A, promote", §2).
//!
//! Its attempts are those of a run: written, checked, run in the place of tests, repaired. Invariants: nothing of a
//! script is ever in a review; a plan that stood before is there again when a tool is wanted after all; an answer that
//! stood is there again when what was begun from it is let go.

use super::Run;
use super::effect::Effect;
use super::view::StateName;
use crate::planning::RunWork;
use holdpoint_bundle::Files;

impl Run {
    /// Asks the model for a script, with no plan before it.
    pub(super) fn run_once(&mut self) -> Vec<Effect> {
        self.work = RunWork::Script;
        self.planning.approved = false;
        self.repaired = None;
        self.begin_anew();
        self.open(0, None)
    }

    /// The model said in words what it thinks of the question: no script would say it better.
    pub(super) fn only_words(&self) -> bool {
        let Some(attempt) = self.current.map(|index| &self.attempts[index]) else { return false };
        let said = self.replies.last().is_some_and(|reply| reply.at >= attempt.started_at);
        self.work == RunWork::Script
            && said
            && attempt.files.is_empty()
            && attempt.reply.iter().all(|finding| finding.code == "REPLY_EMPTY")
    }

    /// The bundle that the script became goes the road from the check on: nobody planned it, and no model is asked.
    pub(super) fn promote(&mut self, files: &Files) -> Vec<Effect> {
        self.work = RunWork::Promoted;
        self.approved_at = None;
        self.begin_anew();
        self.hand_edit(files)
    }

    /// Back to the answer that stood last; false where none did.
    pub(super) fn back_to_answer(&mut self) -> bool {
        let answered = (0..self.attempts.len()).rev().find(|index| self.is_of_script(*index) && self.passes(*index));
        let Some(index) = answered else { return false };
        (self.state, self.work, self.reason) = (StateName::Answered, RunWork::Script, None);
        (self.current, self.best) = (Some(index), Some(index));
        true
    }

    /// Back to the plan, or to the first one.
    pub(super) fn as_tool(&mut self) -> Vec<Effect> {
        self.work = RunWork::Bundle;
        self.begin_anew();
        self.approved_at = None;
        if self.planning.plan.is_some() { self.show_plan() } else { self.ask_plan() }
    }
}
