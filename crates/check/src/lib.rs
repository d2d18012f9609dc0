//! Diagnostics and what finds them: positions, JSON with positions, typed reading.
//!
//! Owns the one diagnostic shape. It knows no language but JSON, links no parser of another, and never decides what a
//! kind allows: kinds bring rules and tables.

pub mod code;
pub mod diagnostic;
pub mod error;
pub mod json;
pub mod language;
pub mod method;
pub mod order;
pub mod position;
pub mod python;
pub mod read;
pub mod report;
pub mod route;
pub mod subset;

pub use code::{Arg, Args, Code, Sentence};
pub use diagnostic::{Diagnostic, Fix, FixTarget, Severity};
pub use error::ApiError;
pub use position::{LineIndex, Position, Range};
pub use report::Report;
