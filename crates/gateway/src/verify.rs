//! Recomputing a dumped ledger: `held` from what is open, `spent` and `overrun` from what was charged, each request once
//! (spec: gateway.md §6 (2) to (4)).
//!
//! Reads line by line and keeps windows and open calls only. A window may stand in a dump twice: first as it was when the
//! dump began. Invariant: what happened while the ledger was dumped is no difference; windows that it touched are told as
//! not compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Deserialize;
use serde_json::Value;

use crate::budget::{Ms, Unit};

/// One window of one budget: the name of its windows, and its start.
type Place = (String, Ms);

/// What a dump says that does not add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// A window that differs from what its rows give.
    Window { budget: String, start_ms: Ms, member: &'static str, told: u64, found: u64 },
    /// An id with two rows.
    Twice { request_id: String },
    /// An id with a row and a hold.
    HeldAndClosed { request_id: String },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Window { budget, start_ms, member, told, found } => {
                write!(f, "{budget} from {start_ms}: {member} is {told}, its rows give {found}")
            }
            Self::Twice { request_id } => write!(f, "{request_id} has two rows"),
            Self::HeldAndClosed { request_id } => write!(f, "{request_id} is held and closed"),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerVerdict {
    /// Everything that does not add up, windows by name, then requests.
    pub differences: Vec<Difference>,
    pub windows: usize,
    /// Windows that were changed while the ledger was dumped.
    pub not_compared: usize,
    pub rows: u64,
    pub open: u64,
}

/// Why a dump cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// Not a line of a dump.
    #[error("line {0} is no line of a dump: {1}")]
    Line(u64, serde_json::Error),
    /// A dump begins with its head.
    #[error("the dump has no head: begin with the first page")]
    NoHead,
    /// A page is missing behind the last one.
    #[error("the dump is not whole: ask for the page of the cursor {0}")]
    Cut(String),
    /// It ends in the middle of a page.
    #[error("the dump is not whole: its last page has no end")]
    NoEnd,
}

#[derive(Deserialize)]
struct Line {
    table: String,
    row: Value,
}

#[derive(Deserialize)]
struct HeadRow {
    at: Ms,
}

#[derive(Deserialize)]
struct PageRow {
    next: Option<String>,
}

#[derive(Deserialize)]
struct WindowRow {
    budget_id: String,
    start_ms: Ms,
    spent: u64,
    held: u64,
    overrun: u64,
    /// It was changed behind the first page.
    #[serde(default)]
    changed: bool,
}

/// What rows charged that are deleted.
#[derive(Deserialize)]
struct PastRow {
    budget_id: String,
    start_ms: Ms,
    amount: u64,
    excess: u64,
}

#[derive(Deserialize)]
struct InWindow {
    budget: String,
    unit: Unit,
    start_ms: Ms,
}

#[derive(Deserialize)]
struct HoldRow {
    request_id: String,
    tokens: u64,
    cost: u64,
    windows: Vec<InWindow>,
}

#[derive(Deserialize)]
struct RunRow {
    tokens: u64,
    cost: u64,
    spent_tokens: u64,
    spent_cost: u64,
    windows: Vec<InWindow>,
}

#[derive(Deserialize)]
struct ChargeRow {
    budget_id: String,
    start_ms: Ms,
    amount: u64,
    excess: u64,
}

#[derive(Deserialize)]
struct ClosedRow {
    request_id: String,
    at_ms: Ms,
    closed_ms: Ms,
    charges: Vec<ChargeRow>,
}

/// It is one of `spent`, `held`, `overrun`.
#[derive(Debug, Clone, Copy, Default)]
struct Sums([u64; 3]);

const MEMBERS: [&str; 3] = ["spent", "held", "overrun"];

/// A dump while it is read.
#[derive(Default)]
pub struct Verifier {
    line: u64,
    at: Option<Ms>,
    told: BTreeMap<Place, Sums>,
    found: BTreeMap<Place, Sums>,
    held: BTreeSet<String>,
    moved: BTreeSet<Place>,
    last: String,
    page: Option<PageRow>,
    verdict: LedgerVerdict,
}

