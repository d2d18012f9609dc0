//! One unified diff that `git apply` takes: added, changed and deleted files, texts and bytes; no renames.

use std::fmt::Write as _;

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use holdpoint_diff::{diff, lines, unified_hunks};

use super::binary::{blob_name, literal};
use super::{BlobBytes, bytes};
use crate::dialect::apply::changes;
use crate::policy::pointer_hash;

/// The mode of every file.
pub const MODE: &str = "100644";
/// The name of a blob that is not there.
const NONE: &str = "0000000000000000000000000000000000000000";
const NO_FILE: &str = "/dev/null";
/// Lines that stay on each side of a change.
const CONTEXT: usize = 3;

/// What makes the files of `from` those of `to`. Errors: `ASSET_NOT_FOUND` where bytes of a binary file are not handed in.
pub fn patch(from: &Files, to: &Files, blobs: &BlobBytes) -> Result<String, ApiError> {
    let mut text = String::new();
    for path in changes(from, to).iter().map(|one| one.path.as_str()) {
        push_file(&mut text, path, (from.get(path), to.get(path)), blobs)?;
    }
    Ok(text)
}

fn push_file(
    text: &mut String,
    path: &str,
    (old, new): (Option<&String>, Option<&String>),
    blobs: &BlobBytes,
) -> Result<(), ApiError> {
    let side = |side: Option<&String>| side.map_or("", String::as_str).to_owned();
    let (old_text, new_text) = (side(old), side(new));
    let (old_bytes, new_bytes) = (bytes(path, &old_text, blobs)?, bytes(path, &new_text, blobs)?);
    let (a, b) = (quoted(&format!("a/{path}")), quoted(&format!("b/{path}")));
    let name = |side: Option<&String>, bytes| side.map_or(NONE.to_owned(), |_| blob_name(bytes));
    let (old_name, new_name) = (name(old, old_bytes), name(new, new_bytes));
    // Writing to a String cannot fail.
    let _ = writeln!(text, "diff --git {a} {b}");
    let _ = match (old, new) {
        (None, _) => writeln!(text, "new file mode {MODE}\nindex {old_name}..{new_name}"),
        (_, None) => writeln!(text, "deleted file mode {MODE}\nindex {old_name}..{new_name}"),
        _ => writeln!(text, "index {old_name}..{new_name} {MODE}"),
    };
    if [&old_text, &new_text].into_iter().any(|text| pointer_hash(text).is_some()) {
        text.push_str("GIT binary patch\n");
        text.push_str(&literal(new_bytes));
        return Ok(());
    }
    let hunks = diff(&lines(&old_text), &lines(&new_text), CONTEXT, "").hunks;
    // An empty file comes and goes without a line.
    if !hunks.is_empty() {
        let label = |side: Option<&String>, name: &str| {
            let name = side.map_or(NO_FILE, |_| name);
            // Behind a name with a blank a tab says where it ends.
            format!("{name}{}", if name.contains(' ') { "\t" } else { "" })
        };
        let _ = write!(text, "--- {}\n+++ {}\n{}", label(old, &a), label(new, &b), unified_hunks(&hunks));
    }
    Ok(())
}

/// A name as git writes it: in quotes, with codes for its odd bytes, where it has any.
fn quoted(name: &str) -> String {
    let is_odd = |byte: u8| !(0x20..0x7f).contains(&byte) || byte == b'"' || byte == b'\\';
    if !name.bytes().any(is_odd) {
        return name.to_owned();
    }
    let mut text = "\"".to_owned();
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            7..=13 => text.extend(['\\', char::from(b"abtnvfr"[usize::from(byte - 7)])]),
            _ if is_odd(byte) => text.push_str(&format!("\\{byte:03o}")),
            _ => text.push(char::from(byte)),
        }
    }
    text.push('"');
    text
}
