//! What was used over days, single calls, and what runs (spec: gateway.md §13).

use holdpoint_gateway::budget::DAY_MS;
use holdpoint_gateway::key::request_id;
use holdpoint_store::Ledger;
use holdpoint_store::ledger::{
    CallAsk, CallDays, CallFacts, Principal, Report, RunningCall, RunningCalls, UsageAsk, UsageGroup, UsageSums,
};
use holdpoint_store::requests::{days, usage};
use proptest::prelude::*;

use super::support::Native;
use super::{call, code, open, report, used};

const BEGIN: i64 = 20_500 * DAY_MS;

fn somebody(user: &str, scopes: &[&str]) -> Principal {
    Principal {
        key_id: format!("key-{user}"),
        user_id: user.to_owned(),
        scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
        models: Vec::new(),
        origins: Vec::new(),
        clamp: holdpoint_store::ledger::Clamp::Allowed,
    }
}

/// A call of a user, by a token, so that many need no keys.
fn spend(ledger: &Ledger<&Native>, at: i64, number: u8, user: &str, model: &str, tag: Option<&str>, more: Report) {
    let id = request_id(at, &[number; 10]);
    let holder = holdpoint_store::ledger::TokenHolder {
        account: "dev".to_owned(),
        user_id: user.to_owned(),
        key_id: format!("jwt:{user}"),
        scopes: vec!["llm".to_owned()],
        ends_ms: i64::MAX,
    };
    let facts = CallFacts {
        alias: model.to_owned(),
        provider: "main".to_owned(),
        model: format!("{model}-1"),
        price_version: Some(1),
        tag: tag.map(str::to_owned),
        ..CallFacts::default()
    };
    let ask = CallAsk { facts, ..call(&id, 100) };
    ledger.admit(at, &holdpoint_store::ledger::Credential::Token(holder), &ask).unwrap();
    ledger.settle(at + 10, &id, used(40), &Report { ttfb_ms: Some(u64::from(number)), ..more }).unwrap();
}

fn ask(days: i64, groups: &[UsageGroup]) -> UsageAsk {
    UsageAsk { from: BEGIN, to: BEGIN + days * DAY_MS, groups: groups.to_vec() }
}

#[test]
fn sums_by_each_group() {
    let sql = Native::new();
    let ledger = open(&sql);
    let cached = Report { input: 10, cached_input: 30, output: 5, ..report() };
    spend(&ledger, BEGIN, 1, "ann", "small", None, cached.clone());
    spend(&ledger, BEGIN + 5, 2, "ann", "large", Some("x"), report());
    let estimated = Report { usage_source: "estimated".to_owned(), ..report() };
    spend(&ledger, BEGIN + DAY_MS, 3, "bob", "small", Some("x"), estimated);
    let admin = somebody("eve", &["usage", "admin"]);
    let all = ledger.usage(&admin, &ask(1, &[])).unwrap();
    let UsageSums { requests, tokens, estimated_permille, cache_hit_permille, .. } = all.totals;
    assert_eq!((requests, tokens, estimated_permille, cache_hit_permille), (3, 120, Some(333), Some(750)));
    assert_eq!((all.items.len(), all.from.as_str(), all.to.as_str()), (0, "2026-02-16", "2026-02-17"));
    let speed = all.speed.unwrap();
    assert_eq!((speed.rows, speed.first_byte_ms.unwrap().p50, speed.first_byte_ms.unwrap().p95), (3, 2, 3));
    let told = |groups: &[UsageGroup], who: &Principal| -> Vec<(String, u64)> {
        let items = ledger.usage(who, &ask(1, groups)).unwrap().items;
        let named = |item: &holdpoint_store::ledger::UsageItem| {
            let tag = item.tag.as_ref().map(|tag| tag.clone().unwrap_or("none".to_owned()));
            let day = item.day.map(|day| ((day - BEGIN) / DAY_MS).to_string());
            [day, item.alias.clone(), item.key.clone(), item.user.clone(), tag]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
        };
        items.iter().map(|item| (named(item).join(" "), item.sums.requests)).collect()
    };
    let owned = |pairs: &[(&str, u64)]| pairs.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect::<Vec<_>>();
    assert_eq!(told(&[UsageGroup::Day], &admin), owned(&[("0", 2), ("1", 1)]));
    assert_eq!(told(&[UsageGroup::Model], &admin), owned(&[("large", 1), ("small", 2)]));
    assert_eq!(told(&[UsageGroup::Tag], &admin), owned(&[("none", 1), ("x", 2)]));
    assert_eq!(told(&[UsageGroup::Key], &admin), owned(&[("jwt:ann", 2), ("jwt:bob", 1)]));
    assert_eq!(told(&[UsageGroup::User, UsageGroup::Day], &admin), owned(&[("0 ann", 2), ("1 bob", 1)]));
    let ann = somebody("ann", &["usage"]);
    assert_eq!(told(&[UsageGroup::User], &ann), owned(&[("ann", 2)]));
    assert_eq!(ledger.usage(&ann, &ask(0, &[])).unwrap().speed.unwrap().rows, 2);
    let nobody = ledger.usage(&somebody("zoe", &["usage"]), &ask(1, &[])).unwrap();
    assert_eq!((nobody.totals, nobody.speed), (UsageSums::default(), None));
}

