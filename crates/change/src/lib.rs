//! The gate as types: from an edit to an approval that a workspace may write, and no way around a person (DESIGN §3,
//! ENGINE §4).
//!
//! ```text
//! wire edit ─kind→ ChangeSet ─Tree→ Staged ─check→ Preview ─sign→ Approved ─store→ revision
//!                                                     └─────────→ (Why, Preview): look again
//! ```
//!
//! Owns what an operation does to files, what is compared before a change may be written, and who may say yes. Knows no
//! kind, wire, storage or clock; makes no token, it compares them. Invariants: a step that fails changes nothing;
//! [`Approved`] comes from [`sign`] only, [`Signature`] from a request only, [`Person`] from authentication only; none
//! of them is stored or copied.
//!
//! ```
//! use holdpoint_bundle::{Files, content_hash};
//! use holdpoint_change::*;
//!
//! // Stage: a kind takes the steps on a scratch copy and names base, change and result as its spec says.
//! fn stage(base: Base, changes: &ChangeSet) -> Staged {
//!     let before = base.files.clone().unwrap_or_default();
//!     let mut tree = Tree { files: before.clone(), entry: None };
//!     let done = tree.take_all(changes).iter().all(Result::is_ok);
//!     let (from, to) = (content_hash(&before), content_hash(&tree.files));
//!     let tokens = Tokens { base: Some(from.clone()), patch: Some(format!("{from}..{to}")), result: Some(to) };
//!     Staged { base, after: done.then_some(tree.files), tokens, ..Staged::default() }
//! }
//! let base = Base { files: Some(Files::from([("a.txt".into(), "one two".into())])), ..Base::default() };
//! let op = Op::Find { path: "a.txt".into(), find: "two".into(), replace: "2".into() };
//! let changes = ChangeSet(vec![Step::new(op, "/ops/0")]);
//!
//! // Preview: the kind checks the files after; a person reads what comes out.
//! let preview = |staged| Preview { staged, report: holdpoint_check::Report::new(vec![], serde_json::Value::Null) };
//! let shown = preview(stage(base.clone(), &changes));
//! assert_eq!(shown.staged.after.as_ref().unwrap()["a.txt"], "one 2");
//!
//! // Sign: the request names what the person saw, the single writer stages afresh and compares.
//! let seen = serde_json::json!({
//!     "base_hash": shown.staged.tokens.base, "patch_id": shown.staged.tokens.patch,
//!     "result_hash": shown.staged.tokens.result,
//! });
//! let signature: Signature = serde_json::from_value(seen).unwrap();
//! let fresh = preview(stage(base.clone(), &changes));
//! let approved = sign(fresh, &signature, Person::authenticated("ada"), true).ok().unwrap();
//! assert_eq!(approved.by().user(), "ada");
//!
//! // Somebody was faster: nothing is approved, and the answer is the preview to look at.
//! let moved = Base { files: Some(Files::from([("a.txt".into(), "two".into())])), ..base };
//! let fresh = preview(stage(moved, &changes));
//! let (why, again) = sign(fresh, &signature, Person::authenticated("ada"), true).err().unwrap();
//! assert_eq!(why, Why::Base);
//! assert_eq!(again.staged.after.unwrap()["a.txt"], "2");
//! ```

mod sign;
mod signature;
mod staged;
mod step;
mod text;
mod tree;
mod ways;

pub use sign::{Approved, Why, sign};
pub use signature::{Person, Signature};
pub use staged::{Base, Confirm, Facts, Hash, Preview, Staged, Tokens, Unit};
pub use step::{ChangeSet, Op, Step, TextRequest};
pub use text::{CODES, text_error};
pub use tree::{FileEffect, OpFault, Tree};
pub use ways::{Change, Hand, HandCause};
