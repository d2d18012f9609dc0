//! The text that a patch is placed in: its lines, interned in every form in which lines are compared.
//!
//! Invariant: a BOM is set aside and is no part of the first line (spec: text-engine.md §1).

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::{HashMap, HashSet};

use crate::fold::{folded, plain, trimmed};
use crate::limits::MAX_COMPARISONS;
use crate::syntax::is_blank;
use crate::transport::BOM;
use holdpoint_diff::{Line, LineEnding, lines};

/// A form in which lines may be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Exact,
    Trimmed,
    Folded,
    PlainTrimmed,
    PlainFolded,
}

impl Form {
    pub fn of(self, line: &str) -> Cow<'_, str> {
        let owned = |form: fn(&str) -> Cow<'_, str>| match plain(line) {
            Cow::Borrowed(line) => form(line),
            Cow::Owned(line) => Cow::Owned(form(&line).into_owned()),
        };
        match self {
            Self::Exact => Cow::Borrowed(line),
            Self::Trimmed => Cow::Borrowed(trimmed(line)),
            Self::Folded => folded(line),
            Self::PlainTrimmed => owned(|line| Cow::Borrowed(trimmed(line))),
            Self::PlainFolded => owned(folded),
        }
    }
}

/// The key of a line that no base line equals.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The lines of a base in one form, each form as a number.
#[derive(Debug, Default)]
pub(crate) struct Keys<'t> {
    pub of_line: Vec<u32>,
    /// All lines, by key and then ascending.
    places: Vec<u32>,
    /// By key, and behind the last: where its lines begin among the places.
    begins: Vec<u32>,
    by_text: HashMap<Cow<'t, str>, u32>,
}

impl<'t> Keys<'t> {
    fn new(contents: impl ExactSizeIterator<Item = Cow<'t, str>>) -> Self {
        let count = contents.len();
        let mut by_text = HashMap::with_capacity(count);
        let mut of_line = Vec::with_capacity(count);
        let mut begins = vec![0];
        for content in contents {
            let fresh = by_text.len() as u32;
            let key = *by_text.entry(content).or_insert(fresh);
            if key == fresh {
                begins.push(0);
            }
            begins[key as usize + 1] += 1;
            of_line.push(key);
        }
        for key in 1..begins.len() {
            begins[key] += begins[key - 1];
        }
        let mut next = begins.clone();
        let mut places = vec![0; count];
        for (at, key) in of_line.iter().enumerate() {
            places[next[*key as usize] as usize] = at as u32;
            next[*key as usize] += 1;
        }
        Self { of_line, places, begins, by_text }
    }

    /// The key of a text in the form of these keys.
    pub fn key(&self, text: &str) -> u32 {
        self.by_text.get(text).copied().unwrap_or(NOWHERE)
    }

    /// The lines with a key, ascending.
    pub fn places(&self, key: u32) -> &[u32] {
        match (self.begins.get(key as usize), self.begins.get((key as usize).saturating_add(1))) {
            (Some(from), Some(to)) => &self.places[*from as usize..*to as usize],
            _ => &[],
        }
    }
}

#[derive(Debug)]
pub(crate) struct Base<'t> {
    pub bom: bool,
    /// The text without a byte order mark.
    text: &'t str,
    pub lines: Vec<Line<'t>>,
    forms: [OnceCell<Keys<'t>>; 5],
    words: OnceCell<HashSet<&'t str>>,
    blank: OnceCell<Vec<bool>>,
}

