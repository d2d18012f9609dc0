//! A public name: who gets it, and which of its publishes stands (spec: app-builder.md §8).

use holdpoint_store::slug::{CLAIM_MS, Flip, MAX_PUBLISHED, SlugOwner, SlugRow, SlugStore};
use proptest::prelude::*;

use crate::support::Native;

const SHOP: SlugOwner<'_> = SlugOwner { tenant_id: "acc_1", app_id: "app_shop" };
const OTHER: SlugOwner<'_> = SlugOwner { tenant_id: "acc_2", app_id: "app_other" };
const NOW: i64 = 1_700_000_000_000;

fn slug(sql: &Native) -> SlugStore<&Native> {
    SlugStore::open(sql, "shop").unwrap()
}

fn publish(revision: &str, seq: i64) -> Flip<'_> {
    Flip { revision_id: Some(revision), publish_seq: seq, connect_origins: &[] }
}

fn unpublish(seq: i64) -> Flip<'static> {
    Flip { revision_id: None, publish_seq: seq, connect_origins: &[] }
}

fn shown(slug: &SlugStore<&Native>) -> Option<String> {
    slug.look().unwrap().and_then(|row| row.revision_id)
}

fn is_served(slug: &SlugStore<&Native>, revision: &str) -> bool {
    slug.served(revision).unwrap().is_some()
}

#[test]
fn the_first_claim_has_the_name_and_the_same_app_may_ask_again() {
    let sql = Native::new();
    let slug = slug(&sql);
    assert_eq!(slug.look().unwrap(), None);
    assert!(slug.claim(SHOP, NOW).unwrap());
    assert!(!slug.claim(OTHER, NOW).unwrap());
    assert!(slug.claim(SHOP, NOW + 1).unwrap());
    let same_app_elsewhere = SlugOwner { tenant_id: OTHER.tenant_id, ..SHOP };
    assert!(!slug.claim(same_app_elsewhere, NOW + 2).unwrap(), "an id of another tenant is another app");
    let row = SlugRow {
        slug: "shop".to_owned(),
        tenant_id: "acc_1".to_owned(),
        app_id: "app_shop".to_owned(),
        revision_id: None,
        publish_seq: 0,
        connect_origins: Vec::new(),
        claimed_at: NOW + 1,
        confirmed: false,
    };
    assert_eq!(slug.look().unwrap(), Some(row));
}

#[test]
fn a_claim_that_nobody_confirms_falls() {
    let sql = Native::new();
    let slug = slug(&sql);
    slug.claim(SHOP, NOW).unwrap();
    assert_eq!(slug.next_forgetting().unwrap(), Some(NOW + CLAIM_MS));
    assert!(!slug.claim(OTHER, NOW + CLAIM_MS - 1).unwrap());
    assert!(slug.claim(OTHER, NOW + CLAIM_MS).unwrap());
    assert!(!slug.confirm(SHOP, NOW + CLAIM_MS).unwrap(), "who comes late finds another there");
    assert!(!slug.flip(SHOP, &publish("rev_1", 1)).unwrap());
    assert!(slug.confirm(OTHER, NOW + CLAIM_MS).unwrap());

    slug.release(OTHER.app_id).unwrap();
    slug.claim(SHOP, NOW).unwrap();
    slug.forget(NOW + CLAIM_MS).unwrap();
    assert_eq!((slug.look().unwrap(), slug.next_forgetting().unwrap()), (None, None));
    assert!(slug.confirm(SHOP, NOW + CLAIM_MS).unwrap(), "nobody else came: the app has its name");
    assert!(!slug.claim(OTHER, NOW + 3 * CLAIM_MS).unwrap());
}

#[test]
fn a_confirmed_claim_stands_until_it_is_released() {
    let sql = Native::new();
    let slug = slug(&sql);
    slug.claim(SHOP, NOW).unwrap();
    assert!(slug.confirm(SHOP, NOW).unwrap());
    assert!(slug.confirm(SHOP, NOW + 1).unwrap(), "twice is once");
    assert_eq!(slug.next_forgetting().unwrap(), None);
    slug.forget(NOW + 9 * CLAIM_MS).unwrap();
    assert!(!slug.claim(OTHER, NOW + 9 * CLAIM_MS).unwrap());
    assert!(slug.claim(SHOP, NOW + 9 * CLAIM_MS).unwrap());
    let row = slug.look().unwrap().unwrap();
    assert!(row.confirmed && row.claimed_at == NOW, "a claim of what one has changes nothing");
}

#[test]
fn a_publish_confirms_the_claim() {
    let sql = Native::new();
    let slug = slug(&sql);
    slug.claim(SHOP, NOW).unwrap();
    assert!(slug.flip(SHOP, &publish("rev_1", 1)).unwrap());
    assert!(!slug.claim(OTHER, NOW + CLAIM_MS).unwrap());
}

