//! `budget.simulate`: the law in memory, driven by commands (spec: gateway.md §11).
//!
//! Owns the commands and the shape of their results; every verdict comes from the law. Invariant: the closing
//! `invariants` are computed from the rows, not assumed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::book::Book;
use super::{
    Admission, AdmissionRequest, Admitted, Amount, AmountBounds, Budget, Close, Closed, ExpirePolicy, Grant, Ledger,
    Ms, Rate, Refused, RowKind, RunBounds, RunClose, RunOpening, RunRequest, ScopeLimit, Scopes, Stop, Wanted,
    WindowRef,
};
use crate::limits::Limits;
use crate::refusal::Code;

/// Commands that are taken at once.
pub const MAX_COMMANDS: usize = 100_000;

#[derive(Debug, Deserialize)]
pub struct Script {
    #[serde(default)]
    now: Ms,
    keys: BTreeMap<String, Owner>,
    budgets: Vec<Budget>,
    #[serde(default)]
    limits: BTreeMap<String, Limit>,
    #[serde(default)]
    expire_policy: ExpirePolicy,
    commands: Vec<Command>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Owner {
    user: String,
    account: String,
}

#[derive(Debug, Deserialize)]
struct Limit {
    #[serde(default)]
    max_in_flight: Option<u64>,
    #[serde(default)]
    rate: Option<Rate>,
}

#[derive(Debug, Deserialize)]
struct Command {
    #[serde(default)]
    at: Option<Ms>,
    #[serde(flatten)]
    op: Op,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Op {
    Reserve(Reserve),
    Progress {
        id: String,
        #[serde(flatten)]
        used: Amount,
    },
    Settle {
        id: String,
        #[serde(flatten)]
        used: Amount,
    },
    Release {
        id: String,
    },
    Expire {
        id: String,
    },
    OpenRun {
        id: String,
        key: String,
        #[serde(flatten)]
        amount: Amount,
        ttl_ms: Option<Ms>,
    },
    CloseRun {
        id: String,
    },
    SetLimit {
        budget: String,
        limit: u64,
    },
    /// Adds to a budget's limit until a time.
    Grant {
        budget: String,
        amount: u64,
        until: Ms,
    },
    /// Ends what was granted to a budget.
    EndGrants {
        budget: String,
    },
    /// Stops the calls of a scope, or lets them go on.
    Switch {
        scope: String,
        stopped: bool,
        #[serde(default)]
        reason: String,
    },
    Tick,
}

#[derive(Debug, Deserialize)]
struct Reserve {
    id: String,
    key: String,
    #[serde(flatten)]
    fixed: Amount,
    input_tokens: Option<u64>,
    max_output: Option<u64>,
    price: Option<FlatPrice>,
    min_output: Option<u64>,
    ttl_ms: Option<Ms>,
    run: Option<String>,
    #[serde(default)]
    provider: String,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct FlatPrice {
    input: u64,
    output: u64,
    request: u64,
}

/// A script that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ScriptError {
    /// JSON Pointer into the input.
    pub pointer: String,
    pub message: String,
}

pub fn simulate(script: Script) -> Result<Value, ScriptError> {
    let Script { mut now, keys, budgets, limits, expire_policy, commands } = script;
    if commands.len() > MAX_COMMANDS {
        return Err(bad("/commands".to_owned(), format!("Send at most {MAX_COMMANDS} commands.")));
    }
    let limits = limits.into_iter().map(|(scope, Limit { max_in_flight, rate })| {
        (scope, ScopeLimit { max_in_flight, rate, tat_us: i64::MIN / 2 })
    });
    let mut stage = Stage {
        book: Book { budgets, limits: limits.collect(), ..Book::default() },
        keys,
        policy: expire_policy,
        ttl: Limits::default().hold_ttl(),
        admitted: BTreeSet::new(),
        lowered: BTreeSet::new(),
        overspent: false,
    };
    let mut results = Vec::with_capacity(commands.len());
    for (index, Command { at, op }) in commands.into_iter().enumerate() {
        let at = at.unwrap_or(now);
        if at < now {
            return Err(bad(format!("/commands/{index}/at"), "Send commands in order of time.".to_owned()));
        }
        now = at;
        let fired = match stage.ledger().fire_due(now) {
            Ok(fired) => fired,
            Err(never) => match never {},
        };
        let mut result = stage.play(now, op).map_err(|message| bad(format!("/commands/{index}/budget"), message))?;
        if !fired.is_empty() {
            result.insert("expired".to_owned(), json!(fired));
        }
        results.push(Value::Object(result));
    }
    Ok(stage.report(now, &results))
}

fn bad(pointer: String, message: String) -> ScriptError {
    ScriptError { pointer, message }
}

struct Stage {
    book: Book,
    keys: BTreeMap<String, Owner>,
    policy: ExpirePolicy,
    ttl: Ms,
    /// Windows in which anything was ever admitted.
    admitted: BTreeSet<(String, Ms)>,
    /// Budgets whose limit was lowered: they may stand above it.
    lowered: BTreeSet<String>,
    /// A window stood above its limit of that moment when something was admitted into it.
    overspent: bool,
}

impl Stage {
    fn ledger(&mut self) -> Ledger<'_, Book> {
        Ledger::new(&mut self.book, self.policy)
    }