#[test]
fn a_day_tells_a_hundred_tags_apart() {
    let sql = Native::new();
    let ledger = open(&sql);
    for number in 0..104_u8 {
        spend(&ledger, BEGIN + i64::from(number), number, "ann", "m", Some(&format!("t{number:03}")), report());
    }
    spend(&ledger, BEGIN + 200, 7, "ann", "m", Some("t000"), report());
    spend(&ledger, BEGIN + 201, 8, "ann", "m", Some("t103"), report());
    let items = ledger.usage(&somebody("ann", &["usage"]), &ask(0, &[UsageGroup::Tag])).unwrap().items;
    let requests =
        |tag: &str| items.iter().find(|item| item.tag == Some(Some(tag.to_owned()))).map(|item| item.sums.requests);
    assert_eq!((items.len(), requests("t000"), requests("t103"), requests("…")), (101, Some(2), None, Some(5)));
}

#[test]
fn a_corrected_call_is_taken_out_of_its_tags_sum() {
    let sql = Native::new();
    let ledger = open(&sql);
    let id = request_id(BEGIN, &[1; 10]);
    let ask_of = CallAsk { facts: CallFacts { tag: Some("x".to_owned()), ..CallFacts::default() }, ..call(&id, 90) };
    ledger.admit(BEGIN, &holdpoint_store::ledger::Credential::Dev, &ask_of).unwrap();
    ledger.fire_due(BEGIN + DAY_MS / 2).unwrap();
    ledger.settle(BEGIN + DAY_MS / 2 + 1, &id, used(40), &report()).unwrap();
    let dev = somebody("dev", &["usage"]);
    let items = ledger.usage(&dev, &ask(0, &[UsageGroup::Tag])).unwrap().items;
    assert_eq!((items.len(), items[0].sums.requests, items[0].sums.tokens), (1, 1, 40));
}

#[test]
fn calls_of_one_user_are_walked_once_each() {
    let sql = Native::new();
    let ledger = open(&sql);
    for number in 0..60_u8 {
        let user = if number % 7 == 0 { "ann" } else { "bob" };
        spend(&ledger, BEGIN + i64::from(number), number, user, "m", None, report());
    }
    for (user, scopes, want) in [("ann", &["usage"][..], 9), ("bob", &["usage"], 51), ("eve", &["usage", "admin"], 60)]
    {
        let (who, mut cursor, mut seen) = (somebody(user, scopes), None, Vec::new());
        loop {
            let page = ledger.calls(&who, CallDays::default(), cursor.as_deref(), 4).unwrap();
            seen.extend(page.items.into_iter().map(|item| item.request_id));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen.len(), want, "{user}");
        assert!(seen.is_sorted_by(|a, b| a > b), "{user}: newest first, each once");
    }
}

