//! The noise of the benchmark: what people, models, editors and time do to a patch or to its base.
//!
//! Each kind is defined once, at its variant. Kinds are applied in the order of the enum: first what happens to the base,
//! then to the hunks, then to the headers, then to the text of the patch. A kind answers false when the case gives it
//! nothing to change; such a case does not count for its class.

mod base;
mod hunk;
mod text;

use crate::draft::Draft;
use crate::random::Random;

/// A kind of noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Noise {
    /// 1 to 20 lines of another file (once in six 21 to 45) put into the base above all hunks, or 1 to 5 lines taken out
    /// there (once in three); the numbers of the patch stay as they were.
    DriftAbove,
    /// Within a context of the base one line is rewritten, or one line of another file put in, or one line taken out.
    DriftInside,
    /// The old lines of a hunk stand in the base once more, at its top or its end; the numbers are right.
    Duplicated,
    /// The base has CR LF, the patch LF.
    CrlfBase,
    /// One line that the patch deletes reads otherwise in the base. Must be refused.
    Rewritten,
    /// The base is the text after. Must be refused.
    Applied,
    /// The old lines of a hunk stand in the base twice, and no hunk has a number. Must be refused.
    Ambiguous,
    /// One letter of a context line is replaced, lost, doubled, or changes places with the next.
    Typo,
    /// One context line is missing; the header still counts it.
    Dropped,
    /// One context line is missing, and the header's counts are those of what is there. Not the neighbour of an
    /// insertion: where that would belong could nobody say.
    DroppedCounted,
    /// One context line is replaced by a line of another file.
    Imagined,
    /// One context line at each side of a hunk, no more; the numbers are right.
    Shortened,
    /// Quotes of context and deleted lines are curly.
    SmartQuotes,
    /// The lines of each hunk have lost their common indentation.
    Dedent,
    /// Leading blanks are tabs, 4 blanks each, or 2 where 4 do not divide all indentations of the patch.
    Tabs,
    /// Empty context lines have lost the blank that marks them.
    LostBlanks,
    /// No context line has its marker. Not where a context line begins like a marker.
    Unmarked,
    /// The starts of the headers are wrong: all by one distance of up to 30, or each by its own.
    Numbers,
    /// Both counts of each header are wrong, by up to 4.
    Counts,
    /// `@@`, `@@ ... @@`, or `@@ ` and the section text stand for each header.
    Bare,
    /// No `diff --git`, `---` and `+++` lines.
    Headers,
    /// Prose and a fence around the patch.
    Fences,
    /// The patch has CR LF, the base LF.
    CrlfPatch,
}

/// The 17 kinds of the issue; `Dropped` counts once, in its two forms.
pub const SINGLE: &[Noise] = &[
    Noise::Numbers,
    Noise::Counts,
    Noise::Bare,
    Noise::Headers,
    Noise::Fences,
    Noise::LostBlanks,
    Noise::CrlfPatch,
    Noise::CrlfBase,
    Noise::Typo,
    Noise::Dropped,
    Noise::DroppedCounted,
    Noise::Dedent,
    Noise::DriftAbove,
    Noise::DriftInside,
    Noise::Unmarked,
    Noise::SmartQuotes,
    Noise::Tabs,
    Noise::Duplicated,
];

/// A kind of the issue for a pair: the two forms of a dropped line are one kind.
pub fn any_kind(random: &mut Random) -> Noise {
    let kinds: Vec<Noise> = SINGLE.iter().copied().filter(|noise| *noise != Noise::DroppedCounted).collect();
    match random.pick(&kinds) {
        Some(Noise::Dropped) if random.once_in(2) => Noise::DroppedCounted,
        Some(noise) => *noise,
        None => Noise::Headers,
    }
}

/// The kinds of noise that are measured two at once.
pub const HARD: &[Noise] = &[Noise::Imagined, Noise::Shortened];

/// Nothing of these may be applied.
pub const REFUSE: &[Noise] = &[Noise::Rewritten, Noise::Applied, Noise::Ambiguous];

impl Noise {
    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::DriftAbove => "base drifted above",
            Self::DriftInside => "base drifted inside the context",
            Self::Duplicated => "duplicated code, right numbers",
            Self::CrlfBase => "CRLF base",
            Self::Rewritten => "deleted line rewritten",
            Self::Applied => "already applied",
            Self::Ambiguous => "ambiguous",
            Self::Typo => "typo in a context line",
            Self::Dropped => "dropped context line",
            Self::DroppedCounted => "dropped context line, counts adjusted",
            Self::Imagined => "imagined context line",
            Self::Shortened => "shortened context",
            Self::SmartQuotes => "smart quotes",
            Self::Dedent => "uniform dedent",
            Self::Tabs => "tabs for blanks",
            Self::LostBlanks => "lost blanks on empty lines",
            Self::Unmarked => "context without prefix",
            Self::Numbers => "wrong line numbers",
            Self::Counts => "wrong counts",
            Self::Bare => "bare @@",
            Self::Headers => "missing headers",
            Self::Fences => "fences and prose",
            Self::CrlfPatch => "CRLF patch",
        }
    }

    /// Changes the draft; false where there is nothing to change. `donor` holds lines of another file.
    pub fn apply(self, draft: &mut Draft, random: &mut Random, donor: &[String]) -> bool {
        match self {
            Self::DriftAbove => base::drift_above(draft, random, donor),
            Self::DriftInside => base::drift_inside(draft, random, donor),
            Self::Duplicated => base::duplicated(draft, random),
            Self::CrlfBase => base::crlf(draft),
            Self::Rewritten => base::rewritten(draft, random),
            Self::Applied => base::applied(draft),
            Self::Ambiguous => base::ambiguous(draft, random),
            Self::Typo => hunk::typo(draft, random),
            Self::Dropped => hunk::dropped(draft, random, false),
            Self::DroppedCounted => hunk::dropped(draft, random, true),
            Self::Imagined => hunk::imagined(draft, random, donor),
            Self::Shortened => hunk::shortened(draft),
            Self::SmartQuotes => hunk::smart_quotes(draft),
            Self::Dedent => hunk::dedent(draft),
            Self::Tabs => hunk::tabs(draft),
            Self::LostBlanks => hunk::lost_blanks(draft),
            Self::Unmarked => hunk::unmarked(draft),
            Self::Numbers => text::numbers(draft, random),
            Self::Counts => text::counts(draft, random),
            Self::Bare => text::bare(draft, random),
            Self::Headers => text::headers(draft),
            Self::Fences => text::fences(draft, random),
            Self::CrlfPatch => text::crlf(draft),
        }
    }

    /// Whether it happens to the base.
    pub fn changes_base(self) -> bool {
        self <= Self::Ambiguous
    }

    /// Whether two kinds can be told apart when both are there, and leave one right answer. The copy of duplicated code
    /// is told from the original by its number alone.
    pub fn goes_with(self, other: Self) -> bool {
        let pair = (self.min(other), self.max(other));
        !matches!(
            pair,
            (Self::Dropped, Self::DroppedCounted | Self::Counts | Self::Bare)
                | (Self::Duplicated, Self::Numbers | Self::Bare)
                | (Self::DriftAbove, Self::Duplicated)
                | (Self::Ambiguous, Self::Numbers | Self::Counts | Self::Bare)
                | (Self::Numbers | Self::Counts, Self::Bare)
                | (Self::LostBlanks, Self::Unmarked)
                | (Self::Dedent, Self::Tabs)
        ) && self != other
    }
}