impl<'t> Base<'t> {
    pub fn new(text: &'t str) -> Self {
        let (bom, text) = match text.strip_prefix(BOM) {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        Self {
            bom,
            text,
            lines: lines(text),
            forms: Default::default(),
            words: OnceCell::new(),
            blank: OnceCell::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn content(&self, at: usize) -> &'t str {
        self.lines[at].content
    }

    /// What a scan of the whole text costs, in line comparisons.
    pub fn scan(&self) -> usize {
        /// Bytes that are scanned in the time of a comparison.
        const BYTES: usize = 8;
        self.len() + self.text.len() / BYTES
    }

    /// The one place of a part of a line: the line, and where in its content the part begins. None where it stands
    /// nowhere or, overlapping places counted, more than once.
    pub fn only_place_inside(&self, part: &str) -> Option<(usize, usize)> {
        let step = part.chars().next()?.len_utf8();
        let begin = |line: &Line<'_>| line.content.as_ptr() as usize - self.text.as_ptr() as usize;
        let (mut found, mut from) = (None, 0);
        while let Some(at) = self.text[from..].find(part).map(|at| from + at) {
            let line = self.lines.partition_point(|line| begin(line) <= at) - 1;
            let inside = at - begin(&self.lines[line]);
            // An ending is no part of a line.
            if inside + part.len() <= self.lines[line].content.len() {
                if found.is_some() {
                    return None;
                }
                found = Some((line, inside));
            }
            from = at + step;
        }
        found
    }

    /// The lines in a form.
    pub fn keys(&self, form: Form) -> &Keys<'t> {
        self.forms[form as usize].get_or_init(|| Keys::new(self.lines.iter().map(|line| form.of(line.content))))
    }

    pub fn is_blank(&self, at: usize) -> bool {
        self.blank.get_or_init(|| self.lines.iter().map(|line| is_blank(line.content)).collect())[at]
    }

    /// Whether a run of letters, digits and `_` stands anywhere in the base.
    pub fn has_word(&self, word: &str) -> bool {
        self.words.get_or_init(|| self.lines.iter().flat_map(|line| words(line.content)).collect()).contains(word)
    }

    /// The more frequent ending; on a tie that of the first line, LF where there is none.
    pub fn dominant_ending(&self) -> LineEnding {
        let count = |ending| self.lines.iter().filter(|line| line.ending == ending).count();
        match count(LineEnding::Lf).cmp(&count(LineEnding::Crlf)) {
            std::cmp::Ordering::Greater => LineEnding::Lf,
            std::cmp::Ordering::Less => LineEnding::Crlf,
            std::cmp::Ordering::Equal => match self.lines.first().map(|line| line.ending) {
                Some(LineEnding::Crlf) => LineEnding::Crlf,
                _ => LineEnding::Lf,
            },
        }
    }
}

/// The runs of letters, digits and `_` of a line.
pub(crate) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The line comparisons that are left for a call (spec: text-engine.md §7 "Bounded work").
#[derive(Debug)]
pub(crate) struct Budget {
    left: Cell<usize>,
    /// For hints, which must not take from what finds places.
    hints: Cell<usize>,
}

/// Bytes that hints of a call may read.
const HINT_BYTES: usize = 4_194_304;

/// The comparisons are used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooCostly;

impl Default for Budget {
    fn default() -> Self {
        Self { left: Cell::new(MAX_COMPARISONS), hints: Cell::new(HINT_BYTES) }
    }
}

impl Budget {
    pub fn take(&self, comparisons: usize) -> Result<(), TooCostly> {
        let left = self.left.get().checked_sub(comparisons).ok_or(TooCostly);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ())
    }

    /// Whether a hint may read this many bytes more.
    pub fn may_read(&self, bytes: usize) -> bool {
        let left = self.hints.get().checked_sub(bytes);
        self.hints.set(left.unwrap_or(0));
        left.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_endings() {
        let base = Base::new("\u{feff}a\n  b\r\na\n");
        assert!(base.bom);
        let keys = base.keys(Form::Exact);
        assert_eq!(keys.places(keys.key("a")), [0, 2]);
        assert_eq!(keys.key("b"), NOWHERE);
        assert_eq!(base.keys(Form::Trimmed).key("b"), 1);
        assert_eq!(base.dominant_ending(), LineEnding::Lf);
        assert_eq!(Base::new("a\r\nb\n").dominant_ending(), LineEnding::Crlf);
    }

    #[test]
    fn a_part_of_one_line() {
        let base = Base::new("\u{feff}åab\r\n\nxaba\nlast\r");
        assert_eq!(base.only_place_inside("xab"), Some((2, 0)));
        assert_eq!(base.only_place_inside("åa"), Some((0, 0)));
        assert_eq!(base.only_place_inside("ba"), Some((2, 2)));
        assert_eq!(base.only_place_inside("t\r"), Some((3, 3)));
        for part in ["ab", "b\r", "\u{feff}å", "gone", "a\nl", ""] {
            assert_eq!(base.only_place_inside(part), None, "{part:?}");
        }
        assert_eq!(Base::new("aaa\n").only_place_inside("aa"), None);
    }
}
