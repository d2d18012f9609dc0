//! Binary files that lie in the artifact store, as a project knows of them.

use holdpoint_store::workspace::Workspace;

use crate::support::Native;

#[test]
fn uploads_are_counted_a_bundle_and_each_once() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let uploads = workspace.uploads();
    assert_eq!(uploads.note("app_a", "sha256:1", 60, 100, 1), Ok(true));
    assert_eq!(uploads.note("app_a", "sha256:1", 60, 100, 2), Ok(true), "the same bytes take no more room");
    assert_eq!(uploads.note("app_a", "sha256:2", 41, 100, 3), Ok(false));
    assert_eq!(uploads.note("app_a", "sha256:2", 40, 100, 4), Ok(true), "exactly the limit is allowed");
    assert_eq!(uploads.note("app_b", "sha256:3", 100, 100, 5), Ok(true), "another bundle has its own room");
    uploads.take_out("app_a", "sha256:1").unwrap();
    assert_eq!((uploads.has("app_a", "sha256:1"), uploads.has("app_b", "sha256:3")), (Ok(false), Ok(true)));
    assert_eq!(uploads.note("app_a", "sha256:4", 60, 100, 6), Ok(true));
    uploads.drop_all("app_a", "a/", 7).unwrap();
    uploads.drop_all("app_a", "a/", 8).unwrap();
    let dropped = workspace.artifacts().dropped(9, 7).unwrap().unwrap();
    assert_eq!(dropped.keys, ["a/sha256:2", "a/sha256:4"]);
    assert_eq!((uploads.has("app_a", "sha256:4"), uploads.has("app_b", "sha256:3")), (Ok(false), Ok(true)));
}
