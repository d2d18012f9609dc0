//! The reference of the methods of this folder's file.

use holdpoint_check::method::reference::{Entry, Member};

use super::super::compare::MAX_FILES_BYTES;

const FILES: &[Member] =
    &[("kind", "text", "`ifc-extension`."), ("files", "object", "Path → text; paths that a bundle may have.")];
const PACKED: &[Member] = &[
    ("archive", "text", "The file `.hpx` in base64. Equal bundles give equal bytes."),
    ("bytes", "number", "Of the file."),
    ("content_hash", "text", "Of the bundle's files."),
];
const OPENED: &[Member] = &[
    ("ok", "yes or no", ""),
    ("kind?", "text", "When it is ok."),
    ("content_hash?", "text", "When it is ok."),
    ("signature?", "object", "`{status: \"none\"}`, or `{status: \"valid\", key_id, signed_at}`."),
    ("diagnostics", "list", "The first thing that is wrong; of paths all that are, each with its path."),
];
const SAMPLE: &str = r#"{"archive": "UEsDBAoAAAgAAAAAIQB10A6nkwAAAJMAAAAIAAAAaHB4Lmpzb257ImNvbnRlbnRfaGFzaCI6InNoYTI1NjpkODhhYzdmY2U1YTBlZmMyZjVkNzFjNDU4OWI0MTI1ZDg4YTk3MmI3OGQwNWQ3ODY3NmJkMTk1Njk5ZTM2MWI1IiwiZm9ybWF0IjoiaHB4IiwiZm9ybWF0X3ZlcnNpb24iOjEsImtpbmQiOiJpZmMtZXh0ZW5zaW9uIn1QSwMECgAACAAAAAAhAGkPBdgNAAAADQAAAA0AAABtYW5pZmVzdC5qc29ueyJpZCI6ImEuYiJ9ClBLAwQKAAAIAAAAACEAl4eYzhgAAAAYAAAACgAAAHNyYy9ydW4uanNleHBvcnQgZGVmYXVsdCAoKSA9PiAxOwpQSwECFAMKAAAIAAAAACEAddAOp5MAAACTAAAACAAAAAAAAAAAAAAApIEAAAAAaHB4Lmpzb25QSwECFAMKAAAIAAAAACEAaQ8F2A0AAAANAAAADQAAAAAAAAAAAAAApIG5AAAAbWFuaWZlc3QuanNvblBLAQIUAwoAAAgAAAAAIQCXh5jOGAAAABgAAAAKAAAAAAAAAAAAAACkgfEAAABzcmMvcnVuLmpzUEsFBgAAAAADAAMAqQAAADEBAAAAAA=="}"#;

pub const ENTRIES: &[Entry] = &[
    Entry {
        method: "archive.pack",
        spec: "ifc-extension.md §8",
        does: "Writes a bundle as one file. Refuses what could not be opened again: the error is the first finding, with \
               the path in `details.path`.",
        input: &[FILES[0], FILES[1], ("signature?", "object", "`{alg, key, sig, signed_at}` of the same files.")],
        output: PACKED,
        limits: &[("bytes of the files", MAX_FILES_BYTES)],
        example: r#"{"kind": "ifc-extension", "files": {"manifest.json": "{}"}}"#,
        refuses: &[
            (r#"{"kind": "ifc-extension", "files": {"../a.js": ""}}"#, "PATH_TRAVERSAL"),
            (r#"{"kind": "vite-app", "files": {}}"#, "ARCHIVE_UNSUPPORTED"),
        ],
        ..Entry::PLAIN
    },
    Entry {
        method: "archive.open",
        spec: "ifc-extension.md §8",
        does: "Reads such a file. Says nothing about the bundle's own rules: `bundle.check` follows.",
        input: &[("archive", "text", "The file in base64.")],
        output: &[OPENED[0], OPENED[1], ("files?", "object", "Path → text."), OPENED[2], OPENED[3], OPENED[4]],
        example: SAMPLE,
        ..Entry::PLAIN
    },
    Entry {
        method: "archive.verify",
        spec: "ifc-extension.md §8",
        does: "As `archive.open`, without the files: whether the file is whole, and who signed it.",
        input: &[("archive", "text", "The file in base64.")],
        output: OPENED,
        example: SAMPLE,
        ..Entry::PLAIN
    },
    Entry {
        method: "archive.sign",
        spec: "ifc-extension.md §8",
        does: "Writes a signed bundle as one file. Only where a person runs the program: no module of the page has it.",
        input: &[
            FILES[0],
            FILES[1],
            ("key", "text", "A private Ed25519 key in PEM (PKCS #8), without a password."),
            ("signed_at", "text", "`YYYY-MM-DDTHH:MM:SSZ`."),
        ],
        output: &[PACKED[0], PACKED[1], PACKED[2], ("signature", "object", "`{alg, key, sig, signed_at}`.")],
        limits: &[("bytes of the files", MAX_FILES_BYTES)],
        example: r#"{"kind": "ifc-extension", "files": {"manifest.json": "{}"}, "key": "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEICgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo\n-----END PRIVATE KEY-----\n", "signed_at": "2026-03-01T10:00:00Z"}"#,
        refuses: &[(
            r#"{"kind": "ifc-extension", "files": {}, "key": "hunter2", "signed_at": "2026-03-01T10:00:00Z"}"#,
            "ARCHIVE_KEY_INVALID",
        )],
        ..Entry::PLAIN
    },
];
