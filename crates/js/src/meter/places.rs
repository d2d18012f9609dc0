//! Where columns moved, counted as engines count: code points from 1, lines as ECMAScript ends them.

use oxc_syntax::line_terminator::is_line_terminator;

use crate::meter::Moved;

#[derive(Debug)]
pub(super) struct Places {
    pub(super) moved: Vec<Moved>,
    line: u32,
    column: u32,
    own: u32,
    after_return: bool,
}

impl Default for Places {
    fn default() -> Self {
        Self { moved: Vec::new(), line: 1, column: 1, own: 1, after_return: false }
    }
}

impl Places {
    /// Goes over a text that stays.
    pub(super) fn kept(&mut self, text: &str) {
        for c in text.chars() {
            if is_line_terminator(c) {
                let second_half = self.after_return && c == '\n';
                self.line += u32::from(!second_half);
                (self.column, self.own) = (1, 1);
            } else {
                self.column += 1;
                self.own += 1;
            }
            self.after_return = c == '\r';
        }
    }

    /// Goes over a text that another one took the place of; the new one has no line end.
    pub(super) fn replaced(&mut self, old: &str, new: &str) {
        self.column += new.chars().count() as u32;
        self.own += old.chars().count() as u32;
        let moved = Moved { line: self.line, column: self.column, own: self.own };
        match self.moved.last_mut() {
            Some(last) if (last.line, last.column) == (moved.line, moved.column) => *last = moved,
            _ => self.moved.push(moved),
        }
    }
}
