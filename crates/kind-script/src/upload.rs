//! What the page says of a file that is to become a script (www/core/src/editor/archive.ts).

use holdpoint_check::codes;

codes! {
    /// a file whose files of a script are larger than a script may be
    SCRIPT_UPLOAD_TOO_LARGE: Error, "The files of a script have at most 1 MiB together.";
    /// an archive that is damaged or of a kind that is not read
    SCRIPT_UPLOAD_UNREAD: Error, "Choose tool.py or a ZIP archive: this file is neither, or it is damaged.";
    /// an archive without the Python
    SCRIPT_UPLOAD_NO_SCRIPT: Error, "There is no tool.py in it.";
    /// an archive that has a file of a script twice
    SCRIPT_UPLOAD_TWICE: Error, "One of the script's files is in it twice.";
    /// a file that is no text
    SCRIPT_UPLOAD_NO_TEXT: Error, "A file in it is no text in UTF-8.";
}
