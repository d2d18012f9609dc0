//! A case in the making: a base, the true edits of it, and a patch that tells of them.
//!
//! Noise changes either the base (and with it the true text after) or the patch, never what is true. Invariant: the text
//! after is always the base with the true edits, whatever the patch says.

use crate::change::{Body, Mark, Window};

/// A true edit: lines of the base that go, and lines that come in their place.
#[derive(Debug, Clone)]
pub struct Edit {
    /// 0-based index into the base.
    pub at: usize,
    /// Lines that go.
    pub delete: usize,
    /// Lines that come, with their endings.
    pub insert: Vec<String>,
}

/// A line of a hunk as the patch shows it.
#[derive(Debug, Clone)]
pub struct Shown {
    /// What it does.
    pub mark: Mark,
    /// Its content.
    pub text: String,
    /// Its line of the base; none for an insertion.
    pub old: Option<usize>,
    /// `\ No newline at end of file` follows.
    pub open: bool,
    /// Written without its marker.
    pub bare: bool,
}

/// What stands in a hunk's `@@` line.
#[derive(Debug, Clone)]
pub enum Header {
    /// Ranges, as first line and count, and a section text.
    Ranges {
        /// The old side.
        old: (usize, usize),
        /// The new side.
        new: (usize, usize),
        /// What follows the second `@@`.
        section: String,
    },
    /// The whole line.
    Words(String),
}

/// A hunk as the patch shows it.
#[derive(Debug, Clone)]
pub struct DraftHunk {
    /// Its `@@` line.
    pub header: Header,
    /// Its lines.
    pub body: Vec<Shown>,
}

impl DraftHunk {
    /// The lines of the base that it speaks of: first and last.
    pub fn span(&self) -> Option<(usize, usize)> {
        let mut olds = self.body.iter().filter_map(|line| line.old);
        let first = olds.next()?;
        Some((first, olds.next_back().unwrap_or(first)))
    }

    /// Indices of its context lines.
    pub fn context(&self) -> Vec<usize> {
        (0..self.body.len()).filter(|index| self.body[*index].mark == Mark::Context).collect()
    }
}

/// A case in the making.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The file.
    pub path: String,
    /// Lines of the base with their endings.
    pub base: Vec<String>,
    /// What is true, by place.
    pub edits: Vec<Edit>,
    /// What the patch shows.
    pub hunks: Vec<DraftHunk>,
    /// Whether the patch names its file.
    pub headed: bool,
    /// Text around the patch.
    pub around: Option<(String, String)>,
    /// Whether the patch's lines end with CR LF.
    pub crlf: bool,
    /// Set where nothing may be applied.
    pub refuse: bool,
}

impl Draft {
    /// A clean case. With `sections`, headers show what git put behind them.
    pub fn new(window: &Window<'_>, sections: bool) -> Self {
        let base: Vec<String> = window.change.before.split_inclusive('\n').map(str::to_owned).collect();
        let mut edits = Vec::new();
        let mut hunks = Vec::new();
        let mut grown = 0_isize;
        for hunk in window.hunks {
            let (old_count, new_count) = (hunk.old_count(), hunk.new_count());
            let start = |index: usize, count: usize| if count == 0 { index } else { index + 1 };
            let new_at = hunk.at.saturating_add_signed(grown);
            let section = if sections { hunk.section.clone() } else { String::new() };
            let old = (start(hunk.at, old_count), old_count);
            let header = Header::Ranges { old, new: (start(new_at, new_count), new_count), section };
            grown += new_count as isize - old_count as isize;
            hunks.push(DraftHunk { header, body: shown(hunk.at, &hunk.body) });
            edits.extend(runs(hunk.at, &hunk.body));
        }
        let path = window.change.path.clone();
        Self { path, base, edits, hunks, headed: true, around: None, crlf: false, refuse: false }
    }

