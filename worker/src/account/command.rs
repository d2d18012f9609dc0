//! What an account can be asked. Every command that comes from outside names its caller, and is answered only after
//! the caller's key, origin and scope were checked here, in the single writer.

use holdpoint_check::{Code as Said, args};
use holdpoint_gateway::budget::{Amount, Balance, Budget, Close, Refused, RowKind, uncountable};
use holdpoint_gateway::config::{DEV_ACCOUNT, PriceRow};
use holdpoint_gateway::indicator::Shown;
use holdpoint_gateway::key::{ProxyKey, account_id};
use holdpoint_gateway::metrics::News;
use holdpoint_gateway::price::micros;
use holdpoint_gateway::{Code, GatewayError};
use holdpoint_store::Ledger;
use holdpoint_store::codes::{BUDGET, KEY, LIMIT, OPENED, REQUEST};
use holdpoint_store::ledger::{
    CallAsk, CallDays, ClosedCall, Credential, Decision, KeyEdit, LedgerError, LimitAsk, Listed, NewKey, Principal,
    Report, SwitchAsk, UsageAsk,
};
pub use holdpoint_store::wire::QuoteAsk;
use holdpoint_store::wire::{CreatedKey, ExtensionAsk, Quote, Span};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::admit::admit;
use super::asked::{check_scope, check_switch, within};
use super::keys::create_key;
use super::memory::InMemory;
use super::own::{self, OwnAsk};
use super::profile::{ProfileAsk, with_models};
use super::route::{RouteAsk, RouteNews};
use super::setup::SetupAsk;
use super::{slices, webhooks};
use crate::answer::EdgeError;
use crate::js::random;
use crate::settings::Settings;
use crate::sql::ObjectSql;

/// Who asks, as far as the Worker can say.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Caller {
    /// Object name of the account.
    pub account: String,
    pub credential: Credential,
    /// The page that asks, if a browser does.
    pub origin: Option<String>,
    /// The name that the request came to: one of ours.
    #[serde(default)]
    pub host: String,
}

/// A page of a list.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Slice {
    pub cursor: Option<String>,
    pub limit: u32,
}

/// What an account can be asked.
#[derive(Debug, Serialize, Deserialize)]
pub enum AccountCommand {
    Know { caller: Caller },
    Verify { caller: Caller, scope: String },
    Admit { caller: Caller, ask: CallAsk, route: Option<RouteAsk> },
    Progress { request_id: String, used: Amount },
    Settle { request_id: String, used: Amount, report: Report },
    Release { request_id: String, report: Report },
    SettleSlice { id: String, calls: Vec<ClosedCall>, keep: Option<Amount> },
    Tried { news: RouteNews },
    Counted { news: News },
    OpenRun { caller: Caller, id: String, amount: Amount, ttl_ms: i64 },
    Run { caller: Caller, id: String },
    CloseRun { caller: Caller, id: String },
    Indicator { caller: Caller },
    Quote { caller: Caller, ask: QuoteAsk },
    Ledger { caller: Caller, slice: Slice },
    Dump { caller: Caller, cursor: Option<String> },
    Usage { caller: Caller, ask: UsageAsk },
    Calls { caller: Caller, days: CallDays, slice: Slice },
    Running { caller: Caller },
    Borrowers { caller: Caller, scope: String },
    Metrics { caller: Caller, within: u64 },
    Keys { caller: Caller, slice: Slice },
    Key { caller: Caller, id: String },
    CreateKey { caller: Caller, new: NewKey },
    ChangeKey { caller: Caller, id: String, edit: KeyEdit },
    RotateKey { caller: Caller, id: String, grace_ms: i64 },
    RevokeKey { caller: Caller, id: String },
    Audit { caller: Caller, slice: Slice },
    Setup { caller: Caller, ask: SetupAsk },
    Own { caller: Caller, ask: OwnAsk },
    Budgets { caller: Caller, slice: Slice },
    Budget { caller: Caller, id: String },
    PutBudget { caller: Caller, budget: Budget },
    DeleteBudget { caller: Caller, id: String },
    Limit { caller: Caller, scope: String },
    PutLimit { caller: Caller, scope: String, ask: LimitAsk },
    DeleteLimit { caller: Caller, scope: String },
    AskExtension { caller: Caller, id: String, budget: String, ask: ExtensionAsk },
    DecideExtension { caller: Caller, id: String, budget: String, decision: Decision },
    Extensions { caller: Caller, slice: Slice },
    Switches { caller: Caller, slice: Slice },
    PutSwitch { caller: Caller, scope: String, ask: SwitchAsk },
    Bootstrap { keys: Vec<NewKey> },
    OpenFirst { name: String, account: String, new: NewKey },
    Enter { caller: Caller, bundle: Option<String> },
    Bundles { caller: Caller, kind: String, slice: Slice },
    ListBundle { bundle: Listed },
    Profile { caller: Caller, ask: ProfileAsk },
    UnlistBundle { id: String },
    Reserve { caller: Caller, key: String, id: String },
    IsTitled { caller: Caller, kind: String, title: String },
}

