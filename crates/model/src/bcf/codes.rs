//! What reading a BCF file finds.

use holdpoint_check::codes;

codes! {
    /// a file that is no BCF, or one that cannot be read
    BCF_INVALID / NO_ARCHIVE: Error, "this is no BCF file: it is no ZIP archive ({why})" [why];
    BCF_INVALID / TOO_LARGE: Error, "the archive unpacks to more than {limit} MiB: split it" [limit];
    BCF_INVALID / TOO_MANY: Error, "the archive holds more than {limit} files: split it" [limit];
    BCF_INVALID / NO_TOPIC: Error, "this is no BCF file: it holds no topic (`markup.bcf`)";
    BCF_INVALID / NOT_XML: Error, "`{file}` cannot be read: {why}" [file, why];
}
