//! Why a rig stopped.

use std::io;
use std::process::Command;

/// What kept a rig from measuring.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Says what happened and what to do.
    #[error("{0}")]
    Told(String),
    /// The machine refused.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A program answered with something that is not JSON.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
}

/// Runs to the end and answers what it printed; a status above `most` is a fault that names the command.
pub fn output(command: &mut Command, most: i32) -> Result<Vec<u8>, Fault> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| Fault::Told(format!("`{name}` could not be started ({error}). Install it and try again.")))?;
    if output.status.code().is_some_and(|code| code <= most) {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Fault::Told(format!("`{name}` ended with {}: {}", output.status, said.trim())))
}