/// The answer to [`AccountCommand::Enter`]: who asks, and the bundle of that name in this account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entered {
    pub principal: Principal,
    pub bundle: Option<Listed>,
}

/// The answer to a close.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CloseAnswer {
    pub charged: Amount,
    pub excess: Amount,
}

pub(super) type Answered = Result<Value, EdgeError>;

impl AccountCommand {
    /// Whether it may fill a fresh state for development.
    pub fn seeds(&self) -> bool {
        matches!(self, Self::Bootstrap { .. })
            || self.caller().is_some_and(|caller| caller.credential == Credential::Dev)
    }

    /// The name of the account that it opens, where it may open one.
    pub fn opens(&self) -> Option<&str> {
        match self {
            Self::Bootstrap { .. } => Some(DEV_ACCOUNT),
            Self::OpenFirst { name, .. } => Some(name),
            _ => match &self.caller()?.credential {
                Credential::Dev => Some(DEV_ACCOUNT),
                Credential::Token(holder) => Some(&holder.account),
                Credential::Key { .. } => None,
            },
        }
    }

    fn caller(&self) -> Option<&Caller> {
        match self {
            Self::Know { caller }
            | Self::Verify { caller, .. }
            | Self::Admit { caller, .. }
            | Self::OpenRun { caller, .. }
            | Self::Run { caller, .. }
            | Self::CloseRun { caller, .. }
            | Self::Indicator { caller }
            | Self::Quote { caller, .. }
            | Self::Ledger { caller, .. }
            | Self::Dump { caller, .. }
            | Self::Usage { caller, .. }
            | Self::Calls { caller, .. }
            | Self::Running { caller }
            | Self::Borrowers { caller, .. }
            | Self::Metrics { caller, .. }
            | Self::ChangeKey { caller, .. }
            | Self::RotateKey { caller, .. }
            | Self::Audit { caller, .. }
            | Self::Setup { caller, .. }
            | Self::Own { caller, .. }
            | Self::Keys { caller, .. }
            | Self::Key { caller, .. }
            | Self::CreateKey { caller, .. }
            | Self::RevokeKey { caller, .. }
            | Self::Budgets { caller, .. }
            | Self::Budget { caller, .. }
            | Self::PutBudget { caller, .. }
            | Self::DeleteBudget { caller, .. }
            | Self::Limit { caller, .. }
            | Self::PutLimit { caller, .. }
            | Self::DeleteLimit { caller, .. }
            | Self::AskExtension { caller, .. }
            | Self::DecideExtension { caller, .. }
            | Self::Extensions { caller, .. }
            | Self::Switches { caller, .. }
            | Self::PutSwitch { caller, .. }
            | Self::Enter { caller, .. }
            | Self::Reserve { caller, .. }
            | Self::IsTitled { caller, .. }
            | Self::Bundles { caller, .. }
            | Self::Profile { caller, .. } => Some(caller),
            Self::Progress { .. }
            | Self::Settle { .. }
            | Self::Release { .. }
            | Self::SettleSlice { .. }
            | Self::Tried { .. }
            | Self::Counted { .. }
            | Self::Bootstrap { .. }
            | Self::OpenFirst { .. }
            | Self::ListBundle { .. }
            | Self::UnlistBundle { .. } => None,
        }
    }

