//! How the command line ends: one exit code a meaning.

use std::process::ExitCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Passed,
    Findings,
}

impl Exit {
    /// `Passed` when nothing was found.
    pub fn unless(found: bool) -> Self {
        if found { Self::Findings } else { Self::Passed }
    }
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The caller can mend it: a missing folder, a wrong argument.
    #[error("{0}")]
    Usage(String),
    /// Who reads the answers has gone, as `| head` does: nothing is left to do.
    #[error("Nobody reads the answer.")]
    Unread,
    #[error("{0}")]
    Internal(String),
}

impl From<std::io::Error> for CommandError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::Internal(format!("The machine refused: {error}")),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Passed => Self::SUCCESS,
            Exit::Findings => Self::from(1),
        }
    }
}

impl From<&CommandError> for ExitCode {
    fn from(fault: &CommandError) -> Self {
        match fault {
            CommandError::Unread => Self::SUCCESS,
            CommandError::Usage(_) => Self::from(2),
            CommandError::Internal(_) => Self::from(3),
        }
    }
}
