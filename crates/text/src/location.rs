//! Ops at a cursor, a selection or the whole document (spec: text-engine.md §3 "Insert, replace, delete").
//!
//! Invariant: all positions refer to the text as sent; changes of one file that touch are refused.

use crate::base::Base;
use crate::codes::RejectCode;
use crate::input::{Action, Op, PreviewInput, Target};
use crate::splice::adds_invisible;
use crate::tags::{Tag, Tags};
use crate::transport::BOM;
use holdpoint_diff::LineEnding;

/// A change of the text as sent.
#[derive(Debug)]
pub(crate) struct Located {
    pub op_index: usize,
    name: &'static str,
    /// Positions count UTF-16 code units.
    from: usize,
    to: usize,
    bytes: std::ops::Range<usize>,
    content: String,
    is_document: bool,
}

/// Why an op is not allowed at all.
pub(crate) fn forbidden(op: &Op, patch_only: bool) -> Option<RejectCode> {
    let (target, allowed): (Target, &[Target]) = match &op.action {
        Action::Patch(_) => return None,
        Action::Insert { target, .. } => (*target, &[Target::Cursor]),
        Action::Replace { target, .. } | Action::Delete { target } => (*target, &[Target::Selection, Target::Document]),
    };
    (patch_only || !allowed.contains(&target)).then_some(RejectCode::OpNotAllowed)
}

/// Finds the place of an op that is allowed.
pub(crate) fn locate(
    input: &PreviewInput,
    op_index: usize,
    text: &str,
    tags: &mut Tags,
) -> Result<Located, RejectCode> {
    let op = &input.ops[op_index];
    let (name, target, content) = match &op.action {
        Action::Insert { target, content } => ("insert", *target, content.as_str()),
        Action::Replace { target, content } => ("replace", *target, content.as_str()),
        Action::Delete { target } => ("delete", *target, ""),
        Action::Patch(_) => return Err(RejectCode::OpNotAllowed),
    };
    let (from, to) = match target {
        Target::Document => (0, text.encode_utf16().count()),
        Target::Cursor => {
            let cursor = input.cursor.map(|cursor| cursor.pos);
            let at = cursor.or(input.selection.map(|selection| selection.to)).ok_or(RejectCode::MissingLocation)?;
            (at, at)
        }
        Target::Selection => {
            let selection = input.selection.ok_or(RejectCode::MissingLocation)?;
            (selection.from, selection.to)
        }
        Target::Anchor => return Err(RejectCode::OpNotAllowed),
    };
    if target != Target::Document && input.active_file.as_deref() != Some(op.target_file.as_str()) {
        return Err(RejectCode::BadLocation);
    }
    let byte = |position: usize| byte_at(text, position).ok_or(RejectCode::BadLocation);
    // A byte order mark stays in front of whatever is put there.
    let bom = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let bytes = byte(from)?.max(bom)..byte(to)?.max(bom);
    let adapted = with_dominant_endings(content, text);
    if adapted.as_deref().is_some_and(|adapted| adapted != content) {
        tags.insert(Tag::NormalizedLineEndings);
    }
    let content = adapted.unwrap_or_else(|| content.to_owned());
    Ok(Located { op_index, name, from, to, bytes, content, is_document: target == Target::Document })
}

/// The byte of a UTF-16 position; `None` behind the end, inside a surrogate pair, or between CR and LF.
fn byte_at(text: &str, position: usize) -> Option<usize> {
    let mut units = 0;
    let mut byte = text.len();
    for (at, character) in text.char_indices() {
        if units >= position {
            byte = at;
            break;
        }
        units += character.len_utf16();
    }
    let splits = text[..byte].ends_with('\r') && text[byte..].starts_with('\n');
    (units == position && !splits).then_some(byte)
}

/// The content with the dominant ending of a text; `None` for a text without any ending.
fn with_dominant_endings(content: &str, text: &str) -> Option<String> {
    let base = Base::new(text);
    let any = base.lines.iter().any(|line| line.ending != LineEnding::None);
    let lf = content.replace("\r\n", "\n");
    any.then(|| if base.dominant_ending() == LineEnding::Crlf { lf.replace('\n', "\r\n") } else { lf })
}

/// The later ops of a file that touch an earlier one. A document op must be the only one.
pub(crate) fn overlaps(located: &[Located]) -> Vec<usize> {
    let touch = |a: &Located, b: &Located| {
        let inside = |point: &Located, range: &Located| {
            range.bytes.start < point.bytes.start && point.bytes.start < range.bytes.end
        };
        let both = a.bytes.start.max(b.bytes.start) < a.bytes.end.min(b.bytes.end);
        a.is_document || b.is_document || both || inside(a, b) || inside(b, a)
    };
    (1..located.len())
        .filter(|at| located[..*at].iter().any(|earlier| touch(earlier, &located[*at])))
        .map(|at| located[at].op_index)
        .collect()
}

/// The text with all changes of a file made; none of them touch.
pub(crate) fn edited(text: &str, located: &[Located], tags: &mut Tags) -> String {
    let mut order: Vec<&Located> = located.iter().collect();
    // The sort is stable: insertions at one point keep the order of the ops.
    order.sort_by_key(|change| (change.bytes.start, change.bytes.end));
    let mut edited = String::with_capacity(text.len());
    let mut at = 0;
    for change in &order {
        edited.push_str(&text[at..change.bytes.start]);
        edited.push_str(&change.content);
        at = change.bytes.end;
    }
    edited.push_str(&text[at..]);
    let inserted = order.iter().map(|change| change.content.as_str());
    if adds_invisible(inserted, order.iter().map(|change| &text[change.bytes.clone()])) {
        tags.insert(Tag::InvisibleInAdded);
    }
    edited
}

impl Located {
    /// `<op> <from> <to>` LF and the content.
    pub fn normalised(&self) -> String {
        format!("{} {} {}\n{}", self.name, self.from, self.to, self.content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        let text = "a\u{1f642}b\r\nc";
        let cases = [
            (0, Some(0)),
            (1, Some(1)),
            (2, None),
            (3, Some(5)),
            (4, Some(6)),
            (5, None),
            (6, Some(8)),
            (7, Some(9)),
            (8, None),
        ];
        for (position, want) in cases {
            assert_eq!(byte_at(text, position), want, "{position}");
        }
    }
}
