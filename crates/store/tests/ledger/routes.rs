//! What is known of providers outlives the object that learned it.

use holdpoint_gateway::route::{Asks, Breaker, Locality, RouteDecision, RouteProvider, RouteReason, Routes};

use holdpoint_store::ledger::Report;

use crate::{Native, call, open, stocked};

fn provider(id: &str) -> RouteProvider {
    RouteProvider { id: id.to_owned(), locality: Locality::Remote, max_in_flight: 0 }
}

fn decide(routes: &mut Routes, at: i64, user: &str) -> (usize, RouteReason) {
    let (a, b) = (provider("a"), provider("b"));
    let asks = Asks { at, user: Some(user), alias: "default", allow_remote: false };
    let RouteDecision { order, reason, .. } = routes.decide(&[&a, &b], asks).unwrap();
    (order[0], reason)
}

#[test]
fn a_new_life_knows_who_broke_and_who_stays() {
    let sql = Native::new();
    let ledger = open(&sql);
    let mut routes = ledger.routes(0, Breaker::default()).unwrap();
    assert_eq!(decide(&mut routes, 0, "ann"), (0, RouteReason::PrimaryDefault));
    for at in [1, 2] {
        routes.fail("a", at, true);
        ledger.keep_provider(&routes, "a").unwrap();
    }
    ledger.keep_sticky(3, "bo", "default", "b", 200_000).unwrap();
    ledger.keep_sticky(3, "cy", "default", "b", 4).unwrap();
    drop(ledger);

    let ledger = open(&sql);
    let mut routes = ledger.routes(5, Breaker::default()).unwrap();
    assert_eq!(decide(&mut routes, 5, "ann"), (1, RouteReason::BreakerOpen));
    assert_eq!(decide(&mut routes, 5, "cy"), (1, RouteReason::BreakerOpen), "its time was over");
    routes.works("a");
    ledger.keep_provider(&routes, "a").unwrap();
    ledger.keep_sticky(6, "di", "default", "b", 9).unwrap();

    let mut routes = ledger.routes(6, Breaker::default()).unwrap();
    assert_eq!(decide(&mut routes, 6, "ann"), (0, RouteReason::PrimaryDefault));
    assert_eq!(decide(&mut routes, 6, "bo"), (1, RouteReason::StickyFallback));
    let left = holdpoint_store::Sql::query(&sql, "SELECT user_id FROM sticky ORDER BY user_id", &[]).unwrap();
    assert_eq!(left.len(), 2, "what is over goes");
}

#[test]
fn a_probe_that_nothing_was_heard_of_is_made_again() {
    let mut routes = Routes::new(Breaker { probe_ms: 50, ..Breaker::default() });
    routes.fail("a", 0, true);
    routes.fail("a", 0, true);
    assert_eq!(decide(&mut routes, 90_000, "ann"), (0, RouteReason::PrimaryDefault));
    assert_eq!(decide(&mut routes, 90_049, "ann"), (1, RouteReason::ProbeInProgress));
    assert_eq!(decide(&mut routes, 90_050, "ann"), (0, RouteReason::PrimaryDefault));
    routes.leave("a");
    assert_eq!(decide(&mut routes, 90_051, "ann"), (0, RouteReason::PrimaryDefault));
}

#[test]
fn calls_of_a_provider_are_its_open_holds() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let first = call("r1", 1);
    ledger.admit(0, &ann, &first).unwrap();
    ledger.admit(0, &ann, &call("r2", 1)).unwrap();
    assert_eq!(ledger.calls_of(&first.facts.provider).unwrap(), 2);
    ledger.release(1, "r1", &Report::default()).unwrap();
    assert_eq!((ledger.calls_of(&first.facts.provider).unwrap(), ledger.calls_of("else").unwrap()), (1, 0));
}
