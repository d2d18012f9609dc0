//! Conversations about a package, but for what is said in them: how one begins, who may, and what is counted of it
//! (spec: ai-sessions.md §3, §10).
//!
//! Pure: what stands, who asks and the clock come in.

pub mod codes;
pub mod metrics;
pub mod opening;
pub mod rollout;
