//! Versions: what was written under one request and stays to be chosen and signed (spec: authoring.md §9 "Author another
//! version").
//!
//! Owns which attempts are versions, and going back to one. Invariants: attempts are never taken out, so whatever a
//! person wrote is there under its content hash; a version is judged by the plan that it was written for.

use std::ops::Range;

use holdpoint_bundle::content_hash;
use serde_json::Value;

use super::attempt::Attempt;
use super::effect::{AttemptId, Effect, FailureReason};
use super::view::{StateName, VersionView};
use super::{PlanState, Repaired, Run};
use crate::planning::RunWork;
use holdpoint_bundle::Files;
use holdpoint_engine::attempt::{Attempted as _, better};

/// Attempts from one beginning of writing to the next.
#[derive(Debug, Clone)]
pub(super) struct AttemptSet {
    /// Index of its first attempt.
    first: usize,
    /// The plan that it was written for; none for files that a person brought.
    plan: Option<Value>,
    work: RunWork,
    repaired: Option<Repaired>,
    /// Why the model's attempts ended without a bundle that passes.
    failed: Option<FailureReason>,
}

impl Run {
    /// Index of the first attempt of the set that is at work.
    pub(super) fn first(&self) -> usize {
        self.sets.last().map_or(0, |set| set.first)
    }

    pub(super) fn begin_set(&mut self) {
        let plan = self.approved_plan().cloned();
        let (first, work, repaired) = (self.attempts.len(), self.work, self.repaired.clone());
        self.sets.push(AttemptSet { first, plan, work, repaired, failed: None });
    }

    /// The set that is at work goes on for another plan.
    pub(super) fn renew_set(&mut self) {
        let (plan, repaired) = (self.approved_plan().cloned(), self.repaired.clone());
        if let Some(set) = self.sets.last_mut() {
            (set.plan, set.repaired) = (plan, repaired);
        }
    }

    /// Nothing that was written before is built on.
    pub(super) fn begin_anew(&mut self) {
        self.begin_set();
        (self.current, self.best, self.reason, self.storage) = (None, None, None, None);
    }

    /// A person's files join the set that they build on; where another one came after it, they begin one.
    pub(super) fn continue_set(&mut self) {
        let same = self.sets.last().is_some_and(|set| set.work == self.work);
        let joins = same && self.current.is_none_or(|current| current >= self.first());
        if !joins {
            self.begin_set();
        }
    }

    /// The model gave up on the set that is at work.
    pub(super) fn set_failed(&mut self, reason: FailureReason) {
        if let Some(set) = self.sets.last_mut().filter(|_| reason != FailureReason::Hand) {
            set.failed = Some(reason);
        }
    }

    /// The run works on files that a person brought: nobody planned them.
    pub(super) fn unplanned(&self) -> bool {
        let shown = self.current.and_then(|current| self.set_of(current));
        !self.attempts.is_empty() && shown.is_some_and(|set| self.sets[set].plan.is_none())
    }

    pub(super) fn is_of_script(&self, index: usize) -> bool {
        self.set_of(index).is_some_and(|set| self.sets[set].work == RunWork::Script)
    }

    /// Whether it may be signed, or stand as an answer.
    pub(super) fn passes(&self, index: usize) -> bool {
        passed(&self.attempts[index])
    }

    fn set_of(&self, index: usize) -> Option<usize> {
        self.sets.iter().rposition(|set| set.first <= index)
    }

    fn range(&self, set: usize) -> Range<usize> {
        let end = self.sets.get(set + 1).map_or(self.attempts.len(), |next| next.first);
        self.sets.get(set).map_or(0, |set| set.first)..end
    }

    /// The attempts of the set that is shown.
    pub(super) fn shown_attempts(&self) -> Range<usize> {
        let last = self.sets.len().saturating_sub(1);
        self.range(self.current.and_then(|current| self.set_of(current)).unwrap_or(last))
    }

