//! Turns that nobody drives any more, because their object went away in the middle: the next one ends them, from its alarm
//! or before anybody looks (spec: ai-sessions.md §6.1).
//!
//! Knows turns that go on without their client; one that ends with it is closed by the next turn of its session.

use holdpoint_engine::turn::Close;
use holdpoint_kind::protocol::{Cause, OnDisconnect, Protocol, TokenUse};

use super::log::{KEEP_MS, LastWord, close_stored};
use crate::answer::EdgeError;
use crate::js::now_ms;
use crate::kinds;
use crate::project::Object;

/// When the alarm looks again.
const LOOK_AGAIN_MS: i64 = 60_000;

/// Ends them; answers how many those were.
pub fn interrupt(object: &Object) -> Result<usize, EdgeError> {
    let workspace = object.workspace()?;
    let sessions = object.sessions(&workspace);
    let mut ended = 0;
    for protocol in protocols() {
        let cause = Cause::Interrupted;
        let Some(error) = protocol.refusal(&cause) else { continue };
        let close = Close { ending: protocol.ending(&cause), text: String::new() };
        for (session, logged) in sessions.pending(protocol.id())? {
            if object.slots.is_taken(&session) {
                continue;
            }
            let turn = (logged.turn, logged.correlation.as_str());
            let kept = (KEEP_MS, TokenUse::default());
            if close_stored(&sessions, protocol, turn, &close, &LastWord::Error(&error), kept)? {
                ended += 1;
                kinds::interrupted(object, &session, &error.code)?;
            }
            object.waiting.call(logged.turn);
        }
    }
    Ok(ended)
}

/// When the object looks again at the logs of its turns.
pub fn next_look(object: &Object) -> Result<Option<i64>, EdgeError> {
    let workspace = object.workspace()?;
    let sessions = object.sessions(&workspace);
    let mut runs = false;
    for protocol in protocols() {
        runs |= !sessions.pending(protocol.id())?.is_empty();
    }
    let again = runs.then(|| now_ms() + LOOK_AGAIN_MS);
    Ok(sessions.next_forgetting()?.into_iter().chain(again).min())
}

fn protocols() -> impl Iterator<Item = &'static dyn Protocol> {
    let all = holdpoint_kinds::KINDS.iter().flat_map(|entry| entry.protocols.iter().copied());
    all.filter(|protocol| protocol.on_disconnect() == OnDisconnect::Continue)
}
