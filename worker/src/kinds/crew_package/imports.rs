//! Packages from a file, below `/packages/import` (spec: crew-package.md §7 "Import").

use holdpoint_gateway::Code;
use holdpoint_kinds::crew_package::routes::imports::Id;

use crate::answer::Answer;
use crate::routes::{Edge, Incoming};

/// Answers a route of imports.
#[allow(clippy::unused_async)]
pub async fn answer(_: &Edge, id: Id, _: Incoming) -> Answer {
    match id {
        Id::Import | Id::CheckName => Err(Code::NotFound.into()),
    }
}
