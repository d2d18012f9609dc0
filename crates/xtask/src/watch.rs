//! Notices which part of the tree changed, by looking at times of change.

use std::path::Path;
use std::time::SystemTime;

use crate::process::root;

/// A part of the product that is rebuilt as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Rust that the page, the edge or the model server is made of.
    Rust,
    /// Transcripts of the scripted model.
    Transcripts,
}

const WATCHED: &[(Part, &str, &str)] = &[
    (Part::Rust, "crates", ".rs"),
    (Part::Rust, "crates", ".toml"),
    // Schemas, prompts and samples are compiled in.
    (Part::Rust, "crates", ".json"),
    (Part::Rust, "crates/author/src/prompt", ""),
    (Part::Rust, "fixtures/tools", ""),
    (Part::Rust, "worker/src", ".rs"),
    (Part::Transcripts, "fixtures/transcripts", ""),
];

/// The newest change of each part that was seen so far.
pub struct Watch {
    seen: Vec<SystemTime>,
}

impl Watch {
    /// Everything as it is now.
    pub fn new() -> Self {
        Self { seen: WATCHED.iter().map(|(_, dir, ending)| newest(&root().join(dir), ending)).collect() }
    }

    /// Parts that changed since the last look.
    pub fn changed(&mut self) -> Vec<Part> {
        let mut parts = Vec::new();
        for ((part, dir, ending), seen) in WATCHED.iter().zip(&mut self.seen) {
            let now = newest(&root().join(dir), ending);
            if now > *seen {
                *seen = now;
                parts.push(*part);
            }
        }
        parts.dedup();
        parts
    }
}

fn newest(dir: &Path, ending: &str) -> SystemTime {
    let Ok(entries) = std::fs::read_dir(dir) else { return SystemTime::UNIX_EPOCH };
    entries
        .flatten()
        .map(|entry| {
            let path = entry.path();
            let name = entry.file_name();
            match entry.metadata() {
                Ok(data) if data.is_dir() && name != "target" => newest(&path, ending),
                Ok(data) if data.is_file() && name.to_string_lossy().ends_with(ending) => {
                    data.modified().unwrap_or(SystemTime::UNIX_EPOCH)
                }
                _ => SystemTime::UNIX_EPOCH,
            }
        })
        .max()
        .unwrap_or(SystemTime::UNIX_EPOCH)
}
