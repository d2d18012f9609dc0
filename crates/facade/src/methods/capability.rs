//! Capabilities and `when` conditions.

use crate::Method;

/// The methods of this file.
pub const METHODS: &[(&str, Method)] = &[];
