//! What the lines behind a hunk header may mean (spec: text-engine.md §5 "Body").
//!
//! A *region* goes from a header to the next boundary. It has several *readings*, tried in the order of the table;
//! this module owns that order. Invariant: equal readings stand once, each changes something, and none ends with the
//! empty lines at the end of the region.

mod counted;
mod uncounted;
mod variants;

use std::cell::OnceCell;

use crate::header::Numbers;
use crate::syntax::is_blank;
use crate::tags::{Tag, Tags};
use crate::transport::RawLine;

/// What the first character of a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Context,
    Delete,
    Insert,
    NoNewline,
    Empty,
    Unmarked,
}

impl Mark {
    /// Whether the character belongs to the diff and not to the content.
    pub fn is_marker(self) -> bool {
        !matches!(self, Self::Empty | Self::Unmarked)
    }
}

/// The marker of a line of a region.
pub(crate) fn mark(line: &str) -> Mark {
    match line.bytes().next() {
        None => Mark::Empty,
        Some(b' ') => Mark::Context,
        Some(b'-') => Mark::Delete,
        Some(b'+') => Mark::Insert,
        Some(b'\\') => Mark::NoNewline,
        Some(_) => Mark::Unmarked,
    }
}

/// What a line of a body does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Context,
    Delete,
    Insert,
}

impl Kind {
    /// The character in front of such a line.
    pub fn marker(self) -> char {
        match self {
            Self::Context => ' ',
            Self::Delete => '-',
            Self::Insert => '+',
        }
    }
}

/// A line of a body.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct BodyLine {
    pub kind: Kind,
    pub text: String,
    /// Of a two-way line: the text with the blank, which may be a marker or content.
    pub with_blank: Option<String>,
    /// The line ended with CR.
    pub cr: bool,
    /// A `\` line follows: the line has no ending.
    pub no_newline: bool,
}

impl BodyLine {
    /// A `\` line follows: the line has no ending, so a CR at its end is content.
    fn lose_ending(&mut self) {
        self.no_newline = true;
        if std::mem::take(&mut self.cr) {
            self.text.push('\r');
            self.with_blank.iter_mut().for_each(|text| text.push('\r'));
        }
    }

    pub fn is_old(&self) -> bool {
        self.kind != Kind::Insert
    }

    pub fn is_new(&self) -> bool {
        self.kind != Kind::Delete
    }
}

/// One meaning of a region.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub lines: Vec<BodyLine>,
    pub tags: Tags,
}

impl Reading {
    pub fn changes(&self) -> bool {
        self.lines.iter().any(|line| line.kind != Kind::Context)
    }

    pub fn old_count(&self) -> usize {
        self.lines.iter().filter(|line| line.is_old()).count()
    }

    pub fn new_count(&self) -> usize {
        self.lines.iter().filter(|line| line.is_new()).count()
    }

    fn with(&self, tag: Tag, lines: Vec<BodyLine>) -> Self {
        let mut tags = self.tags.clone();
        tags.insert(tag);
        Self { lines, tags }
    }
}

/// The readings of a region: the first at once, the others when they are asked for.
#[derive(Debug, Default)]
pub(crate) struct Readings {
    region: Vec<RawLine>,
    numbers: Option<Numbers>,
    /// Of a region that is a body as a diff writes it.
    plain: Option<Reading>,
    all: OnceCell<Vec<Reading>>,
}

impl Readings {
    pub fn new(mut region: Vec<RawLine>, numbers: Option<Numbers>) -> Self {
        while region.last().is_some_and(|line| line.text.is_empty()) {
            region.pop();
        }
        let plain = numbers.and_then(|numbers| counted::plain(&region, numbers));
        Self { region, numbers, plain, all: OnceCell::new() }
    }

    /// One reading, which is certain.
    pub fn certain(reading: Reading) -> Self {
        let shown = |line: &BodyLine| RawLine { text: format!("{}{}", line.kind.marker(), line.text), cr: line.cr };
        let region = reading.lines.iter().map(shown).collect();
        Self { region, numbers: None, plain: None, all: OnceCell::from(vec![reading]) }
    }

    /// The first reading; a region without one changes nothing.
    pub fn first(&self) -> Option<&Reading> {
        self.plain.as_ref().or_else(|| self.all().first())
    }

    /// All readings, in the order of the table.
    pub fn all(&self) -> &[Reading] {
        self.all.get_or_init(|| readings(&self.region, self.numbers))
    }

    /// The lines of the region, as they were.
    pub fn region(&self) -> &[RawLine] {
        &self.region
    }
}

