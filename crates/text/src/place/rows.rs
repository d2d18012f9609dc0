//! Lines of a body, ready to be compared with a base, and where a sequence of them stands.

use std::ops::Range;

use super::Rung;
use crate::base::{Base, Budget, Form, NOWHERE, TooCostly};
use crate::region::{BodyLine, Kind};

/// A line of a body in the form in which it is compared. A two-way line has two keys.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    form: Form,
    key: u32,
    with_blank: u32,
}

impl Row {
    fn new(base: &Base<'_>, line: &BodyLine, form: Form) -> Self {
        let key = |text: &str| base.keys(form).key(&form.of(text));
        Self { form, key: key(&line.text), with_blank: line.with_blank.as_deref().map_or(NOWHERE, key) }
    }

    /// Whether the base line at a place equals this line.
    pub fn equals(&self, base: &Base<'_>, at: usize) -> bool {
        let key = base.keys(self.form).of_line[at];
        key == self.key || key == self.with_blank
    }

    /// Whether no base line equals this line.
    pub fn is_nowhere(&self) -> bool {
        self.key == NOWHERE && self.with_blank == NOWHERE
    }

    /// The base lines that equal this line, ascending but for two-way lines.
    pub fn places<'b>(&self, base: &'b Base<'_>) -> impl Iterator<Item = usize> + use<'b> {
        let keys = base.keys(self.form);
        let second = if self.with_blank == self.key { NOWHERE } else { self.with_blank };
        keys.places(self.key).iter().chain(keys.places(second)).map(|at| *at as usize)
    }

    pub fn count(&self, base: &Base<'_>) -> usize {
        let keys = base.keys(self.form);
        keys.places(self.key).len() + keys.places(self.with_blank).len()
    }
}

/// The old lines of a body in the forms of a rung: context and deletions may have different ones.
pub(super) fn old_rows(base: &Base<'_>, old: &[&BodyLine], rung: Rung) -> Vec<Row> {
    let (context, deletion) = match rung {
        Rung::Whitespace => (Form::Folded, Form::Trimmed),
        Rung::Unicode => (Form::PlainFolded, Form::PlainTrimmed),
        _ => (Form::Exact, Form::Exact),
    };
    let form = |line: &BodyLine| if line.kind == Kind::Delete { deletion } else { context };
    old.iter().map(|line| Row::new(base, line, form(line))).collect()
}

/// The new lines of a body, exactly.
pub(super) fn new_rows(base: &Base<'_>, lines: &[BodyLine]) -> Vec<Row> {
    lines.iter().filter(|line| line.is_new()).map(|line| Row::new(base, line, Form::Exact)).collect()
}

/// Whether the rows stand in the base from a line on.
pub(super) fn stands(base: &Base<'_>, rows: &[Row], at: usize, budget: &Budget) -> Result<bool, TooCostly> {
    if at + rows.len() > base.len() {
        return Ok(false);
    }
    let equal = rows.iter().enumerate().take_while(|(i, row)| row.equals(base, at + i)).count();
    budget.take(equal + 1)?;
    Ok(equal == rows.len())
}

/// Every line from which the rows stand in the base, ascending.
pub(super) fn find(base: &Base<'_>, rows: &[Row], budget: &Budget) -> Result<Vec<usize>, TooCostly> {
    let Some((rarest, row)) = rows.iter().enumerate().min_by_key(|(_, row)| row.count(base)) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for at in row.places(base) {
        if at >= rarest && stands(base, rows, at - rarest, budget)? {
            found.push(at - rarest);
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Every line of some ranges from which the rows stand in the base.
pub(super) fn find_within(
    base: &Base<'_>,
    rows: &[Row],
    ranges: &[Range<i64>],
    budget: &Budget,
) -> Result<Vec<usize>, TooCostly> {
    let mut found = Vec::new();
    for at in within_base(base, ranges) {
        if stands(base, rows, at, budget)? {
            found.push(at);
        }
    }
    Ok(found)
}

/// The lines of the base that lie in some ranges, ascending, each once.
pub(super) fn within_base(base: &Base<'_>, ranges: &[Range<i64>]) -> Vec<usize> {
    let end = base.len() as i64;
    let mut lines: Vec<usize> =
        ranges.iter().flat_map(|range| range.start.max(0)..range.end.min(end)).map(|at| at as usize).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}
