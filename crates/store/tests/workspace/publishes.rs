//! What is published: numbers that rise, intents, and a pointer that only the highest of them moves (spec: app-builder.md §8).

use holdpoint_store::build::{BuildKind, BuildOutcome};
use holdpoint_store::publish::{MAX_PUBLISHES, Publish, PublishError, PublishKind};
use holdpoint_store::workspace::{Workspace, WriteError};

use crate::builds::save;
use crate::kit::PLAIN;
use crate::support::Native;

const APP: &str = PLAIN.id;

/// A project with two revisions that are built, and one that is not.
fn built(workspace: &Workspace<&Native>) -> [String; 3] {
    let builds = workspace.builds();
    let revision = |text: &str, is_built: bool| {
        let revision = save(workspace, text, text, 1);
        if is_built {
            let (_, lease) = builds.claim(APP, 1).unwrap().unwrap();
            builds.finish(&lease, &BuildOutcome::Succeeded { dist: text, manifest: "{}" }, 2).unwrap();
        }
        revision
    };
    [revision("1", true), revision("2", true), revision("3", false)]
}

fn shown(publish: Option<Publish>) -> Option<(i64, String, PublishKind)> {
    publish.map(|publish| (publish.seq, publish.revision, publish.kind))
}

#[test]
fn a_publish_is_an_intent_until_the_address_has_it() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let [first, second, unbuilt] = built(&workspace);
    let publishes = workspace.publishes();
    let intend = |revision: &str, kind| publishes.intend(APP, revision, kind, "ann", 10);
    assert_eq!(intend("rev_9", PublishKind::Publish), Err(PublishError::NotFound));
    assert_eq!(intend(&unbuilt, PublishKind::Publish), Err(PublishError::NotBuilt));
    assert_eq!(intend(&first, PublishKind::Unpublish), Err(PublishError::NotPublished));
    let one = intend(&first, PublishKind::Publish).unwrap();
    assert_eq!((one.seq, one.at, one.done, one.user.as_str()), (1, 10, None, "ann"));
    assert_eq!((publishes.current(APP), publishes.intended()), (Ok(None), Ok(vec![one])));
    assert_eq!(publishes.done("other", 1, 20), Ok(None));
    assert_eq!(publishes.done(APP, 1, 20).unwrap().unwrap().done, Some(20));
    assert_eq!(publishes.done(APP, 1, 21), Ok(None), "it is done once");
    assert_eq!(shown(publishes.current(APP).unwrap()), Some((1, first.clone(), PublishKind::Publish)));
    assert_eq!((publishes.intended(), publishes.previous(APP)), (Ok(vec![]), Ok(None)));

    intend(&second, PublishKind::Publish).unwrap();
    publishes.done(APP, 2, 22).unwrap();
    assert_eq!(shown(publishes.previous(APP).unwrap()), Some((1, first.clone(), PublishKind::Publish)));
    intend(&first, PublishKind::Rollback).unwrap();
    publishes.done(APP, 3, 23).unwrap();
    assert_eq!(publishes.previous(APP).unwrap().unwrap().revision, second);
    intend(&first, PublishKind::Unpublish).unwrap();
    publishes.done(APP, 4, 24).unwrap();
    assert_eq!(shown(publishes.current(APP).unwrap()), Some((4, first.clone(), PublishKind::Unpublish)));
    assert_eq!(publishes.previous(APP).unwrap().unwrap().revision, second);
    assert_eq!(intend(&first, PublishKind::Unpublish), Err(PublishError::NotPublished), "it is not any more");

    let page = publishes.history(APP, None, 3).unwrap();
    let seqs = |page: &holdpoint_store::Page<Publish>| page.items.iter().map(|one| one.seq).collect::<Vec<_>>();
    assert_eq!(seqs(&page), [4, 3, 2]);
    let rest = publishes.history(APP, page.next_cursor.as_deref(), 3).unwrap();
    assert_eq!((seqs(&rest), rest.next_cursor), (vec![1], None));
    assert_eq!(publishes.history(APP, Some("1"), 3), Err(WriteError::Cursor));
    assert_eq!(publishes.history("other", None, 3).unwrap().items, []);
}

#[test]
fn an_older_publish_that_ends_last_does_not_win() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let [first, second, _] = built(&workspace);
    let publishes = workspace.publishes();
    publishes.intend(APP, &first, PublishKind::Publish, "ann", 10).unwrap();
    publishes.intend(APP, &second, PublishKind::Publish, "bob", 11).unwrap();
    publishes.done(APP, 2, 12).unwrap();
    publishes.done(APP, 1, 13).unwrap();
    assert_eq!(publishes.current(APP).unwrap().unwrap().revision, second);
    let kind = |revision: &str| workspace.builds().of(APP, revision).unwrap().unwrap().kind;
    assert_eq!((kind(&first), kind(&second)), (BuildKind::Draft, BuildKind::Published));
}

#[test]
fn a_number_never_comes_again() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let [first, ..] = built(&workspace);
    let publishes = workspace.publishes();
    let intend = || publishes.intend(APP, &first, PublishKind::Publish, "ann", 10).unwrap().seq;
    assert_eq!(intend(), 1);
    assert_eq!(publishes.withdraw("other", 1), Ok(false));
    assert_eq!(publishes.withdraw(APP, 1), Ok(true));
    assert_eq!((publishes.withdraw(APP, 1), publishes.done(APP, 1, 11)), (Ok(false), Ok(None)));
    assert_eq!(intend(), 2);
    publishes.done(APP, 2, 12).unwrap();
    assert_eq!(publishes.withdraw(APP, 2), Ok(false), "what is done stays");
}

#[test]
fn a_draft_does_not_end_the_build_of_what_is_published() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let [first, _, third] = built(&workspace);
    let publishes = workspace.publishes();
    publishes.intend(APP, &first, PublishKind::Publish, "ann", 10).unwrap();
    publishes.done(APP, 1, 11).unwrap();
    let builds = workspace.builds();
    builds.retry(APP, &first, "1", true, 12).unwrap();
    save(&workspace, "4", "4", 13);
    let status = |revision: &str| builds.of(APP, revision).unwrap().unwrap().status.as_str();
    assert_eq!((status(&first), status(&third)), ("queued", "failed"));
}

#[test]
fn the_oldest_publishes_are_forgotten_but_never_what_counts() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let [first, second, _] = built(&workspace);
    let publishes = workspace.publishes();
    let intend = |revision: &str| publishes.intend(APP, revision, PublishKind::Publish, "ann", 10).unwrap().seq;
    let waits = intend(&first);
    let previous = intend(&first);
    publishes.done(APP, previous, 11).unwrap();
    for _ in 0..MAX_PUBLISHES + 20 {
        publishes.done(APP, intend(&second), 12).unwrap();
    }
    let mut seqs = Vec::new();
    let mut cursor = None;
    loop {
        let page = publishes.history(APP, cursor.as_deref(), 500).unwrap();
        seqs.extend(page.items.iter().map(|one| one.seq));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((seqs.len() as u64, seqs[seqs.len() - 2..].to_vec()), (MAX_PUBLISHES + 2, vec![previous, waits]));
    assert_eq!(publishes.previous(APP).unwrap().unwrap().revision, first);
}
