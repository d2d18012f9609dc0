//! What a project can be asked.

use serde::{Deserialize, Serialize};

/// See the module.
#[derive(Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ProjectAsk {
    Create { name: String },
    Show,
}
