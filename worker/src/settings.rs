//! What the deployment says: raw variables in, settings out, once an isolate.
//!
//! Invariant: a variable can lower a constant of gateway.md §1, never raise it.

use std::cell::OnceCell;
use std::rc::Rc;

use holdpoint_gateway::Limits;
use holdpoint_gateway::budget::ExpirePolicy;
use holdpoint_gateway::config::{Config, DEV_ACCOUNT};
use holdpoint_gateway::key::{self, account_id};
use worker::Env;

/// What happens upstream when a client leaves (spec: gateway.md §7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disconnect {
    /// Read on, charge exactly.
    Drain,
    /// Abort, charge an estimate.
    CancelEstimate,
    /// Abort, charge nothing.
    CancelFree,
}

impl Disconnect {
    /// As stored in the ledger.
    pub fn name(self) -> &'static str {
        match self {
            Self::Drain => "drain",
            Self::CancelEstimate => "cancel_estimate",
            Self::CancelFree => "cancel_free",
        }
    }
}

/// The settings of this deployment.
pub struct Settings {
    /// Constants, lowered where a variable says so.
    pub limits: Limits,
    /// Providers, models, prices.
    pub config: Config,
    /// `ENVIRONMENT=production`.
    pub production: bool,
    /// `HOLDPOINT_DEV=1`: the bearer `dev` works on loopback.
    pub dev: bool,
    /// `HOLDPOINT_DEV` is set at all.
    pub dev_is_set: bool,
    /// Beside the Worker's own.
    pub allowed_origins: Vec<String>,
    /// Part of every account id.
    pub issuer: String,
    /// Lets a launcher make the first keys of a fresh state; absent in deployments.
    pub bootstrap_secret: Option<String>,
    /// A call with this tag panics behind its admission: how tests see what a panic does to the others. Never set in
    /// deployments.
    pub panic_tag: Option<String>,
    /// What an expired hold costs.
    pub expire_policy: ExpirePolicy,
    /// What a vanished client means for its upstream call.
    pub disconnect: Disconnect,
}

thread_local! {
    static SETTINGS: OnceCell<Rc<Settings>> = const { OnceCell::new() };
}

impl Settings {
    /// Reads the variables, once.
    pub fn of(env: &Env) -> Rc<Self> {
        SETTINGS.with(|cell| cell.get_or_init(|| Rc::new(Self::read(env))).clone())
    }

    fn read(env: &Env) -> Self {
        let variable = |name: &str| env.var(name).ok().map(|value| value.to_string()).filter(|value| !value.is_empty());
        let dev = variable("HOLDPOINT_DEV");
        Self {
            limits: Limits::from_env(variable),
            config: Config::from_env(variable),
            production: variable("ENVIRONMENT").as_deref() == Some("production"),
            dev: dev.as_deref() == Some("1"),
            dev_is_set: dev.is_some(),
            allowed_origins: variable("ALLOWED_ORIGINS")
                .map(|list| list.split([',', ' ']).filter(|part| !part.is_empty()).map(str::to_owned).collect())
                .unwrap_or_default(),
            issuer: variable("ISSUER").unwrap_or_else(|| "holdpoint".to_owned()),
            bootstrap_secret: variable("BOOTSTRAP_SECRET"),
            panic_tag: variable("PANIC_TAG"),
            expire_policy: match variable("EXPIRE_POLICY").as_deref() {
                Some("bill_hold") => ExpirePolicy::BillHold,
                Some("release") => ExpirePolicy::Release,
                _ => ExpirePolicy::BillProgress,
            },
            disconnect: match variable("UPSTREAM_DISCONNECT").as_deref() {
                Some("cancel_estimate") => Disconnect::CancelEstimate,
                Some("cancel_free") => Disconnect::CancelFree,
                _ => Disconnect::Drain,
            },
        }
    }

    /// For new keys.
    pub fn key_env(&self) -> key::Env {
        if self.production { key::Env::Live } else { key::Env::Test }
    }

    /// The object name of account `dev`.
    pub fn dev_account(&self) -> String {
        account_id(&self.issuer, &format!("org:{DEV_ACCOUNT}"))
    }
}
