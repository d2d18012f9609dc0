//! The law of budgets holds over random sequences of commands (spec: gateway.md §6 "Invariants", §15.3).
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use holdpoint_gateway::budget::book::Book;
use holdpoint_gateway::budget::simulate::{Script, simulate};
use holdpoint_gateway::budget::{
    Admission, AdmissionRequest, Amount, Budget, ExpirePolicy, Ledger, Payers, Period, Scopes, Unit, Wanted,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn command() -> impl Strategy<Value = Value> {
    let id = (0_u8..8).prop_map(|n| format!("r{n}"));
    let run = (0_u8..3).prop_map(|n| format!("R{n}"));
    let amount = (0_u64..80, 0_u64..80);
    let budget = prop::sample::select(vec!["a", "b", "c"]);
    prop_oneof![
        4 => (id.clone(), 0_u8..2, amount.clone(), prop::option::of(run.clone()), prop::option::of(1_i64..200_000)).prop_map(
            |(id, key, (tokens, cost), run, ttl)| json!({
                "op": "reserve", "id": id, "key": format!("k{key}"), "tokens": tokens, "cost": cost, "run": run,
                "ttl_ms": ttl,
            })),
        2 => (id.clone(), 0_u64..40, 0_u64..90, prop::option::of(0_u64..30)).prop_map(|(id, input, output, least)| json!({
            "op": "reserve", "id": id, "key": "k0", "input_tokens": input, "max_output": output, "min_output": least,
            "price": {"input": 700_000, "output": 1_300_000, "request": 1},
        })),
        3 => (id.clone(), amount.clone()).prop_map(|(id, (tokens, cost))| json!({"op": "settle", "id": id, "tokens": tokens, "cost": cost})),
        1 => (id.clone(), amount.clone()).prop_map(|(id, (tokens, cost))| json!({"op": "progress", "id": id, "tokens": tokens, "cost": cost})),
        1 => id.clone().prop_map(|id| json!({"op": "release", "id": id})),
        1 => id.prop_map(|id| json!({"op": "expire", "id": id})),
        1 => (run.clone(), 0_u8..2, amount, 1_i64..300_000).prop_map(|(id, key, (tokens, cost), ttl)| json!({
            "op": "open_run", "id": id, "key": format!("k{key}"), "tokens": tokens, "cost": cost, "ttl_ms": ttl,
        })),
        1 => run.prop_map(|id| json!({"op": "close_run", "id": id})),
        1 => Just(json!({"op": "tick"})),
        1 => (budget.clone(), 0_u64..90, 0_i64..400_000).prop_map(
            |(budget, amount, ms)| json!({"op": "grant", "budget": budget, "amount": amount, "until": START + ms})),
        1 => budget.prop_map(|budget| json!({"op": "end_grants", "budget": budget})),
        1 => (prop::sample::select(vec!["key:k0", "account:acme", "provider:main"]), any::<bool>()).prop_map(
            |(scope, stopped)| json!({"op": "switch", "scope": scope, "stopped": stopped})),
    ]
}

/// Ten seconds before a day begins.
const START: i64 = 1_767_225_590_000;

/// Spec: gateway.md, "Words".
const MOST: u64 = (1 << 53) - 1;

fn hostile() -> impl Strategy<Value = u64> {
    prop::sample::select(vec![0, 1, 5, MOST - 1, MOST, MOST + 1, u64::MAX / 2, u64::MAX])
}

/// The largest number in an answer.
fn largest(value: &Value) -> u64 {
    match value {
        Value::Array(items) => items.iter().map(largest).max().unwrap_or(0),
        Value::Object(members) => members.values().map(largest).max().unwrap_or(0),
        value => value.as_u64().unwrap_or(0),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn invariants_hold(
        commands in prop::collection::vec((command(), 0_i64..40_000), 1..60),
        policy in prop::sample::select(vec!["bill_progress", "bill_hold", "release"]),
    ) {
        let mut at = START;
        let commands: Vec<Value> = commands.into_iter().map(|(mut command, wait)| {
            at += wait;
            command["at"] = at.into();
            command
        }).collect();
        let script = json!({
            "now": 0, "expire_policy": policy, "commands": commands,
            "keys": {"k0": {"user": "ann", "account": "acme"}, "k1": {"user": "bo", "account": "acme"}},
            "budgets": [
                {"id": "a", "scope": "account:acme", "unit": "tokens", "period": "minute", "limit": 150},
                {"id": "b", "scope": "key:k0", "unit": "cost", "period": "total", "limit": 200},
                {"id": "c", "scope": "user:ann", "unit": "requests", "period": "day", "limit": 5},
            ],
        });
        let script: Script = serde_json::from_value(script).unwrap();
        let answer = simulate(script).unwrap();
        prop_assert_eq!(&answer["invariants"], &json!({"within_limits": true, "ledger_matches": true}), "{}", answer);
    }

    #[test]
    fn sums_stop_where_numbers_end(amounts in prop::collection::vec((hostile(), hostile()), 1..6), runs in any::<bool>()) {
        let mut at = 0;
        let mut commands = vec![json!({"op": "open_run", "id": "R", "key": "k0", "tokens": 90, "cost": 90, "ttl_ms": 9})];
        for (id, _) in amounts.iter().enumerate() {
            let run = runs.then_some("R");
            commands.push(json!({"op": "reserve", "id": id.to_string(), "key": "k0", "tokens": 1, "cost": 1, "run": run}));
        }
        for (id, (tokens, cost)) in amounts.iter().enumerate() {
            let op = ["settle", "progress"][id % 2];
            commands.push(json!({"op": op, "id": id.to_string(), "tokens": tokens, "cost": cost}));
            at += 1_000_000;
            commands.push(json!({"op": "tick", "at": at}));
            commands.push(json!({"op": "settle", "id": id.to_string(), "tokens": tokens, "cost": cost}));
        }
        let script = json!({
            "commands": commands, "keys": {"k0": {"user": "ann", "account": "acme"}},
            "budgets": [
                {"id": "a", "scope": "account:acme", "unit": "tokens", "period": "total", "limit": MOST},
                {"id": "b", "scope": "key:k0", "unit": "cost", "period": "total", "limit": MOST},
            ],
        });
        let answer = simulate(serde_json::from_value(script).unwrap()).unwrap();
        prop_assert_eq!(largest(&answer) <= MOST, true, "{}", answer);
    }

    #[test]
    fn a_refusal_changes_nothing(held in prop::collection::vec(0_u64..60, 0..4), need in 0_u64..200) {
        let scopes = Scopes::new("k", "u", "a");
        let budget = Budget {
            id: "t".into(), scope: "key:k".into(), unit: Unit::Tokens, period: Period::Day, limit: 100,
            payer: Payers::Platform, generation: 0,
            grants: Vec::new(),
        };
        let mut book = Book { budgets: vec![budget], ..Book::default() };
        let ask = |id: &str, tokens| {
            AdmissionRequest::new(id, "k", scopes.clone(), Wanted::Fixed(Amount { tokens, cost: 0 }), 1_000)
        };
        for (index, tokens) in held.into_iter().enumerate() {
            let _ = Ledger::new(&mut book, ExpirePolicy::default()).admit(0, &ask(&index.to_string(), tokens));
        }
        let before = book.clone();
        let answer = Ledger::new(&mut book, ExpirePolicy::default()).admit(0, &ask("next", need)).unwrap();
        if matches!(answer, Admission::Refused(_)) {
            prop_assert_eq!(book, before);
        }
    }
}

fn played(budgets: &Value, commands: &Value) -> Value {
    let keys = json!({"k0": {"user": "ann", "account": "acme"}, "k1": {"user": "bo", "account": "acme"}});
    let script = json!({"keys": keys, "budgets": budgets, "commands": commands});
    simulate(serde_json::from_value(script).unwrap()).unwrap()
}

fn verdicts(answer: &Value) -> Vec<String> {
    let verdict = |result: &Value| result.get("code").unwrap_or(&result["verdict"]).as_str().unwrap().to_owned();
    answer["results"].as_array().unwrap().iter().map(verdict).collect()
}

#[test]
fn a_grant_counts_until_its_end_and_takes_nothing_back() {
    let budgets = json!([{"id": "b", "scope": "user:ann", "unit": "tokens", "period": "total", "limit": 100}]);
    let reserve =
        |at: i64, id: &str, tokens: u64| json!({"op": "reserve", "at": at, "id": id, "key": "k0", "tokens": tokens});
    let answer = played(
        &budgets,
        &json!([
            reserve(0, "r1", 101),
            {"op": "grant", "at": 1, "budget": "b", "amount": 50, "until": 100},
            reserve(2, "r1", 130),
            {"op": "settle", "at": 3, "id": "r1", "tokens": 120},
            reserve(99, "r2", 31),
            reserve(99, "r2", 10),
            {"op": "end_grants", "at": 99, "budget": "b"},
            reserve(99, "r3", 1),
            {"op": "settle", "at": 200, "id": "r2", "tokens": 10},
            {"op": "grant", "at": 200, "budget": "b", "amount": 31, "until": 300},
            reserve(299, "r3", 1),
            {"op": "release", "at": 299, "id": "r3"},
            reserve(300, "r4", 1),
        ]),
    );
    let want = [
        "BUDGET_EXHAUSTED",
        "ok",
        "admitted",
        "settled",
        "BUDGET_EXHAUSTED",
        "admitted",
        "ok",
        "BUDGET_EXHAUSTED",
        "settled",
        "ok",
        "admitted",
        "released",
        "BUDGET_EXHAUSTED",
    ];
    assert_eq!(verdicts(&answer), want, "{answer:#}");
    assert_eq!(answer["results"][4]["limit"], 150, "a refusal tells the limit that holds");
    assert_eq!((&answer["balances"]["b"]["spent"], &answer["balances"]["b"]["limit"]), (&json!(130), &json!(100)));
    assert_eq!(answer["invariants"], json!({"within_limits": true, "ledger_matches": true}));
}

#[test]
fn a_clamp_goes_as_far_as_a_grant_allows() {
    let budgets = json!([{"id": "b", "scope": "key:k0", "unit": "tokens", "period": "day", "limit": 100}]);
    let ask = |id: &str| {
        json!({
            "op": "reserve", "id": id, "key": "k0", "input_tokens": 20, "max_output": 500, "min_output": 10,
        })
    };
    let answer = played(
        &budgets,
        &json!([
            {"op": "grant", "budget": "b", "amount": 60, "until": 9}, ask("r1"), {"op": "release", "id": "r1"},
            {"op": "end_grants", "budget": "b"}, ask("r2"),
        ]),
    );
    assert_eq!((&answer["results"][1]["max_output"], &answer["results"][4]["max_output"]), (&json!(140), &json!(80)));
}

#[test]
fn a_switch_stops_what_is_new_before_its_budget_is_asked() {
    let budgets = json!([{"id": "b", "scope": "account:acme", "unit": "tokens", "period": "total", "limit": 10}]);
    let reserve = |id: &str, key: &str, tokens: u64, provider: &str| json!({"op": "reserve", "id": id, "key": key, "tokens": tokens, "provider": provider});
    let switch =
        |scope: &str, stopped: bool| json!({"op": "switch", "scope": scope, "stopped": stopped, "reason": "leak"});
    let answer = played(
        &budgets,
        &json!([
            reserve("r1", "k0", 5, "main"),
            switch("key:k0", true),
            reserve("r2", "k0", 50, "main"),
            reserve("r1", "k0", 5, "main"),
            {"op": "settle", "id": "r1", "tokens": 2},
            reserve("r3", "k1", 1, "main"),
            {"op": "open_run", "id": "R", "key": "k0", "tokens": 1},
            switch("key:k0", false),
            switch("provider:main", true),
            reserve("r4", "k0", 1, "main"),
            reserve("r4", "k0", 1, "spare"),
            switch("account:acme", true),
            reserve("r5", "k1", 1, "spare"),
        ]),
    );
    let want = [
        "admitted",
        "ok",
        "CALLS_STOPPED",
        "admitted",
        "settled",
        "admitted",
        "CALLS_STOPPED",
        "ok",
        "ok",
        "CALLS_STOPPED",
        "admitted",
        "ok",
        "CALLS_STOPPED",
    ];
    assert_eq!(verdicts(&answer), want, "{answer:#}");
    let refused = &answer["results"][2];
    assert_eq!(
        (&refused["status"], &refused["scope"], &refused["reason"]),
        (&json!(403), &json!("key:k0"), &json!("leak"))
    );
}