#[test]
fn an_older_publish_that_ends_last_changes_nothing() {
    let sql = Native::new();
    let slug = slug(&sql);
    slug.claim(SHOP, NOW).unwrap();
    let origins = ["https://api.example.com".to_owned()];
    let newer = Flip { connect_origins: &origins, ..publish("rev_2", 2) };
    assert!(slug.flip(SHOP, &newer).unwrap());
    let stands = slug.look().unwrap();
    assert_eq!(stands.as_ref().map(|row| row.connect_origins.as_slice()), Some(&origins[..]));
    assert!(!slug.flip(SHOP, &publish("rev_1", 1)).unwrap());
    assert!(slug.flip(SHOP, &newer).unwrap(), "the same publish may come again");
    assert!(!slug.flip(SHOP, &publish("rev_3", 2)).unwrap(), "another under its number may not");
    assert!(!slug.flip(SHOP, &unpublish(2)).unwrap());
    assert!(!slug.flip(OTHER, &publish("rev_9", 9)).unwrap(), "nor may one of another app");
    assert_eq!(slug.look().unwrap(), stands);
    assert!(is_served(&slug, "rev_2") && !is_served(&slug, "rev_1") && !is_served(&slug, "rev_9"));
}

#[test]
fn old_addresses_work_while_the_app_is_published() {
    let sql = Native::new();
    let slug = slug(&sql);
    slug.claim(SHOP, NOW).unwrap();
    assert!(!is_served(&slug, "rev_1"));
    slug.flip(SHOP, &publish("rev_1", 1)).unwrap();
    slug.flip(SHOP, &publish("rev_4", 2)).unwrap();
    assert_eq!(shown(&slug).as_deref(), Some("rev_4"));
    assert!(is_served(&slug, "rev_1") && is_served(&slug, "rev_4") && !is_served(&slug, "rev_3"));

    assert!(slug.flip(SHOP, &unpublish(3)).unwrap());
    assert!(slug.flip(SHOP, &unpublish(3)).unwrap());
    assert_eq!(shown(&slug), None);
    assert!(!is_served(&slug, "rev_1") && !is_served(&slug, "rev_4"));
    assert!(!slug.flip(SHOP, &publish("rev_4", 2)).unwrap(), "a publish from before does not bring it back");
    assert!(!slug.claim(OTHER, NOW + CLAIM_MS).unwrap(), "an unpublished app keeps its name");

    assert!(slug.flip(SHOP, &publish("rev_1", 4)).unwrap());
    assert!(is_served(&slug, "rev_1") && is_served(&slug, "rev_4"));
}

#[test]
fn a_released_name_is_free_and_remembers_nothing() {
    let sql = Native::new();
    let slug = slug(&sql);
    slug.claim(SHOP, NOW).unwrap();
    slug.flip(SHOP, &publish("rev_1", 7)).unwrap();
    slug.release(OTHER.app_id).unwrap();
    assert_eq!(shown(&slug).as_deref(), Some("rev_1"), "only its owner gives it back");
    slug.release(SHOP.app_id).unwrap();
    slug.release(SHOP.app_id).unwrap();
    assert_eq!(slug.look().unwrap(), None);
    assert!(!slug.flip(SHOP, &publish("rev_1", 8)).unwrap(), "what is on its way finds no name");

    assert!(slug.claim(OTHER, NOW).unwrap());
    assert!(slug.flip(OTHER, &publish("rev_2", 1)).unwrap(), "numbers begin anew");
    slug.release(SHOP.app_id).unwrap();
    assert!(is_served(&slug, "rev_2") && !is_served(&slug, "rev_1"), "nothing of another app is served");
}

#[test]
fn the_oldest_addresses_go_beyond_the_limit() {
    let sql = Native::new();
    let slug = slug(&sql);
    slug.claim(SHOP, NOW).unwrap();
    let most = i64::try_from(MAX_PUBLISHED).unwrap();
    for seq in 1..=most {
        slug.flip(SHOP, &publish(&format!("rev_{seq}"), seq)).unwrap();
    }
    assert!(is_served(&slug, "rev_1"));
    slug.flip(SHOP, &publish("rev_1", most + 1)).unwrap();
    slug.flip(SHOP, &publish("rev_new", most + 2)).unwrap();
    assert!(!is_served(&slug, "rev_2"), "it was published the longest ago");
    assert!(is_served(&slug, "rev_1") && is_served(&slug, "rev_3") && is_served(&slug, "rev_new"));
}

#[test]
fn a_name_is_there_after_its_object_was_gone() {
    let sql = Native::new();
    slug(&sql).claim(SHOP, NOW).unwrap();
    slug(&sql).flip(SHOP, &publish("rev_1", 1)).unwrap();
    assert_eq!(shown(&slug(&sql)).as_deref(), Some("rev_1"));
}

proptest! {
    /// Whatever order publishes end in, and however often each comes, the highest number stands.
    #[test]
    fn the_highest_number_stands(seqs in prop::collection::vec(1_i64..9, 1..40)) {
        let sql = Native::new();
        let slug = slug(&sql);
        slug.claim(SHOP, NOW).unwrap();
        let mut highest = 0;
        for seq in seqs {
            let revision = format!("rev_{seq}");
            // Every third publish takes the app off its address.
            let flip = if seq % 3 == 0 { unpublish(seq) } else { publish(&revision, seq) };
            prop_assert_eq!(slug.flip(SHOP, &flip).unwrap(), seq >= highest);
            highest = highest.max(seq);
            let expected = (highest % 3 != 0).then(|| format!("rev_{highest}"));
            prop_assert_eq!(shown(&slug), expected);
        }
    }
}
