//! Reading 4: the lines themselves say where the body ends (spec: text-engine.md §5 "Body").

use super::{Mark, Reading, Unmarked, between_inserts, body, is_marked, mark};
use crate::header::Numbers;
use crate::syntax::{is_blank, is_bullet, is_signature, tag_outside};
use crate::tags::{Tag, Tags};
use crate::transport::RawLine;

/// The region without the prose behind it: first, if it was cut at an unmarked line, with the lines from there; then
/// without them, empty lines as context, then as added lines.
pub(super) fn uncounted(region: &[RawLine], numbers: Option<Numbers>) -> Vec<Reading> {
    let outer = outer_cut(region);
    let cut = prose_cut(&region[..outer]);
    let mut readings = Vec::new();
    let mut push = |count: usize, added: &[bool], unmarked: Unmarked| {
        if let Some(mut reading) = body(region, count, added, unmarked) {
            tag_cut(&region[count..outer], true, &mut reading.tags);
            tag_cut(&region[outer..], false, &mut reading.tags);
            let counts = (reading.old_count(), reading.new_count());
            if numbers.is_some_and(|numbers| counts != (numbers.old_count, numbers.new_count)) {
                reading.tags.insert(Tag::RewroteHunkHeaderCounts);
            }
            readings.push(reading);
        }
    };
    if region[..outer].get(cut).is_some_and(|line| mark(&line.text) == Mark::Unmarked) {
        let run = region[cut..outer].iter().take_while(|line| !line.text.is_empty()).count();
        push(cut + run, &[], Unmarked::Context);
    }
    if region[..cut].iter().any(|line| mark(&line.text) == Mark::Unmarked) {
        push(cut, &[], Unmarked::Context);
    } else {
        push(cut, &[], Unmarked::Refused);
        push(cut, &between_inserts(region), Unmarked::Refused);
    }
    readings
}

/// A fence in column 1, or a signature without a marked line after it.
fn outer_cut(region: &[RawLine]) -> usize {
    let is_fence = |line: &RawLine| line.text.starts_with("```") || line.text.starts_with("~~~");
    let fence = region.iter().position(is_fence).unwrap_or(region.len());
    let region = &region[..fence];
    // A signature begins with a marker itself; it must be the last marked line.
    match region.iter().rposition(is_marked) {
        Some(last) if is_signature(&region[last].text) => last,
        _ => fence,
    }
}

/// The first empty or unmarked line after which, lines of white space aside, only unmarked lines and bullets come.
fn prose_cut(region: &[RawLine]) -> usize {
    let belongs = |line: &RawLine| is_marked(line) && !is_bullet(&line.text);
    let start = region.iter().rposition(belongs).map_or(0, |last| last + 1);
    let ends = |line: &RawLine| matches!(mark(&line.text), Mark::Empty | Mark::Unmarked);
    region[start..].iter().position(ends).map_or(region.len(), |at| start + at)
}

/// Tags what was cut off; behind the change itself a bullet may have been a part of it.
fn tag_cut(cut: &[RawLine], beside: bool, tags: &mut Tags) {
    for line in cut {
        if is_signature(&line.text) {
            tags.insert(Tag::DroppedTextOutsideHunks);
        } else if beside && is_bullet(&line.text) && line.text.starts_with(['+', '-']) {
            tags.insert(Tag::DroppedDiffLikeText);
        } else if !is_blank(&line.text) {
            tag_outside(&line.text, tags);
        }
    }
}
