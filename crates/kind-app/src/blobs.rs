//! Binary files of an app, as they are uploaded (spec: app-builder.md §3 `blobs`).

use holdpoint_bundle::bytes_hash;
use holdpoint_check::{ApiError, args, codes};
use serde::{Deserialize, Serialize};

use crate::limits::MAX_BLOB_BYTES;

codes! {
    /// bytes that no file of an app holds
    BLOB_TYPE_REFUSED: Error, "Choose an image, a font, a sound, a film, a PDF, a WebAssembly or glTF file: other bytes are not kept.";
    /// more bytes than a file or an app may have
    INPUT_TOO_LARGE / BLOB_LARGE: Error, "Choose a file of at most {limit} bytes." [limit];
    INPUT_TOO_LARGE / BLOBS_LARGE: Error, "Delete binary files, or choose smaller ones: an app has at most {limit} bytes of them." [limit];
    INVALID_INPUT / NO_UPLOAD: Error, "Send one file as `file` of a form.";
    /// a file names bytes that nobody uploaded
    BLOB_MISSING: Error, "Upload `{name}` again: its bytes are not there." [name];
}

/// Of all binary files of an app that were ever uploaded, in bytes.
pub const MAX_APP_BLOB_BYTES: u64 = 268_435_456;
/// What binary glTF begins with.
const GLB: &[u8] = b"glTF\x02\0\0\0";
/// What is kept, by the ending of what the bytes are, and its type.
const KEPT: [(&str, &str); 18] = [
    ("avif", "image/avif"),
    ("gif", "image/gif"),
    ("ico", "image/x-icon"),
    ("jpg", "image/jpeg"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("ogg", "audio/ogg"),
    ("ogv", "video/ogg"),
    ("otf", "font/otf"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("ttf", "font/ttf"),
    ("wasm", "application/wasm"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("webp", "image/webp"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
];

/// The form of an upload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UploadBody {
    /// The bytes, as a part of the form.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "binary")))]
    pub file: String,
}

/// Bytes that were uploaded: a file names them by their hash (`put_blob`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct UploadedBlob {
    /// `sha256:` and 64 hexadecimal digits.
    pub blob: String,
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub bytes: u64,
    /// As the bytes say, not as the sender does.
    pub content_type: String,
}

impl UploadedBlob {
    /// What bytes are. Errors: they are too many, or nothing that an app's files hold.
    pub fn of(bytes: &[u8]) -> Result<Self, ApiError> {
        let size = bytes.len() as u64;
        if size > MAX_BLOB_BYTES {
            return Err(ApiError::of(&BLOB_LARGE, args! { limit: MAX_BLOB_BYTES }).status(413));
        }
        let content_type = content_type(bytes).ok_or_else(|| ApiError::of(&BLOB_TYPE_REFUSED, args! {}).status(415))?;
        Ok(Self { blob: bytes_hash(bytes), bytes: size, content_type: content_type.to_owned() })
    }
}

fn content_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(GLB) {
        return Some("model/gltf-binary");
    }
    let found = infer::get(bytes)?.extension();
    KEPT.iter().find(|(ending, _)| *ending == found).map(|(_, content_type)| *content_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_say_what_they_are() {
        let kept: [(&[u8], &str); 8] = [
            (b"\x89PNG\r\n\x1a\n\0\0", "image/png"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
            (b"GIF89a\x01\0\x01\0", "image/gif"),
            (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
            (b"wOF2\0\x01\0\0\0\0", "font/woff2"),
            (b"%PDF-1.7\n", "application/pdf"),
            (b"\0asm\x01\0\0\0", "application/wasm"),
            (b"glTF\x02\0\0\0\x10\0\0\0", "model/gltf-binary"),
        ];
        for (bytes, want) in kept {
            let blob = UploadedBlob::of(bytes).unwrap();
            assert_eq!((blob.content_type.as_str(), blob.bytes), (want, bytes.len() as u64));
            assert_eq!(blob.blob, bytes_hash(bytes));
        }
        let refused: [&[u8]; 8] = [
            b"",
            b"<!doctype html><script>alert(1)</script>",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"#!/bin/sh\necho",
            b"\x7fELF\x02\x01\x01\0",
            b"MZ\x90\0\x03\0\0\0",
            b"PK\x03\x04\x14\0\0\0",
            b"const a = 1;",
        ];
        for bytes in refused {
            let refused = UploadedBlob::of(bytes).unwrap_err();
            assert_eq!((refused.code.as_str(), refused.status), ("BLOB_TYPE_REFUSED", 415), "{bytes:?}");
        }
    }

    #[test]
    fn exactly_the_limit_is_allowed() {
        let mut bytes = b"%PDF-1.7\n".to_vec();
        bytes.resize(MAX_BLOB_BYTES as usize, b' ');
        assert!(UploadedBlob::of(&bytes).is_ok());
        bytes.push(b' ');
        assert_eq!(UploadedBlob::of(&bytes).unwrap_err().status, 413);
    }
}
