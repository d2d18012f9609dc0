//! All patches of one file as one change (spec: text-engine.md §3 "Several ops on one file", §8 "Conflict").
//!
//! Owns the road from the lines of the ops to the new text of a file. Invariant: all hunks of all ops or nothing.

use std::collections::HashSet;

use crate::base::{Base, Budget};
use crate::codes::RejectCode;
use crate::failure;
use crate::gate::normalised_diff;
use crate::header::is_canonical;
use crate::identity::identify;
use crate::patch::{Patch, Unreadable, parse};
use crate::place::{Failed, Hunk, Placed, Placement, Source, place_all};
use crate::preview::{ErrorDetail, PlacedHunk};
use crate::region::{Kind, Readings, mark};
use crate::splice::{adds_invisible, splice};
use crate::syntax::{is_bullet, looks_like_change};
use crate::tags::{Tag, Tags};
use crate::transport::{BOM, Transported};

/// A file with its patches looked at.
#[derive(Debug, Default)]
pub(crate) struct PatchedFile {
    pub errors: Vec<ErrorDetail>,
    pub tags: Tags,
    pub hunks: Vec<PlacedHunk>,
    /// Where there are no errors.
    pub text: String,
    pub normalised: String,
}

/// Looks at the patches of one file, each with the index of its op.
pub(crate) fn patch_file(
    path: &str,
    text: &str,
    patches: &[(usize, &Transported)],
    generation_finished: bool,
    budget: &Budget,
) -> PatchedFile {
    let base = Base::new(text);
    let mut file = PatchedFile::default();
    if patches.len() > 1 {
        file.tags.insert(Tag::MergedOps);
    }
    let mut hunks = Vec::new();
    let mut unread = Vec::new();
    let mut ends_with_hunk = false;
    for (op_index, lines) in patches {
        let read = parse(lines).and_then(|patch| {
            let found = identify(&patch, path, base.is_empty());
            found.map(|tags| (patch, tags)).map_err(|code| Unreadable { code, hunk_index: None, hunk_header: None })
        });
        match read {
            Ok((patch, tags)) if !patch.hunks.is_empty() => {
                file.tags.extend(patch.tags.iter().chain(&tags));
                ends_with_hunk = collect(*op_index, patch, base.bom, path, &mut hunks, &mut unread, &mut file);
            }
            Ok(_) => file.errors.push(failure::of_op(RejectCode::NoHunks, *op_index, path)),
            Err(Unreadable { code, hunk_index, hunk_header }) => {
                let detail = failure::of_op(code, *op_index, path);
                file.errors.push(ErrorDetail { hunk_index, hunk_header, ..detail });
            }
        }
    }
    // Beside other hunks, a change that nobody can read must not be left out.
    if !hunks.is_empty() {
        file.errors
            .extend(unread.iter().map(|hunk| failure::of_hunk(&base, hunk, path, RejectCode::NoMatch.into(), budget)));
    }
    let Placement { mut placed, failed, tags } = place_all(&base, &hunks, budget);
    file.tags.extend(tags);
    for (hunk, failed) in failed.into_iter().chain(overlaps(&hunks, &placed)) {
        file.errors.push(failure::of_hunk(&base, &hunks[hunk], path, failed, budget));
    }
    for hunk in &placed {
        file.tags.extend(&hunk.tags);
        if ends_with_hunk && !generation_finished && is_cut_off(&base, &hunks, hunk) {
            file.tags.insert(Tag::MaybeTruncated);
        }
    }
    placed.sort_by_key(|hunk| (hunk.place, hunk.hunk));
    file.hunks = placed.iter().map(|hunk| describe(path, &hunks, hunk)).collect();
    if file.errors.is_empty() {
        let own_endings = placed.iter().flat_map(|hunk| &hunk.reading.lines).any(|line| line.cr);
        file.text = splice(&base, &placed, own_endings, &mut file.tags);
        let of = |kind: Kind| {
            let lines = placed.iter().flat_map(|hunk| &hunk.reading.lines);
            lines.filter(move |line| line.kind == kind).map(|line| line.text.as_str())
        };
        // What the base has there is deleted, also where the patch wrote it in another way.
        let deleted = placed.iter().flat_map(|hunk| &hunk.deleted).map(|at| base.content(*at));
        if adds_invisible(of(Kind::Insert), deleted) {
            file.tags.insert(Tag::InvisibleInAdded);
        }
        file.normalised = normalised_diff(path, &placed);
    }
    file
}

