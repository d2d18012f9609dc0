//! The archive that goes out: entries in byte order, one time for all, deflate.

use std::io::{Cursor, Write};

use holdpoint_check::ApiError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use super::decode::bytes_of;
use crate::policy::ASSETS;

/// How every entry is written, wherever this runs. The time is 1980-01-01, the first that the format knows.
fn options() -> SimpleFileOptions {
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    plain.last_modified_time(DateTime::default()).unix_permissions(0o644).system(System::Unix)
}

/// Files in the order in which they come.
pub fn zipped<'f>(files: impl Iterator<Item = (&'f String, &'f String)>) -> Result<Vec<u8>, ApiError> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, text) in files {
        writer.start_file(path.as_str(), options()).map_err(broken)?;
        let bytes = if path.starts_with(ASSETS) { bytes_of(text) } else { text.as_bytes().into() };
        writer.write_all(&bytes).map_err(broken)?;
    }
    Ok(writer.finish().map_err(broken)?.into_inner())
}

/// Writing to memory does not fail; where it does, that is a fault of ours.
fn broken(error: impl std::fmt::Display) -> ApiError {
    ApiError::new("INTERNAL", format!("Try again: the archive was not written ({error}).")).status(500)
}
