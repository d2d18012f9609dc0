//! The users' own models in an account: their rows, and the calls that they pay themselves (spec: ai-sessions.md §8,
//! gateway.md §10 "BYOK").
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::needless_pass_by_value)] // a test stops where its ground gives way

mod support;

use holdpoint_gateway::budget::{Amount, Budget, Close, ExpirePolicy, Payer, Payers, Period, Unit};
use holdpoint_gateway::cipher::{Keys, Sealed, SealedFor, Secret};
use holdpoint_gateway::key::{Env, ProxyKey, account_id};
use holdpoint_gateway::profile::{AddressRules, Health, ModelProfile, NewKey, ProfileChange, ProfileProvider, read};
use holdpoint_gateway::refusal::Code;
use holdpoint_store::ledger::{
    CallAsk, CallFacts, Clamp, Credential, LedgerError, MIGRATIONS, NewKey as NewProxyKey, Report,
};
use holdpoint_store::{Ledger, Sql as _, Value};
use serde_json::json;
use support::Native;

const PLAIN: &str = "sk-a-key-that-nobody-may-read-4b7e";

fn open(sql: &Native) -> Ledger<&Native> {
    Ledger::open(sql, "dev", ExpirePolicy::BillProgress).unwrap()
}

fn keys() -> Keys {
    let written = r#"{"k1":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}"#;
    Keys::read(Some(written), Some("k1")).unwrap()
}

fn sealed(profile: &ModelProfile, change: serde_json::Value) -> ProfileChange<NewKey> {
    let mut body = json!({"provider": "openai-compatible", "baseUrl": "https://llm.example.com/v1", "model": "m-1"});
    body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    read(&body, &AddressRules::default()).unwrap().sealed(Some(&keys()), [3; 12], &profile.place("acme")).unwrap()
}

fn code(error: &LedgerError) -> (String, u16) {
    match error {
        LedgerError::Told(error) => (error.code.clone(), error.status),
        LedgerError::Refused(refusal) => (refusal.code.name().to_owned(), refusal.code.status()),
        LedgerError::Sql(error) => panic!("{error}"),
    }
}

#[test]
fn the_first_look_makes_a_profile_that_nobody_saved() {
    let sql = Native::new();
    let ledger = open(&sql);
    let first = ledger.profile(5, "ann", "llm_1").unwrap();
    assert_eq!(first, ModelProfile::unset("llm_1", "ann", 5));
    assert_eq!(ledger.profile(9, "ann", "llm_2").unwrap(), first);
    assert_eq!(ledger.profile(9, "bob", "llm_3").unwrap().id, "llm_3");
}

#[test]
fn a_saved_profile_is_read_as_it_was_saved_and_is_nobody_elses() {
    let sql = Native::new();
    let ledger = open(&sql);
    let ann = ledger.profile(5, "ann", "llm_1").unwrap();
    let wanted = sealed(&ann, json!({"apiKey": PLAIN, "timeoutSeconds": 9, "contextWindow": 16_000}));
    let saved = ledger.put_profile(7, "ann", &wanted).unwrap();
    assert_eq!(ledger.profile(9, "ann", "").unwrap(), saved);
    assert_eq!(
        (saved.explicit, saved.provider, saved.health),
        (true, ProfileProvider::OpenaiCompatible, Health::Unknown)
    );
    assert_eq!((saved.timeout_seconds, saved.context_window, saved.updated_at), (9, Some(16_000), 7));
    assert_eq!(keys().open(&saved.key.as_ref().unwrap().sealed, &saved.place("acme")), Ok(Secret::new(PLAIN)));
    assert_eq!(ledger.profile(9, "bob", "llm_2").unwrap().key, None);
    assert!(ledger.put_profile(9, "eve", &wanted).is_err(), "a profile that nobody looked at");
}

#[test]
fn each_choice_is_read_as_it_was_saved() {
    let sql = Native::new();
    let ledger = open(&sql);
    ledger.profile(5, "ann", "llm_1").unwrap();
    let choices = [ProfileProvider::System, ProfileProvider::Disabled, ProfileProvider::OpenaiCompatible];
    for (from, to) in choices.into_iter().flat_map(|from| choices.map(|to| (from, to))) {
        for provider in [from, to] {
            let before = ledger.profile(5, "ann", "").unwrap();
            // At the same millisecond as the first look.
            let saved = ledger.put_profile(5, "ann", &sealed(&before, json!({"provider": provider}))).unwrap();
            assert_eq!((saved.provider, &ledger.profile(5, "ann", "").unwrap()), (provider, &saved));
        }
    }
}

