//! Which signature counts for which preview; the laws over all of them are in `tests/laws.rs`.

use holdpoint_check::{Diagnostic, args, codes};
use serde_json::{Value, json};

use super::*;
use crate::{Base, Tokens};

codes! {
    SYNTAX_ERROR: Error, "Mend it.";
    FILE_UNUSED: Warning, "Use it.";
}

fn tokens() -> Tokens {
    let hash = |name: &str| Some(format!("sha256:{name}"));
    Tokens { base: hash("base"), patch: hash("patch"), result: hash("result") }
}

fn preview(change: impl FnOnce(&mut Staged)) -> Preview {
    let mut staged = Staged { after: Some([].into()), tokens: tokens(), ..Staged::default() };
    change(&mut staged);
    Preview { staged, report: Report::new(Vec::new(), Value::Null) }
}

fn signed(fresh: Preview, more: &Value, blocks: bool) -> Result<Approved, (Why, Preview)> {
    let mut seen = json!({"base_hash": "sha256:base", "patch_id": "sha256:patch", "result_hash": "sha256:result"});
    for (name, value) in more.as_object().into_iter().flatten() {
        seen[name] = value.clone();
    }
    let signature: Signature = serde_json::from_value(seen).unwrap();
    sign(fresh, &signature, Person::authenticated("ada"), blocks)
}

fn why(fresh: &Preview, more: &Value, blocks: bool) -> Option<Why> {
    signed(fresh.clone(), more, blocks).err().map(|(why, again)| {
        assert_eq!(again, *fresh, "a refusal answers the fresh preview");
        why
    })
}

#[test]
fn every_member_that_a_preview_names_must_be_named() {
    let clean = preview(|_| ());
    assert_eq!(why(&clean, &json!({}), true), None);
    for (member, want) in [("base_hash", Why::Base), ("patch_id", Why::Patch), ("result_hash", Why::Result)] {
        for other in [json!(null), json!(""), json!("sha256:other"), json!("SHA256:BASE")] {
            assert_eq!(why(&clean, &json!({ member: other }), true), Some(want), "{member} {other}");
        }
    }
}

#[test]
fn what_a_preview_does_not_have_must_not_be_named() {
    // Nothing is installed; a kind without a patch id.
    let bare = preview(|staged| staged.tokens = Tokens { base: None, patch: None, ..tokens() });
    assert_eq!(why(&bare, &json!({"base_hash": null, "patch_id": null}), true), None);
    assert_eq!(why(&bare, &json!({"patch_id": null}), true), Some(Why::Base));
    assert_eq!(why(&bare, &json!({"base_hash": null}), true), Some(Why::Patch));
}

#[test]
fn confirmations() {
    let confirmed = |confirm: Confirm, reasons: &[&str], typed: Option<&str>| {
        preview(|staged| {
            staged.confirm = confirm;
            staged.reasons = reasons.iter().map(|reason| (*reason).to_owned()).collect();
            staged.typed = typed.map(str::to_owned);
        })
    };
    let derived = || Confirm::Derived("sha256:confirm".to_owned());
    let token = json!({"confirm_token": "sha256:confirm"});
    let cases = [
        (confirmed(Confirm::None, &[], None), json!({}), true),
        (confirmed(Confirm::None, &[], None), token.clone(), true),
        // A kind that has a doubt and no token for it is refused, not waved through.
        (confirmed(Confirm::None, &["used_fuzz"], None), token.clone(), false),
        (confirmed(derived(), &["used_fuzz"], None), token.clone(), true),
        (confirmed(derived(), &["used_fuzz"], None), json!({}), false),
        (confirmed(derived(), &["used_fuzz"], None), json!({"confirm_token": "sha256:other"}), false),
        (confirmed(Confirm::Issued, &["delete"], None), json!({"confirm_token": "any"}), true),
        (confirmed(Confirm::Issued, &["delete"], None), json!({"confirm_token": ""}), false),
        (confirmed(Confirm::Issued, &["delete"], None), json!({}), false),
        (confirmed(derived(), &["high_risk_added"], Some("fire")), token.clone(), false),
        (
            confirmed(derived(), &["high_risk_added"], Some("fire")),
            json!({"confirm_token": "sha256:confirm", "typed_id": "fires"}),
            false,
        ),
        (
            confirmed(derived(), &["high_risk_added"], Some("fire")),
            json!({"confirm_token": "sha256:confirm", "typed_id": "fire"}),
            true,
        ),
        (confirmed(Confirm::None, &[], Some("fire")), json!({}), false),
    ];
    for (fresh, more, counts) in cases {
        let want = (!counts).then_some(Why::Confirmation);
        assert_eq!(why(&fresh, &more, true), want, "{:?} {more}", fresh.staged);
    }
}

