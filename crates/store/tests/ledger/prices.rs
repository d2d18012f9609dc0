//! Money is counted where there are prices, and refused where there are none.

use holdpoint_gateway::budget::{Amount, Budget, Payer, Payers, Unit};
use holdpoint_gateway::config::Config;
use holdpoint_store::ledger::{CallAsk, CallFacts, Clamp, LedgerError, NewKey};

use super::{budget, call, key, open, report, stocked};
use crate::support::Native;

fn told<T>(answer: Result<T, LedgerError>) -> Option<String> {
    match answer {
        Ok(_) => None,
        Err(LedgerError::Refused(refusal)) => Some(refusal.code.name().to_owned()),
        Err(other) => panic!("{other}"),
    }
}

fn unpriced(id: &str, payer: Payer, run: Option<&str>) -> CallAsk {
    let asked = call(id, 10);
    let run_id = run.map(str::to_owned);
    CallAsk { payer, run_id, facts: CallFacts { price_version: None, ..asked.facts }, ..asked }
}

#[test]
fn a_call_without_a_price_is_refused_under_any_cost_budget_of_its_payer() {
    for scope in ["account:dev", "user:ann"] {
        for (payer, covers) in
            [(Payers::Platform, [true, false]), (Payers::Byok, [false, true]), (Payers::Any, [true, true])]
        {
            for limit in [0, 1_000_000] {
                let sql = Native::new();
                let (ledger, credential) = stocked(&sql);
                let money = Budget { payer, ..budget("money", scope, Unit::Cost, limit) };
                ledger.put_budget(0, "test", &money, 16).unwrap();
                for (caller, covered) in [Payer::Platform, Payer::Byok].into_iter().zip(covers) {
                    let before = sql.bytes();
                    let found = ledger.admit(0, &credential, &unpriced(caller.name(), caller, None));
                    let want = covered.then_some("MODEL_NOT_PRICED".to_owned());
                    if covered {
                        assert_eq!(sql.bytes(), before, "a refusal writes nothing");
                        let Err(LedgerError::Refused(refusal)) = &found else { panic!("{found:?}") };
                        assert_eq!(refusal.details["budget"], "money");
                        assert!(refusal.message.contains("UPSTREAM_PRICE"), "{}", refusal.message);
                        assert!(refusal.message.contains("GATEWAY_CONFIG"), "{}", refusal.message);
                    }
                    assert_eq!(told(found), want, "{scope} {payer:?} {caller:?}");
                }
            }
        }
    }
}

#[test]
fn a_run_is_no_way_around_it() {
    let sql = Native::new();
    let (ledger, credential) = stocked(&sql);
    ledger.put_budget(0, "test", &budget("money", "user:ann", Unit::Cost, 1_000), 16).unwrap();
    ledger.open_run(0, &credential, "R", Amount { tokens: 50, cost: 0 }, 100).unwrap();
    let found = ledger.admit(0, &credential, &unpriced("r1", Payer::Platform, Some("R")));
    assert_eq!(told(found), Some("MODEL_NOT_PRICED".to_owned()));
}

#[test]
fn a_cost_budget_of_nothing_holds() {
    let sql = Native::new();
    let (ledger, credential) = stocked(&sql);
    ledger.put_budget(0, "test", &budget("money", "account:dev", Unit::Cost, 0), 16).unwrap();
    let asked = call("r1", 10);
    let ask = CallAsk { need: Amount { tokens: 10, cost: 1 }, ..asked };
    assert_eq!(told(ledger.admit(0, &credential, &ask)), Some("BUDGET_EXHAUSTED".to_owned()));
}

#[test]
fn what_an_unpriced_call_cost_is_not_told() {
    let sql = Native::new();
    let (ledger, credential) = stocked(&sql);
    ledger.admit(0, &credential, &unpriced("r1", Payer::Platform, None)).unwrap();
    ledger.settle(1, "r1", Amount { tokens: 7, cost: 0 }, &report()).unwrap();
    ledger.admit(1, &credential, &call("r2", 10)).unwrap();
    ledger.settle(2, "r2", Amount { tokens: 7, cost: 0 }, &report()).unwrap();
    let costs: Vec<_> = ledger.rows(None, 9).unwrap().items.iter().map(|item| item.cost).collect();
    assert_eq!(costs, [Some(0), None]);
}

/// Two aliases, one of them with prices; `own`: whether the operator priced a model for users' own keys.
fn config(priced: bool, own: bool) -> Config {
    let price = r#", "price": {"input": 1, "output": 2}"#;
    let byok = r#", {"provider": "byok", "model": "w", "version": 1, "price": {"input": 1, "output": 2}}"#;
    let text = format!(
        r#"{{"providers": [{{"id": "main", "kind": "openai", "base_url": "https://a.example"}}],
            "models": [{{"alias": "plain", "display": "p", "candidates": [{{"provider": "main", "model": "p"}}]}},
                       {{"alias": "dear", "display": "d", "candidates": [{{"provider": "main", "model": "d"}}]}},
                       {{"alias": "lost", "display": "l", "candidates": [{{"provider": "main", "model": "l"}}]}}],
            "prices": [{{"provider": "main", "model": "p", "version": 1, "unpriced": true}},
                       {{"provider": "main", "model": "d", "version": 1, "unpriced": {}{}}}{}]}}"#,
        !priced,
        if priced { price } else { "" },
        if own { byok } else { "" },
    );
    Config::read(&text, |_| None).unwrap()
}

#[test]
fn a_cost_budget_that_would_hold_nothing_is_not_set() {
    let sql = Native::new();
    let ledger = open(&sql);
    key(&ledger, 1, &["llm"]);
    let proxy = holdpoint_gateway::key::ProxyKey::make(
        holdpoint_gateway::key::Env::Test,
        &holdpoint_gateway::key::account_id("holdpoint", "org:dev"),
        &[2; 7],
        &[2; 32],
    );
    let new = NewKey {
        label: "narrow".to_owned(),
        user_id: "bo".to_owned(),
        scopes: vec!["llm".to_owned()],
        models: vec!["pl*".to_owned()],
        origins: Vec::new(),
        clamp: Clamp::Allowed,
        expires_at: None,
    };
    ledger.create_key(0, "test", &proxy, &new, 10).unwrap();
    let narrow = format!("key:{}", proxy.id);
    let cases = [
        // payers of the budget, prices of the platform, prices of own models, whether it is set
        (Payers::Platform, false, false, false),
        (Payers::Platform, true, false, true),
        (Payers::Platform, false, true, false),
        (Payers::Byok, true, false, false),
        (Payers::Byok, false, true, true),
        (Payers::Any, false, false, false),
        (Payers::Any, true, false, true),
        (Payers::Any, false, true, true),
    ];
    for (payer, priced, own, set) in cases {
        let asked = Budget { payer, ..budget("money", "account:dev", Unit::Cost, 5) };
        let found = ledger.require_prices(&asked, &config(priced, own));
        if let Err(LedgerError::Refused(refusal)) = &found {
            assert!(refusal.message.contains("UPSTREAM_PRICE"), "{}", refusal.message);
        }
        assert_eq!(told(found), (!set).then_some("MODEL_NOT_PRICED".to_owned()), "{payer:?} {priced} {own}");
        let tokens = Budget { unit: Unit::Tokens, ..asked };
        assert_eq!(told(ledger.require_prices(&tokens, &config(priced, own))), None);
    }
    // The key may only call the model that has no price.
    let asked = budget("money", &narrow, Unit::Cost, 5);
    assert_eq!(told(ledger.require_prices(&asked, &config(true, false))), Some("MODEL_NOT_PRICED".to_owned()));
}
