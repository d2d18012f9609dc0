//! The tokens of the gate (spec: text-engine.md §9).
//!
//! Invariant: noise, the order of the ops and the way of writing do not change a patch id; another place, another text
//! or another version of the rules does.

use std::fmt::Write as _;

use crate::hash::hash_records;
use crate::place::Placed;
use crate::preview::ENGINE_VERSION;
use crate::tags::Tag;

/// The change of a targeted file, as it enters the patch id.
#[derive(Debug, Clone)]
pub(crate) struct Normalised {
    pub path: String,
    /// One normalised diff, or a normalised op each.
    pub changes: Vec<String>,
}

/// The patch id of the targeted files, which come in byte order.
pub(crate) fn patch_id(files: &[Normalised]) -> String {
    let changes = files.iter().flat_map(|file| file.changes.iter().map(|change| (file.path.as_str(), change.as_str())));
    hash_records([("engine", ENGINE_VERSION)].into_iter().chain(changes))
}

/// The token that confirms a proposal with these reasons.
pub(crate) fn confirm_token(base_hash: &str, patch_id: &str, result_hash: &str, reasons: &[Tag]) -> String {
    let reasons: Vec<String> = reasons.iter().map(|tag| tag.name()).collect();
    hash_records([
        ("confirm", ENGINE_VERSION),
        ("base_hash", base_hash),
        ("patch_id", patch_id),
        ("result_hash", result_hash),
        ("reasons", &reasons.join("\n")),
    ])
}

/// The hunks of a file by place, with the ranges of the place found and of the result.
pub(crate) fn normalised_diff(path: &str, placed: &[Placed]) -> String {
    let mut by_place: Vec<&Placed> = placed.iter().collect();
    by_place.sort_by_key(|hunk| (hunk.place, hunk.hunk));
    let mut text = format!("--- a/{path}\n+++ b/{path}\n");
    let mut grown: i64 = 0;
    for hunk in by_place {
        let (old, new) = (hunk.reading.old_count() as i64, hunk.reading.new_count() as i64);
        // With a count of 0 the start is the line before, and so is the place of such a hunk.
        let begin = if old == 0 { hunk.place + 1 } else { hunk.place };
        let range = |begin: i64, count: i64| match count {
            0 => format!("{begin},0"),
            1 => format!("{}", begin + 1),
            _ => format!("{},{count}", begin + 1),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "@@ -{} +{} @@", range(begin, old), range(begin + grown, new));
        grown += new - old;
        for line in &hunk.reading.lines {
            text.push(line.kind.marker());
            text.push_str(&line.text);
            text.push_str(if line.cr { "\r\n" } else { "\n" });
            if line.no_newline {
                text.push_str("\\ No newline at end of file\n");
            }
        }
    }
    text
}