#[test]
fn calls_are_listed_by_the_days_on_which_they_were_admitted() {
    let sql = Native::new();
    let ledger = open(&sql);
    for day in 0..4_u8 {
        for (hour, user) in [(1_u8, "ann"), (2, "bob")] {
            let at = BEGIN + i64::from(day) * DAY_MS + i64::from(hour);
            spend(&ledger, at, day * 2 + hour, user, "m", None, report());
        }
    }
    // It came before midnight, and its last try was admitted behind it.
    let late = CallAsk { facts: CallFacts::default(), ..call(&request_id(BEGIN + DAY_MS - 1, &[99; 10]), 90) };
    ledger.admit(BEGIN + DAY_MS, &holdpoint_store::ledger::Credential::Dev, &late).unwrap();
    ledger.settle(BEGIN + DAY_MS + 1, &late.request_id, used(40), &report()).unwrap();
    let listed = |who: &Principal, from: Option<i64>, to: Option<i64>| {
        let at = |day: i64| BEGIN + day * DAY_MS;
        let (days, mut cursor) = (CallDays { from: from.map(at), to: to.map(at) }, None);
        let mut seen = Vec::new();
        loop {
            let page = ledger.calls(who, days, cursor.as_deref(), 2).unwrap();
            seen.extend(page.items.into_iter().map(|item| (item.at - BEGIN) / DAY_MS));
            cursor = page.next_cursor;
            if cursor.is_none() {
                return seen;
            }
        }
    };
    let (admin, ann) = (somebody("eve", &["usage", "admin"]), somebody("ann", &["usage"]));
    for (who, from, to, want) in [
        (&admin, None, None, &[3, 3, 2, 2, 1, 1, 1, 0, 0][..]),
        (&admin, Some(1), Some(2), &[2, 2, 1, 1, 1]),
        (&admin, Some(0), Some(0), &[0, 0]),
        (&admin, Some(1), None, &[3, 3, 2, 2, 1, 1, 1]),
        (&admin, None, Some(0), &[0, 0]),
        (&admin, Some(4), None, &[]),
        (&admin, None, Some(-1), &[]),
        (&admin, Some(-BEGIN / DAY_MS), Some(1 << 20), &[3, 3, 2, 2, 1, 1, 1, 0, 0]),
        (&ann, Some(1), Some(2), &[2, 1]),
        (&ann, None, None, &[3, 2, 1, 0]),
        (&ann, Some(3), Some(9), &[3]),
        (&ann, Some(4), None, &[]),
    ] {
        assert_eq!(listed(who, from, to), want, "{}: {from:?} to {to:?}", who.user_id);
    }
}

#[test]
fn days_of_calls_may_be_open_on_either_side() {
    let read = |from: &'static str, to: &'static str| {
        days(move |name| Some(if name == "from" { from } else { to }.to_owned()).filter(|text| !text.is_empty()))
    };
    assert_eq!(read("", "").unwrap(), CallDays::default());
    assert_eq!(read("2026-02-16", "").unwrap(), CallDays { from: Some(BEGIN), to: None });
    assert_eq!(read("", "2026-02-16").unwrap(), CallDays { from: None, to: Some(BEGIN) });
    assert_eq!(read("2026-02-16", "2026-02-16").unwrap(), CallDays { from: Some(BEGIN), to: Some(BEGIN) });
    for (from, to, pointer) in [
        ("2026-02-17", "2026-02-16", "/from"),
        ("2025-01-01", "2026-02-16", "/from"),
        ("x", "", "/from"),
        ("", "2026-02-30", "/to"),
    ] {
        assert_eq!(read(from, to).unwrap_err().details["pointer"].as_str(), Some(pointer), "{from} {to}");
    }
}

#[test]
fn what_runs_is_listed_with_what_it_holds() {
    let sql = Native::new();
    let ledger = open(&sql);
    ledger.admit(BEGIN, &holdpoint_store::ledger::Credential::Dev, &call("req_1", 70)).unwrap();
    let of = |user: &str, scopes: &[&str]| ledger.running(&somebody(user, scopes)).unwrap().items;
    assert_eq!(of("ann", &["usage"]).len(), 0);
    for items in [of("dev", &["usage"]), of("eve", &["usage", "admin"])] {
        assert_eq!((items[0].tokens, items[0].cost, items[0].alias.as_str()), (70, Some(0), "default"));
    }
    assert_eq!(ledger.open_calls().unwrap(), (1, 0));
    ledger.settle(BEGIN + 1, "req_1", used(1), &report()).unwrap();
    assert_eq!((of("dev", &["usage"]).len(), ledger.open_calls().unwrap()), (0, (0, 0)));
}