#[test]
fn no_byte_of_a_key_stands_in_the_database() {
    let sql = Native::new();
    let ledger = open(&sql);
    let ann = ledger.profile(5, "ann", "llm_1").unwrap();
    ledger.put_profile(7, "ann", &sealed(&ann, json!({"apiKey": PLAIN}))).unwrap();
    let bytes = sql.bytes();
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(!holds(PLAIN) && !holds(&PLAIN[3..12]) && holds("sk-***4b7e"));
    let audited = sql.query("SELECT action, detail FROM audit", &[]).unwrap();
    let want = json!({"provider": "openai-compatible", "origin": "https://llm.example.com", "key": "set"});
    assert_eq!(audited[0].0, [Value::Text("llm_profile.put".to_owned()), Value::Text(want.to_string())]);
}

#[test]
fn a_refused_save_changes_nothing() {
    let sql = Native::new();
    let ledger = open(&sql);
    let ann = ledger.profile(5, "ann", "llm_1").unwrap();
    let saved = ledger.put_profile(7, "ann", &sealed(&ann, json!({"apiKey": PLAIN}))).unwrap();
    let before = sql.bytes();
    let elsewhere = sealed(&saved, json!({"baseUrl": "https://other.example.com"}));
    let error = ledger.put_profile(9, "ann", &elsewhere).unwrap_err();
    assert_eq!(code(&error), ("LLM_PROFILE_API_KEY_REQUIRED".to_owned(), 400));
    assert_eq!(sql.bytes(), before);
}

#[test]
fn a_test_is_noted_on_the_profile_that_it_tested() {
    let sql = Native::new();
    let ledger = open(&sql);
    let ann = ledger.profile(5, "ann", "llm_1").unwrap();
    let first = ledger.put_profile(7, "ann", &sealed(&ann, json!({}))).unwrap();
    ledger.tested(8, "ann", first.updated_at, false).unwrap();
    let tested = ledger.profile(9, "ann", "").unwrap();
    assert_eq!((tested.health, tested.last_tested_at), (Health::Failed, Some(8)));
    // Saved in the same millisecond: the health is another profile's.
    let second = ledger.put_profile(7, "ann", &sealed(&ann, json!({"model": "m-2"}))).unwrap();
    assert_eq!((second.health, second.last_tested_at), (Health::Unknown, Some(8)));
    ledger.tested(10, "ann", first.updated_at, true).unwrap();
    assert_eq!(ledger.profile(11, "ann", "").unwrap().health, Health::Unknown);
}

#[test]
fn ten_tests_a_minute_and_user() {
    let sql = Native::new();
    let ledger = open(&sql);
    for user in ["ann", "bob"] {
        ledger.profile(0, user, user).unwrap();
    }
    for at in 0..10 {
        ledger.count_test(1_000 * at, "ann").unwrap();
    }
    let before = sql.bytes();
    let error = ledger.count_test(10_000, "ann").unwrap_err();
    assert_eq!(code(&error), ("RATE_LIMITED".to_owned(), 429));
    let LedgerError::Told(told) = error else { panic!() };
    assert_eq!(
        (&told.details["retry_after_ms"], told.message.as_str()),
        (&json!(50_000), "At most 10 tests a minute are made. Test again in 50 s.",)
    );
    assert_eq!(sql.bytes(), before, "what is refused does not count");
    ledger.count_test(10_000, "bob").unwrap();
    assert!(ledger.count_test(59_999, "ann").is_err());
    ledger.count_test(60_000, "ann").unwrap();
    assert!(ledger.count_test(60_000, "ann").is_err());
}

