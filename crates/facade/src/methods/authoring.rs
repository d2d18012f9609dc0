//! Intent, plans, prompts, replies, runs.

use crate::Method;

/// The methods of this file.
pub const METHODS: &[(&str, Method)] = &[];