    /// The true text after.
    pub fn after(&self) -> String {
        let mut text = String::new();
        let mut next = 0;
        for edit in &self.edits {
            text.extend(self.base[next..edit.at].iter().map(String::as_str));
            text.extend(edit.insert.iter().map(String::as_str));
            next = edit.at + edit.delete;
        }
        text.extend(self.base[next..].iter().map(String::as_str));
        text
    }

    /// Puts lines into the base before the line `at`; edits and hunks keep their lines. False where the place lies inside
    /// a deletion or at the point of an insertion, where nobody could say on which side the lines are.
    pub fn grow(&mut self, at: usize, lines: &[String]) -> bool {
        let unclear =
            |edit: &Edit| if edit.delete == 0 { edit.at == at } else { edit.at < at && at < edit.at + edit.delete };
        if at > self.base.len() || self.edits.iter().any(unclear) {
            return false;
        }
        if at == self.base.len() && self.base.last().is_some_and(|line| !line.ends_with('\n')) {
            return false;
        }
        self.base.splice(at..at, lines.iter().cloned());
        self.renumber(|old| if old >= at { old + lines.len() } else { old });
        true
    }

    /// Takes a line out of the base that no edit deletes. The patch still shows it, where it did.
    pub fn shrink(&mut self, at: usize) -> bool {
        if at >= self.base.len() || self.edits.iter().any(|edit| (edit.at..edit.at + edit.delete).contains(&at)) {
            return false;
        }
        self.base.remove(at);
        self.renumber(|old| if old > at { old - 1 } else { old });
        true
    }

    fn renumber(&mut self, number: impl Fn(usize) -> usize) {
        for edit in &mut self.edits {
            edit.at = number(edit.at);
        }
        for line in self.hunks.iter_mut().flat_map(|hunk| &mut hunk.body) {
            line.old = line.old.map(&number);
        }
    }

    /// The patch as it is sent.
    pub fn patch(&self) -> String {
        let mut text = String::new();
        if self.headed {
            let path = &self.path;
            text.push_str(&format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n"));
        }
        for hunk in &self.hunks {
            text.push_str(&header(&hunk.header));
            for line in &hunk.body {
                if !line.bare {
                    text.push(match line.mark {
                        Mark::Context => ' ',
                        Mark::Delete => '-',
                        Mark::Insert => '+',
                    });
                }
                text.push_str(&line.text);
                text.push('\n');
                if line.open {
                    text.push_str("\\ No newline at end of file\n");
                }
            }
        }
        if let Some((before, behind)) = &self.around {
            text = format!("{before}{text}{behind}");
        }
        if self.crlf { text.replace('\n', "\r\n") } else { text }
    }
}

fn header(header: &Header) -> String {
    let range =
        |(start, count): (usize, usize)| if count == 1 { start.to_string() } else { format!("{start},{count}") };
    match header {
        Header::Ranges { old, new, section } => {
            let blank = if section.is_empty() { "" } else { " " };
            format!("@@ -{} +{} @@{blank}{section}\n", range(*old), range(*new))
        }
        Header::Words(line) => format!("{line}\n"),
    }
}

fn shown(at: usize, body: &[Body]) -> Vec<Shown> {
    let mut next = at;
    let mut lines = Vec::new();
    for line in body {
        let old = (line.mark != Mark::Insert).then_some(next);
        next += usize::from(old.is_some());
        lines.push(Shown { mark: line.mark, text: line.text.clone(), old, open: line.open, bare: false });
    }
    lines
}

fn runs(at: usize, body: &[Body]) -> Vec<Edit> {
    let mut next = at;
    let mut edits: Vec<Edit> = Vec::new();
    let mut open = false;
    for line in body {
        if line.mark == Mark::Context {
            next += 1;
            open = false;
            continue;
        }
        if !open {
            edits.push(Edit { at: next, delete: 0, insert: Vec::new() });
            open = true;
        }
        let Some(edit) = edits.last_mut() else { continue };
        if line.mark == Mark::Delete {
            edit.delete += 1;
            next += 1;
        } else {
            edit.insert.push(format!("{}{}", line.text, if line.open { "" } else { "\n" }));
        }
    }
    edits
}
