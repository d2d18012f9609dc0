//! A place with the old lines of a hunk laid on base lines.

use crate::base::Base;
use crate::fold::is_informative;
use crate::region::{BodyLine, Reading};
use crate::transport::indentation;

/// The old lines of a reading on base lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Match {
    /// Where the whole hunk would begin, lines left out at its start included.
    pub place: i64,
    map: Map,
    /// Lines that were skipped, left out, or are only alike.
    pub tolerated: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Map {
    /// Line by line, but for those left out at both ends.
    Straight { lead: usize, old: usize },
    /// By old line; `None` is left out.
    Listed(Vec<Option<usize>>),
}

impl Match {
    /// Every old line on the base line in its place, but for `lead` and `tail` at the ends.
    pub fn straight(place: i64, old: usize, lead: usize, tail: usize) -> Self {
        Self { place, map: Map::Straight { lead, old: old - tail }, tolerated: lead + tail }
    }

    pub fn listed(place: i64, lines: Vec<Option<usize>>, tolerated: usize) -> Self {
        Self { place, map: Map::Listed(lines), tolerated }
    }

    /// The base line of an old line.
    pub fn base_line(&self, old: usize) -> Option<usize> {
        match &self.map {
            Map::Straight { lead, old: end } => {
                (*lead..*end).contains(&old).then(|| usize::try_from(self.place + old as i64).ok()).flatten()
            }
            Map::Listed(lines) => lines.get(old).copied().flatten(),
        }
    }

    /// Informative old lines that are matched, and that are left out.
    pub fn evidence(&self, old: &[&BodyLine]) -> (usize, usize) {
        let informative = old.iter().enumerate().filter(|(_, line)| is_informative(&line.text));
        informative.fold((0, 0), |(matched, left_out), (at, _)| match self.base_line(at) {
            Some(_) => (matched + 1, left_out),
            None => (matched, left_out + 1),
        })
    }
}

/// The old lines of a reading.
pub(crate) fn old_lines(reading: &Reading) -> Vec<&BodyLine> {
    reading.lines.iter().filter(|line| line.is_old()).collect()
}

/// The reading with every two-way line in the form that stands in the base: the one that is indented as the base line is.
pub(crate) fn settled(reading: &Reading, base: &Base<'_>, found: &Match) -> Reading {
    let mut settled = reading.clone();
    for (old, line) in settled.lines.iter_mut().filter(|line| line.is_old()).enumerate() {
        if let Some(with_blank) = line.with_blank.take()
            && let Some(at) = found.base_line(old)
            && indentation(base.content(at)) == indentation(&with_blank)
        {
            line.text = with_blank;
        }
    }
    settled
}