    pub(super) fn answer(
        self,
        ledger: &Ledger<ObjectSql>,
        settings: &Settings,
        memory: &InMemory,
        now: i64,
    ) -> Answered {
        let principal = match self.caller() {
            Some(caller) => Some(known(ledger, caller, now)?),
            None => None,
        };
        let with_scope = |scope: &str| -> Result<Principal, EdgeError> {
            let principal = principal.clone().ok_or_else(|| EdgeError::from(Code::AuthMissingToken))?;
            principal.require(scope)?;
            Ok(principal)
        };
        let admin = || with_scope("admin").map(|principal| principal.actor());
        match self {
            Self::Know { .. } => to_value(&principal),
            Self::Verify { scope, .. } => to_value(&with_scope(&scope)?),
            Self::Admit { caller, mut ask, route } => {
                let Some(route) = route else { return admit(ledger, &caller, &ask, None, memory, now) };
                let principal = with_scope("llm")?;
                principal.require_model(&ask.facts.alias)?;
                let mut routing = memory.routing(ledger, now)?;
                let routed = routing.decide(ledger, &principal.user_id, &mut ask, &route, now)?;
                let answer = admit(ledger, &caller, &ask, Some(&routed), memory, now);
                if answer.is_err() {
                    routing.refused(&ask.request_id);
                }
                answer
            }
            Self::Tried { news } => {
                memory.routing(ledger, now)?.tried(ledger, &news, now)?;
                Ok(Value::Bool(true))
            }
            Self::Counted { news } => {
                memory.hear(news);
                Ok(Value::Bool(true))
            }
            Self::Progress { request_id, used } => to_value(&ledger.progress(now, &request_id, used)?),
            Self::Settle { request_id, used, report } => {
                let close = ledger.settle(now, &request_id, used, &report)?;
                webhooks::tell_close(ledger, &request_id, &close);
                closed(&close, &report, memory)
            }
            Self::Release { request_id, report } => {
                closed(&ledger.release(now, &request_id, &report)?, &report, memory)
            }
            Self::SettleSlice { id, calls, keep } => slices::settle(ledger, &id, &calls, keep, memory, now),
            Self::OpenRun { caller, id, amount, ttl_ms } => {
                to_value(&ledger.open_run(now, &caller.credential, &id, amount, ttl_ms)?)
            }
            Self::Run { caller, id } => to_value(&ledger.run(now, &caller.credential, &id)?),
            Self::CloseRun { caller, id } => to_value(&ledger.close_run(now, &caller.credential, &id)?),
            Self::Indicator { caller } => {
                let principal = with_scope("usage")?;
                let out = memory.refused.borrow().contains(&principal.user_id);
                let shown = ledger.indicator(now, &caller.credential, out)?;
                to_value(&with_models(shown, ledger, settings, &caller, &principal)?)
            }
            Self::Quote { ask, .. } => {
                let principal = with_scope("llm")?;
                let config = own::joined(&settings.config, &*memory.own(ledger)?);
                let price = config.route(&ask.model)?.price;
                let balances = ledger.balances(now, &principal)?;
                if let Some(budget) = uncountable(!price.has_price(), &balances) {
                    return Err(GatewayError::from(Refused::NotPriced(budget)).into());
                }
                to_value(&quote(&ask, price, &balances))
            }
            Self::Ledger { slice, .. } => {
                admin()?;
                to_value(&ledger.rows(slice.cursor.as_deref(), slice.limit)?)
            }
            Self::Usage { ask, .. } => to_value(&ledger.usage(&with_scope("usage")?, &ask)?),
            Self::Calls { days, slice, .. } => {
                to_value(&ledger.calls(&with_scope("usage")?, days, slice.cursor.as_deref(), slice.limit)?)
            }
            Self::Running { .. } => to_value(&ledger.running(&with_scope("usage")?)?),
            Self::Borrowers { scope, .. } => {
                with_scope(&scope)?;
                to_value(&ledger.borrowers()?)
            }
            Self::Metrics { within, .. } => {
                with_scope("metrics")?;
                Ok(Value::String(memory.metrics(ledger, settings, within, now)?))
            }
            Self::Dump { cursor, .. } => {
                admin()?;
                to_value(&ledger.dump(now, cursor.as_deref())?.lines)
            }
            Self::Keys { slice, .. } => {
                admin()?;
                to_value(&ledger.keys(slice.cursor.as_deref().unwrap_or_default(), slice.limit)?)
            }
            Self::Key { id, .. } => {
                admin()?;
                found(ledger.key(&id)?, &KEY)
            }
            Self::CreateKey { caller, new } => create_key(ledger, settings, &caller.account, &admin()?, &new, now),
            Self::ChangeKey { id, edit, .. } => found(ledger.change_key(now, &admin()?, &id, &edit)?, &KEY),
            Self::RotateKey { caller, id, grace_ms } => {
                let actor = admin()?;
                let key = ProxyKey::again(settings.key_env(), &caller.account, &id, &random()?);
                let row = ledger.rotate_key(now, &actor, &key, grace_ms)?.ok_or_else(|| EdgeError::not_found(&KEY))?;
                to_value(&CreatedKey { row, key: key.text() })
            }
            Self::Audit { slice, .. } => {
                admin()?;
                to_value(&ledger.audits(slice.cursor.as_deref(), slice.limit)?)
            }
            Self::Setup { caller, ask } => ask.answer(ledger, settings, memory, &caller, &admin()?),
            Self::Own { ask, .. } => ask.answer(ledger, memory, &with_scope(ask.scope())?),
            Self::RevokeKey { id, .. } => found(ledger.revoke_key(now, &admin()?, &id)?, &KEY),
            Self::Budgets { slice, .. } => {
                admin()?;
                to_value(&ledger.standings(now, slice.cursor.as_deref().unwrap_or_default(), slice.limit)?)
            }
            Self::Budget { id, .. } => {
                admin()?;
                found(ledger.standing(now, &id)?, &BUDGET)
            }
            Self::PutBudget { budget, .. } => {
                let actor = admin()?;
                check_scope(&budget.scope, ledger.account())?;
                ledger.require_prices(&budget, &own::joined(&settings.config, &*memory.own(ledger)?))?;
                ledger.put_budget(now, &actor, &budget, settings.limits.max_budgets)?;
                memory.has_room();
                found(ledger.standing(now, &budget.id)?, &BUDGET)
            }
            Self::DeleteBudget { id, .. } => {
                let actor = admin()?;
                let shown = found(ledger.standing(now, &id)?, &BUDGET)?;
                ledger.delete_budget(now, &actor, &id)?;
                Ok(shown)
            }
            Self::Limit { scope, .. } => {
                admin()?;
                found(ledger.limit(&scope)?, &LIMIT)
            }
            Self::PutLimit { scope, ask, .. } => {
                let actor = admin()?;
                check_scope(&scope, ledger.account())?;
                ledger.put_limit(now, &actor, &scope, ask)?;
                found(ledger.limit(&scope)?, &LIMIT)
            }
            Self::DeleteLimit { scope, .. } => {
                let actor = admin()?;
                let shown = found(ledger.limit(&scope)?, &LIMIT)?;
                ledger.delete_limit(now, &actor, &scope)?;
                Ok(shown)
            }
            Self::AskExtension { id, budget, ask, .. } => {
                let principal = with_scope("usage")?;
                to_value(&ledger.ask_extension(now, &principal, &id, &budget, ask.amount, &ask.reason)?)
            }
            Self::DecideExtension { id, budget, decision, .. } => {
                let actor = admin()?;
                within(decision, now)?;
                let decided = ledger.decide_extension(now, &actor, &budget, &id, decision)?;
                memory.has_room();
                to_value(&decided)
            }
            Self::Extensions { slice, .. } => {
                let principal = with_scope("usage")?;
                let own = principal.require("admin").is_err().then_some(principal.user_id.as_str());
                to_value(&ledger.extensions(now, own, slice.cursor.as_deref(), slice.limit)?)
            }
            Self::Switches { slice, .. } => {
                admin()?;
                to_value(&ledger.switches(slice.cursor.as_deref().unwrap_or_default(), slice.limit)?)
            }
            Self::PutSwitch { scope, ask, .. } => {
                let actor = admin()?;
                check_switch(ledger, &own::joined(&settings.config, &*memory.own(ledger)?), &scope)?;
                to_value(&ledger.put_switch(now, &actor, &scope, &ask)?)
            }
            Self::Enter { bundle, .. } => {
                let principal = with_scope("edit")?;
                let bundle = bundle.map(|id| ledger.bundle(&id)).transpose()?.flatten();
                to_value(&Entered { principal, bundle })
            }
            Self::Bundles { kind, slice, .. } => {
                let owner = with_scope("edit")?.user_id;
                to_value(&ledger.bundles(&owner, &kind, slice.cursor.as_deref(), slice.limit)?)
            }
            Self::IsTitled { kind, title, .. } => {
                let owner = with_scope("edit")?.user_id;
                to_value(&ledger.is_titled(&owner, &kind, &title)?)
            }
            Self::UnlistBundle { id } => {
                ledger.unlist_bundle(&id)?;
                Ok(Value::Bool(true))
            }
            Self::Reserve { key, id, .. } => {
                let user = with_scope("edit")?.user_id;
                to_value(&ledger.reserve(&user, &key, &id, now)?)
            }
            Self::ListBundle { bundle } => {
                ledger.list_bundle(&bundle)?;
                Ok(Value::Bool(true))
            }
            Self::Profile { caller, ask } => {
                let principal = with_scope(ask.scope())?;
                ask.answer(ledger, settings, &caller, &principal, now)
            }
            Self::OpenFirst { account, new, .. } => {
                if !ledger.is_fresh()? {
                    return Err(EdgeError::of(409, &OPENED, args! {}));
                }
                create_key(ledger, settings, &account, "system", &new, now)
            }
            Self::Bootstrap { keys } => {
                let account = account_id(&settings.issuer, &format!("org:{DEV_ACCOUNT}"));
                let make = |new: &NewKey| create_key(ledger, settings, &account, "system", new, now);
                Ok(json!(keys.iter().map(make).collect::<Result<Vec<_>, _>>()?))
            }
        }
    }
}

