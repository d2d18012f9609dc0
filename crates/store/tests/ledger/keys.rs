//! Keys that get another secret, that change, and calls that shrink by what their key allows.

use holdpoint_gateway::budget::{Amount, Unit};
use holdpoint_gateway::key::{Env, ProxyKey};
use holdpoint_gateway::refusal::Code;
use holdpoint_store::ledger::{CallAsk, Clamp, ClampAsk, Credential, KeyEdit, KeyEnd, LedgerError, Report};

use crate::{Native, budget, call, open, stocked};

fn code<T: std::fmt::Debug>(answer: Result<T, LedgerError>) -> Code {
    match answer.unwrap_err() {
        LedgerError::Refused(refusal) => refusal.code,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_secret_before_a_rotation_works_until_its_time_is_over() {
    let sql = Native::new();
    let (ledger, old) = stocked(&sql);
    let id = old.key_id().to_owned();
    let secret = |number: u8| ProxyKey::again(Env::Test, "a", &id, &[number; 32]);
    let shown = |key: &ProxyKey| Credential::Key { id: key.id.clone(), secret_hash: key.hash().to_vec() };
    let (second, third) = (secret(8), secret(9));
    let row = ledger.rotate_key(10, "test", &second, 50).unwrap().unwrap();
    assert_eq!((row.previous_until, row.display), (Some(60), second.display()));
    assert_eq!(ledger.verify(59, &old).unwrap(), ledger.verify(59, &shown(&second)).unwrap());
    assert_eq!(code(ledger.verify(60, &old)), Code::AuthInvalidToken);
    ledger.verify(60, &shown(&second)).unwrap();
    ledger.rotate_key(20, "test", &third, 0).unwrap().unwrap();
    for (time, key) in [(20, &old), (20, &shown(&second))] {
        assert_eq!(code(ledger.verify(time, key)), Code::AuthInvalidToken, "no more than one secret before");
    }
    ledger.revoke_key(21, "test", &id).unwrap();
    assert_eq!(code(ledger.verify(22, &shown(&third))), Code::KeyRevoked);
    assert_eq!(ledger.rotate_key(23, "test", &second, 0).unwrap(), None);
    assert_eq!(ledger.rotate_key(23, "test", &ProxyKey::again(Env::Test, "a", "none", &[1; 32]), 0).unwrap(), None);
}

#[test]
fn a_change_of_a_key_leaves_the_rest_and_stands_in_the_audit() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let id = ann.key_id().to_owned();
    let before = ledger.key(&id).unwrap().unwrap();
    let edit = KeyEdit { models: Some(vec!["m-*".to_owned()]), end: Some(KeyEnd::At(5)), ..KeyEdit::default() };
    let after = ledger.change_key(1, "user:root", &id, &edit).unwrap().unwrap();
    assert_eq!((after.models, after.expires_at), (vec!["m-*".to_owned()], Some(5)));
    assert_eq!((after.label, after.origins, after.clamp), (before.label, before.origins, before.clamp));
    assert_eq!(code(ledger.verify(5, &ann)), Code::KeyExpired);
    let edit = KeyEdit { end: Some(KeyEnd::Never), ..KeyEdit::default() };
    assert_eq!(ledger.change_key(6, "user:root", &id, &edit).unwrap().unwrap().expires_at, None);
    assert_eq!(code(ledger.admit(7, &ann, &call("r1", 1))), Code::ModelNotAllowed);
    assert_eq!(ledger.change_key(7, "user:root", "none", &edit).unwrap(), None);

    let first = ledger.audits(None, 2).unwrap();
    let acts: Vec<_> = first.items.iter().map(|row| (row.at, row.action.as_str(), row.target.as_str())).collect();
    assert_eq!(acts, [(6, "key.change", id.as_str()), (1, "key.change", id.as_str())]);
    let rest = ledger.audits(first.next_cursor.as_deref(), 100).unwrap();
    assert_eq!(rest.items.first().map(|row| row.action.as_str()), Some("key.create"));
    assert_eq!(rest.next_cursor, None);
    assert!(ledger.audits(Some("x"), 9).unwrap().items.is_empty());
}

/// A call of 20 tokens of input and at most 100 of output.
fn shrinking(id: &str, least: Option<u64>) -> CallAsk {
    let clamp = ClampAsk { input_tokens: 20, max_output: 100, price_in: 0, price_out: 0, request: 0, least, floor: 1 };
    CallAsk { clamp: Some(clamp), ..call(id, 120) }
}

#[test]
fn a_call_shrinks_to_what_its_budget_has_where_it_may() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let clamp = |clamp: Clamp| {
        let edit = KeyEdit { clamp: Some(clamp), ..KeyEdit::default() };
        ledger.change_key(0, "test", ann.key_id(), &edit).unwrap();
    };
    assert_eq!(code(ledger.admit(0, &ann, &shrinking("r1", None))), Code::BudgetExhausted, "nobody asks for less");
    assert_eq!(code(ledger.admit(0, &ann, &shrinking("r1", Some(81)))), Code::BudgetExhausted, "too little is left");
    clamp(Clamp::Never);
    assert_eq!(code(ledger.admit(0, &ann, &shrinking("r1", Some(10)))), Code::BudgetExhausted);
    clamp(Clamp::Allowed);
    let admitted = ledger.admit(0, &ann, &shrinking("r1", Some(10))).unwrap().1;
    assert_eq!((admitted.clamped, admitted.amount.tokens), (Some(80), 100));
    // An admission that got no answer is asked for again.
    let again = ledger.admit(0, &ann, &shrinking("r1", Some(10))).unwrap().1;
    assert_eq!((again.replayed, again.clamped, again.amount.tokens), (true, Some(80), 100));
    ledger.settle(1, "r1", Amount { tokens: 50, cost: 0 }, &Report::default()).unwrap();

    clamp(Clamp::Always);
    assert_eq!(code(ledger.admit(2, &ann, &shrinking("r2", None))), Code::BudgetExhausted, "256 by itself");
    let other = open(&sql);
    other.put_budget(2, "test", &budget("tokens", "account:dev", Unit::Tokens, 400), 16).unwrap();
    let mut wide = shrinking("r2", None);
    (wide.need, wide.clamp) =
        (Amount { tokens: 420, cost: 0 }, wide.clamp.map(|bounds| ClampAsk { max_output: 400, ..bounds }));
    let admitted = other.admit(2, &ann, &wide).unwrap().1;
    assert_eq!((admitted.clamped, admitted.amount.tokens), (Some(330), 350));
}