impl Verifier {
    /// Takes the next line; empty ones are passed over.
    pub fn take(&mut self, line: &str) -> Result<(), DumpError> {
        self.line += 1;
        if line.trim().is_empty() {
            return Ok(());
        }
        let number = self.line;
        let no_line = |error| DumpError::Line(number, error);
        let Line { table, row } = serde_json::from_str(line).map_err(no_line)?;
        if self.at.is_none() && table != "head" {
            return Err(DumpError::NoHead);
        }
        self.page = None;
        match table.as_str() {
            "head" => self.at = Some(serde_json::from_value::<HeadRow>(row).map_err(no_line)?.at),
            "budget_window" => {
                let WindowRow { budget_id, start_ms, spent, held, overrun, changed } =
                    serde_json::from_value(row).map_err(no_line)?;
                let place = (budget_id, start_ms);
                // What the first page says of a window is of the moment that everything else is compared with.
                if changed && !self.told.contains_key(&place) {
                    self.moved.insert(place);
                } else {
                    self.told.entry(place).or_insert(Sums([spent, held, overrun]));
                }
            }
            "hold" => self.hold(serde_json::from_value(row).map_err(no_line)?),
            "run" => self.run(&serde_json::from_value(row).map_err(no_line)?),
            "charge_past" => {
                let PastRow { budget_id, start_ms, amount, excess } = serde_json::from_value(row).map_err(no_line)?;
                self.add((budget_id, start_ms), Sums([amount, 0, excess]));
            }
            "ledger" => self.closed(serde_json::from_value(row).map_err(no_line)?),
            "page" => self.page = Some(serde_json::from_value(row).map_err(no_line)?),
            // Budgets and day sums, and what later versions tell beside them.
            _ => {}
        }
        Ok(())
    }

    /// What was found, once every line was taken.
    pub fn end(mut self) -> Result<LedgerVerdict, DumpError> {
        match (self.at, self.page.take()) {
            (None, _) => return Err(DumpError::NoHead),
            (_, None) => return Err(DumpError::NoEnd),
            (_, Some(PageRow { next: Some(next) })) => return Err(DumpError::Cut(next)),
            _ => {}
        }
        let mut windows = Vec::new();
        let places: BTreeSet<&Place> = self.told.keys().chain(self.found.keys()).chain(&self.moved).collect();
        for place in places {
            if self.moved.contains(place) {
                self.verdict.not_compared += 1;
                continue;
            }
            let of = |sums: &BTreeMap<Place, Sums>| sums.get(place).copied().unwrap_or_default();
            let (told, found) = (of(&self.told), of(&self.found));
            let before = windows.len();
            for (index, member) in MEMBERS.into_iter().enumerate() {
                if told.0[index] != found.0[index] {
                    let (budget, start_ms) = place.clone();
                    let (told, found) = (told.0[index], found.0[index]);
                    windows.push(Difference::Window { budget, start_ms, member, told, found });
                }
            }
            self.verdict.windows += usize::from(windows.len() == before);
        }
        windows.append(&mut self.verdict.differences);
        self.verdict.differences = windows;
        Ok(self.verdict)
    }

    fn hold(&mut self, hold: HoldRow) {
        self.verdict.open += 1;
        for window in hold.windows {
            let amount = match window.unit {
                Unit::Tokens => hold.tokens,
                Unit::Cost => hold.cost,
                Unit::Requests => 1,
            };
            self.add((window.budget, window.start_ms), Sums([0, amount, 0]));
        }
        self.held.insert(hold.request_id);
    }

    /// An open run holds what its calls did not spend, theirs too.
    fn run(&mut self, run: &RunRow) {
        self.verdict.open += 1;
        for window in &run.windows {
            let amount = match window.unit {
                Unit::Tokens => run.tokens.saturating_sub(run.spent_tokens),
                Unit::Cost => run.cost.saturating_sub(run.spent_cost),
                Unit::Requests => 0,
            };
            self.add((window.budget.clone(), window.start_ms), Sums([0, amount, 0]));
        }
    }

    fn closed(&mut self, row: ClosedRow) {
        self.verdict.rows += 1;
        if row.request_id == self.last {
            self.verdict.differences.push(Difference::Twice { request_id: row.request_id });
            return;
        }
        let since = self.at.is_some_and(|at| row.closed_ms > at);
        let held = self.held.contains(&row.request_id);
        if held && !since {
            self.verdict.differences.push(Difference::HeldAndClosed { request_id: row.request_id.clone() });
        }
        let corrected = since && !held && self.at.is_some_and(|at| row.at_ms <= at);
        for charge in row.charges {
            let place = (charge.budget_id, charge.start_ms);
            if corrected {
                self.moved.insert(place);
            } else if !since {
                self.add(place, Sums([charge.amount, 0, charge.excess]));
            }
        }
        self.last = row.request_id;
    }

