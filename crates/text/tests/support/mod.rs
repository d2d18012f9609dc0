//! What the laws share: texts to try them on, and other programs to ask.
#![allow(dead_code)] // every suite takes what it needs

pub mod programs;
pub mod texts;

use holdpoint_text::{Preview, PreviewInput, preview};

/// The only file of most proposals.
pub const PATH: &str = "file";

/// Previews one patch on one text.
pub fn look(base: &str, patch: &str) -> Preview {
    preview(&PreviewInput::patch(PATH, base, patch).expect("within the limits"))
}

/// The text that a preview leaves.
pub fn text(preview: &Preview) -> &str {
    &preview.after_virtual_files[PATH]
}