#[test]
fn errors_refuse_where_they_block() {
    let mut broken = preview(|_| ());
    broken.report = Report::new(vec![Diagnostic::of(CODES[0], args! {})], Value::Null);
    assert_eq!(why(&broken, &json!({}), true), Some(Why::Invalid));
    assert_eq!(why(&broken, &json!({}), false), None);
    let mut warned = preview(|_| ());
    warned.report = Report::new(vec![Diagnostic::of(CODES[1], args! {})], Value::Null);
    assert_eq!(why(&warned, &json!({}), true), None);
}

#[test]
fn reasons_are_asked_in_one_order() {
    let mut bad = preview(|staged| staged.confirm = Confirm::Derived("sha256:confirm".to_owned()));
    bad.report = Report::new(vec![Diagnostic::of(CODES[0], args! {})], Value::Null);
    let mut seen = json!({"base_hash": "x", "patch_id": "x", "result_hash": "x"});
    let right = [
        ("base_hash", "sha256:base"),
        ("patch_id", "sha256:patch"),
        ("result_hash", "sha256:result"),
        ("confirm_token", "sha256:confirm"),
    ];
    let mut asked = Vec::new();
    for (member, value) in right {
        asked.extend(why(&bad, &seen, true));
        seen[member] = json!(value);
    }
    asked.extend(why(&bad, &seen, true));
    assert_eq!(asked, [Why::Base, Why::Patch, Why::Result, Why::Confirmation, Why::Invalid]);
    assert_eq!(why(&bad, &seen, false), None);
}

#[test]
fn what_cannot_be_made_is_never_approved() {
    let rejected = preview(|staged| {
        staged.after = None;
        staged.tokens = Tokens { patch: None, result: None, ..tokens() };
    });
    assert_eq!(why(&rejected, &json!({"base_hash": "x"}), false), Some(Why::Base));
    assert_eq!(why(&rejected, &json!({}), false), Some(Why::Invalid));
    assert_eq!(why(&rejected, &json!({"patch_id": null, "result_hash": null}), false), Some(Why::Invalid));
}

#[test]
fn an_approval_holds_what_was_signed_by_whom() {
    let fresh = preview(|staged| {
        staged.base = Base { revision: Some("rev_7".to_owned()), ..Base::default() };
        staged.confirm = Confirm::Issued;
    });
    let approved = signed(fresh.clone(), &json!({"confirm_token": "claim"}), true).ok().unwrap();
    assert_eq!((approved.staged(), approved.report()), (&fresh.staged, &fresh.report));
    assert_eq!((approved.by().user(), approved.claim()), ("ada", Some("claim")));
    // A token that nobody issued is nothing to spend.
    let approved = signed(preview(|_| ()), &json!({"confirm_token": "claim"}), true).ok().unwrap();
    assert_eq!(approved.claim(), None);
}

#[test]
fn conflicts_have_the_words_of_the_engine() {
    let words = [Why::Base, Why::Patch, Why::Result, Why::Confirmation, Why::Invalid]
        .map(|why| why.conflict().map(ConflictReason::name));
    assert_eq!(words, [Some("base_changed"), Some("patch_changed"), Some("result_changed"), None, None]);
}
