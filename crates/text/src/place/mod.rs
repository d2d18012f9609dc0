//! Where the hunks of a patch belong in the lines of a text (spec: text-engine.md §7).
//!
//! Owns the order of the hunks, the ladder of rungs, and what a placed hunk is. Invariants: every hunk is placed on the
//! original lines; a hunk is placed at one place or refused with a code; the first rung with a candidate decides.

mod already;
mod anchor;
mod blank;
mod block;
mod choose;
mod doubt;
mod effect;
mod elision;
mod fuzz;
mod group;
mod indent;
mod ladder;
mod matching;
mod near;
mod placer;
mod rows;
mod second_look;
mod similar;

use serde::Serialize;

use crate::base::{Base, Budget, TooCostly};
use crate::codes::RejectCode;
use crate::header::HunkHeader;
use crate::preview::MarkedLines;
use crate::region::{Reading, Readings};
use crate::tags::{Severity, Tag, Tags};
use group::Role;
use placer::Placer;

pub(crate) use block::{block_hunk, place_block, stands_once};
pub(crate) use similar::distance;

/// The rung of the ladder on which a place was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PatchRung"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PatchRung"))]
pub enum Rung {
    Exact,
    Blank,
    Whitespace,
    Unicode,
    Near,
    Fuzz1,
    Fuzz2,
}

impl Rung {
    fn tag(self) -> Option<Tag> {
        match self {
            Self::Blank => Some(Tag::SkippedBlankLines),
            Self::Whitespace => Some(Tag::MatchedIgnoringWhitespace),
            Self::Unicode => Some(Tag::MatchedUnicodeVariants),
            Self::Near => Some(Tag::MatchedNearContext),
            Self::Exact | Self::Fuzz1 | Self::Fuzz2 => None,
        }
    }
}

/// A hunk with what it may mean.
#[derive(Debug)]
pub(crate) struct Hunk {
    pub op_index: usize,
    /// 1-based within the patch of its op.
    pub index: usize,
    pub header: HunkHeader,
    pub source: Source,
    pub readings: Readings,
    /// The sides of its file header are exchanged.
    pub reversed: bool,
}

impl Hunk {
    /// The header as it was written.
    pub fn header_line(&self) -> Option<String> {
        (self.source == Source::Headed).then(|| self.header.text.clone())
    }
}

/// What a hunk was made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// An `@@` line and what follows it.
    Headed,
    /// Lines with markers and no `@@` line.
    Unheaded,
    /// A search and replace block.
    Block,
}

/// A hunk in its place.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    /// Of the hunks of the file.
    pub hunk: usize,
    /// The lines as read, with the indentation of the base.
    pub reading: Reading,
    /// 0-based; where the whole hunk would begin.
    pub place: i64,
    pub offset: i64,
    pub rung: Rung,
    pub level: usize,
    pub deleted: Vec<usize>,
    /// By inserted line: the base line in front of which it goes.
    pub points: Vec<usize>,
    /// By old line: the base line that it is laid on.
    pub base_lines: Vec<Option<usize>>,
    pub tags: Tags,
    pub marks: Vec<MarkedLines>,
}

impl Placed {
    /// With what marks are about, and their tags.
    fn marked(mut self, marks: Vec<MarkedLines>) -> Self {
        self.tags.extend(marks.iter().map(|mark| mark.tag));
        self.marks.extend(marks);
        self
    }

    /// What a person has to confirm of it.
    pub fn doubts(&self) -> Vec<Tag> {
        self.tags.iter().copied().filter(|tag| tag.severity() == Severity::Confirm).collect()
    }

    /// Behind the last base line of the match.
    pub fn end(&self) -> usize {
        let matched = self.base_lines.iter().flatten().last().map(|at| at + 1);
        matched.or(self.points.first().copied()).unwrap_or(0)
    }
}

/// Why a hunk has no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failed {
    pub code: RejectCode,
    /// 1-based lines that compete, or the places found.
    pub candidates: Vec<i64>,
}

impl Failed {
    fn at(code: RejectCode, lines: impl IntoIterator<Item = i64>) -> Self {
        const MAX_CANDIDATES: usize = 10;
        let mut candidates: Vec<i64> = lines.into_iter().collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates.truncate(MAX_CANDIDATES);
        Self { code, candidates }
    }
}

impl From<RejectCode> for Failed {
    fn from(code: RejectCode) -> Self {
        Self { code, candidates: Vec::new() }
    }
}

impl From<TooCostly> for Failed {
    fn from(_: TooCostly) -> Self {
        RejectCode::TooCostly.into()
    }
}

/// What became of the hunks of a file.
#[derive(Debug, Default)]
pub(crate) struct Placement {
    pub placed: Vec<Placed>,
    /// By hunk of the file.
    pub failed: Vec<(usize, Failed)>,
    pub tags: Tags,
}

/// Places the hunks of a file: numbered ones by old start, then the others. A failed hunk does not stop the rest.
pub(crate) fn place_all(base: &Base<'_>, hunks: &[Hunk], budget: &Budget) -> Placement {
    let mut placement = Placement::default();
    let order = group::order(hunks, &mut placement.tags);
    let roles = group::roles(base, hunks, &order, budget, &mut placement.tags);
    let mut carried = 0;
    for (hunk, role) in order.into_iter().zip(roles) {
        let forced = match role {
            Role::Alone => None,
            Role::Assigned(at) => Some(at),
            Role::Duplicate => continue,
        };
        let placer = Placer { base, budget, hunk: &hunks[hunk], carried };
        match placer.place(forced) {
            Ok(mut placed) => {
                placed.hunk = hunk;
                if let Some(numbers) = hunks[hunk].header.numbers
                    && !placed.base_lines.is_empty()
                {
                    carried = placed.place - stated(numbers.old_start);
                }
                placement.placed.push(placed);
            }
            Err(failed) => placement.failed.push((hunk, failed)),
        }
    }
    placement
}

fn stated(old_start: usize) -> i64 {
    old_start.saturating_sub(1) as i64
}
