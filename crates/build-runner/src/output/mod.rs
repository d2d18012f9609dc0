//! What tools print: cleaned lines for the log, and findings out of them.

mod clean;
mod diagnose;
mod vitest;

pub use clean::{LineSplitter, clean};
pub use diagnose::{BUILD_ERROR, BuildTool, CODES, INSTALL_ERROR, diagnose, is_out_of_memory};
pub use vitest::{TestReport, read as read_tests};