    fn budget(&mut self, id: &str) -> Result<&mut Budget, String> {
        let found = self.book.budgets.iter_mut().find(|own| own.id == id);
        found.ok_or_else(|| format!("Name a budget of this script; `{id}` is none."))
    }

    /// Notes the windows into which something was admitted, and whether that was more than fits.
    fn note(&mut self, now: Ms, places: &[WindowRef]) {
        for WindowRef { budget, start_ms, .. } in places {
            let place = (budget.clone(), *start_ms);
            let window = self.book.windows.get(&place).copied().unwrap_or_default();
            let own = self.book.budgets.iter().find(|own| own.id == *budget);
            let over = own.is_some_and(|own| window.spent.saturating_add(window.held) > own.limit_at(now));
            self.overspent |= over && !self.lowered.contains(budget);
            self.admitted.insert(place);
        }
    }

    fn scopes(&self, key: &str) -> Option<Scopes> {
        self.keys.get(key).map(|owner| Scopes::new(key, &owner.user, &owner.account))
    }

    fn play(&mut self, now: Ms, op: Op) -> Result<Map<String, Value>, String> {
        let (name, id, answer) = match op {
            Op::Reserve(reserve) => ("reserve", Some(reserve.id.clone()), self.reserve(now, reserve)),
            Op::Progress { id, used } => {
                let kept = infallible(self.ledger().progress(&id, used));
                ("progress", Some(id), json!({ "verdict": if kept { "ok" } else { "ignored" } }))
            }
            Op::Settle { id, used } => {
                let close = infallible(self.ledger().settle(now, &id, used, None));
                ("settle", Some(id), closed(&close))
            }
            Op::Release { id } => {
                let close = infallible(self.ledger().release(now, &id, None));
                ("release", Some(id), closed(&close))
            }
            Op::Expire { id } => {
                let close = infallible(self.ledger().expire(now, &id));
                ("expire", Some(id), closed(&close))
            }
            Op::OpenRun { id, key, amount, ttl_ms } => {
                let answer = self.open_run(now, &id, &key, amount, ttl_ms);
                ("open_run", Some(id), answer)
            }
            Op::CloseRun { id } => {
                let answer = match infallible(self.ledger().close_run(now, &id)) {
                    RunClose::Closed(run) => run_closed("closed", run.spent),
                    RunClose::Duplicate(run) => run_closed("duplicate", run.spent),
                    RunClose::Closing { in_flight, .. } => json!({ "verdict": "closing", "in_flight": in_flight }),
                    RunClose::Unknown => json!({ "verdict": "unknown_run" }),
                };
                ("close_run", Some(id), answer)
            }
            Op::SetLimit { budget, limit } => {
                let own = self.budget(&budget)?;
                let lower = limit < own.limit;
                own.limit = limit;
                if lower {
                    self.lowered.insert(budget);
                }
                ("set_limit", None, json!({ "verdict": "ok" }))
            }
            Op::Grant { budget, amount, until } => {
                self.budget(&budget)?.grants.push(Grant { amount, until });
                ("grant", None, json!({ "verdict": "ok" }))
            }
            Op::EndGrants { budget } => {
                for grant in &mut self.budget(&budget)?.grants {
                    grant.until = grant.until.min(now);
                }
                ("end_grants", None, json!({ "verdict": "ok" }))
            }
            Op::Switch { scope, stopped, reason } => {
                self.book.stops.remove(&scope);
                if stopped {
                    self.book.stops.insert(scope, Stop { reason, since: now });
                }
                ("switch", None, json!({ "verdict": "ok" }))
            }
            Op::Tick => ("tick", None, json!({ "verdict": "ok" })),
        };
        let mut result = Map::from_iter([("op".to_owned(), Value::from(name))]);
        if let Some(id) = id {
            result.insert("id".to_owned(), id.into());
        }
        if let Value::Object(members) = answer {
            result.extend(members);
        }
        Ok(result)
    }

    fn reserve(&mut self, now: Ms, reserve: Reserve) -> Value {
        let Some(scopes) = self.scopes(&reserve.key) else { return unknown_key() };
        let need = match (reserve.input_tokens, reserve.max_output) {
            (None, None) => Wanted::Fixed(reserve.fixed),
            (input, output) => {
                let price = reserve.price.unwrap_or_default();
                Wanted::Within(AmountBounds {
                    input_tokens: input.unwrap_or(0),
                    max_output: output.unwrap_or(0),
                    min_output: reserve.min_output,
                    price_in: price.input,
                    price_out: price.output,
                    request: price.request,
                })
            }
        };
        let mut ask =
            AdmissionRequest::new(&reserve.id, &reserve.key, scopes, need, reserve.ttl_ms.unwrap_or(self.ttl));
        ask.run_id = reserve.run;
        ask.provider = reserve.provider;
        match infallible(self.ledger().admit(now, &ask)) {
            Admission::Admitted(Admitted { amount, clamped, replayed, .. }) => {
                if !replayed && let Some(places) = self.book.holds.get(&reserve.id).map(|hold| hold.windows.clone()) {
                    self.note(now, &places);
                }
                let verdict = if clamped.is_some() { "clamped" } else { "admitted" };
                let mut answer = json!({ "verdict": verdict, "tokens": amount.tokens, "cost": amount.cost });
                if let Some(most) = clamped {
                    answer["max_output"] = most.into();
                }
                if replayed {
                    answer["replayed"] = true.into();
                }
                answer
            }
            Admission::Refused(refused) => refusal(&refused),
        }
    }

