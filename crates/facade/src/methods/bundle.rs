//! Bundles: check, diff, review.

use crate::Method;

/// The methods of this file.
pub const METHODS: &[(&str, Method)] = &[];
