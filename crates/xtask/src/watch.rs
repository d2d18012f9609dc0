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

const WATCHED: &[(Part, &str)] = &[
    // Schemas, prompts and samples are compiled in.
    (Part::Rust, "crates"),
    (Part::Rust, "fixtures/tools"),
    (Part::Rust, "worker/src"),
    (Part::Transcripts, "fixtures/transcripts"),
];

/// The newest change of each part that was seen so far.
pub struct Watch {
    seen: Vec<SystemTime>,
}

impl Watch {
    /// Everything as it is now.
    pub fn new() -> Self {
        Self { seen: WATCHED.iter().map(|(_, dir)| newest(&root().join(dir))).collect() }
    }

    /// Parts that changed since the last look.
    pub fn changed(&mut self) -> Vec<Part> {
        let mut parts = Vec::new();
        for ((part, dir), seen) in WATCHED.iter().zip(&mut self.seen) {
            let now = newest(&root().join(dir));
            if now > *seen {
                *seen = now;
                parts.push(*part);
            }
        }
        parts.dedup();
        parts
    }
}

/// When a file below a folder changed last; what is built there does not count.
fn newest(dir: &Path) -> SystemTime {
    let Ok(entries) = std::fs::read_dir(dir) else { return SystemTime::UNIX_EPOCH };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() && entry.file_name() != "target" => newest(&entry.path()),
            Ok(data) if data.is_file() => data.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            _ => SystemTime::UNIX_EPOCH,
        })
        .max()
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_watched_folder_is_there() {
        for (_, dir) in WATCHED {
            assert!(newest(&root().join(dir)) > SystemTime::UNIX_EPOCH, "{dir} holds nothing");
        }
    }
}