fn readings(region: &[RawLine], numbers: Option<Numbers>) -> Vec<Reading> {
    let mut found = List::default();
    found.extend(base(region, numbers));
    if let Some(first) = found.0.first().cloned() {
        found.extend(variants::two_way(&first));
        found.extend(variants::without_padding(&first));
    } else {
        found.extend(variants::dedented(region).into_iter().flat_map(|region| {
            let tagged = |reading: Reading| reading.with(Tag::DedentedHunkBody, reading.lines.clone());
            base(&region, numbers).into_iter().map(tagged).collect::<Vec<_>>()
        }));
    }
    if let Some(first) = found.0.first().cloned() {
        found.extend(variants::without_line_numbers(&first));
        found.extend(variants::without_entities(&first));
    }
    found.0
}

fn base(region: &[RawLine], numbers: Option<Numbers>) -> Vec<Reading> {
    let mut found = List::default();
    if let Some(numbers) = numbers {
        found.extend(counted::counted(region, numbers, &[]));
        found.extend(counted::counted(region, numbers, &between_inserts(region)));
        if found.0.is_empty() {
            found.extend(counted::with_unmarked(region, numbers));
        }
    }
    found.extend(uncounted::uncounted(region, numbers));
    found.0
}

/// Readings in order, equal ones once, none without a change.
#[derive(Default)]
struct List(Vec<Reading>);

impl List {
    fn extend(&mut self, readings: impl IntoIterator<Item = Reading>) {
        for reading in readings {
            if reading.changes() && !self.0.iter().any(|known| known.lines == reading.lines) {
                self.0.push(reading);
            }
        }
    }
}

/// What an unmarked line stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unmarked {
    /// Nothing: there is no such reading.
    Refused,
    /// A context line that lost its marker; so the others may have lost theirs too and are two-way.
    Context,
}

/// The first `count` lines of a region as a body; `None` when a line has no meaning. Empty lines are context lines but
/// for those that are `added`.
fn body(region: &[RawLine], count: usize, added: &[bool], unmarked: Unmarked) -> Option<Reading> {
    let mut reading = Reading::default();
    let mut restored = false;
    for (at, line) in region[..count].iter().enumerate() {
        let text = line.text.as_str();
        let (kind, content) = match mark(text) {
            Mark::NoNewline => {
                if let Some(last) = reading.lines.last_mut() {
                    last.lose_ending();
                }
                continue;
            }
            Mark::Context => (Kind::Context, &text[1..]),
            Mark::Delete => (Kind::Delete, &text[1..]),
            Mark::Insert => (Kind::Insert, &text[1..]),
            Mark::Empty if is_added(added, at) => {
                reading.tags.insert(Tag::RestoredBlankInserts);
                (Kind::Insert, "")
            }
            Mark::Empty => {
                reading.tags.insert(Tag::RestoredBlankLines);
                (Kind::Context, "")
            }
            Mark::Unmarked if unmarked == Unmarked::Refused => return None,
            Mark::Unmarked => {
                restored = true;
                (Kind::Context, text)
            }
        };
        reading.lines.push(BodyLine {
            kind,
            text: content.to_owned(),
            with_blank: None,
            cr: line.cr,
            no_newline: false,
        });
        if unmarked == Unmarked::Context && mark(text) == Mark::Context {
            reading.lines.last_mut()?.with_blank = Some(text.to_owned());
        }
    }
    if restored {
        reading.tags.insert(Tag::RestoredContextPrefix);
    }
    Some(reading)
}

/// The empty lines whose nearest non-empty neighbours both begin with `+`.
fn between_inserts(region: &[RawLine]) -> Vec<bool> {
    let inserts = |line: &RawLine| mark(&line.text) == Mark::Insert;
    let sweep = |lines: &mut dyn Iterator<Item = &RawLine>| -> Vec<bool> {
        lines
            .scan(false, |inside, line| {
                if !line.text.is_empty() {
                    *inside = inserts(line);
                }
                Some(*inside && line.text.is_empty())
            })
            .collect()
    };
    let before = sweep(&mut region.iter());
    let behind = sweep(&mut region.iter().rev());
    before.into_iter().zip(behind.into_iter().rev()).map(|(before, behind)| before && behind).collect()
}

fn is_added(added: &[bool], at: usize) -> bool {
    added.get(at).copied().unwrap_or(false)
}

fn is_marked(line: &RawLine) -> bool {
    !is_blank(&line.text) && mark(&line.text).is_marker()
}

#[cfg(test)]
mod tests;