    fn add(&mut self, place: Place, more: Sums) {
        let sums = self.found.entry(place).or_default();
        for (sum, more) in sums.0.iter_mut().zip(more.0) {
            *sum = sum.saturating_add(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"{"table":"head","row":{"account":"dev","at":100,"last":"r9"}}"#;
    const END: &str = r#"{"table":"page","row":{"next":null}}"#;

    fn verified(lines: &[&str]) -> Result<LedgerVerdict, DumpError> {
        let mut verifier = Verifier::default();
        for line in [HEAD].iter().chain(lines).chain([&END]) {
            verifier.take(line)?;
        }
        verifier.end()
    }

    fn window(spent: u64, held: u64, overrun: u64) -> String {
        format!(
            r#"{{"table":"budget_window","row":{{"budget_id":"b","start_ms":0,"spent":{spent},"held":{held},"overrun":{overrun}}}}}"#
        )
    }

    const HOLD: &str = r#"{"table":"hold","row":{"request_id":"r5","tokens":30,"cost":7,"windows":[{"budget":"b","unit":"tokens","start_ms":0}]}}"#;
    const RUN: &str = r#"{"table":"run","row":{"tokens":50,"cost":0,"spent_tokens":20,"spent_cost":0,"windows":[{"budget":"b","unit":"tokens","start_ms":0}]}}"#;

    fn row(id: &str, at: Ms, closed: Ms, amount: u64) -> String {
        format!(
            r#"{{"table":"ledger","row":{{"request_id":"{id}","at_ms":{at},"closed_ms":{closed},"charges":[{{"budget_id":"b","start_ms":0,"amount":{amount},"excess":1}}]}}}}"#
        )
    }

    #[test]
    fn what_adds_up_and_what_does_not() {
        let (one, two) = (row("r1", 5, 9, 40), row("r2", 6, 9, 2));
        let good = verified(&[&window(42, 60, 2), HOLD, RUN, &one, &two]).unwrap();
        assert_eq!((good.differences, good.windows, good.rows, good.open), (vec![], 1, 2, 2));
        let bad = verified(&[&window(41, 61, 2), HOLD, RUN, &one, &two, &two]).unwrap();
        let told: Vec<String> = bad.differences.iter().map(ToString::to_string).collect();
        let want =
            ["b from 0: spent is 41, its rows give 42", "b from 0: held is 61, its rows give 60", "r2 has two rows"];
        assert_eq!(told, want);
        let both = verified(&[&window(3, 30, 1), HOLD, &row("r5", 5, 9, 3)]).unwrap();
        assert_eq!(both.differences, [Difference::HeldAndClosed { request_id: "r5".to_owned() }]);
        let none = verified(&[&one]).unwrap();
        assert_eq!(none.differences.len(), 2, "charges without a window");
    }

    #[test]
    fn what_happens_while_it_is_dumped_is_no_difference() {
        let ended = row("r5", 5, 101, 9);
        let begun = row("r6", 101, 130, 9);
        let good = verified(&[&window(0, 30, 0), HOLD, &ended, &begun]).unwrap();
        assert_eq!((good.differences, good.windows, good.not_compared), (vec![], 1, 0));
        let corrected = verified(&[&window(50, 0, 0), &row("r4", 5, 110, 9)]).unwrap();
        assert_eq!((corrected.differences, corrected.windows, corrected.not_compared), (vec![], 0, 1));
    }

    #[test]
    fn what_is_no_whole_dump() {
        let read = |lines: &[&str]| {
            let mut verifier = Verifier::default();
            lines.iter().try_for_each(|line| verifier.take(line))?;
            verifier.end()
        };
        assert!(matches!(read(&[]), Err(DumpError::NoHead)));
        assert!(matches!(read(&[HOLD]), Err(DumpError::NoHead)));
        assert!(matches!(read(&[HEAD]), Err(DumpError::NoEnd)));
        assert!(matches!(read(&[HEAD, END, HOLD]), Err(DumpError::NoEnd)));
        assert!(matches!(read(&[HEAD, "{", END]), Err(DumpError::Line(2, _))));
        let more = r#"{"table":"page","row":{"next":"1.r9.r5"}}"#;
        assert!(matches!(read(&[HEAD, more]), Err(DumpError::Cut(next)) if next == "1.r9.r5"));
        assert!(read(&[HEAD, more, "", END]).is_ok());
    }
}