#[test]
fn a_key_that_is_sealed_anew_replaces_only_itself() {
    let sql = Native::new();
    let ledger = open(&sql);
    let ann = ledger.profile(5, "ann", "llm_1").unwrap();
    let first = ledger.put_profile(7, "ann", &sealed(&ann, json!({"apiKey": PLAIN}))).unwrap();
    let old = first.key.unwrap().sealed;
    let anew = Sealed { kid: "k2".to_owned(), nonce: vec![4; 12], ciphertext: vec![5; 20] };
    ledger.reseal("bob", &old, &anew).unwrap();
    assert_eq!(ledger.profile(9, "ann", "").unwrap().key.unwrap().sealed, old);
    ledger.reseal("ann", &old, &anew).unwrap();
    assert_eq!(ledger.profile(9, "ann", "").unwrap().key.unwrap().sealed, anew);
    ledger.reseal("ann", &old, &Sealed { kid: "k3".to_owned(), ..old.clone() }).unwrap();
    assert_eq!(ledger.profile(9, "ann", "").unwrap().key.unwrap().sealed, anew, "the other one came first");
}

#[test]
fn a_database_of_every_earlier_schema_opens() {
    for version in 0..MIGRATIONS.len() {
        let sql = Native::new();
        sql.execute("CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT", &[]).unwrap();
        for statement in MIGRATIONS[..version].concat() {
            sql.execute(statement, &[]).unwrap();
        }
        let set = "INSERT INTO setting(name, value) VALUES('schema', ?)";
        sql.execute(set, &[Value::Text(version.to_string())]).unwrap();
        let row = "INSERT INTO budget(id, scope, unit, period, lim) VALUES('b', 'account:dev', 'tokens', 'total', 9)";
        let old = version > 0 && sql.execute(row, &[]).is_ok();
        let ledger = open(&sql);
        assert!(!ledger.profile(5, "ann", "llm_1").unwrap().explicit, "schema {version}");
        let shown = ledger.standing(5, "b").unwrap().map(|shown| shown.payer);
        assert_eq!(shown, old.then_some(Payers::Platform), "schema {version}");
    }
}

/// A ledger with a key that may call one model of the platform.
fn stocked(sql: &Native) -> (Ledger<&Native>, Credential) {
    let ledger = open(sql);
    let key = ProxyKey::make(Env::Test, &account_id("holdpoint", "org:dev"), &[1; 7], &[1; 32]);
    let new = NewProxyKey {
        label: "test".to_owned(),
        user_id: "ann".to_owned(),
        scopes: vec!["llm".to_owned()],
        models: vec!["default".to_owned()],
        origins: Vec::new(),
        clamp: Clamp::Allowed,
        expires_at: None,
    };
    ledger.create_key(0, "test", &key, &new, 10).unwrap();
    (ledger, Credential::Key { id: key.id.clone(), secret_hash: key.hash().to_vec() })
}

fn limited(ledger: &Ledger<&Native>, id: &str, unit: Unit, payer: Payers, limit: u64) {
    let scope = "account:dev".to_owned();
    let budget = Budget {
        id: id.to_owned(),
        scope,
        unit,
        period: Period::Total,
        limit,
        payer,
        generation: 0,
        grants: Vec::new(),
    };
    ledger.put_budget(0, "test", &budget, 16).unwrap();
}

fn call(id: &str, payer: Payer, alias: &str, price_version: Option<u64>) -> CallAsk {
    CallAsk {
        idempotency_key: None,
        clamp: None,
        request_id: id.to_owned(),
        need: Amount { tokens: 40, cost: 4 },
        run_id: None,
        payer,
        shard: "0".to_owned(),
        boot: 1,
        ttl_ms: 1_000,
        facts: CallFacts { alias: alias.to_owned(), price_version, ..CallFacts::default() },
        mean: None,
    }
}

