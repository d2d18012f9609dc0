//! Projects: what they hold, and what a person does to them by hand (spec: crew-package.md §7 "HTTP").

mod command;
mod conflict;
mod perform;
mod routes;
mod saved;
mod shown;

pub use command::{PackageCommand, ProjectContent};
pub use perform::{MakeTask, make, perform};
pub use routes::{handle, list, text};
pub use saved::saved;