/// Who the caller is, when it may ask from where it asks.
fn known(ledger: &Ledger<ObjectSql>, caller: &Caller, now: i64) -> Result<Principal, EdgeError> {
    let principal = ledger.verify(now, &caller.credential).map_err(|error| noted(ledger, caller, now, error))?;
    match &caller.origin {
        Some(origin) if !principal.origins.is_empty() && !principal.origins.contains(origin) => {
            Err(Code::OriginDenied.into())
        }
        _ => Ok(principal),
    }
}

/// A refused sign-in, which the account's audit tells of.
fn noted(ledger: &Ledger<ObjectSql>, caller: &Caller, now: i64, error: LedgerError) -> EdgeError {
    if let (LedgerError::Refused(refusal), Credential::Key { id, .. }) = (&error, &caller.credential)
        && ledger.note_refused(now, id, refusal.code).is_err()
    {
        worker::console_error!("{}", json!({"event": "account.audit", "action": "signin.refused"}));
    }
    error.into()
}

/// Bounds of a planned piece of work, and whether it fits every budget now.
fn quote(ask: &QuoteAsk, price: &PriceRow, balances: &[Balance]) -> Quote {
    let calls = ask.calls.unwrap_or(Span { min: 1, max: 1 });
    let rates = price.row.price.as_ref().map(|prices| (prices.rates(ask.input_tokens.max), prices.request));
    let cost = |input: u64, output: u64, calls: u64| {
        rates.map_or(0, |(rates, request)| {
            let cached = ask.cached_input_tokens.min(input);
            micros(&[(input - cached, rates.input), (cached, rates.cached_input), (output, rates.output)])
                .saturating_add(request.saturating_mul(calls))
        })
    };
    let (input, output) = (ask.input_tokens, ask.output_tokens);
    let most = Amount { tokens: input.max.saturating_add(output.max), cost: cost(input.max, output.max, calls.max) };
    let binding = balances.iter().find(|balance| balance.remaining() < most.of(balance.budget.unit, calls.max));
    Quote {
        tokens: Span { min: input.min.saturating_add(output.min), max: most.tokens },
        cost: Span { min: cost(input.min, output.min, calls.min), max: most.cost },
        fits: binding.is_none(),
        binding_budget: binding.map(|balance| balance.budget.id.clone()),
        budget: binding.map(Shown::from),
    }
}

pub(super) fn closed(close: &Close, report: &Report, memory: &InMemory) -> Answered {
    match close {
        Close::Closed(closed) | Close::Duplicate(closed) => {
            if let (Close::Closed(_), Some(counted)) = (close, &report.counted) {
                memory.count_closed(closed, report, counted);
            }
            let kind = match closed.kind {
                RowKind::Settled => "settled",
                RowKind::Released => "released",
                RowKind::Expired => "expired",
                RowKind::Corrected => "corrected",
            };
            worker::console_log!("{}", json!({"event": "llm.settled", "kind": kind, "tokens": closed.amount.tokens}));
            to_value(&CloseAnswer { charged: closed.amount, excess: closed.excess })
        }
        Close::Unknown => Err(EdgeError::not_found(&REQUEST)),
    }
}

pub(super) fn found<T: Serialize>(value: Option<T>, none: &'static Said) -> Answered {
    match value {
        Some(value) => to_value(&value),
        None => Err(EdgeError::not_found(none)),
    }
}

pub(super) fn to_value<T: Serialize>(value: &T) -> Answered {
    Ok(serde_json::to_value(value)?)
}
