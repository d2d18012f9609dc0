//! What the deployment says: raw variables in, settings out, once an isolate.
//!
//! Invariant: a variable can lower a constant of gateway.md §1, never raise it.

use std::cell::OnceCell;
use std::rc::Rc;

use holdpoint_gateway::budget::ExpirePolicy;
use holdpoint_gateway::cipher::{Keys, Secret};
pub use holdpoint_gateway::config::Disconnect;
use holdpoint_gateway::config::{Config, ConfigError, DEFAULT_ALIAS, DEV_ACCOUNT};
use holdpoint_gateway::indicator::AnsweringModel;
use holdpoint_gateway::jwt::{RulesError, TokenRules};
use holdpoint_gateway::key::{self, KeySecrets, ProxyKey, account_id};
use holdpoint_gateway::profile::{AddressRules, Policy, System};
use holdpoint_gateway::route::Locality;
use holdpoint_gateway::{Limits, Protocol};
use holdpoint_store::ledger::Principal;
use serde_json::json;
use worker::Env;

use crate::outbound::Reach;

/// Where the platform's model is used (`LLM_SYSTEM_DEFAULT`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SystemDefault {
    /// Also where users may name models of their own and have not.
    Everywhere,
    /// `off`: there a user names one, or has none.
    NotForProfiles,
}

/// What becomes of calls on the platform's money that no budget counts (`ALLOW_NO_BUDGET`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uncounted {
    Refused,
    Allowed,
}

/// Which calls are captured with what they hold (`CAPTURE_MODE`, `LLM_CAPTURE_ON_ERROR_ENABLED`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureMode {
    Off,
    /// Calls that got no good answer.
    Errors,
    /// Every one; never in production.
    All,
}

/// The settings of this deployment.
pub struct Settings {
    /// Constants, lowered where a variable says so.
    pub limits: Limits,
    pub config: Config,
    pub production: bool,
    /// `HOLDPOINT_DEV=1`: the bearer `dev` works on loopback.
    pub dev: bool,
    /// `HOLDPOINT_DEV` is set at all.
    pub dev_is_set: bool,
    pub allowed_origins: Vec<String>,
    /// What the page may show in frames: the origins of built apps, as a policy names them.
    pub frames: Option<String>,
    /// Part of every account id.
    pub issuer: String,
    /// Lets a launcher make the first keys of a fresh state; absent in deployments.
    pub bootstrap_secret: Option<String>,
    /// Whose tokens sign people in; `None`: nobody's.
    pub tokens: Option<TokenRules>,
    /// What ids of keys are marked with.
    pub key_secrets: Option<KeySecrets>,
    /// Accounts whose keys have no mark.
    old_key_accounts: Vec<String>,
    /// The account that may be opened, and the secret that opens it.
    pub first_account: Option<(FirstName, Secret)>,
    /// Settings that cannot be used.
    pub problems: Vec<&'static str>,
    /// A call with this tag panics behind its admission: how tests see what a panic does to the others. Never set in
    /// deployments.
    pub panic_tag: Option<String>,
    pub uncounted: Uncounted,
    /// What an expired hold costs.
    pub expire_policy: ExpirePolicy,
    /// What a vanished client means for its upstream call.
    pub disconnect: Disconnect,
    /// What users' keys are sealed and opened with; `None`: there is no active key.
    pub secrets: Option<Keys>,
    /// Which models the organisation allows.
    pub policy: Policy,
    /// Addresses that users may name. A request adds the name that it came to.
    addresses: AddressRules,
    /// The name of previews and published apps, with `*` for the label of an app.
    preview_host: Option<String>,
    pub capture: CaptureMode,
    /// How long a capture is kept.
    pub capture_ttl_ms: i64,
    /// Where the platform's model is used.
    system_default: SystemDefault,
}

const KEY_SECRETS: &str = "KEY_SECRETS";
/// A capture is kept for seven days at most.
const CAPTURE_TTL_MS: i64 = 7 * 86_400_000;

thread_local! {
    static SETTINGS: OnceCell<Rc<Settings>> = const { OnceCell::new() };
}

impl Settings {
    pub fn of(env: &Env) -> Rc<Self> {
        SETTINGS.with(|cell| cell.get_or_init(|| Rc::new(Self::read(env))).clone())
    }

