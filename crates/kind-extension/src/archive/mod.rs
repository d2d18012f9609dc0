//! The archive `.hpx`: a bundle as one file (spec: ifc-extension.md §8).
//!
//! Owns the one profile of ZIP that an archive has, its header and its signature; the check owns what a bundle may hold.
//! Invariants: equal bundles are equal bytes everywhere; what [`open`] takes is, byte for byte, what [`pack`] writes;
//! nothing is inflated, and no more is allocated than the archive has bytes.
//!
//! ```
//! use holdpoint_kind_extension::archive::{open, pack};
//! let files = [("manifest.json".to_owned(), "{}".to_owned())].into();
//! let packed = pack(&files, None).unwrap();
//! assert_eq!(open(&packed.bytes).unwrap().files, files);
//! assert_eq!(open(b"no archive").unwrap_err()[0].code, "ARCHIVE_MALFORMED");
//! ```

mod header;
mod profile;
mod signature;
#[cfg(test)]
mod tests;

use holdpoint_bundle::{Files, case_collisions, content_hash};
use holdpoint_check::{Diagnostic, args, codes};

use super::IfcExtension;
use super::limits::MAX_DIAGNOSTICS;
use super::policy::{PATH_CASE_COLLISION, POLICY};
use header::Header;
use holdpoint_kind::Kind;
pub use signature::{CODES as KEY, Signature, Signer, sign};

codes! {
    /// over MAX_ARCHIVE_BYTES
    ARCHIVE_TOO_LARGE: Error, "Make the bundle smaller: an archive has at most {limit} bytes, this one has {n}." [limit, n];
    /// no ZIP, cut, a wrong checksum, text that is not UTF-8
    ARCHIVE_MALFORMED: Error, "Send the archive again: this is no ZIP file, or a damaged one.";
    /// a ZIP outside the profile
    ARCHIVE_NOT_CANONICAL: Error, "Pack the bundle with `holdpoint pack`: an archive has one form, and this ZIP file has another.";
    /// another format, format version or kind
    ARCHIVE_UNSUPPORTED: Error, "Open it with the version of Holdpoint that wrote it: format, version or kind is another.";
    /// files that do not fit the content hash
    ARCHIVE_HASH_MISMATCH: Error, "Ask for the archive again: its files are not those that were packed.";
    /// a signature that does not verify
    ARCHIVE_SIGNATURE_INVALID: Error, "Ask the signer for the archive again: its signature does not fit.";
}

/// The kind of the bundles that are packed.
pub const KIND: &str = IfcExtension::ID;
/// Bytes of an archive (`ARCHIVE_TOO_LARGE`).
pub const MAX_ARCHIVE_BYTES: usize = 2_621_440;

/// An archive that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The file.
    pub bytes: Vec<u8>,
    /// Of the bundle's files.
    pub content_hash: String,
}

/// An archive that was read. Says nothing about the bundle's own rules: the check follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// Path → text.
    pub files: Files,
    /// Of the files.
    pub content_hash: String,
    /// Who signed; none where nobody did.
    pub signer: Option<Signer>,
}

/// The archive of files. What it refuses, [`open`] would not take: paths, a signature of other files, too many bytes.
pub fn pack(files: &Files, signature: Option<&Signature>) -> Result<Packed, Vec<Diagnostic>> {
    paths_are_taken(files)?;
    let content_hash = content_hash(files);
    if let Some(signature) = signature {
        signature.verify(&content_hash).ok_or_else(|| refused(&ARCHIVE_SIGNATURE_INVALID))?;
    }
    let bytes = written(files, &content_hash, signature);
    within_limit(bytes.len())?;
    Ok(Packed { bytes, content_hash })
}

/// The files of an archive, or the first thing that is wrong with it; of paths all that are.
pub fn open(archive: &[u8]) -> Result<Opened, Vec<Diagnostic>> {
    within_limit(archive.len())?;
    let mut entries = profile::read(archive).map_err(refused)?.into_iter();
    let header = entries.next().filter(|(path, _)| path == header::PATH);
    let header = header.and_then(|(_, text)| Header::read(&text)).ok_or_else(|| refused(&ARCHIVE_NOT_CANONICAL))?;
    if !header.is_supported() {
        return Err(refused(&ARCHIVE_UNSUPPORTED));
    }
    let files: Files = entries.collect();
    paths_are_taken(&files)?;
    let hash = content_hash(&files);
    if header.content_hash() != Some(hash.as_str()) {
        return Err(refused(&ARCHIVE_HASH_MISMATCH));
    }
    let signature = header.signature().map_err(|()| refused(&ARCHIVE_NOT_CANONICAL))?;
    if written(&files, &hash, signature.as_ref()) != archive {
        return Err(refused(&ARCHIVE_NOT_CANONICAL));
    }
    let verified = |signature: Signature| signature.verify(&hash).ok_or_else(|| refused(&ARCHIVE_SIGNATURE_INVALID));
    let signer = signature.map(verified).transpose()?;
    Ok(Opened { files, content_hash: hash, signer })
}

/// Refuses an archive of that many bytes.
pub fn within_limit(bytes: usize) -> Result<(), Vec<Diagnostic>> {
    if bytes <= MAX_ARCHIVE_BYTES {
        return Ok(());
    }
    Err(vec![Diagnostic::of(&ARCHIVE_TOO_LARGE, args! { limit: MAX_ARCHIVE_BYTES, n: bytes })])
}

/// `ARCHIVE_MALFORMED`, for callers that get an archive as text.
pub fn malformed() -> Vec<Diagnostic> {
    refused(&ARCHIVE_MALFORMED)
}

fn refused(code: &'static holdpoint_check::Code) -> Vec<Diagnostic> {
    vec![Diagnostic::of(code, args! {})]
}

fn written(files: &Files, content_hash: &str, signature: Option<&Signature>) -> Vec<u8> {
    let header = Header::text(content_hash, signature);
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    profile::write(std::iter::once((header::PATH, header.as_str())).chain(files))
}

/// The path codes of a bundle, each at its path.
fn paths_are_taken(files: &Files) -> Result<(), Vec<Diagnostic>> {
    let faulty = files.keys().filter_map(|path| Some((path, POLICY.judge(path).err()?.code())));
    let mut found: Vec<Diagnostic> =
        faulty.map(|(path, code)| Diagnostic::of(code, args! {}).in_file(path.clone())).take(MAX_DIAGNOSTICS).collect();
    let collisions = case_collisions(files.keys()).into_iter().take(MAX_DIAGNOSTICS - found.len());
    found.extend(collisions.map(|path| Diagnostic::of(&PATH_CASE_COLLISION, args! {}).in_file(path)));
    if found.is_empty() { Ok(()) } else { Err(found) }
}
