//! The laws of the gate: what holds for every change set and every signature.
#![allow(clippy::unwrap_used)] // what does not hold ends the test

use holdpoint_bundle::{Files, text_hash};
use holdpoint_change::{
    Base, Confirm, Facts, FileEffect, Op, Person, Preview, Signature, Staged, Step, TextRequest, Tokens, Tree, Unit,
    Why, sign,
};
use holdpoint_check::{Diagnostic, Report, args, codes};
use holdpoint_text::RawOp;
use proptest::prelude::*;
use serde_json::{Value, json};

codes! {
    SYNTAX_ERROR: Error, "Mend it.";
    FILE_UNUSED: Warning, "Use it.";
}

fn path() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned)
}

/// Few lines, so that parts stand often once, sometimes twice, sometimes nowhere.
fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec!["one\n", "two\n", "three\r\n", "\n", "end"]), 0..5)
        .prop_map(|lines| lines.concat())
}

fn tree() -> impl Strategy<Value = Tree> {
    let files = prop::collection::btree_map(path(), text(), 0..4);
    (files, prop::option::of(path())).prop_map(|(files, entry)| Tree { files, entry })
}

fn patch() -> impl Strategy<Value = RawOp> {
    let line = prop::sample::select(vec![" one", " two", "-two", "+2", "-one", "+three", "- end"]);
    (path(), prop::collection::vec(line, 1..4))
        .prop_map(|(path, lines)| RawOp::patch(path, format!("@@ -1,3 +1,3 @@\n{}\n", lines.join("\n"))))
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        prop::collection::vec(patch(), 1..4).prop_map(|ops| Op::Text(TextRequest { ops, ..TextRequest::default() })),
        (path(), text(), text()).prop_map(|(path, find, replace)| Op::Find { path, find, replace }),
        (path(), text()).prop_map(|(path, text)| Op::Write { path, text }),
        path().prop_map(|path| Op::Delete { path }),
        (path(), path()).prop_map(|(from, to)| Op::Rename { from, to }),
        path().prop_map(|path| Op::SetEntry { path }),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    (op(), prop::option::weighted(0.3, text())).prop_map(|(op, expected)| Step {
        expected: expected.map(|text| text_hash(&text)),
        ..Step::new(op, "/operations/0")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn a_step_that_fails_leaves_the_tree_as_it_was(before in tree(), step in step()) {
        let mut after = before.clone();
        match after.take(&step) {
            Err(_) => prop_assert_eq!(after, before),
            Ok(FileEffect::Nothing) => prop_assert_eq!(after, before),
            Ok(_) => prop_assert_ne!(after, before),
        }
    }

    #[test]
    fn a_step_touches_the_files_that_it_names_and_no_others(before in tree(), step in step()) {
        let mut after = before.clone();
        let _ = after.take(&step);
        let named: Vec<&str> = match &step.op {
            Op::Text(request) => request.ops.iter().map(|op| op.target_file.as_str()).collect(),
            Op::Find { path, .. } | Op::Write { path, .. } | Op::Delete { path } => vec![path],
            Op::Rename { from, to } => vec![from, to],
            Op::SetEntry { .. } => vec![],
        };
        let others = |files: &Files| -> Files {
            files.clone().into_iter().filter(|(path, _)| !named.contains(&path.as_str())).collect()
        };
        prop_assert_eq!(others(&after.files), others(&before.files));
    }
}

fn token() -> impl Strategy<Value = Option<String>> {
    prop::option::weighted(0.8, "[ab]{0,2}")
}

fn confirm() -> impl Strategy<Value = Confirm> {
    prop_oneof![Just(Confirm::None), "[ab]{1,2}".prop_map(Confirm::Derived), Just(Confirm::Issued),]
}

/// A preview that could be signed: where it has reasons, it has a way to confirm them.
fn preview() -> impl Strategy<Value = Preview> {
    let files = || prop::collection::btree_map(path(), text(), 0..3);
    let tokens = (token(), token(), token()).prop_map(|(base, patch, result)| Tokens { base, patch, result });
    (files(), files(), tokens, confirm(), token(), any::<bool>()).prop_map(
        |(before, after, tokens, confirm, typed, doubt)| {
            let unit = Unit { key: "a".to_owned(), before: None, after: None };
            let reasons = if doubt && confirm != Confirm::None { vec!["delete".to_owned()] } else { Vec::new() };
            let staged = Staged {
                base: Base { revision: None, files: Some(before), facts: Facts::default() },
                after: Some(after),
                facts: Facts(json!({"granted": []})),
                units: vec![unit],
                tokens,
                confirm,
                typed,
                reasons,
                inverse: None,
                shown: Value::Null,
            };
            let found = vec![Diagnostic::of(CODES[1], args! {})];
            Preview { staged, report: Report::new(found, Value::Null) }
        },
    )
}

/// The request of a person who saw this preview.
fn seen(preview: &Preview) -> Value {
    let Staged { tokens, confirm, typed, .. } = &preview.staged;
    let confirm = match confirm {
        Confirm::None => None,
        Confirm::Derived(token) => Some(token.clone()),
        Confirm::Issued => Some("claim".to_owned()),
    };
    json!({
        "base_hash": tokens.base, "patch_id": tokens.patch, "result_hash": tokens.result,
        "confirm_token": confirm, "typed_id": typed,
    })
}

/// Why the person is refused; the preview that comes back is looked at here.
fn refused(fresh: &Preview, request: &Value, blocks: bool) -> Option<Why> {
    let signature: Signature = serde_json::from_value(request.clone()).unwrap();
    match sign(fresh.clone(), &signature, Person::authenticated("ada"), blocks) {
        Ok(approved) => {
            assert_eq!((approved.staged(), approved.report()), (&fresh.staged, &fresh.report));
            None
        }
        Err((why, again)) => {
            assert_eq!(&again, fresh, "a refusal answers the fresh preview, unchanged");
            Some(why)
        }
    }
}

/// The members of a request in the order in which they are compared.
const MEMBERS: [(&str, Why); 5] = [
    ("base_hash", Why::Base),
    ("patch_id", Why::Patch),
    ("result_hash", Why::Result),
    ("confirm_token", Why::Confirmation),
    ("typed_id", Why::Confirmation),
];

/// Whether another value of this member is another signature for this preview.
fn counts(preview: &Preview, member: &str, other: Option<&String>) -> bool {
    let Staged { confirm, typed, .. } = &preview.staged;
    match member {
        "confirm_token" => match confirm {
            Confirm::None => false,
            Confirm::Derived(_) => true,
            // Which claim is good is the store's to say; that there is one, is asked here.
            Confirm::Issued => other.is_none_or(String::is_empty),
        },
        "typed_id" => typed.is_some(),
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn what_was_seen_is_signed(fresh in preview()) {
        prop_assert_eq!(refused(&fresh, &seen(&fresh), true), None);
    }

    #[test]
    fn any_change_of_a_named_token_is_refused(fresh in preview(), which in 0..MEMBERS.len(), other in token()) {
        let (member, why) = MEMBERS[which];
        let mut request = seen(&fresh);
        prop_assume!(request[member] != json!(other) && counts(&fresh, member, other.as_ref()));
        request[member] = json!(other);
        prop_assert_eq!(refused(&fresh, &request, true), Some(why));
        request.as_object_mut().unwrap().remove(member);
        let absent = refused(&fresh, &request, true);
        prop_assert_eq!(absent, (seen(&fresh)[member] != Value::Null).then_some(why));
    }

    #[test]
    fn any_change_of_the_preview_is_refused(fresh in preview(), other in preview()) {
        let differs = |one: &Preview, two: &Preview| {
            let Tokens { base, patch, result } = &two.staged.tokens;
            (&one.staged.tokens.base, &one.staged.tokens.patch, &one.staged.tokens.result) != (base, patch, result)
        };
        prop_assume!(differs(&fresh, &other));
        prop_assert!(refused(&other, &seen(&fresh), true).is_some());
    }

    #[test]
    fn the_first_of_several_changes_is_the_reason(fresh in preview(), from in 0..3usize) {
        let mut request = seen(&fresh);
        for (member, _) in &MEMBERS[from..] {
            request[*member] = json!("another");
        }
        prop_assert_eq!(refused(&fresh, &request, true), Some(MEMBERS[from].1));
    }

    #[test]
    fn a_doubt_without_a_confirmation_and_a_change_that_cannot_be_made_are_never_signed(fresh in preview()) {
        let mut doubtful = fresh.clone();
        (doubtful.staged.confirm, doubtful.staged.reasons) = (Confirm::None, vec!["used_fuzz".to_owned()]);
        prop_assert_eq!(refused(&doubtful, &seen(&doubtful), false), Some(Why::Confirmation));
        let mut rejected = fresh;
        rejected.staged.after = None;
        prop_assert_eq!(refused(&rejected, &seen(&rejected), false), Some(Why::Invalid));
    }

    #[test]
    fn errors_refuse_exactly_where_they_block(fresh in preview(), blocks in any::<bool>()) {
        let mut broken = fresh;
        broken.report = Report::new(vec![Diagnostic::of(CODES[0], args! {})], Value::Null);
        prop_assert_eq!(refused(&broken, &seen(&broken), blocks), blocks.then_some(Why::Invalid));
    }
}
