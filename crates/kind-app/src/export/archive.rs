//! The archive of a version: files in byte order, one time for all, deflate.

use std::io::{Cursor, Write};

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use super::{BlobBytes, bytes};

/// The files as one archive. Errors: `ASSET_NOT_FOUND` where bytes of a binary file are not handed in.
pub fn zipped(files: &Files, blobs: &BlobBytes) -> Result<Vec<u8>, ApiError> {
    // 1980-01-01, the first time that the format knows.
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let options = plain.last_modified_time(DateTime::default()).unix_permissions(0o644).system(System::Unix);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, text) in files {
        writer.start_file(path.as_str(), options).map_err(broken)?;
        writer.write_all(bytes(path, text, blobs)?).map_err(broken)?;
    }
    Ok(writer.finish().map_err(broken)?.into_inner())
}

/// Writing to memory does not fail; where it does, that is a fault of ours.
fn broken(error: impl std::fmt::Display) -> ApiError {
    ApiError::new("INTERNAL", format!("Try again: the archive was not written ({error}).")).status(500)
}
