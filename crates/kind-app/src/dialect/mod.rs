//! The dialect of edits: operations on files, and patches among them (spec: vite-app.md §3).

pub mod apply;
pub mod guards;
pub mod op;
pub mod patch;
