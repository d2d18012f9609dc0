//! Diagnostics and what finds them: positions, JSON with positions, JavaScript analysis.
//!
//! Owns the one diagnostic shape. Only this crate knows JavaScript syntax. It never decides what a kind allows: kinds
//! bring rules and tables.

pub mod diagnostic;
pub mod error;
pub mod js;
pub mod json;
pub mod method;
pub mod order;
pub mod position;
pub mod python;
pub mod read;
pub mod report;
pub mod subset;

pub use diagnostic::{Diagnostic, Fix, FixTarget, Severity};
pub use error::ApiError;
pub use position::{LineIndex, Position, Range};
pub use report::Report;
