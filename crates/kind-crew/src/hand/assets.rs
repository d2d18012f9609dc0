//! Assets by hand: added, replaced, removed.

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, Code, Diagnostic, args};
use serde_json::json;

use super::Edited;
use crate::Options;
use crate::dialect::assets::tidy;
use crate::dialect::operation::Object;
use crate::dialect::package::Package;
use crate::dialect::references::{ASSET_EXISTS, ASSET_NOT_FOUND, ASSET_STILL_REFERENCED};
use crate::dialect::uses::Uses;
use crate::facts::PackageFacts;
use crate::policy::ASSETS;
use crate::rules::assets::{
    ASSET_ENCODING_INVALID, ASSET_EXT_UNSUPPORTED, ASSET_PATH_INVALID, bytes, content, is_binary, path_fault, sums,
};

pub fn create(
    files: &Files,
    known: &PackageFacts,
    path: &str,
    text: &str,
    options: &Options,
) -> Result<Edited, ApiError> {
    let path = tidy(path);
    let warnings = taken(&path, text, options)?;
    if files.contains_key(&path) {
        return Err(refused(&ASSET_EXISTS, 409, &path));
    }
    let after = with(files, &path, text, options)?;
    Edited::of(files, after, known, warnings)
}

/// Replaces the text of an asset.
pub fn replace(
    files: &Files,
    known: &PackageFacts,
    path: &str,
    text: &str,
    options: &Options,
) -> Result<Edited, ApiError> {
    let path = tidy(path);
    let warnings = taken(&path, text, options)?;
    if !files.contains_key(&path) {
        return Err(refused(&ASSET_NOT_FOUND, 404, &path));
    }
    let after = with(files, &path, text, options)?;
    Edited::of(files, after, known, warnings)
}

/// Removes an asset, cited or not.
pub fn delete(files: &Files, known: &PackageFacts, path: &str, options: &Options) -> Result<Edited, ApiError> {
    let path = tidy(path);
    let mut after = files.clone();
    if !path.starts_with(ASSETS) || after.remove(&path).is_none() {
        return Err(refused(&ASSET_NOT_FOUND, 404, &path));
    }
    let users = cited_by(files, &path, options);
    let said = || users.iter().map(|object| format!("`{object}`")).collect::<Vec<_>>().join(", ");
    let cited = (!users.is_empty())
        .then(|| Diagnostic::of(&ASSET_STILL_REFERENCED, args! { file: path, users: said() }).in_file(&path));
    Edited::of(files, after, known, cited.into_iter().collect())
}

/// Objects that cite an asset, in a package that can be read.
pub fn cited_by(files: &Files, path: &str, options: &Options) -> Vec<String> {
    let uses = Package::open(files).and_then(|package| Uses::of(&package.view, &options.endings()));
    uses.map(|uses| uses.by(&Object::Asset(path.to_owned())).cloned().collect()).unwrap_or_default()
}

/// What a path and a text are refused for; else what should be known of them.
fn taken(path: &str, text: &str, options: &Options) -> Result<Vec<Diagnostic>, ApiError> {
    let found = path_fault(path, text, &options.endings());
    let found = found.or_else(|| is_binary(text).then(|| Diagnostic::of(&ASSET_ENCODING_INVALID, args! {})));
    let found = found.or_else(|| content(path, text, &options.limits()));
    match found {
        Some(found) if found.is_error() => Err(error(found, path)),
        found => Ok(found.into_iter().map(|found| found.in_file(path)).collect()),
    }
}

/// The files with an asset, within the limits of all of them.
fn with(files: &Files, path: &str, text: &str, options: &Options) -> Result<Files, ApiError> {
    let mut after = files.clone();
    after.insert(path.to_owned(), text.to_owned());
    let assets = || after.iter().filter(|(path, _)| path.starts_with(ASSETS));
    let sum = assets().map(|(_, text)| bytes(text)).sum();
    match sums(assets().count(), sum, &options.limits()).into_iter().next() {
        Some(found) => Err(error(found, path)),
        None => Ok(after),
    }
}

/// A finding as the error of its request: what is wrong with path or ending is 400, a size is 413.
fn error(found: Diagnostic, path: &str) -> ApiError {
    let by_name = [&ASSET_PATH_INVALID, &ASSET_EXT_UNSUPPORTED, &ASSET_ENCODING_INVALID];
    let status = if by_name.iter().any(|code| code.name == found.code) { 400 } else { 413 };
    let hints: Vec<String> = found.hint.iter().cloned().collect();
    let args = found.args.clone();
    let mut error = ApiError { hints, ..ApiError::from(found).status(status) };
    error = error.with("path", path);
    for name in ["limit", "n"] {
        if let Some(value) = args.get(name) {
            error = error.with(name, json!(value));
        }
    }
    error
}

fn refused(code: &'static Code, status: u16, path: &str) -> ApiError {
    ApiError::of(code, args! { file: path }).status(status).with("path", path)
}