/// Takes the hunks of a patch that change something. Answers whether its last hunk is one of them.
fn collect(
    op_index: usize,
    patch: Patch,
    bom: bool,
    path: &str,
    hunks: &mut Vec<Hunk>,
    unread: &mut Vec<Hunk>,
    file: &mut PatchedFile,
) -> bool {
    let mut ends_with_hunk = false;
    for mut raw in patch.hunks {
        if bom {
            for line in &mut raw.region {
                let marker = usize::from(mark(&line.text).is_marker());
                if line.text[marker..].starts_with(BOM) {
                    line.text.remove(marker);
                    file.tags.insert(Tag::StrippedBom);
                }
            }
        }
        let readings = Readings::new(raw.region, raw.header.numbers);
        let hunk = Hunk {
            op_index,
            index: raw.index,
            header: raw.header,
            source: if raw.synthesized { Source::Unheaded } else { Source::Headed },
            readings,
            reversed: patch.sections[raw.section].is_reversed(),
        };
        ends_with_hunk = hunk.readings.first().is_some();
        match hunk.readings.first() {
            None => {
                file.tags.insert(Tag::DroppedEmptyHunk);
                if hunk.readings.region().iter().any(|line| looks_like_change(&line.text) && !is_bullet(&line.text)) {
                    unread.push(hunk);
                }
            }
            Some(reading)
                if reading.lines.iter().all(|line| line.kind == Kind::Insert)
                    && reading.lines.iter().any(|line| is_canonical(&line.text)) =>
            {
                let detail = failure::of_op(RejectCode::DoubleEncoded, op_index, path);
                let hunk_header = hunk.header_line();
                file.errors.push(ErrorDetail { hunk_index: Some(hunk.index), hunk_header, ..detail });
            }
            Some(_) => hunks.push(hunk),
        }
    }
    ends_with_hunk
}

/// "Conflict": two hunks delete the same base line, or insert at the same point; reported for the later one.
fn overlaps(hunks: &[Hunk], placed: &[Placed]) -> Vec<(usize, Failed)> {
    let mut order: Vec<&Placed> = placed.iter().collect();
    order.sort_by_key(|placed| (hunks[placed.hunk].op_index, hunks[placed.hunk].index));
    let (mut deleted, mut points) = (HashSet::new(), HashSet::new());
    let mut failed = Vec::new();
    for placed in order {
        let touches =
            placed.deleted.iter().any(|at| deleted.contains(at)) || placed.points.iter().any(|at| points.contains(at));
        if touches {
            failed.push((placed.hunk, RejectCode::Overlap.into()));
        }
        deleted.extend(placed.deleted.iter().copied());
        points.extend(placed.points.iter().copied());
    }
    failed
}

/// `maybe_truncated`: the last hunk, numbered, both header counts larger than what is there, the last body line a
/// change, and not at the end of the base.
fn is_cut_off(base: &Base<'_>, hunks: &[Hunk], placed: &Placed) -> bool {
    let Some(numbers) = hunks[placed.hunk].header.numbers.filter(|_| placed.hunk + 1 == hunks.len()) else {
        return false;
    };
    let reading = &placed.reading;
    numbers.old_count > reading.old_count()
        && numbers.new_count > reading.new_count()
        && reading.lines.last().is_some_and(|line| line.kind != Kind::Context)
        && placed.end() != base.len()
}

fn describe(path: &str, hunks: &[Hunk], placed: &Placed) -> PlacedHunk {
    let hunk = &hunks[placed.hunk];
    PlacedHunk {
        op_index: hunk.op_index,
        hunk_index: hunk.index,
        target_file: path.to_owned(),
        stated_line: hunk.header.numbers.map(|numbers| numbers.old_start),
        line: Some(placed.place + 1),
        offset: placed.offset,
        rung: placed.rung,
        fuzz: placed.level,
        doubts: placed.doubts(),
        marks: placed.marks.clone(),
    }
}