#[test]
fn a_call_counts_in_the_budgets_of_its_payer() {
    let sql = Native::new();
    let (ledger, credential) = stocked(&sql);
    limited(&ledger, "platform", Unit::Tokens, Payers::Platform, 100);
    limited(&ledger, "byok", Unit::Tokens, Payers::Byok, 50);
    limited(&ledger, "any", Unit::Tokens, Payers::Any, 130);
    let used = |id: &str| {
        let shown = ledger.standing(0, id).unwrap().unwrap();
        (shown.spent, shown.held)
    };
    ledger.admit(0, &credential, &call("r1", Payer::Byok, "own", None)).unwrap();
    assert_eq!([used("platform"), used("byok"), used("any")], [(0, 0), (0, 40), (0, 40)]);
    let error = ledger.admit(0, &credential, &call("r2", Payer::Byok, "own", None)).unwrap_err();
    assert_eq!(code(&error).0, "BUDGET_HELD");
    ledger.admit(0, &credential, &call("r3", Payer::Platform, "default", None)).unwrap();
    assert_eq!([used("platform"), used("byok"), used("any")], [(0, 40), (0, 40), (0, 80)]);
    let close = ledger.settle(1, "r1", Amount { tokens: 30, cost: 0 }, &Report::default()).unwrap();
    assert!(matches!(close, Close::Closed(_)));
    assert_eq!([used("platform"), used("byok"), used("any")], [(0, 40), (30, 0), (30, 40)]);
    ledger.admit(1, &credential, &call("r4", Payer::Platform, "default", None)).unwrap();
    let error = ledger.admit(1, &credential, &call("r5", Payer::Platform, "default", None)).unwrap_err();
    assert_eq!(code(&error).0, "BUDGET_HELD");
    // The list of a key names the platform's models.
    let error = ledger.admit(1, &credential, &call("r6", Payer::Platform, "own", None)).unwrap_err();
    assert_eq!(code(&error).0, Code::ModelNotAllowed.name());
}

#[test]
fn a_cost_budget_of_own_calls_wants_to_know_what_they_cost() {
    for (payer, want) in [(Payers::Platform, ""), (Payers::Byok, "MODEL_NOT_PRICED"), (Payers::Any, "MODEL_NOT_PRICED")]
    {
        let sql = Native::new();
        let (ledger, credential) = stocked(&sql);
        limited(&ledger, "cost", Unit::Cost, payer, 100);
        let before = sql.bytes();
        let answer = ledger.admit(0, &credential, &call("r1", Payer::Byok, "own", None));
        assert_eq!(answer.as_ref().err().map(|error| code(error).0).unwrap_or_default(), want, "{payer:?}");
        if answer.is_err() {
            assert_eq!(sql.bytes(), before, "a refusal writes nothing");
        }
        ledger.admit(0, &credential, &call("r2", Payer::Byok, "own", Some(3))).unwrap();
        let platform = ledger.admit(0, &credential, &call("r3", Payer::Platform, "default", None));
        let want = if payer == Payers::Byok { "" } else { "MODEL_NOT_PRICED" };
        assert_eq!(platform.as_ref().err().map(|error| code(error).0).unwrap_or_default(), want, "{payer:?}");
    }
}

#[test]
fn a_row_names_its_payer_and_no_cost_that_nobody_knows() {
    let sql = Native::new();
    let (ledger, credential) = stocked(&sql);
    for (id, payer, version) in [("r1", Payer::Byok, None), ("r2", Payer::Byok, Some(3)), ("r3", Payer::Platform, None)]
    {
        let alias = if payer == Payer::Byok { "own" } else { "default" };
        ledger.admit(0, &credential, &call(id, payer, alias, version)).unwrap();
        ledger.settle(1, id, Amount { tokens: 30, cost: 2 }, &Report::default()).unwrap();
    }
    let items = ledger.rows(None, 10).unwrap().items;
    let told: Vec<_> = items.iter().map(|item| (item.request_id.as_str(), item.payer.as_str(), item.cost)).collect();
    assert_eq!(told, [("r3", "platform", None), ("r2", "byok", Some(2)), ("r1", "byok", None)]);
    // One that expired is closed for the same payer, and corrected for it.
    ledger.admit(2, &credential, &call("r4", Payer::Byok, "own", None)).unwrap();
    ledger.fire_due(5_000).unwrap();
    ledger.settle(5_001, "r4", Amount { tokens: 9, cost: 0 }, &Report::default()).unwrap();
    assert_eq!(ledger.rows(None, 1).unwrap().items[0].payer, "byok");
}

#[test]
fn a_place_is_the_profiles_own() {
    let profile = ModelProfile::unset("llm_1", "ann", 0);
    let SealedFor { account, id, kind, user } = profile.place("acme");
    assert_eq!([account, id, kind, user], ["acme", "llm_1", "llm-profile", "ann"]);
}
