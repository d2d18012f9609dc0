//! The rungs `fuzz1` and `fuzz2`: exact, with context lines left out at the ends (spec: text-engine.md §7 "Rungs").

use super::Rung;
use super::matching::Match;
use super::rows::{Row, find, stands};
use crate::base::{Base, Budget, TooCostly};
use crate::limits::MAX_FUZZ;
use crate::region::{BodyLine, Kind, Reading};

/// How many lines may be left out at the start and at the end: no deletion, no context line directly beside a run of
/// insertions that has no deletion in it, never all old lines.
#[derive(Debug, Clone, Copy)]
struct Slack {
    lead: usize,
    tail: usize,
}

fn slack(reading: &Reading) -> Slack {
    let pure = pure_insertions(&reading.lines);
    let droppable = |at: usize| {
        let beside = |at: Option<usize>| at.and_then(|at| pure.get(at)).copied().unwrap_or(false);
        reading.lines[at].kind == Kind::Context && !beside(at.checked_sub(1)) && !beside(Some(at + 1))
    };
    let olds = || (0..reading.lines.len()).filter(|at| reading.lines[*at].is_old());
    Slack {
        lead: olds().take(MAX_FUZZ).take_while(|at| droppable(*at)).count(),
        tail: olds().rev().take(MAX_FUZZ).take_while(|at| droppable(*at)).count(),
    }
}

/// By body line: whether it belongs to a run without deletions.
fn pure_insertions(lines: &[BodyLine]) -> Vec<bool> {
    let mut pure = Vec::with_capacity(lines.len());
    for chunk in lines.chunk_by(|a, b| (a.kind == Kind::Context) == (b.kind == Kind::Context)) {
        let is_pure = chunk.iter().all(|line| line.kind == Kind::Insert);
        pure.extend(std::iter::repeat_n(is_pure, chunk.len()));
    }
    pure
}

/// What a rung leaves out, as (lead, tail), fewest lines first.
fn cuts(rung: Rung) -> &'static [(usize, usize)] {
    match rung {
        Rung::Fuzz1 => &[(1, 0), (0, 1), (1, 1)],
        _ => &[(2, 0), (0, 2), (2, 1), (1, 2), (2, 2)],
    }
}

/// Every place on a fuzz rung; of equal places that with the fewest lines left out.
pub(super) fn find_fuzz(
    base: &Base<'_>,
    reading: &Reading,
    rows: &[Row],
    rung: Rung,
    budget: &Budget,
) -> Result<Vec<Match>, TooCostly> {
    let slack = slack(reading);
    let mut found: Vec<Match> = Vec::new();
    for (lead, tail) in allowed(rung, slack, rows.len()) {
        for at in find(base, &rows[lead..rows.len() - tail], budget)? {
            found.push(Match::straight(at as i64 - lead as i64, rows.len(), lead, tail));
        }
    }
    // Two cuts at one place do the same; the sort is stable.
    found.sort_by_key(|one| one.place);
    found.dedup_by_key(|one| one.place);
    Ok(found)
}

fn allowed(rung: Rung, slack: Slack, old: usize) -> impl Iterator<Item = (usize, usize)> {
    let fits = move |cut: &(usize, usize)| cut.0 <= slack.lead && cut.1 <= slack.tail && cut.0 + cut.1 < old;
    cuts(rung).iter().copied().filter(fits)
}

/// The first fuzz candidate at a place.
pub(super) fn fuzz_at(
    base: &Base<'_>,
    reading: &Reading,
    rows: &[Row],
    place: i64,
    budget: &Budget,
) -> Result<Option<Match>, TooCostly> {
    let slack = slack(reading);
    for rung in [Rung::Fuzz1, Rung::Fuzz2] {
        for (lead, tail) in allowed(rung, slack, rows.len()) {
            if let Ok(at) = usize::try_from(place + lead as i64)
                && stands(base, &rows[lead..rows.len() - tail], at, budget)?
            {
                return Ok(Some(Match::straight(place, rows.len(), lead, tail)));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Numbers;
    use crate::region::Readings;
    use crate::transport::transport;

    #[test]
    fn what_may_be_left_out() {
        let cases = [
            (" a\n b\n-c\n+d\n e\n f\n", (2, 2)),
            (" a\n b\n+c\n d\n", (1, 0)),
            (" a\n-c\n", (1, 0)),
            ("+a\n b\n c\n-d\n", (0, 0)),
            (" a\n+b\n-c\n d\n", (1, 1)),
        ];
        for (body, want) in cases {
            let readings = Readings::new(transport(body, false).lines, None::<Numbers>);
            let Slack { lead, tail } = slack(readings.first().unwrap());
            assert_eq!((lead, tail), want, "{body}");
        }
    }
}
