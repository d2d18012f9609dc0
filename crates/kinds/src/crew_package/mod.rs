//! The kind `crew-package`: workflows, their steps, the agents that work in them and the assets that they read.

pub mod dialect;
pub mod documents;
pub mod hints;
pub mod limits;
pub mod policy;
pub mod prompts;
pub mod schemas;
#[cfg(test)]
mod test;
