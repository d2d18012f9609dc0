//! Bundles as one file (spec: ifc-extension.md §8).
//!
//! An archive passes as base64. Its faults are findings of `archive.open` and `archive.verify`; whoever packs what could
//! not be opened again gets an error.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use holdpoint_bundle::{Files, content_hash};
use holdpoint_check::method::{Group, input};
use holdpoint_check::{ApiError, Diagnostic, args};
use serde::Deserialize;
use serde_json::{Value, json};

use super::compare::bounded;
use crate::archive::{self, ARCHIVE_MALFORMED, ARCHIVE_UNSUPPORTED, KIND, Opened, Packed, Signature};

/// Methods that a page may hold.
pub const METHODS: Group = &[("archive.pack", pack), ("archive.open", open), ("archive.verify", verify)];
/// What takes a private key: for programs that a person runs, never in a page.
pub const WITH_KEYS: Group = &[("archive.sign", sign)];

/// Bytes that base64 writes as four characters.
const GROUP_BYTES: usize = 3;

#[derive(Deserialize)]
struct Pack {
    kind: String,
    files: Files,
    signature: Option<Signature>,
}

fn pack(value: Value) -> Result<Value, ApiError> {
    let Pack { kind, files, signature } = input(value)?;
    taken(&kind, &files)?;
    let packed = archive::pack(&files, signature.as_ref()).map_err(first)?;
    Ok(written(&packed))
}

#[derive(Deserialize)]
struct Sign {
    kind: String,
    files: Files,
    key: String,
    signed_at: String,
}

fn sign(value: Value) -> Result<Value, ApiError> {
    let Sign { kind, files, key, signed_at } = input(value)?;
    taken(&kind, &files)?;
    let signature = archive::sign(&content_hash(&files), &key, &signed_at)?;
    let packed = archive::pack(&files, Some(&signature)).map_err(first)?;
    let mut answer = written(&packed);
    answer["signature"] = json!(signature);
    Ok(answer)
}

#[derive(Deserialize)]
struct Archive {
    archive: String,
}

fn open(value: Value) -> Result<Value, ApiError> {
    opened(value, |answer, opened| answer["files"] = json!(opened.files))
}

fn verify(value: Value) -> Result<Value, ApiError> {
    opened(value, |_, _| {})
}

fn opened(value: Value, more: impl FnOnce(&mut Value, &Opened)) -> Result<Value, ApiError> {
    let Archive { archive } = input(value)?;
    Ok(match read(&archive) {
        Ok(opened) => {
            let mut signature = json!({ "status": "none" });
            if let Some(signer) = &opened.signer {
                signature = json!(signer);
                signature["status"] = "valid".into();
            }
            let mut answer = json!({
                "ok": true,
                "kind": KIND,
                "content_hash": opened.content_hash,
                "signature": signature,
                "diagnostics": [],
            });
            more(&mut answer, &opened);
            answer
        }
        Err(found) => json!({ "ok": false, "diagnostics": found }),
    })
}

/// The size is decided before anything is decoded.
fn read(text: &str) -> Result<Opened, Vec<Diagnostic>> {
    let padding = text.bytes().rev().take_while(|byte| *byte == b'=').count();
    archive::within_limit((text.len() / 4 * GROUP_BYTES).saturating_sub(padding))?;
    let bytes = STANDARD.decode(text).map_err(|_| archive::malformed())?;
    archive::open(&bytes)
}

fn written(Packed { bytes, content_hash }: &Packed) -> Value {
    json!({ "archive": STANDARD.encode(bytes), "bytes": bytes.len(), "content_hash": content_hash })
}

fn taken(kind: &str, files: &Files) -> Result<(), ApiError> {
    bounded(files)?;
    if kind == KIND { Ok(()) } else { Err(ApiError::at("/kind", &ARCHIVE_UNSUPPORTED, args! {})) }
}

/// What stands in the way of packing: the first finding, with its path.
fn first(found: Vec<Diagnostic>) -> ApiError {
    let finding = found.into_iter().next().unwrap_or_else(|| Diagnostic::of(&ARCHIVE_MALFORMED, args! {}));
    let path = finding.path.clone();
    let error = ApiError::from(finding);
    if let Some(path) = path { error.with("path", path) } else { error }
}

#[cfg(feature = "schema")]
pub mod reference;
