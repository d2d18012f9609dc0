//! Limits of a run (spec: authoring.md §6.1).

pub use crate::planning::{ATTEMPT_INPUT_TOKENS, GENERATE_OUTPUT_TOKENS};

/// Repairs after the generation: so at most five bundles of a model.
pub const MAX_REPAIR_ATTEMPTS: u32 = 4;
/// Output tokens of one repair, continuations included.
pub const ATTEMPT_OUTPUT_TOKENS: u32 = 6_000;
/// Output tokens of a plan.
pub const PLAN_OUTPUT_TOKENS: u32 = 4_000;
/// From the call to the end of its dry run.
pub const ATTEMPT_WALL_MS: u64 = 90_000;
/// From approval to the end.
pub const TOTAL_WALL_MS: u64 = 360_000;
pub const PLAN_WALL_MS: u64 = 60_000;
/// Invalid plans that are asked for again.
pub const PLAN_RETRIES: u32 = 2;
/// New plans that a person may ask for in words.
pub const MAX_ADJUSTMENTS: u32 = 5;
/// Failures before the first byte that are tried again.
pub const TRANSPORT_RETRIES: u32 = 2;
/// How often the same findings may stand.
pub const MAX_SAME_FINDINGS: usize = 3;

/// Output tokens of an attempt.
pub const fn output_tokens(attempt: u32) -> u32 {
    if attempt == 0 { GENERATE_OUTPUT_TOKENS } else { ATTEMPT_OUTPUT_TOKENS }
}
