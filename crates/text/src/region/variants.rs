//! Readings 5 to 9: a body that was changed as a whole (spec: text-engine.md §5 "Body").

use super::{BodyLine, Kind, Reading};
use crate::syntax::is_blank;
use crate::tags::Tag;
use crate::transport::RawLine;

/// Reading 5: the blank in front of each context line may be content.
pub(super) fn two_way(first: &Reading) -> Option<Reading> {
    if first.lines.iter().any(|line| line.with_blank.is_some()) {
        return None;
    }
    let lines = first.lines.iter().cloned().map(|mut line| {
        if line.kind == Kind::Context && !line.text.is_empty() {
            line.with_blank = Some(format!(" {}", line.text));
        }
        line
    });
    Some(first.with(Tag::RestoredContextPrefix, lines.collect()))
}

/// Reading 6: every non-empty content begins with a blank; one less.
pub(super) fn without_padding(first: &Reading) -> Option<Reading> {
    let lines: Option<Vec<BodyLine>> = first
        .lines
        .iter()
        .cloned()
        .map(|mut line| {
            if !line.text.is_empty() {
                line.text = line.text.strip_prefix(' ')?.to_owned();
                line.with_blank = None;
            }
            Some(line)
        })
        .collect();
    Some(first.with(Tag::RemovedMarkerPadding, lines?))
}

/// Reading 7: no marker of change in column 1, but some after k blanks, and every non-blank line begins with these.
pub(super) fn dedented(region: &[RawLine]) -> Option<Vec<RawLine>> {
    let blanks = |line: &RawLine| line.text.len() - line.text.trim_start_matches(' ').len();
    let changes = |line: &&RawLine| line.text.trim_start_matches(' ').starts_with(['+', '-']);
    let columns = region.iter().filter(changes).map(blanks).min().filter(|columns| *columns > 0)?;
    region
        .iter()
        .cloned()
        .map(|mut line| {
            if is_blank(&line.text) {
                line.text = line.text.get(columns..).unwrap_or("").to_owned();
            } else if blanks(&line) >= columns {
                line.text.drain(..columns);
            } else {
                return None;
            }
            Some(line)
        })
        .collect()
}

/// Reading 8: each old line carries its number, ascending by one; first without the blank behind the number, then with.
pub(super) fn without_line_numbers(first: &Reading) -> Vec<Reading> {
    [true, false].into_iter().filter_map(|blank| unnumbered(first, blank)).collect()
}

fn unnumbered(first: &Reading, blank: bool) -> Option<Reading> {
    let mut last: Option<u64> = None;
    let mut lines = Vec::with_capacity(first.lines.len());
    for line in &first.lines {
        let mut line = line.clone();
        match numbered(&line.text) {
            Some((number, rest)) => {
                if line.is_old() {
                    if last.is_some_and(|last| number != last + 1) {
                        return None;
                    }
                    last = Some(number);
                }
                let rest = if blank && !rest.is_empty() { rest.strip_prefix(' ')? } else { rest };
                let cut = line.text.len() - rest.len();
                line.text.drain(..cut);
                line.with_blank = None;
            }
            None if line.is_old() => return None,
            None => {}
        }
        lines.push(line);
    }
    last?;
    Some(first.with(Tag::StrippedLineNumbers, lines))
}

/// Optional blanks, digits, an optional blank, one of `:`, `|`, tab.
fn numbered(text: &str) -> Option<(u64, &str)> {
    const MAX_DIGITS: usize = 9;
    let text = text.trim_start_matches(' ');
    let end = text.find(|c: char| !c.is_ascii_digit()).filter(|end| (1..=MAX_DIGITS).contains(end))?;
    let (digits, rest) = text.split_at(end);
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    Some((digits.parse().ok()?, rest.strip_prefix([':', '|', '\t'])?))
}

/// Reading 9: HTML entities, decoded once.
pub(super) fn without_entities(first: &Reading) -> Option<Reading> {
    let lines: Vec<BodyLine> = first
        .lines
        .iter()
        .cloned()
        .map(|mut line| {
            line.text = decoded(&line.text);
            line.with_blank = line.with_blank.as_deref().map(decoded);
            line
        })
        .collect();
    (lines != first.lines).then(|| first.with(Tag::DecodedHtmlEntities, lines))
}

fn decoded(text: &str) -> String {
    const ENTITIES: [(&str, char); 6] =
        [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"'), ("&#39;", '\''), ("&#x27;", '\'')];
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity));
        let (entity, character) = known.unwrap_or(&("&", '&'));
        decoded.push(*character);
        rest = &rest[entity.len()..];
    }
    decoded.push_str(rest);
    decoded
}
