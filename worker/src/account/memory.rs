//! What an account's object knows beside its ledger, for as long as it lives.
//!
//! A refusal writes nothing, so who was refused lives here; so do counts (spec: gateway.md §13 "Metrics") and what is
//! known of providers, which is read when it is asked first.

use std::cell::{RefCell, RefMut};
use std::collections::BTreeSet;
use std::rc::Rc;

use holdpoint_gateway::Code;
use holdpoint_gateway::budget::{Closed, RowKind};
use holdpoint_gateway::config::OwnConfig;
use holdpoint_gateway::metrics::{CallMetrics, ClosedTry, Family, News};
use holdpoint_store::Ledger;
use holdpoint_store::ledger::Report;

use super::own;
use super::route::Routing;
use crate::answer::EdgeError;
use crate::settings::Settings;
use crate::sql::ObjectSql;

#[derive(Default)]
pub(super) struct InMemory {
    /// Users whose last call was refused for budget.
    pub refused: RefCell<BTreeSet<String>>,
    routes: RefCell<Option<Routing>>,
    metrics: RefCell<CallMetrics>,
    /// The account's own providers, models and prices, read when they are asked for first.
    own: RefCell<Option<Rc<OwnConfig>>>,
}

impl InMemory {
    /// What decides where calls go.
    pub fn routing(&self, ledger: &Ledger<ObjectSql>, now: i64) -> Result<RefMut<'_, Routing>, EdgeError> {
        let mut routes = self.routes.borrow_mut();
        if routes.is_none() {
            *routes = Some(Routing::of(ledger, now)?);
        }
        RefMut::filter_map(routes, Option::as_mut).map_err(|_| EdgeError::internal("routes are read"))
    }

    pub fn own(&self, ledger: &Ledger<ObjectSql>) -> Result<Rc<OwnConfig>, EdgeError> {
        if let Some(own) = &*self.own.borrow() {
            return Ok(own.clone());
        }
        let own = own::read(ledger)?;
        self.own.replace(Some(own.clone()));
        Ok(own)
    }

    /// The configuration was changed: it is read again.
    pub fn forget_own(&self) {
        self.own.take();
    }

    /// A budget was changed: who was refused before may have room now.
    pub fn has_room(&self) {
        self.refused.borrow_mut().clear();
    }

    pub fn count_refused(&self, code: Code) {
        self.metrics.borrow_mut().count(Family::Refused, &[("code", code.name())], 1);
    }

    pub fn count_expired(&self, settings: &Settings, ended: usize) {
        if ended > 0 {
            let policy = settings.expire_policy.name();
            self.metrics.borrow_mut().count(Family::Expired, &[("policy", policy)], ended as u64);
        }
    }

    /// Counts what a project tells.
    pub fn hear(&self, news: News) {
        self.metrics.borrow_mut().hear(news);
    }

    pub fn count_orphans(&self, ended: usize) {
        self.metrics.borrow_mut().count(Family::Orphans, &[], ended as u64);
    }

    /// Counts a try that was closed now.
    pub fn count_closed(&self, closed: &Closed, report: &Report, ended: &ClosedTry) {
        let mut metrics = self.metrics.borrow_mut();
        let outcome = match closed.kind {
            RowKind::Settled => report.outcome.as_str(),
            RowKind::Released => "released",
            RowKind::Expired => "expired",
            RowKind::Corrected => "corrected",
        };
        let ClosedTry { protocol, provider, payer, admit_ms, total_ms, repeated } = ended;
        metrics.count(Family::Requests, &[("protocol", protocol), ("provider", provider), ("outcome", outcome)], 1);
        metrics.count(Family::SettleRetry, &[], *repeated);
        metrics.took(Family::Admit, *admit_ms);
        if closed.kind == RowKind::Released {
            return;
        }
        let classes = [
            ("input", report.input),
            ("cached_input", report.cached_input),
            ("cache_write", report.cache_write),
            ("output", report.output),
            ("reasoning", report.reasoning),
        ];
        for (class, tokens) in classes {
            metrics.count(Family::Tokens, &[("class", class)], tokens);
        }
        metrics.count(Family::CacheRead, &[], report.cached_input);
        metrics.count(Family::Cost, &[("payer", payer)], closed.amount.cost.saturating_add(closed.excess.cost));
        metrics.count(Family::Overrun, &[], closed.excess.cost);
        metrics.count(Family::Estimated, &[], u64::from(report.usage_source == "estimated"));
        metrics.took(Family::Total, *total_ms);
        if let Some(ms) = report.ttfb_ms {
            metrics.took(Family::FirstByte, ms);
        }
        if let Some(policy) = report.disconnect_policy.as_deref().filter(|_| report.outcome == "client_gone") {
            metrics.count(Family::ClientGone, &[("policy", policy)], 1);
        }
    }

    /// All that was counted, and what is open now; so many calls `within` slices.
    pub fn metrics(
        &self,
        ledger: &Ledger<ObjectSql>,
        settings: &Settings,
        within: u64,
        now: i64,
    ) -> Result<String, EdgeError> {
        let (open, held) = ledger.open_calls()?;
        let mut metrics = self.metrics.borrow().clone();
        metrics.set(Family::InFlight, &[], open.saturating_add(within));
        metrics.set(Family::Held, &[], held);
        let routing = self.routing(ledger, now)?;
        for provider in &settings.config.providers {
            let open = u64::from(routing.is_open(&provider.id));
            metrics.set(Family::BreakerOpen, &[("provider", &provider.id)], open);
        }
        Ok(metrics.text())
    }
}
