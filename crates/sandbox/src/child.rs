//! The sandbox in a child process that can be ended at its limits.

use std::{ffi::OsString, io, path::PathBuf};

use holdpoint_sdk::run::{ModelFile, Outcome, Program, Run};

use crate::OpenError;

/// The hidden subcommand under which a binary calls [`serve`].
pub const SUBCOMMAND: &str = "__sandbox";

/// Answers requests until the input ends. The binary must install `holdpoint_heap::Counting`.
pub fn serve(input: impl io::Read, output: impl io::Write) -> io::Result<()> {
    let _ = (input, output);
    Ok(())
}

/// Why nothing could be run.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// A file is no model.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The child process could not be started or spoken to: a fault of ours.
    #[error("the sandbox process could not be used: {0}")]
    Process(#[from] io::Error),
}

/// Starts child processes, enforces the wall clock, and says what ended a child.
#[derive(Debug)]
pub struct Runner {
    binary: PathBuf,
    arguments: Vec<OsString>,
}

impl Runner {
    /// A runner whose children are this binary with [`SUBCOMMAND`].
    pub fn new() -> io::Result<Self> {
        Ok(Self { binary: std::env::current_exe()?, arguments: vec![SUBCOMMAND.into()] })
    }

    /// Runs one call on files.
    pub fn run(&mut self, models: &[ModelFile], program: &Program) -> Result<Outcome, RunnerError> {
        let _ = (models, program, &self.binary, &self.arguments);
        Ok(Outcome::default())
    }

    /// Runs prepared tests in order; `fixture` answers the file of a canonical fixture.
    pub fn run_all(
        &mut self,
        runs: &[Run],
        fixture: impl Fn(&str) -> Option<ModelFile>,
    ) -> Result<Vec<Outcome>, RunnerError> {
        let _ = (runs, fixture);
        Ok(Vec::new())
    }
}
