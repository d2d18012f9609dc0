//! Runs of the app builder: what is asked, how its events are heard, what was said (spec: app-builder.md §9, §10).
//!
//! One run at a time in an app, whoever asks; a thread is a session with an id of its own. Invariants: what is refused
//! before the first byte has no turn; a run goes on without its client, and each ends with one `done`; what it stages is
//! a proposal and never a revision.

mod answer;
mod builds;
mod held;
mod host;
mod start;

use std::rc::Rc;

use holdpoint_check::args;
use holdpoint_kind_app::protocol::PROTOCOLS;
use holdpoint_kind_app::protocol::codes::RUN_ACTIVE;
use holdpoint_store::session::{Logged, Sessions};

pub use answer::handle;

use super::AppDesk;
use crate::answer::EdgeError;
use crate::project::Object;
use crate::sql::ObjectSql;

/// How long a thread lives after its last message, and its transcripts with it.
pub const THREAD_MS: i64 = 180 * 86_400_000;
/// How long the events of a run are kept behind its end.
const EVENTS_MS: i64 = 86_400_000;
/// What marks the calls of runs in the ledger.
const TAG: &str = "apps";

/// The slot of all runs of an app.
fn lane(app: &str) -> String {
    format!("run {app}")
}

impl AppDesk<'_> {
    fn sessions(&self) -> Sessions<'_, ObjectSql> {
        self.workspace.sessions(THREAD_MS)
    }

    /// The run that goes on in the app, as the store knows it.
    fn running(&self) -> Result<Option<Logged>, EdgeError> {
        for protocol in PROTOCOLS {
            if let Some((_, logged)) = self.sessions().pending(protocol.id())?.pop() {
                return Ok(Some(logged));
            }
        }
        Ok(None)
    }

    /// The request of the run that goes on.
    pub fn active_run(&self) -> Result<Option<String>, EdgeError> {
        Ok(self.running()?.map(|logged| logged.correlation))
    }

    fn busy(&self) -> EdgeError {
        let active = self.active_run().ok().flatten();
        EdgeError::of(409, &RUN_ACTIVE, args! {}).with("request_id", active)
    }
}

/// Ends runs that nobody drives any more.
pub fn interrupt(object: &Rc<Object>) -> Result<(), EdgeError> {
    crate::project::turn::interrupt(object).map(drop)
}
