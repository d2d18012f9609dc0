//! Lines and columns as editors count them: 1-based, columns in UTF-16 code units (spec: facade.md "Shapes").

use serde::{Deserialize, Serialize};

/// A place between two characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Position {
    /// The first one is number 1.
    pub line: u32,
    /// Counted from 1 in UTF-16 code units.
    pub column: u32,
}

/// From the first character to the position behind the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
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
    /// Code units in front of every [`STEP`]th byte, so that a long line costs no more than a short one; empty when
    /// bytes are code units.
    units: Vec<usize>,
}

const STEP: usize = 256;

impl<'t> LineIndex<'t> {
    pub fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let lone_cr = *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
            if *byte == b'\n' || lone_cr {
                starts.push(at + 1);
            }
        }
        Self { text, starts, units: if text.is_ascii() { Vec::new() } else { units(text) } }
    }

    /// Code units in front of a byte offset.
    fn units_before(&self, offset: usize) -> usize {
        let Some(mark) = self.units.get(offset / STEP) else { return offset };
        let from = self.text.floor_char_boundary(offset / STEP * STEP);
        mark + self.text.get(from..offset).map_or(0, |lead| lead.encode_utf16().count())
    }

    /// The position of a byte offset; an offset beyond the text is its end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let start = self.starts[line];
        let column = self.units_before(self.text.floor_char_boundary(offset)) - self.units_before(start);
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

/// Code units in front of the character that holds or begins at each [`STEP`]th byte.
fn units(text: &str) -> Vec<usize> {
    let mut marks = Vec::with_capacity(text.len() / STEP + 1);
    let mut units = 0;
    for (at, character) in text.char_indices() {
        while marks.len() * STEP < at + character.len_utf8() {
            marks.push(units);
        }
        units += character.len_utf16();
    }
    while marks.len() * STEP <= text.len() {
        marks.push(units);
    }
    marks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn marks_change_nothing(pieces in prop::collection::vec("[a-zåäö🙂\n\r]{0,40}", 0..40), offset in 0_usize..2_000) {
            let text = pieces.concat();
            let index = LineIndex::new(&text);
            let offset = text.floor_char_boundary(offset.min(text.len()));
            let line_start = index.starts[index.starts.partition_point(|start| *start <= offset) - 1];
            let plain = text[line_start..offset].encode_utf16().count() as u32 + 1;
            prop_assert_eq!(index.position(offset).column, plain);
            prop_assert_eq!(index.offset(index.position(offset)), offset);
        }
    }
}