    /// Indices of the versions, oldest first: each bundle that passed, each that a person wrote, and of a set in which
    /// nothing passed the best one. Equal bundles are one version.
    pub(super) fn versions(&self) -> Vec<usize> {
        let mut found: Vec<(String, usize)> = Vec::new();
        for set in (0..self.sets.len()).filter(|set| self.sets[*set].work != RunWork::Script) {
            let ended = |index: &usize| self.attempts[*index].ended_at.is_some() && self.attempts[*index].has_bundle();
            let mine: Vec<usize> = self.range(set).filter(ended).collect();
            let passes = |index: &usize| passed(&self.attempts[*index]);
            let none = !mine.iter().any(passes);
            let best = mine.iter().fold(None, |best, index| better(&self.attempts, best, *index)).filter(|_| none);
            let counts =
                |index: &usize| passes(index) || self.attempts[*index].id == AttemptId::HAND || best == Some(*index);
            for index in mine.into_iter().filter(counts) {
                let hash = self.attempts[index].hash();
                match found.iter_mut().find(|(other, _)| *other == hash) {
                    Some((_, place)) if passes(&index) || !passes(place) => *place = index,
                    Some(_) => {}
                    None => found.push((hash, index)),
                }
            }
        }
        found.into_iter().map(|(_, index)| index).collect()
    }

    /// Index of the version with this content hash.
    pub(super) fn version(&self, result_hash: &str) -> Option<usize> {
        self.versions().into_iter().find(|index| self.attempts[*index].hash() == result_hash)
    }

    /// Back to a version, with the plan that it was written for: to its review, or to what stands in its way.
    pub(super) fn choose(&mut self, index: usize) -> Vec<Effect> {
        let Some(set) = self.set_of(index) else { return Vec::new() };
        let AttemptSet { plan, work, repaired, failed, .. } = self.sets[set].clone();
        self.work = work;
        if self.approved_plan() != plan.as_ref() {
            match plan {
                Some(plan) => self.take_plan(plan),
                None => self.planning = PlanState::default(),
            }
            self.planning.approved = self.planning.plan.is_some();
        }
        self.repaired = repaired;
        self.current = Some(index);
        self.storage = None;
        let attempt = &self.attempts[index];
        if passed(attempt) {
            let attempt = attempt.id;
            (self.state, self.reason, self.best) = (StateName::Review, None, Some(index));
            return vec![Effect::ShowReview { attempt }];
        }
        let hand = attempt.id == AttemptId::HAND;
        self.best = self.range(set).fold(None, |best, index| better(&self.attempts, best, index));
        let reason = if hand { FailureReason::Hand } else { failed.unwrap_or(FailureReason::Attempts) };
        (self.state, self.reason) = (StateName::Failed, Some(reason));
        vec![Effect::ShowFailure { reason, best: self.best.map(|best| self.attempts[best].id) }]
    }

    /// What the page shows of the versions; their files where one can be chosen.
    pub(super) fn versions_view(&self) -> Vec<VersionView> {
        let still =
            matches!(self.state, StateName::Review | StateName::Failed | StateName::Cancelled | StateName::Installed);
        let view = |index: usize| {
            let attempt = &self.attempts[index];
            let tests = attempt.tests.as_deref().unwrap_or_default();
            let set = self.set_of(index).map_or(0..0, |set| self.range(set));
            let written = |at: &usize| self.attempts[*at].id != AttemptId::HAND && *at <= index;
            VersionView {
                result_hash: content_hash(&attempt.files),
                number: attempt.id,
                at: attempt.ended_at.unwrap_or(attempt.started_at),
                ok: passed(attempt),
                shown: self.current == Some(index),
                passed: count(tests.iter().filter(|test| test.ok).count()),
                tests: count(tests.len()),
                attempts: count(set.filter(written).count()),
                autofixes: count(attempt.autofixes.len()),
                differences: attempt.plan.clone(),
                files: if still { attempt.files.clone() } else { Files::new() },
            }
        };
        self.versions().into_iter().map(view).collect()
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Whether it may be signed.
fn passed(attempt: &Attempt) -> bool {
    attempt.check_ok() && attempt.tests_pass() && attempt.end.is_none()
}
