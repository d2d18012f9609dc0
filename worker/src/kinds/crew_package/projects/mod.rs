//! Projects: what they hold, and what a person does to them by hand (spec: crew-package.md §7 "HTTP").

mod command;
mod conflict;
mod perform;
mod routes;
mod saved;
mod shown;

pub use command::{ProjectAsk, ProjectContent};
pub use perform::perform;
pub use routes::{answer, make, text};
pub use saved::saved;
