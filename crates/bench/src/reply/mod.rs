//! Replies as models really write them (spec: text-replies.md): the kinds of its table, in its shares.
//!
//! Each kind is defined once, at its variant. What is true of a case stays what it is: a kind changes what the reply
//! says, and the text after is always the base with the true edits.

mod author;
mod blocks;

use crate::change::Mark;
use crate::draft::{Draft, Header};
use crate::noise::Noise;
use crate::random::Random;

pub use author::repaired;

/// How a model wrote its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Habit {
    /// Both counts of each header are wrong.
    Counts,
    /// The starts of the headers are wrong by 1 to 3, each by its own.
    Numbers,
    /// Empty context lines are empty lines.
    EmptyLines,
    /// A fence closes behind the last hunk.
    ClosingFence,
    /// A context line is left out.
    LeftOut,
    /// The lines of each hunk have lost their common indentation.
    Shifted,
    /// A word of a context line is another word.
    ChangedContext,
    /// A letter of a context line is wrong.
    Typo,
    /// The change is there already. Must be refused.
    Applied,
    /// No header has numbers.
    Unnumbered,
    /// Blocks whose old text stands in the file once.
    Block,
    /// Blocks, one of whose old texts stands there twice. Must be refused.
    Several,
    /// One block without old text, for a file that is empty.
    Empty,
    /// The texts of each block have lost their common indentation.
    ShiftedBlock,
    /// A line that a block takes away reads otherwise in the file. Must be refused.
    Absent,
    /// A block before the others whose texts are equal.
    Equal,
    /// A block brings a line that the next one changes.
    BuiltOn,
    /// The first line of each text has lost its indentation.
    FirstLine,
    /// The old text is a part of a line.
    Part,
    /// Lines above the change are left out with dots, in both texts.
    Dots,
}

/// The kinds of unified diffs; the last has no share of its own.
pub const DIFFS: &[Habit] = &[
    Habit::Counts,
    Habit::Numbers,
    Habit::EmptyLines,
    Habit::ClosingFence,
    Habit::LeftOut,
    Habit::Shifted,
    Habit::ChangedContext,
    Habit::Typo,
    Habit::Applied,
    Habit::Unnumbered,
];

/// The kinds of search and replace.
pub const BLOCKS: &[Habit] = &[
    Habit::Block,
    Habit::Several,
    Habit::Empty,
    Habit::ShiftedBlock,
    Habit::Absent,
    Habit::Equal,
    Habit::BuiltOn,
    Habit::FirstLine,
    Habit::Part,
    Habit::Dots,
];

impl Habit {
    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counts => "counts wrong",
            Self::Numbers => "line number wrong by 1 to 3",
            Self::EmptyLines => "empty line for an empty context line",
            Self::ClosingFence => "closing fence behind the hunk",
            Self::LeftOut => "base line left out",
            Self::Shifted => "one shift of indentation",
            Self::ChangedContext => "context line silently changed",
            Self::Typo => "typo-like difference",
            Self::Applied => "already applied",
            Self::Unnumbered => "without line numbers",
            Self::Block => "old text stands once, exactly",
            Self::Several => "old text stands several times",
            Self::Empty => "old text empty",
            Self::ShiftedBlock => "one shift of indentation, block",
            Self::Absent => "old text not in the file",
            Self::Equal => "old text = new text, beside others",
            Self::BuiltOn => "built on an earlier block",
            Self::FirstLine => "only the first line lost its indentation",
            Self::Part => "part of a line",
            Self::Dots => "elision on both sides",
        }
    }

    /// Its share among hunks or blocks as recorded, in percent: the middle of what the table says. Of the blocks that fail
    /// as they stand (the rest of the table) 12 % are a part of a line and 22 % have an elision.
    pub fn share(self) -> f64 {
        match self {
            Self::Counts => 68.5,
            Self::Numbers => 32.5,
            Self::EmptyLines => 12.5,
            Self::ClosingFence => 9.0,
            Self::LeftOut | Self::Empty => 2.5,
            Self::Shifted => 3.75,
            Self::ChangedContext | Self::Typo => 2.0,
            Self::Applied => 1.5,
            Self::Unnumbered => 0.0,
            Self::Block => 84.0,
            Self::Several => 2.6,
            Self::ShiftedBlock => 17.5,
            Self::Absent => 2.1,
            Self::Equal => 1.6,
            Self::BuiltOn => 1.3,
            Self::FirstLine => 5.5,
            Self::Part => 0.25,
            Self::Dots => 0.46,
        }
    }

    /// The reply to a draft, and the draft as it then is; none where there is nothing to write in this way.
    pub fn reply(self, draft: &mut Draft, random: &mut Random, donor: &[String]) -> Option<String> {
        let noise = match self {
            Self::Counts => Some(Noise::Counts),
            Self::EmptyLines => Some(Noise::LostBlanks),
            Self::LeftOut => Some(Noise::Dropped),
            Self::Shifted | Self::ShiftedBlock => Some(Noise::Dedent),
            Self::Typo => Some(Noise::Typo),
            Self::Applied => Some(Noise::Applied),
            Self::Several => Some(Noise::Ambiguous),
            Self::Absent => Some(Noise::Rewritten),
            _ => None,
        };
        if noise.is_some_and(|noise| !noise.apply(draft, random, donor)) {
            return None;
        }
        match self {
            Self::Numbers => numbers(draft, random),
            Self::ClosingFence => draft.around = Some((String::new(), "```\n".to_owned())),
            Self::ChangedContext => return changed_context(draft, random).then(|| draft.patch()),
            Self::Unnumbered => draft.hunks.iter_mut().for_each(|hunk| hunk.header = Header::Words("@@".to_owned())),
            _ => {}
        }
        if DIFFS.contains(&self) { Some(draft.patch()) } else { blocks::written(self, draft, random) }
    }
}

fn numbers(draft: &mut Draft, random: &mut Random) {
    const MOST: usize = 3;
    for hunk in &mut draft.hunks {
        let by = random.shift(MOST);
        if let Header::Ranges { old, new, .. } = &mut hunk.header {
            old.0 = old.0.saturating_add_signed(by).max(1);
            new.0 = new.0.saturating_add_signed(by).max(1);
        }
    }
}

/// A word of a context line becomes a word of another line of the hunk.
fn changed_context(draft: &mut Draft, random: &mut Random) -> bool {
    const LETTERS: usize = 3;
    fn words(text: &str) -> Vec<&str> {
        text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() >= LETTERS).collect()
    }
    let number = random.below(draft.hunks.len());
    let hunk = &mut draft.hunks[number];
    let context = hunk.context();
    let Some(index) = random.pick(&context).copied() else { return false };
    let others: Vec<String> =
        hunk.body.iter().filter(|line| line.mark != Mark::Insert).map(|line| line.text.clone()).collect();
    let known: Vec<&str> = others.iter().flat_map(|text| words(text)).collect();
    let text = hunk.body[index].text.clone();
    let own = words(&text);
    let (Some(word), Some(fresh)) = (random.pick(&own), random.pick(&known)) else { return false };
    hunk.body[index].text = text.replacen(word, fresh, 1);
    hunk.body[index].text != text
}
