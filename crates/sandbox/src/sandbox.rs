//! One sandbox: the loaded models, and calls one after the other, each in a fresh realm.

use holdpoint_sdk::run::{ModelFile, Outcome, Program};

/// A file that is no model (spec: ifc-sdk.md §7.1).
#[derive(Debug, Clone, thiserror::Error)]
#[error("{name}, line {line}: {message}")]
pub struct OpenError {
    /// The file.
    pub name: String,
    /// `MODEL_INVALID`.
    pub code: &'static str,
    /// 1-based.
    pub line: u32,
    /// What is wrong and what to do.
    pub message: String,
}

/// Loaded models and the calls that run on them.
pub struct Sandbox {}

impl Sandbox {
    /// Reads the files, in load order.
    pub fn open(files: &[ModelFile]) -> Result<Self, OpenError> {
        let _ = files;
        Ok(Self {})
    }

    /// Runs one call in a fresh realm. Endless code does not return: the host ends the process or Worker.
    pub fn run(&self, program: &Program) -> Outcome {
        let _ = program;
        Outcome::default()
    }
}