#[test]
fn the_latest_of_what_runs_are_listed_wherever_they_are_held() {
    let sql = Native::new();
    let ledger = open(&sql);
    let dev = holdpoint_store::ledger::Credential::Dev;
    ledger.admit(BEGIN, &dev, &call("req_00500", 7)).unwrap();
    let held = ledger.running(&somebody("dev", &["usage"])).unwrap();
    assert_eq!((held.user_id.as_deref(), held.borrowers.len()), (Some("dev"), 0));
    assert_eq!(ledger.running(&somebody("eve", &["usage", "admin"])).unwrap().user_id, None);
    let within = |n: u32| RunningCall { request_id: format!("req_{n:05}"), ..held.items[0].clone() };
    let listed =
        RunningCalls::latest(held.items.iter().cloned().chain((1..500).map(within)).chain([within(501)]).collect());
    let ids: Vec<&str> = listed.items.iter().map(|call| call.request_id.as_str()).collect();
    assert_eq!((ids.len(), ids[0], ids[1], ids[499]), (500, "req_00501", "req_00500", "req_00002"));
}

#[test]
fn a_token_that_ended_is_nobodys() {
    let sql = Native::new();
    let ledger = open(&sql);
    let holder = holdpoint_store::ledger::TokenHolder {
        account: "dev".to_owned(),
        user_id: "ann".to_owned(),
        key_id: "jwt:ann".to_owned(),
        scopes: Vec::new(),
        ends_ms: 100,
    };
    let token = holdpoint_store::ledger::Credential::Token(holder);
    assert_eq!(ledger.verify(99, &token).unwrap().key_id, "jwt:ann");
    assert_eq!(code(ledger.verify(100, &token)), holdpoint_gateway::Code::AuthTokenExpired);
}

proptest! {
    #[test]
    fn any_query_is_read_or_refused(from in "[0-9-]{0,12}", to in "\\PC{0,12}", groups in "[a-z,]{0,24}") {
        let query = |name: &str| match name {
            "from" => Some(from.clone()),
            "to" => Some(to.clone()),
            _ => Some(groups.clone()),
        };
        if let Ok(ask) = usage(query, BEGIN) {
            prop_assert!(ask.from <= ask.to && ask.groups.len() <= 3);
        }
    }
}

#[test]
fn queries_without_days_mean_the_present_month() {
    let none = usage(|_| None, BEGIN + 5).unwrap();
    assert_eq!((none.from, none.to, none.groups.len()), (BEGIN - 15 * DAY_MS, BEGIN, 0));
    let read = |from: &str, to: &str, groups: &str| {
        let (from, to, groups) = (from.to_owned(), to.to_owned(), groups.to_owned());
        usage(
            move |name| {
                Some(match name {
                    "from" => from.clone(),
                    "to" => to.clone(),
                    _ => groups.clone(),
                })
            },
            BEGIN,
        )
    };
    assert!(read("2025-01-12", "2026-02-15", "day,user,tag").is_ok());
    for (from, to, groups, pointer) in [
        ("2025-01-11", "2026-02-15", "day", "/from"),
        ("2026-02-16", "2026-02-15", "day", "/from"),
        ("yesterday", "2026-02-15", "day", "/from"),
        ("2026-02-01", "2026-02-30", "day", "/to"),
        ("2026-02-01", "2026-02-15", "day,day", "/group_by"),
        ("2026-02-01", "2026-02-15", "day,user,tag,key", "/group_by"),
        ("2026-02-01", "2026-02-15", "week", "/group_by"),
        ("2026-02-01", "2026-02-15", "", "/group_by"),
    ] {
        let error = read(from, to, groups).unwrap_err();
        assert_eq!((error.status, error.details["pointer"].as_str()), (400, Some(pointer)), "{from} {to} {groups}");
    }
}
