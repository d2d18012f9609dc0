//! Insertions and replacements in one text, all at once.

use crate::meter::{Moved, places::Places};

/// Changes of a text, in any order; no two replace the same bytes.
#[derive(Debug, Default)]
pub(super) struct Edits {
    all: Vec<Edit>,
    appended: String,
}

#[derive(Debug)]
struct Edit {
    start: usize,
    end: usize,
    /// At one place what closes comes first, the last that was said before the others; then what opens, as it was said.
    order: i64,
    text: String,
}

impl Edits {
    /// Puts a text before what begins at `at`.
    pub(super) fn open(&mut self, at: usize, text: impl Into<String>) {
        let order = self.all.len() as i64;
        self.all.push(Edit { start: at, end: at, order, text: text.into() });
    }

    /// Puts a text behind what ends at `at`.
    pub(super) fn close(&mut self, at: usize, text: impl Into<String>) {
        let order = -1 - self.all.len() as i64;
        self.all.push(Edit { start: at, end: at, order, text: text.into() });
    }

    /// Puts a text in the place of another one.
    pub(super) fn replace(&mut self, start: usize, end: usize, text: impl Into<String>) {
        self.all.push(Edit { start, end, order: i64::MAX, text: text.into() });
    }

    /// Puts a text behind everything.
    pub(super) fn append(&mut self, text: &str) {
        self.appended.push_str(text);
    }

    /// The changed text, and where its columns moved.
    pub(super) fn apply(mut self, source: &str) -> (String, Vec<Moved>) {
        self.all.sort_by_key(|edit| (edit.start, edit.order));
        let added: usize = self.all.iter().map(|edit| edit.text.len()).sum();
        let mut text = String::with_capacity(source.len() + added + self.appended.len());
        let mut places = Places::default();
        let mut from = 0;
        for Edit { start, end, text: new, .. } in &self.all {
            places.kept(&source[from..*start]);
            text.push_str(&source[from..*start]);
            places.replaced(&source[*start..*end], new);
            text.push_str(new);
            from = *end;
        }
        text.push_str(&source[from..]);
        text.push_str(&self.appended);
        (text, places.moved)
    }
}
