//! What apps tell their account of runs, builds and proposals, to be counted there (spec: app-builder.md §13).
//!
//! Nobody waits for it, and what is lost on the way is not counted. Invariant: labels are words of ours, codes, keys of
//! templates and aliases of models; no text, path or name of a user passes.

use holdpoint_gateway::metrics::{Family, News};
use holdpoint_kind_app::figures::RunFigures;
use holdpoint_store::build::Build;
use holdpoint_store::workspace::{Cause, Revision};
use js_sys::Date;
use serde_json::Value;
use worker::wasm_bindgen_futures::spawn_local;

use super::AppDesk;
use super::shown::facts;
use crate::account::AccountCommand;
use crate::answer::EdgeError;
use crate::js::now_ms;
use crate::objects::{Objects, ask};

/// A proposal that is taken back later was good for something.
const DAY_MS: i64 = 86_400_000;

/// Tells an account what is to be counted.
pub fn tell(objects: &Objects, account: &str, news: News) {
    let (objects, account) = (objects.clone(), account.to_owned());
    spawn_local(async move {
        let Ok(object) = objects.account(&account) else { return };
        let _: Result<Value, EdgeError> = ask(&object, &AccountCommand::Counted { news }).await;
    });
}

/// A run that began at `since`, by its events.
pub fn run(figures: &RunFigures, since: i64, model: &str, template: &str) -> News {
    let RunFigures { outcome, code, .. } = figures;
    let whose = [("model", model), ("template", template)];
    let ended = [("outcome", outcome.as_str()), ("code", code.as_str()), whose[0], whose[1]];
    let mut news = News::default().count(Family::Turns, &ended, 1).took(Family::TurnTotal, past(now_ms(), since));
    if figures.gate_failed {
        news = news.count(Family::TurnsRepaired, &[("outcome", outcome)], 1);
    }
    for (family, at) in [(Family::TurnFirst, &figures.first_at), (Family::TurnProposal, &figures.proposed_at)] {
        if let Some(at) = at {
            news = news.took(family, past(Date::parse(at) as i64, since));
        }
    }
    for (class, tokens) in [("input", figures.input_tokens), ("output", figures.output_tokens)] {
        news = news.count(Family::TurnTokens, &[("class", class), whose[0], whose[1]], tokens);
    }
    news.count(Family::TurnCost, &whose, figures.cost_micros)
}

/// An attempt of a build and what came of it.
pub fn build(build: &Build, result: &str) -> News {
    let code = build.error_code.as_deref().unwrap_or_default();
    let what = [("kind", build.kind.as_str()), ("result", result), ("code", code)];
    let news = News::default().count(Family::Builds, &what, 1);
    let Some(started) = build.started else { return news };
    let news = news.took(Family::BuildWait, past(started, build.not_before));
    match build.finished {
        Some(finished) => news.took(Family::BuildTime, past(finished, started)),
        None => news,
    }
}

fn past(at: i64, since: i64) -> u64 {
    at.saturating_sub(since).max(0).cast_unsigned()
}

impl AppDesk<'_> {
    /// Counts in the account of who asks.
    pub fn tell(&self, news: News) {
        tell(&self.object.objects, &self.head.caller.account, news);
    }

    /// What a run proposed was applied.
    pub fn tell_applied(&self, applied: &Revision) {
        let own = facts(applied);
        if own.origin.is_none() {
            self.tell(News::default().count(Family::Applied, &[("template", &own.template_key)], 1));
        }
    }

    /// The draft is left for an older state of it. Counted where the draft is what a run proposed, applied within a day.
    pub fn tell_taken_back(&self, left: &Revision, how: &str) {
        if left.cause == Cause::Apply && facts(left).origin.is_none() && self.now - left.at < DAY_MS {
            self.tell(News::default().count(Family::TakenBack, &[("how", how)], 1));
        }
    }
}
