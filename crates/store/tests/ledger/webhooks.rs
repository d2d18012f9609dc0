//! What servers are told, once each, and when it is given up (spec: gateway.md §13).

use holdpoint_gateway::budget::Unit;
use holdpoint_gateway::cipher::Sealed;
use holdpoint_gateway::webhook::WebhookEvent;
use holdpoint_store::ledger::{DueDelivery, KeptWebhook};

use super::support::Native;
use super::{budget, call, open, report, stocked, used};

fn server(id: &str, events: &[WebhookEvent]) -> KeptWebhook {
    let secret = Sealed { kid: "k".to_owned(), nonce: vec![1], ciphertext: vec![2] };
    KeptWebhook { id: id.to_owned(), url: format!("https://{id}.example.com"), events: events.to_vec(), secret }
}

fn told(due: &[DueDelivery]) -> Vec<(String, String)> {
    let kind = |due: &DueDelivery| {
        let body: serde_json::Value = serde_json::from_str(&due.body).unwrap();
        (due.webhook.id.clone(), body["type"].as_str().unwrap().to_owned())
    };
    due.iter().map(kind).collect()
}

#[test]
fn a_budget_comes_to_each_event_once() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.put_budget(0, "test", &budget("other", "user:nobody", Unit::Tokens, 1), 16).unwrap();
    let both = [WebhookEvent::BudgetNearly, WebhookEvent::BudgetWholly];
    ledger.put_webhooks(0, "test", &[server("a", &both), server("b", &[WebhookEvent::Overrun])]).unwrap();
    let spend = |id: &str, tokens: u64| {
        ledger.admit(1, &ann, &call(id, tokens)).unwrap();
        ledger.settle(2, id, used(tokens), &report()).unwrap();
        ledger.tell_budgets(2, id).unwrap();
    };
    spend("r1", 79);
    assert_eq!(ledger.next_delivery().unwrap(), None);
    spend("r2", 1);
    assert_eq!(ledger.next_delivery().unwrap(), Some(2));
    spend("r3", 10);
    let due = ledger.due_deliveries(2).unwrap();
    assert_eq!(told(&due), [("a".to_owned(), "budget_80".to_owned())]);
    ledger.delivered(3, &due[0], true, 8).unwrap();
    assert_eq!(ledger.due_deliveries(9).unwrap(), []);
    spend("r4", 10);
    assert_eq!(told(&ledger.due_deliveries(9).unwrap()), [("a".to_owned(), "budget_100".to_owned())]);
    ledger.tell(9, WebhookEvent::Overrun, &serde_json::json!({"request_id": "r4"})).unwrap();
    assert_eq!(ledger.due_deliveries(9).unwrap().len(), 2, "each server's own, side by side");
}

#[test]
fn a_server_that_does_not_take_it_is_given_up_and_holds_no_other_up() {
    let sql = Native::new();
    let ledger = open(&sql);
    ledger
        .put_webhooks(0, "test", &[server("a", &[WebhookEvent::Breaker]), server("b", &[WebhookEvent::Breaker])])
        .unwrap();
    for provider in 0..200 {
        ledger.tell(0, WebhookEvent::Breaker, &serde_json::json!({ "provider": provider })).unwrap();
    }
    let mut now = 0;
    let first = ledger.due_deliveries(now).unwrap().remove(0);
    let mut tries = 0;
    loop {
        let due = ledger.due_deliveries(now).unwrap();
        let Some(one) = due.iter().find(|due| due.id == first.id) else { break };
        tries += 1;
        assert_eq!(ledger.delivered(now, one, false, 8).unwrap(), tries == 9, "try {tries}");
        now += 10_000;
    }
    assert_eq!(tries, 9);
    let left = sql_count(&sql, "a");
    assert_eq!((left, sql_count(&sql, "b")), (124, 125), "the oldest of each were given up before");
    // Servers that are gone take what waits along, and nothing is due of them.
    ledger.put_webhooks(now, "test", &[]).unwrap();
    assert_eq!((ledger.next_delivery().unwrap(), sql_count(&sql, "b")), (None, 0));
}

fn sql_count(sql: &Native, server: &str) -> u64 {
    use holdpoint_store::Sql as _;
    sql.query("SELECT count(*) FROM webhook_due WHERE webhook = ?", &[server.into()]).unwrap()[0].get(0).unwrap()
}
