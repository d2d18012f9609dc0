//! The routes of the model that a user brings along (spec: ai-sessions.md §8).

use holdpoint_check::route::{Errors, Route, Table};
use holdpoint_check::routes;

use super::READ;

/// See the module.
pub const TABLE: Table<Id> = Table::new("/users", Errors::Envelope, ROUTES);

routes! {
    Show => Route {
        path: "/me/llm-profile",
        does: "Shows the model that one's crew sessions ask. Never the key.",
        spec: "ai-sessions.md §8",
        ..READ
    },
}
