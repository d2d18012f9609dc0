//! The kind `crew-package`: workflows, their steps, the agents that work in them and the assets that they read.

pub mod dialect;
