//! Compatibility with GNU patch and git where a plain patch has one right answer.
#![allow(clippy::unwrap_used)] // what does not hold ends the test

mod support;

use holdpoint_text::{DiffOptions, Verdict, diff};
use proptest::prelude::*;
use support::programs::{Gnu, git_apply, git_diff, gnu_patch};
use support::texts::pair;
use support::{PATH, look, text};

/// A patch that every tool reads alike.
struct Plain {
    name: &'static str,
    base: &'static str,
    hunks: &'static str,
    after: &'static str,
}

const LINES: &str = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n";

const PLAIN: &[Plain] = &[
    Plain {
        name: "one line replaced",
        base: "a\nb\nc\n",
        hunks: "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
        after: "a\nB\nc\n",
    },
    Plain { name: "put in at the top", base: "a\nb\n", hunks: "@@ -1,2 +1,3 @@\n+0\n a\n b\n", after: "0\na\nb\n" },
    Plain { name: "put in at the end", base: "a\nb\n", hunks: "@@ -1,2 +1,3 @@\n a\n b\n+c\n", after: "a\nb\nc\n" },
    Plain { name: "taken out at the top", base: "a\nb\nc\n", hunks: "@@ -1,3 +1,2 @@\n-a\n b\n c\n", after: "b\nc\n" },
    Plain { name: "taken out at the end", base: "a\nb\nc\n", hunks: "@@ -1,3 +1,2 @@\n a\n b\n-c\n", after: "a\nb\n" },
    Plain { name: "all of it", base: "a\nb\n", hunks: "@@ -1,2 +1 @@\n-a\n-b\n+c\n", after: "c\n" },
    Plain { name: "everything taken out", base: "a\nb\n", hunks: "@@ -1,2 +0,0 @@\n-a\n-b\n", after: "" },
    Plain {
        name: "two hunks",
        base: LINES,
        hunks: "@@ -1,3 +1,4 @@\n a\n+A\n b\n c\n@@ -10,3 +11,3 @@\n j\n-k\n+K\n l\n",
        after: "a\nA\nb\nc\nd\ne\nf\ng\nh\ni\nj\nK\nl\n",
    },
    Plain {
        name: "a section text",
        base: LINES,
        hunks: "@@ -4,3 +4,3 @@ fn name()\n d\n-e\n+E\n f\n",
        after: "a\nb\nc\nd\nE\nf\ng\nh\ni\nj\nk\nl\n",
    },
    Plain {
        name: "numbers off by three",
        base: LINES,
        hunks: "@@ -7,3 +7,3 @@\n d\n-e\n+E\n f\n",
        after: "a\nb\nc\nd\nE\nf\ng\nh\ni\nj\nk\nl\n",
    },
    Plain {
        name: "the base has grown above, for both hunks",
        base: LINES,
        hunks: "@@ -2,3 +2,3 @@\n d\n-e\n+E\n f\n@@ -8,3 +8,3 @@\n j\n-k\n+K\n l\n",
        after: "a\nb\nc\nd\nE\nf\ng\nh\ni\nj\nK\nl\n",
    },
    Plain {
        name: "no final line feed on either side",
        base: "a\nb",
        hunks: "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n",
        after: "a\nB",
    },
    Plain {
        name: "a final line feed comes",
        base: "a\nb",
        hunks: "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
        after: "a\nb\n",
    },
    Plain {
        name: "a final line feed goes",
        base: "a\nb\n",
        hunks: "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n",
        after: "a\nb",
    },
    Plain {
        name: "lines that look like syntax",
        base: "-- x\n++ y\n@@ -1 +1 @@\n",
        hunks: "@@ -1,3 +1,4 @@\n -- x\n-++ y\n+++ z\n+--- w\n @@ -1 +1 @@\n",
        after: "-- x\n++ z\n--- w\n@@ -1 +1 @@\n",
    },
    Plain {
        name: "trailing blanks are content",
        base: "a \nb\n",
        hunks: "@@ -1,2 +1,2 @@\n a \n-b\n+b \n",
        after: "a \nb \n",
    },
];

#[test]
fn plain_patches_have_one_right_answer() {
    for Plain { name, base, hunks, after } in PLAIN {
        let patch = format!("--- a/{PATH}\n+++ b/{PATH}\n{hunks}");
        let ours = look(base, &patch);
        assert!(ours.ok, "{name}: {:?}", ours.error_details);
        assert_eq!(text(&ours), *after, "{name}");
        assert_eq!(git_apply(base, &patch).as_deref(), Some(*after), "{name}: git");
        let theirs = gnu_patch(base, &patch);
        assert!(theirs == Gnu::Missing || theirs == Gnu::Text((*after).to_owned()), "{name}: GNU patch: {theirs:?}");
    }
}

#[test]
fn what_all_refuse_is_refused() {
    for (name, hunks) in [
        ("a deleted line that is not there", "@@ -1,3 +1,3 @@\n a\n-x\n+y\n c\n"),
        ("context of another file", "@@ -1,4 +1,4 @@\n fn main() {\n-    a();\n+    b();\n }\n \n"),
        ("a deletion behind the end", "@@ -11,4 +11,3 @@\n k\n l\n-m\n n\n"),
    ] {
        let patch = format!("--- a/{PATH}\n+++ b/{PATH}\n{hunks}");
        assert!(!look(LINES, &patch).ok, "{name}");
        assert_eq!(git_apply(LINES, &patch), None, "{name}: git");
        assert!(matches!(gnu_patch(LINES, &patch), Gnu::Missing | Gnu::Refused), "{name}: GNU patch");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Git's patch of one pair, put on a text that may have moved on.
    #[test]
    fn where_patch_and_git_agree_a_clean_verdict_agrees_too(
        (before, after) in pair(30), grown in "([a-d]\n){0,3}", at in any::<prop::sample::Index>(),
    ) {
        let patch = git_diff(&before, &after);
        let cuts: Vec<usize> = before.match_indices('\n').map(|(at, _)| at + 1).chain([0]).collect();
        let cut = cuts[at.index(cuts.len())];
        let base = format!("{}{grown}{}", &before[..cut], &before[cut..]);
        let git = if patch.is_empty() { None } else { git_apply(&base, &patch) };
        if let (Some(git), Gnu::Text(gnu)) = (&git, gnu_patch(&base, &patch)) {
            let ours = look(&base, &patch);
            if *git == gnu && ours.verdict == Verdict::Clean {
                prop_assert_eq!(text(&ours), git);
            }
        }
    }

    #[test]
    fn what_git_says_we_apply((before, after) in pair(40)) {
        let patch = git_diff(&before, &after);
        if !patch.is_empty() {
            let ours = look(&before, &patch);
            prop_assert!(ours.ok, "{}{:?}", patch, ours.error_details);
            prop_assert_eq!(text(&ours), after);
        }
    }

    #[test]
    fn our_diff_is_as_short_as_that_of_git((before, after) in pair(40)) {
        let theirs = git_diff(&before, &after);
        let count = |mark: char| theirs.lines().skip(2).filter(|line| line.starts_with(mark)).count();
        let ours = diff(&before, &after, &DiffOptions::default()).unwrap().stats;
        prop_assert!(ours.added + ours.deleted <= count('+') + count('-'));
    }
}
