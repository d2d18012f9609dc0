//! The blocks of a reply: where they open, what they name, where they end (spec: authoring.md §5).
//!
//! Knows fences and headers, not what a block does. Invariant: every line of the reply is in exactly one block or in
//! the prose.

use std::sync::LazyLock;

use regex::Regex;

/// Fences have at least this many characters.
const MIN_FENCE: usize = 3;

static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?:^|[\s{,])(?:path|file|filename|title)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'}]+))"#)
        .expect("a constant pattern is valid")
});

/// A block of a reply.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// First word of the header: `hp:file`, `js`, …
    pub name: String,
    /// The path that the header names.
    pub path: Option<String>,
    /// The lines inside, without the header's indent.
    pub lines: Vec<String>,
    pub end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Closed,
    /// By the header of the next block.
    NextBlock,
    /// By the end of the reply.
    Cut,
}

/// What stands in a reply.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// Blocks that mean something, in order.
    pub blocks: Vec<Block>,
    /// Everything else, trimmed; blocks without a path among it.
    pub prose: String,
}

impl Block {
    fn is_prose(&self) -> bool {
        !self.name.starts_with("hp:") && self.path.is_none()
    }

    /// The lines as a text that ends with one newline; an empty block is an empty text.
    pub fn text(&self) -> String {
        if self.lines.is_empty() {
            return String::new();
        }
        let text = self.lines.join("\n");
        format!("{}\n", text.trim_end_matches('\n'))
    }
}

/// Reads a reply. CRLF and CR count as LF, a leading byte order mark goes.
pub fn scan(reply: &str) -> Scan {
    let reply = reply.strip_prefix('\u{feff}').unwrap_or(reply).replace("\r\n", "\n").replace('\r', "\n");
    let mut scan = Scan::default();
    let mut prose: Vec<String> = Vec::new();
    let mut open: Option<Open> = None;
    for line in reply.split('\n') {
        let header = Header::read(line);
        if let Some(current) = open.as_mut() {
            let next_block = header.as_ref().is_some_and(|header| header.name.starts_with("hp:"));
            if !next_block {
                if current.take(line, header.as_ref()) {
                    close(open.take(), End::Closed, &mut scan, &mut prose);
                }
                continue;
            }
            close(open.take(), End::NextBlock, &mut scan, &mut prose);
        }
        match header {
            Some(header) => open = Some(Open::new(header, line)),
            None => prose.push(line.to_owned()),
        }
    }
    close(open.take(), End::Cut, &mut scan, &mut prose);
    prose.join("\n").trim().clone_into(&mut scan.prose);
    scan
}

fn close(open: Option<Open>, end: End, scan: &mut Scan, prose: &mut Vec<String>) {
    let Some(open) = open else { return };
    let Header { name, path, .. } = open.header;
    let mut lines = open.lines;
    if end == End::Cut && lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let block = Block { name, path, lines, end };
    if block.is_prose() {
        prose.push(open.raw.join("\n"));
    } else {
        scan.blocks.push(block);
    }
}

/// A line that opens a block.
struct Header {
    indent: usize,
    fence: char,
    length: usize,
    name: String,
    path: Option<String>,
}

impl Header {
    fn read(line: &str) -> Option<Self> {
        let rest = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - rest.len();
        let fence = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = rest.trim_start_matches(fence);
        let length = rest.len() - info.len();
        let info = info.trim();
        if length < MIN_FENCE || info.is_empty() || (fence == '`' && info.contains('`')) {
            return None;
        }
        let name = info.split_whitespace().next().unwrap_or_default().to_owned();
        let path = ATTRIBUTE
            .captures(info)
            .and_then(|found| found.iter().skip(1).flatten().next().map(|text| text.as_str().trim().to_owned()));
        Some(Self { indent, fence, length, name, path })
    }
}

struct Open {
    header: Header,
    /// Inner blocks of a Markdown file that are open.
    inner: usize,
    lines: Vec<String>,
    raw: Vec<String>,
}

impl Open {
    fn new(header: Header, line: &str) -> Self {
        Self { header, inner: 0, lines: Vec::new(), raw: vec![line.to_owned()] }
    }

    /// Takes a line; whether it closed the block.
    fn take(&mut self, line: &str, header: Option<&Header>) -> bool {
        self.raw.push(line.to_owned());
        let Header { fence, length, .. } = self.header;
        let bare = line.trim();
        let closes = bare.len() >= length && bare.chars().all(|c| c == fence);
        if closes && self.inner == 0 {
            return true;
        }
        if closes {
            self.inner -= 1;
        } else if self.nests() && header.is_some_and(|inner| self.opens_inner(inner)) {
            self.inner += 1;
        }
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        self.lines.push(line[indent.min(self.header.indent)..].to_owned());
        false
    }

    fn nests(&self) -> bool {
        let markdown = self.header.path.as_deref().is_some_and(|path| path.ends_with(".md"));
        markdown && self.header.length == MIN_FENCE
    }

    fn opens_inner(&self, inner: &Header) -> bool {
        inner.fence == self.header.fence && inner.name.starts_with(char::is_alphabetic)
    }
}
