//! What happens to an app, told as it happens: builds, versions, publishes, and the log of one build (spec: app-builder.md
//! §3 `events`, `build/log`).
//!
//! Readers look at what is stored, and again when something changed; nothing is kept for them. Invariant: a reader that
//! leaves changes nothing.

use std::rc::Rc;

use holdpoint_gateway::wire::sse;
use holdpoint_store::build::BuildStatus;
use serde_json::{Value, json};
use worker::{Headers, Response, State};

use super::AppDesk;
use crate::answer::EdgeError;
use crate::js::{First, Gone};
use crate::project::turn::ResponseSink;
use crate::project::{Object, ProjectCommand};

/// What a client waits before it comes again.
const RETRY: &str = "retry: 2000\n\n";
/// Shows a client that somebody is there.
const BEAT: &str = ": hb\n\n";
/// Between two looks at a log that grows.
const LOG_MS: u64 = 250;

/// Tells of the draft's build, of versions and publishes.
pub async fn follow(
    state: &State,
    object: &Rc<Object>,
    head: ProjectCommand<()>,
    gone: Gone,
) -> Result<Response, EdgeError> {
    AppDesk::of(object, &head)?.present()?;
    let (mut sink, given) = ResponseSink::new(gone, object.settings.limits.client_stall_ms);
    let (object, ping) = (object.clone(), object.editor.ping_ms);
    state.wait_until(async move {
        if !sink.open(stream_headers()) || !sink.write(RETRY).await {
            return;
        }
        let mut told: Vec<(&str, String)> = Vec::new();
        loop {
            let changed = object.work.wait();
            let Ok(now) = snapshot(&object, &head) else { break };
            let news: String = now
                .iter()
                .filter(|one| !told.contains(one))
                .map(|(name, data)| sse::event(Some(name), data, "\n"))
                .collect();
            told = now;
            if !news.is_empty() && !sink.write(&news).await {
                return;
            }
            match sink.wait(changed, ping).await {
                First::Done(_) => {}
                First::Late => {
                    if !sink.write(BEAT).await {
                        return;
                    }
                }
                First::Gone | First::Cancelled => return,
                First::Over => break,
            }
        }
        sink.close();
    });
    Ok(given.wait(|fault| fault.response()).await?)
}

/// Tells the log of a build from its start, until its end.
pub async fn log(
    state: &State,
    object: &Rc<Object>,
    head: ProjectCommand<()>,
    revision: &str,
    gone: Gone,
) -> Result<Response, EdgeError> {
    let desk = AppDesk::of(object, &head)?;
    desk.present()?;
    let number = {
        desk.build(revision)?;
        desk.workspace.builds().of(&head.bundle, revision)?.map(|build| build.number).unwrap_or_default()
    };
    drop(desk);
    let (mut sink, given) = ResponseSink::new(gone, object.settings.limits.client_stall_ms);
    let object = object.clone();
    state.wait_until(async move {
        if !sink.open(stream_headers()) {
            return;
        }
        // The part that is read, and how much of it was told.
        let (mut part, mut told) = (0, 0);
        loop {
            let Ok(workspace) = object.workspace() else { break };
            let Ok(Some(build)) = workspace.builds().get(number) else { break };
            let Ok(parts) = workspace.builds().log_parts(number, part) else { break };
            let mut news = String::new();
            for next in parts {
                if next.part != part {
                    (part, told) = (next.part, 0);
                }
                news.push_str(next.text.get(told..).unwrap_or_default());
                told = next.text.len();
            }
            if !news.is_empty() && !sink.write(&sse::event(Some("log"), &json!({"text": news}).to_string(), "\n")).await
            {
                return;
            }
            if matches!(build.status, BuildStatus::Succeeded | BuildStatus::Failed) {
                let end = json!({"build_status": build.status.as_str(), "build_seq": build.seq});
                sink.write(&sse::event(Some("end"), &end.to_string(), "\n")).await;
                break;
            }
            match sink.wait(std::future::pending::<()>(), LOG_MS).await {
                First::Gone | First::Cancelled => return,
                First::Over => break,
                First::Done(()) | First::Late => {}
            }
        }
        sink.close();
    });
    Ok(given.wait(|fault| fault.response()).await?)
}

/// The present state, one event each.
fn snapshot(object: &Object, head: &ProjectCommand<()>) -> Result<Vec<(&'static str, String)>, EdgeError> {
    let desk = AppDesk::of(object, head)?;
    let standing = desk.present()?;
    let app = desk.app(&standing)?;
    let mut build: Value = json!(desk.build(&standing.revision.id)?);
    // The log has a stream of its own.
    if let Some(members) = build.as_object_mut() {
        members.remove("log_tail");
    }
    let revision = json!({"revision_id": standing.revision.id, "updated_at": app.updated_at});
    let published = json!({
        "status": app.status, "revision_id": app.current_published_revision_id, "published_url": app.published_url,
    });
    Ok(vec![("build", build.to_string()), ("revision", revision.to_string()), ("published", published.to_string())])
}

fn stream_headers() -> Headers {
    let headers = Headers::new();
    for (name, value) in [("content-type", "text/event-stream; charset=utf-8"), ("cache-control", "no-store")] {
        // These are letters of a header.
        drop(headers.set(name, value));
    }
    headers
}