    fn open_run(&mut self, now: Ms, id: &str, key: &str, amount: Amount, ttl_ms: Option<Ms>) -> Value {
        let Some(scopes) = self.scopes(key) else { return unknown_key() };
        let ttl_ms = ttl_ms.unwrap_or(self.ttl);
        let (id, key_id) = (id.to_owned(), key.to_owned());
        let ask = RunRequest { id, key_id, scopes, amount, ttl_ms, bounds: RunBounds::NONE };
        match infallible(self.ledger().open_run(now, &ask)) {
            RunOpening::Opened { run, replayed } => {
                if !replayed {
                    self.note(now, &run.windows);
                }
                let mut answer = json!({ "verdict": "opened", "tokens": run.amount.tokens, "cost": run.amount.cost });
                if replayed {
                    answer["replayed"] = true.into();
                }
                answer
            }
            RunOpening::Refused(refused) => refusal(&refused),
        }
    }

    fn report(&mut self, now: Ms, results: &[Value]) -> Value {
        let mut balances = Map::new();
        let mut windows = Vec::new();
        for budget in self.book.budgets.clone() {
            let id = budget.id.clone();
            let balance = infallible(self.ledger().balance(now, budget));
            let window = balance.window;
            balances.insert(
                id.clone(),
                json!({
                    "limit": balance.limit, "spent": window.spent, "held": window.held,
                    "overrun": window.overrun, "remaining": balance.remaining(),
                    "window_start": balance.start_ms, "resets_at": balance.resets_at,
                }),
            );
            for ((_, start), window) in self.book.windows.iter().filter(|((budget, _), _)| *budget == id) {
                if self.admitted.contains(&(id.clone(), *start)) {
                    windows.push(json!({
                        "budget": id, "window_start": start,
                        "spent": window.spent, "held": window.held, "overrun": window.overrun,
                    }));
                }
            }
        }
        let rows = self.book.ledger.iter().map(|row| {
            json!({
                "id": row.request_id, "key": row.key_id, "outcome": row.kind, "run": row.run_id,
                "tokens": row.amount.tokens, "cost": row.amount.cost, "requests": row.requests,
                "excess_tokens": row.excess.tokens, "excess_cost": row.excess.cost,
                "held_tokens": row.held.tokens, "held_cost": row.held.cost,
            })
        });
        json!({
            "results": results, "balances": balances, "windows": windows, "ledger": rows.collect::<Vec<_>>(),
            "in_flight": self.book.holds.len(),
            "invariants": { "within_limits": self.within_limits(), "ledger_matches": self.book.matches() },
        })
    }

    fn within_limits(&self) -> bool {
        let highest = |budget: &Budget| {
            budget.grants.iter().fold(budget.limit, |limit, grant| limit.saturating_add(grant.amount))
        };
        let within = self.book.windows.iter().all(|((id, _), window)| {
            let budget = self.book.budgets.iter().find(|budget| budget.id == *id);
            self.lowered.contains(id)
                || budget.is_none_or(|budget| window.spent.saturating_add(window.held) <= highest(budget))
        });
        within && !self.overspent
    }
}

fn infallible<T>(result: Result<T, std::convert::Infallible>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => match never {},
    }
}

fn unknown_key() -> Value {
    json!({ "verdict": "refused", "code": Code::UnknownKey.name(), "status": Code::UnknownKey.status() })
}

fn refusal(refused: &Refused) -> Value {
    let code = refused.code();
    let mut answer = json!({ "verdict": "refused", "code": code.name(), "status": code.status() });
    if let Value::Object(members) = &mut answer {
        members.extend(refused.details());
    }
    answer
}

fn run_closed(verdict: &str, spent: Amount) -> Value {
    json!({ "verdict": verdict, "spent_tokens": spent.tokens, "spent_cost": spent.cost })
}

fn closed(close: &Close) -> Value {
    let (verdict, Closed { amount, excess, .. }) = match close {
        Close::Unknown => return json!({ "verdict": "unknown_hold" }),
        Close::Duplicate(closed) => ("duplicate", closed),
        Close::Closed(closed) => match closed.kind {
            RowKind::Settled => ("settled", closed),
            RowKind::Corrected => ("corrected", closed),
            RowKind::Released => ("released", closed),
            RowKind::Expired => ("expired", closed),
        },
    };
    json!({
        "verdict": verdict, "tokens": amount.tokens, "cost": amount.cost,
        "excess_tokens": excess.tokens, "excess_cost": excess.cost,
    })
}
