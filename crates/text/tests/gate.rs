//! The gate of text-engine.md §9: every token altered in turn, and what may not pass then.
#![allow(clippy::unwrap_used)] // what does not hold ends the test

mod support;

use holdpoint_text::{
    ApplyInput, ConflictReason, Files, GateTokens, Preview, PreviewInput, RawOp, RawPreview, TextError, Verdict, apply,
    preview,
};
use support::PATH;

const BASE: &str = "one\ntwo\nthree\nfour\nfive\n";
const CLEAN: &str = "@@ -2,3 +2,3 @@\n two\n-three\n+THREE\n four\n";
const DOUBTFUL: &str = "@@ -2,3 +2,3 @@\n two\n-three \n+THREE\n four\n";

fn proposal(base: &str, patch: &str) -> PreviewInput {
    PreviewInput::patch(PATH, base, patch).unwrap()
}

fn tokens(preview: &Preview) -> GateTokens {
    GateTokens {
        base_hash: preview.meta.base_hash.clone(),
        patch_id: preview.meta.patch_id.clone().unwrap(),
        result_hash: preview.meta.result_hash.clone(),
        confirm_token: preview.meta.confirm_token.clone(),
    }
}

/// Applies with changed tokens; answers what the gate said in a word.
fn asked(base: &str, patch: &str, seen: (&str, &str), change: impl Fn(&mut GateTokens)) -> &'static str {
    let mut tokens = tokens(&preview(&proposal(seen.0, seen.1)));
    change(&mut tokens);
    match apply(&ApplyInput { preview: proposal(base, patch), accept: None, tokens }) {
        Ok(answer) if answer.applied => "applied",
        Ok(answer) => {
            assert_eq!(answer.preview.verdict, Verdict::Reject);
            "rejected"
        }
        Err(TextError::Conflict { reason: ConflictReason::BaseChanged, .. }) => "base_changed",
        Err(TextError::Conflict { reason: ConflictReason::PatchChanged, .. }) => "patch_changed",
        Err(TextError::Conflict { reason: ConflictReason::ResultChanged, .. }) => "result_changed",
        Err(TextError::ConfirmationRequired { .. }) => "confirmation_required",
        Err(other) => panic!("{other}"),
    }
}

/// Another letter in the last place, so that the form stays right.
fn bent(token: &mut String) {
    let last = token.pop().unwrap();
    token.push(if last == '0' { '1' } else { '0' });
}

#[test]
fn the_tokens_of_the_preview_apply_it() {
    assert_eq!(asked(BASE, CLEAN, (BASE, CLEAN), |_| ()), "applied");
    assert_eq!(asked(BASE, DOUBTFUL, (BASE, DOUBTFUL), |_| ()), "applied");
}

#[test]
fn a_result_hash_may_be_left_out_but_a_confirmation_may_not() {
    assert_eq!(asked(BASE, CLEAN, (BASE, CLEAN), |tokens| tokens.result_hash = None), "applied");
    assert_eq!(asked(BASE, DOUBTFUL, (BASE, DOUBTFUL), |tokens| tokens.result_hash = None), "applied");
    let without = asked(BASE, DOUBTFUL, (BASE, DOUBTFUL), |tokens| tokens.confirm_token = None);
    assert_eq!(without, "confirmation_required");
}

#[test]
fn every_token_counts() {
    let seen = (BASE, DOUBTFUL);
    assert_eq!(asked(BASE, DOUBTFUL, seen, |tokens| bent(&mut tokens.base_hash)), "base_changed");
    assert_eq!(asked(BASE, DOUBTFUL, seen, |tokens| bent(&mut tokens.patch_id)), "patch_changed");
    let result = |tokens: &mut GateTokens| bent(tokens.result_hash.as_mut().unwrap());
    assert_eq!(asked(BASE, DOUBTFUL, seen, result), "result_changed");
    let token = |tokens: &mut GateTokens| bent(tokens.confirm_token.as_mut().unwrap());
    assert_eq!(asked(BASE, DOUBTFUL, seen, token), "confirmation_required");
}

#[test]
fn a_token_is_asked_of_the_base_before_the_patch_before_the_result() {
    let all = |tokens: &mut GateTokens| {
        bent(&mut tokens.base_hash);
        bent(&mut tokens.patch_id);
        bent(tokens.result_hash.as_mut().unwrap());
    };
    assert_eq!(asked(BASE, CLEAN, (BASE, CLEAN), all), "base_changed");
    let two = |tokens: &mut GateTokens| {
        bent(&mut tokens.patch_id);
        bent(tokens.result_hash.as_mut().unwrap());
    };
    assert_eq!(asked(BASE, CLEAN, (BASE, CLEAN), two), "patch_changed");
}

#[test]
fn a_confirmation_is_of_one_proposal() {
    let other = DOUBTFUL.replace("THREE", "3");
    let now = asked(BASE, &other, (BASE, DOUBTFUL), |_| ());
    assert_eq!(now, "patch_changed");
    // The tokens of the other proposal with the confirmation of the first.
    let confirmed = tokens(&preview(&proposal(BASE, DOUBTFUL))).confirm_token;
    let mixed = |tokens: &mut GateTokens| tokens.confirm_token.clone_from(&confirmed);
    assert_eq!(asked(BASE, &other, (BASE, &other), mixed), "confirmation_required");
}

#[test]
fn a_base_that_moved_on_is_a_conflict_even_where_the_patch_would_fit() {
    let moved = BASE.replace("five", "FIVE");
    assert_eq!(asked(&moved, CLEAN, (BASE, CLEAN), |_| ()), "base_changed");
}

#[test]
fn a_patch_that_no_longer_fits_is_told_as_such() {
    let other = CLEAN.replace("-three", "-drei");
    let seen = (BASE, CLEAN);
    assert_eq!(asked(BASE, &other, seen, |_| ()), "rejected");
}

#[test]
fn noise_changes_no_patch_id() {
    let id = |patch: &str| preview(&proposal(BASE, patch)).meta.patch_id.unwrap();
    let clean = id(CLEAN);
    for noisy in [
        format!("--- a/{PATH}\n+++ b/{PATH}\n{CLEAN}"),
        format!("Here:\n\n```diff\n{CLEAN}```\n"),
        CLEAN.replace("-2,3 +2,3", "-2,9 +2,9"),
        CLEAN.replace("-2,3 +2,3", "-4,3 +4,3"),
        CLEAN.replace("@@ -2,3 +2,3 @@", "@@"),
        CLEAN.replace('\n', "\r\n"),
    ] {
        assert_eq!(id(&noisy), clean, "{noisy}");
    }
    assert_ne!(id(&CLEAN.replace("THREE", "3")), clean);
}

#[test]
fn a_change_beside_the_targeted_files_does_not_block() {
    let look = |notes: &str| {
        let files = Files::from([(PATH.to_owned(), BASE.to_owned()), ("notes".to_owned(), notes.to_owned())]);
        RawPreview { files, ops: vec![RawOp::patch(PATH, CLEAN)], ..RawPreview::default() }.resolve().unwrap()
    };
    let tokens = tokens(&preview(&look("a\n")));
    let applied = apply(&ApplyInput { preview: look("b\n"), accept: None, tokens }).unwrap();
    assert!(applied.applied);
    assert_eq!(applied.preview.changed_files, [PATH]);
    assert_eq!(applied.preview.after_virtual_files["notes"], "b\n");
}