    fn read(env: &Env) -> Self {
        let variable = |name: &str| env.var(name).ok().map(|value| value.to_string()).filter(|value| !value.is_empty());
        let dev = variable("HOLDPOINT_DEV");
        let list = |name: &str| -> Vec<String> {
            let words = variable(name).unwrap_or_default();
            words.split([',', ' ']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let production = variable("ENVIRONMENT").as_deref() == Some("production");
        let (mut problems, limits) = (Vec::new(), Limits::from_env(variable));
        let none = || Config { providers: Vec::new(), models: Vec::new(), prices: Vec::new() };
        let mut config = config(variable).unwrap_or_else(|fault| {
            problems.push(("GATEWAY_CONFIG", fault.to_string()));
            none()
        });
        if limits.hold_ttl_ms < limits.total_ms {
            problems.push(("HOLD_TTL_MS", format!("a call may take {}, and its hold ends before", limits.total_ms)));
            // Tests look at holds that end early.
            if production {
                config = none();
            }
        }
        Self {
            limits,
            config,
            tokens: tokens(variable).unwrap_or_else(|fault| {
                problems.push(("TOKEN_KEYS", fault.to_string()));
                None
            }),
            key_secrets: variable(KEY_SECRETS).and_then(|words| {
                let read = KeySecrets::read(&words);
                if read.is_none() {
                    problems.push((KEY_SECRETS, "write one or two words of at least 32 characters".to_owned()));
                }
                read
            }),
            old_key_accounts: list("OLD_KEY_ACCOUNTS"),
            first_account: first_account(variable).unwrap_or_else(|fault| {
                problems.push(("FIRST_ACCOUNT", fault.to_owned()));
                None
            }),
            production,
            dev: dev.as_deref() == Some("1"),
            dev_is_set: dev.is_some(),
            allowed_origins: list("ALLOWED_ORIGINS"),
            frames: variable("PREVIEW_ORIGIN").map(|origin| origin.trim_end_matches('/').replace("{app}", "*")),
            issuer: variable("ISSUER").unwrap_or_else(|| "holdpoint".to_owned()),
            bootstrap_secret: variable("BOOTSTRAP_SECRET"),
            panic_tag: variable("PANIC_TAG"),
            uncounted: match variable("ALLOW_NO_BUDGET").as_deref() {
                Some("1") => Uncounted::Allowed,
                _ => Uncounted::Refused,
            },
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
            secrets: Keys::read(variable("SECRETS_KEYS").as_deref(), variable("SECRETS_ACTIVE_KID").as_deref()),
            policy: Policy::read(variable("LLM_ORG_POLICY_MODE").as_deref()),
            addresses: AddressRules {
                allow_private: variable("ALLOW_PRIVATE_UPSTREAMS").as_deref() == Some("1") && !production,
                own_hosts: list("OWN_HOSTS"),
            },
            preview_host: variable("PREVIEW_ORIGIN").and_then(|origin| host(&origin.replace("{app}", "*"))),
            capture: match variable("CAPTURE_MODE").as_deref() {
                Some("all") if !production => CaptureMode::All,
                Some("errors") => CaptureMode::Errors,
                _ if matches!(variable("LLM_CAPTURE_ON_ERROR_ENABLED").as_deref(), Some("1" | "true" | "on")) => {
                    CaptureMode::Errors
                }
                _ => CaptureMode::Off,
            },
            capture_ttl_ms: variable("CAPTURE_TTL_MS")
                .and_then(|text| text.trim().parse().ok())
                .map_or(CAPTURE_TTL_MS, |ms: i64| ms.clamp(0, CAPTURE_TTL_MS)),
            system_default: match variable("LLM_SYSTEM_DEFAULT").as_deref() {
                Some("off") => SystemDefault::NotForProfiles,
                _ => SystemDefault::Everywhere,
            },
            problems: told(problems),
        }
    }

    /// Whether new keys can be marked as this deployment wants them.
    pub fn makes_keys(&self) -> bool {
        !self.problems.contains(&KEY_SECRETS)
    }

    /// Whether an account may be asked for a key: one whose id is forged opens no object (spec: gateway.md §3).
    pub fn may_be_ours(&self, key: &ProxyKey) -> bool {
        let Some(secrets) = &self.key_secrets else { return true };
        !self.production || secrets.knows(key) || self.old_key_accounts.contains(&key.account)
    }

    /// Host names of the deployment itself.
    pub fn own_hosts(&self) -> &[String] {
        &self.addresses.own_hosts
    }

    /// Addresses that a user may name, of a request that came to `host`. On a machine of its own everything is on the
    /// same one, so there it is not ours alone.
    pub fn addresses(&self, host: &str) -> AddressRules {
        let mut rules = self.addresses.clone();
        let is_loopback =
            host == "localhost" || host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback());
        if !(host.is_empty() || rules.allow_private && is_loopback) {
            rules.own_hosts.push(host.to_owned());
        }
        if !rules.allow_private {
            rules.own_hosts.extend(self.preview_host.clone());
        }
        rules
    }

    /// How far requests to addresses may reach that users named.
    pub fn reach_of_users(&self) -> Reach {
        if self.addresses.allow_private { Reach::Anywhere } else { Reach::Public }
    }

    /// The platform's model, where its operator gives this key one.
    pub fn system(&self, principal: &Principal) -> Option<System> {
        self.platform_model(DEFAULT_ALIAS, principal).filter(|_| self.system_default == SystemDefault::Everywhere)
    }

    /// A model of the platform that this key may ask.
    pub fn platform_model(&self, alias: &str, principal: &Principal) -> Option<System> {
        let route = self.config.route(alias).ok().filter(|_| principal.require_model(alias).is_ok())?;
        Some(System {
            alias: alias.to_owned(),
            display: route.model.display.clone(),
            context_window: route.price.row.context_window,
            openai: route.provider.kind == Protocol::OpenAi,
        })
    }

    /// The platform's model that pages ask, where this key may.
    pub fn answering(&self, principal: &Principal) -> Option<AnsweringModel> {
        let route = self.config.route(DEFAULT_ALIAS).ok().filter(|_| principal.require_model(DEFAULT_ALIAS).is_ok())?;
        let local = route.provider.locality == Locality::Local;
        Some(AnsweringModel { name: route.model.display.clone(), local })
    }

    pub fn key_env(&self) -> key::Env {
        if self.production { key::Env::Live } else { key::Env::Test }
    }

    /// The object name of account `dev`.
    pub fn dev_account(&self) -> String {
        account_id(&self.issuer, &format!("org:{DEV_ACCOUNT}"))
    }
}

/// `GATEWAY_CONFIG` where it is set, else what the variables of one upstream say. One that cannot be used leaves no model.
fn config(variable: impl Fn(&str) -> Option<String>) -> Result<Config, ConfigError> {
    match variable("GATEWAY_CONFIG") {
        Some(text) => Config::read(&text, variable),
        None => Config::from_env(variable),
    }
}

fn tokens(variable: impl Fn(&str) -> Option<String>) -> Result<Option<TokenRules>, RulesError> {
    let named = |name: &str| variable(name).unwrap_or_default();
    let rules =
        variable("TOKEN_KEYS").map(|keys| TokenRules::read(&keys, &named("TOKEN_ISSUER"), &named("TOKEN_AUDIENCE")));
    rules.transpose()
}

/// The account that `FIRST_ACCOUNT` names.
pub struct FirstName {
    /// As it is written: `org:<name>` or `user:<name>`.
    pub text: String,
    /// As budget scopes have it.
    pub name: String,
}

fn first_account(variable: impl Fn(&str) -> Option<String>) -> Result<Option<(FirstName, Secret)>, &'static str> {
    const LEAST: usize = 32;
    let (text, secret) = match (variable("FIRST_ACCOUNT"), variable("FIRST_ACCOUNT_SECRET")) {
        (Some(text), Some(secret)) => (text, secret),
        (None, None) => return Ok(None),
        _ => return Err("it and `FIRST_ACCOUNT_SECRET` need each other"),
    };
    if secret.len() < LEAST {
        return Err("write at least 32 characters in `FIRST_ACCOUNT_SECRET`");
    }
    let Some(("org" | "user", name)) = text.split_once(':').filter(|(_, name)| !name.is_empty()) else {
        return Err("write `org:` or `user:` and a name");
    };
    let name = name.to_owned();
    Ok(Some((FirstName { text, name }, Secret::new(secret))))
}

/// The name in an origin.
fn host(origin: &str) -> Option<String> {
    let (_, rest) = origin.split_once("://")?;
    rest.split([':', '/']).next().filter(|host| !host.is_empty()).map(str::to_owned)
}

/// What cannot be used is said once an isolate in the log; whoever asks the deployment hears the names alone.
fn told(problems: Vec<(&'static str, String)>) -> Vec<&'static str> {
    for (setting, message) in &problems {
        worker::console_error!(
            "{}",
            json!({"event": "fault", "cause": "config", "setting": setting, "message": message})
        );
    }
    problems.into_iter().map(|(setting, _)| setting).collect()
}
