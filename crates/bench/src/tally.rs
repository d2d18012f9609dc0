//! How a tool did: correct, refused, wrong, and how long it took.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::case::{Case, Class};
use crate::tools::Answer;

/// What an answer is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// The text is the true text after; or a must-refuse patch was refused.
    Correct,
    /// Nothing was applied, though there was a right place.
    Refused,
    /// Another text was given; or a must-refuse patch was applied.
    Wrong,
}

/// Judges an answer. Text that is handed back as it came counts as a refusal: nothing was edited.
pub fn judge(case: &Case, answer: &Answer) -> Judgement {
    let applied = answer.as_ref().filter(|text| **text != case.base);
    match (&case.after, applied) {
        (None, None) => Judgement::Correct,
        (Some(_), None) => Judgement::Refused,
        (Some(after), Some(text)) if after == text => Judgement::Correct,
        _ => Judgement::Wrong,
    }
}

/// Counts of one row.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row {
    /// Right answers.
    pub correct: usize,
    /// Needless refusals.
    pub refused: usize,
    /// Wrong texts.
    pub wrong: usize,
}

impl Row {
    /// Cases of the row.
    pub fn total(self) -> usize {
        self.correct + self.refused + self.wrong
    }

    fn add(&mut self, judgement: Judgement) {
        match judgement {
            Judgement::Correct => self.correct += 1,
            Judgement::Refused => self.refused += 1,
            Judgement::Wrong => self.wrong += 1,
        }
    }
}

impl std::ops::AddAssign for Row {
    fn add_assign(&mut self, other: Self) {
        self.correct += other.correct;
        self.refused += other.refused;
        self.wrong += other.wrong;
    }
}

/// All rows of one tool.
#[derive(Debug, Default)]
pub struct Tally {
    /// By class.
    pub rows: BTreeMap<Class, Row>,
    /// By class of replies, after one repair turn.
    pub repaired: BTreeMap<Class, Row>,
    times: Vec<Duration>,
}

impl Tally {
    /// Counts an answer.
    pub fn add(&mut self, case: &Case, judgement: Judgement, took: Duration) {
        self.rows.entry(case.class.clone()).or_default().add(judgement);
        self.times.push(took);
    }

    /// Counts what became of a reply after one repair turn.
    pub fn add_repaired(&mut self, case: &Case, judgement: Judgement) {
        self.repaired.entry(case.class.clone()).or_default().add(judgement);
    }

    /// The rows that `which` accepts, as one.
    pub fn sum(&self, which: impl Fn(&Class) -> bool) -> Row {
        let mut sum = Row::default();
        for (_, row) in self.rows.iter().filter(|(class, _)| which(class)) {
            sum += *row;
        }
        sum
    }

    /// The time below which this share of the answers came.
    pub fn time(&self, share: f64) -> Duration {
        let mut sorted = self.times.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        sorted.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
    }
}
