//! Readings 1 to 3: the counts of the header say where the body ends (spec: text-engine.md §5 "Body").

use super::{Mark, Reading, Unmarked, body, is_added, mark};
use crate::header::Numbers;
use crate::syntax::{is_bullet, is_rule, is_signature, tag_outside};
use crate::tags::{Tag, Tags};
use crate::transport::RawLine;

/// The reading of a region that is nothing but marked lines as the header counts them.
pub(super) fn plain(region: &[RawLine], numbers: Numbers) -> Option<Reading> {
    let marked = |line: &RawLine| !matches!(mark(&line.text), Mark::Empty | Mark::Unmarked);
    if !region.iter().all(marked) || body_end(region, numbers, &[], Unmarked::Refused)? != region.len() {
        return None;
    }
    body(region, region.len(), &[], Unmarked::Refused).filter(Reading::changes)
}

/// Readings 1 and 2: until both counts are met exactly, with no unmarked line.
pub(super) fn counted(region: &[RawLine], numbers: Numbers, added: &[bool]) -> Vec<Reading> {
    let Some(end) = body_end(region, numbers, added, Unmarked::Refused) else { return Vec::new() };
    let tail = &region[end..];
    if contradicts_counts(tail) {
        return Vec::new();
    }
    // Blank-marked lines that directly follow are taken into the body first, then left out.
    let is_prose = tail.first().is_some_and(|line| is_signature(&line.text));
    let more = tail.iter().take_while(|line| !is_prose && mark(&line.text) == Mark::Context).count();
    let mut readings = Vec::new();
    if more > 0
        && let Some(mut longer) = body(region, end + more, added, Unmarked::Refused)
    {
        longer.tags.insert(Tag::RewroteHunkHeaderCounts);
        tag_tail(&tail[more..], &mut longer.tags);
        readings.push(longer);
    }
    if let Some(mut exact) = body(region, end, added, Unmarked::Refused) {
        tag_tail(tail, &mut exact.tags);
        readings.push(exact);
    }
    readings
}

/// Reading 3: with unmarked lines as context, at least one, and nothing in the tail that looks like a change.
pub(super) fn with_unmarked(region: &[RawLine], numbers: Numbers) -> Option<Reading> {
    let end = body_end(region, numbers, &[], Unmarked::Context)?;
    let tail = &region[end..];
    let unmarked = region[..end].iter().any(|line| mark(&line.text) == Mark::Unmarked);
    let change = |line: &RawLine| line.text.starts_with(['+', '-']) && !is_bullet(&line.text);
    if !unmarked || tail.iter().any(change) {
        return None;
    }
    let mut reading = body(region, end, &[], Unmarked::Context)?;
    tag_tail(tail, &mut reading.tags);
    Some(reading)
}

/// Where both counts are met exactly, with the `\` lines that directly follow.
fn body_end(region: &[RawLine], numbers: Numbers, added: &[bool], unmarked: Unmarked) -> Option<usize> {
    let (mut old, mut new) = (0, 0);
    let mut at = 0;
    while (old, new) != (numbers.old_count, numbers.new_count) {
        if old > numbers.old_count || new > numbers.new_count {
            return None;
        }
        let (deletes, inserts) = match mark(&region.get(at)?.text) {
            Mark::Delete => (1, 0),
            Mark::Insert => (0, 1),
            Mark::NoNewline => (0, 0),
            Mark::Empty if is_added(added, at) => (0, 1),
            Mark::Unmarked if unmarked == Unmarked::Refused => return None,
            Mark::Context | Mark::Empty | Mark::Unmarked => (1, 1),
        };
        old += deletes;
        new += inserts;
        at += 1;
    }
    Some(at + region[at..].iter().take_while(|line| mark(&line.text) == Mark::NoNewline).count())
}

/// Whether the tail shows that the counts are wrong: a change directly follows, or a later line looks like one.
fn contradicts_counts(tail: &[RawLine]) -> bool {
    if tail.first().is_some_and(|line| is_signature(&line.text)) {
        return false;
    }
    let direct = tail.iter().take_while(|line| !matches!(mark(&line.text), Mark::Empty | Mark::Unmarked)).count();
    let changes = |line: &RawLine| line.text.starts_with(['+', '-']);
    tail[..direct].iter().any(changes)
        || tail[direct..].iter().any(|line| changes(line) && !is_bullet(&line.text) && !is_rule(&line.text))
}

/// The tail is text outside of hunks.
fn tag_tail(tail: &[RawLine], tags: &mut Tags) {
    for (at, line) in tail.iter().enumerate() {
        if at == 0 && is_signature(&line.text) {
            tags.insert(Tag::DroppedTextOutsideHunks);
        } else {
            tag_outside(&line.text, tags);
        }
    }
}
