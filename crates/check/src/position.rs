//! Lines and columns as editors count them: 1-based, columns in UTF-16 code units (spec: facade.md "Shapes").

use serde::{Deserialize, Serialize};

/// A place between two characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Position {
    /// 1-based.
    pub line: u32,
    /// 1-based, UTF-16 code units.
    pub column: u32,
}

/// From the first character to the position behind the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct Range {
    pub start: Position,
    pub end: Position,
}

/// Translates byte offsets of one text to positions. Lines end with LF, CRLF or a lone CR.
///
/// ```
/// use holdpoint_check::{LineIndex, Position};
/// let index = LineIndex::new("a\r\nb🙂c");
/// assert_eq!(index.position(8), Position { line: 2, column: 4 });
/// ```
#[derive(Debug)]
pub struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    /// Reads the text once.
    pub fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let lone_cr = *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
            if *byte == b'\n' || lone_cr {
                starts.push(at + 1);
            }
        }
        Self { text, starts }
    }

    /// The position of a byte offset; an offset beyond the text is its end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let start = self.starts[line];
        let column = self.text.get(start..offset).map_or(0, |lead| lead.encode_utf16().count());
        Position { line: line as u32 + 1, column: column as u32 + 1 }
    }

    /// The byte offset of a position; one beyond its line is the line's end.
    pub fn offset(&self, position: Position) -> usize {
        let line = position.line.max(1) as usize - 1;
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let mut column = 1;
        for (at, character) in self.text[start..end].char_indices() {
            if column >= position.column {
                return start + at;
            }
            column += character.len_utf16() as u32;
        }
        end
    }

    /// The range between two byte offsets.
    pub fn range(&self, start: usize, end: usize) -> Range {
        Range { start: self.position(start), end: self.position(end) }
    }
}
