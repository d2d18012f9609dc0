//! Replies as models write them, one row a rule (spec: text-replies.md).

use super::{shown, table};
use crate::input::{Files, PreviewInput, RawOp, RawPreview};
use crate::preview::{Preview, Verdict};
use crate::propose::preview;
use crate::tags::Tag;

/// A list of blocks from their old and new texts.
fn reply(blocks: &[(&str, &str)]) -> String {
    let block = |(old, new): &(&str, &str)| format!("<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n");
    blocks.iter().map(block).collect()
}

/// A base, old and new texts of blocks, and what is wanted.
type Row<'r> = (&'r str, &'r [(&'r str, &'r str)], &'r str);

#[track_caller]
fn blocks(rows: &[Row<'_>]) {
    for (base, blocks, want) in rows {
        assert_eq!(shown(base, &reply(blocks)), *want, "{base:?} {blocks:?}");
    }
}

fn looked(base: &str, ops: &[String]) -> Preview {
    let files = Files::from([("f".to_owned(), base.to_owned())]);
    let ops = ops.iter().map(|patch| RawOp::patch("f", patch.as_str())).collect();
    preview(&RawPreview { files, ops, ..RawPreview::default() }.resolve().unwrap())
}

#[test]
fn a_block_is_an_unnumbered_hunk() {
    blocks(&[
        ("a one\nb two\n", &[("b two\n", "c three\n")], "Clean [] a one\\nc three\\n"),
        ("a one\nb two\n", &[("a one\nb two\n", "a one\nnew\nb two\n")], "Clean [] a one\\nnew\\nb two\\n"),
        ("a one\nb two\n", &[("b two\n", "")], "Clean [] a one\\n"),
        ("a one\na one\n", &[("a one\n", "b\n")], "Ambiguous [1, 2]"),
        ("a one\n", &[("nothing like it\n", "b\n")], "NoMatch []"),
        ("a one\nnew two\n", &[("old two\n", "new two\n")], "AlreadyApplied [2]"),
        ("a one\nnew two\n", &[("a one\n", "a one\nnew two\n")], "AlreadyApplied [1]"),
        (
            "if x:\n    call(one)\n",
            &[("call(one)\n", "call(two)\n")],
            "Confirm [matched_ignoring_whitespace reindented_insert used_fuzz] if x:\\n    call(two)\\n",
        ),
        // An ending of its own counts for all lines of the patch.
        ("a one\r\nb two\r\n", &[("b two\n", "c\nd\n")], "Clean [] a one\\r\\nc\\r\\nd\\r\\n"),
        ("a one\nb two", &[("b two\n", "c\n")], "Clean [] a one\\nc"),
        ("\u{feff}a one\nb\n", &[("\u{feff}a one\n", "c\n")], "Clean [] \\u{feff}c\\nb\\n"),
        // Blank lines at the end of the old text that the base has not.
        ("a one\nb two\n", &[("a one\n\n\n", "c\n\n\n")], "Clean [] c\\nb two\\n"),
        ("a one\n\nb two\n", &[("a one\n\n\n", "c\n")], "Clean [] c\\nb two\\n"),
        ("a one\n\nb two\n", &[("a one\n\n", "c\n\n")], "Clean [] c\\n\\nb two\\n"),
        // Nothing is left of a block that changes nothing.
        ("a one\n", &[("a one\n", "a one\n")], "NoChange []"),
        ("a one\n", &[("not there\n", "not there\n"), ("a one\n", "b\n")], "Clean [] b\\n"),
    ]);
}

#[test]
fn an_empty_old_text() {
    blocks(&[
        ("", &[("", "a\nb\n")], "Clean [] a\\nb\\n"),
        ("a one\n", &[("", "b two\n")], "Confirm [appended_at_end] a one\\nb two\\n"),
        ("a one", &[("", "b two\n")], "Confirm [appended_at_end] a one\\nb two"),
        ("a one\n", &[("\n", "b two\n")], "Confirm [appended_at_end] a one\\nb two\\n"),
        ("a one\nb two\n", &[("", "b two\n")], "AlreadyApplied [2]"),
        ("", &[("a one\n", "b\n")], "NoMatch []"),
        ("a one\n", &[("", "")], "NoChange []"),
    ]);
}

#[test]
fn blocks_follow_each_other() {
    blocks(&[
        ("a one\nb two\nc three\n", &[("c three\n", "c 3\n"), ("a one\n", "a 1\n")], "Clean [] a 1\\nb two\\nc 3\\n"),
        // The second block is about what the first one made.
        ("a one\n", &[("a one\n", "b two\nc\n"), ("b two\n", "d\n")], "Clean [] d\\nc\\n"),
        ("a one\n", &[("b two\n", "d\n"), ("a one\n", "b two\nc\n")], "NoMatch []"),
        // One that fails takes all with it.
        ("a one\nb two\n", &[("a one\n", "x\n"), ("gone\n", "y\n")], "NoMatch []"),
        // What was alone in the file is no longer when a block brings it a second time.
        ("a one\nb two\n", &[("b two\n", "a one\nb\n"), ("a one\n", "x\n")], "Ambiguous [1, 2]"),
        // Equal places are not taken in order.
        ("a one\nb\na one\n", &[("a one\n", "x\n"), ("a one\n", "x\n")], "Ambiguous [1, 3], Ambiguous [1, 3]"),
        // A block that stands there twice is one.
        ("a one\nb\n", &[("a one\n", "x\n"), ("a one\n", "x\n")], "Clean [] x\\nb\\n"),
    ]);
}

#[test]
fn lines_of_blocks_count_in_the_text_as_sent() {
    let base = "a one\nb two\nc three\nd four\n";
    let seen = looked(base, &[reply(&[("a one\n", "x\ny\nz\n"), ("d four\n", "d\n"), ("y\n", "yy\n")])]);
    assert_eq!(seen.after_virtual_files["f"], "x\nyy\nz\nb two\nc three\nd\n");
    let lines: Vec<(usize, Option<i64>)> = seen.meta.hunks.iter().map(|hunk| (hunk.hunk_index, hunk.line)).collect();
    assert_eq!(lines, [(1, Some(1)), (3, None), (2, Some(4))]);
    assert!(seen.meta.normalizations_applied.contains(&Tag::BuiltOnEarlierBlock));
    let alone = looked(base, &[reply(&[("a one\n", "x\ny\nz\n"), ("d four\n", "d\n")])]);
    assert_eq!(alone.meta.normalizations_applied, [Tag::ReadSearchReplace]);
    assert_eq!(alone.verdict, Verdict::Clean);
}

#[test]
fn ops_with_blocks_follow_each_other_and_are_not_mixed() {
    let base = "a one\nb two\n";
    let [first, second] = [("a one\n", "x\n"), ("x\n", "y\n")].map(|block| reply(&[block]));
    assert_eq!(looked(base, &[first.clone(), second]).after_virtual_files["f"], "y\nb two\n");
    let hunk = "@@ -2 +2 @@\n-b two\n+c\n".to_owned();
    for ops in [[first.clone(), hunk.clone()], [hunk, first]] {
        let seen = looked(base, &ops);
        let codes: Vec<_> = seen.error_details.iter().map(|detail| (detail.code, detail.op_index)).collect();
        assert_eq!(codes, [(crate::RejectCode::MixedOps, Some(1))]);
    }
}

#[test]
fn blocks_count_as_hunks() {
    let many = |count: usize| {
        let input = PreviewInput::patch("f", "a\n", &reply(&vec![("a\n", "a\n"); count]));
        input.map(|_| ()).map_err(|error| error.code())
    };
    assert_eq!(many(500), Ok(()));
    assert_eq!(many(501), Err("INPUT_TOO_LARGE"));
}

#[test]
fn a_block_has_the_patch_id_of_its_hunk() {
    let base = "a one\nb two\nc three\n";
    let block = looked(base, &[reply(&[("b two\nc three\n", "b 2\nc three\n")])]);
    let hunk = looked(base, &["@@\n-b two\n+b 2\n c three\n".to_owned()]);
    assert_eq!(block.meta.patch_id, hunk.meta.patch_id);
    assert_eq!(block.meta.result_hash, hunk.meta.result_hash);
}

#[test]
fn a_part_of_a_line() {
    blocks(&[
        (
            "    total = sum(values)  # all\n",
            &[("sum(values)\n", "max(values)\n")],
            "Confirm [matched_inside_line]     total = max(values)  # all\\n",
        ),
        (
            "run(first_value, second)\nend\n",
            &[("first_value, second\n", "first_value,\n    third\n")],
            "Confirm [matched_inside_line] run(first_value,\\n    third)\\nend\\n",
        ),
        ("x = 12345678 + 1\n", &[("12345678\n", "")], "Confirm [matched_inside_line] x =  + 1\\n"),
        ("x = 1234567 + 1\n", &[("1234567\n", "2\n")], "NoMatch []"),
        ("abcdefgh, abcdefgh\n", &[("abcdefgh\n", "x\n")], "NoMatch []"),
        ("(abcdefgh\n[abcdefgh\n", &[("abcdefgh\n", "x\n")], "NoMatch []"),
        ("(abababababa)\n", &[("ababababa\n", "x\n")], "NoMatch []"),
        ("(one two)\n(three four)\n", &[("one two)\n(three four\n", "x\n")], "NoMatch []"),
        // The new text is there already, about the old one.
        ("    return total or zero\n", &[("return total\n", "return total or zero\n")], "AlreadyApplied [1]"),
        // Only one line of several places is a whole line: that one is meant.
        ("return total\nx(return total)\n", &[("return total\n", "y\n")], "Clean [] y\\nx(return total)\\n"),
    ]);
    // A hunk with markers is no part of a line.
    assert_eq!(shown("total = sum(values)\n", "@@\n-sum(values)\n+max(values)\n"), "NoMatch []");
}

#[test]
fn a_first_line_that_lost_its_indentation() {
    blocks(&[
        (
            "def f():\n    first = call()\n    second = call(first)\n",
            &[(
                "first = call()\n    second = call(first)\n",
                "first = cold()\n    third = 3\n    second = call(first)\n",
            )],
            "Confirm [matched_ignoring_whitespace reindented_insert used_fuzz] \
             def f():\\n    first = cold()\\n    third = 3\\n    second = call(first)\\n",
        ),
        // A line has less than what was lost: all have.
        (
            "def f():\n    first = call()\n    second = call(first)\n",
            &[("first = call()\n    second = call(first)\n", "if x:\n  first = cold()\n    second = call(first)\n")],
            "Confirm [matched_ignoring_whitespace reindented_insert used_fuzz] \
             def f():\\n    if x:\\n      first = cold()\\n    second = call(first)\\n",
        ),
        (
            "def f():\n    return call(one)\n",
            &[("return call(one)\n", "two = 2\n    return call(two)\n")],
            "Confirm [matched_ignoring_whitespace reindented_insert used_fuzz] \
             def f():\\n    two = 2\\n    return call(two)\\n",
        ),
        // Other lines of the old text stand less deep, so a new one may, too.
        (
            "def f():\n    return one\n\ndef g():\n    pass\n",
            &[("return one\n\ndef g():\n", "return two\n\ndef h():\n")],
            "Confirm [matched_ignoring_whitespace reindented_insert used_fuzz] \
             def f():\\n    return two\\n\\ndef h():\\n    pass\\n",
        ),
        // With the second line where it is, the first would open an empty block.
        (
            "def f():\n    return call(one)\n",
            &[("return call(one)\n", "if one:\n    return call(one)\n")],
            "Confirm [matched_ignoring_whitespace reindented_insert used_fuzz] \
             def f():\\n    if one:\\n        return call(one)\\n",
        ),
    ]);
    table(&[(
        "def f():\n    first = call()\n    second = 2\n    third = 3\n",
        "@@\n-first = call()\n+first = cold()\n     second = 2\n     third = 3\n",
        "Confirm [matched_ignoring_whitespace reindented_insert used_fuzz] \
         def f():\\n    first = cold()\\n    second = 2\\n    third = 3\\n",
    )]);
}

#[test]
fn an_inserted_line_moves_with_the_line_that_it_is_indented_as() {
    table(&[(
        "class A:\n    def f(self):\n        return one\n",
        "@@\n   def f(self):\n-        return one\n+  # note\n+        return two\n",
        "Confirm [matched_ignoring_whitespace reindented_insert used_fuzz] \
         class A:\\n    def f(self):\\n    # note\\n        return two\\n",
    )]);
}

#[test]
fn an_elision_on_both_sides() {
    let base = "def load():\n    one = 1\n    two = 2\n    three = 3\n    return one\n\ndef save():\n    return two\n";
    let want = "Confirm [matched_elision] def load(path):\\n    one = 1\\n    two = 2\\n    three = 3\\n    return path\\n\\n\
                def save():\\n    return two\\n";
    blocks(&[
        (base, &[("def load():\n    # ...\n    return one\n", "def load(path):\n    # ...\n    return path\n")], want),
        // Left out on the new side only: the code would be lost.
        (base, &[("def load():\n    one = 1\n", "def load():\n    # ... rest of the code\n")], "Elision []"),
        (base, &[("def load():\n    # ...\n    return one\n", "def load():\n    return 1\n")], "Elision []"),
        // A piece that stands twice, or not in order.
        ("a one\nb two\nc one\nb two\n", &[("a one\n...\nb two\n", "a 1\n...\nb two\n")], "Elision []"),
        ("b two\nx\na one\n", &[("a one\n...\nb two\n", "a 1\n...\nb two\n")], "Elision []"),
        ("a one\nx\na one\nb two\n", &[("a one\n...\nb two\n", "a 1\n...\nb two\n")], "Elision []"),
        // What stands twice before is no doubt when only one is behind.
        (
            "b two\na one\nx\nb two\n",
            &[("a one\n...\nb two\n", "a 1\n...\nb two\n")],
            "Confirm [matched_elision] b two\\na 1\\nx\\nb two\\n",
        ),
        // Nothing informs about a place.
        ("{\nx\n}\n", &[("{\n...\n}\n", "[\n...\n]\n")], "Elision []"),
        // Beside the dots, on the side where it is written.
        (
            "a one\nx\nb two\n",
            &[("a one\n...\nb two\n", "a one\n...\nnew\nb two\n")],
            "Confirm [matched_elision] a one\\nx\\nnew\\nb two\\n",
        ),
        (
            "a one\nx\nb two\n",
            &[("a one\n...\nb two\n", "a one\nnew\n...\nb two\n")],
            "Confirm [matched_elision] a one\\nnew\\nx\\nb two\\n",
        ),
    ]);
    table(&[
        (
            base,
            "@@ -1,3 +1,3 @@\n def load():\n     ...\n-    return one\n+    return 1\n",
            "Confirm [matched_elision] def load():\\n    one = 1\\n    two = 2\\n    three = 3\\n    return 1\\n\\n\
             def save():\\n    return two\\n",
        ),
        (base, "@@ -1,2 +1,2 @@\n def load():\n-    ...\n+    return 1\n", "Elision []"),
        (base, "@@ -90,3 +90,3 @@\n def load():\n     ...\n-    return one\n+    return 1\n", "StaleOffset [1]"),
    ]);
}

#[test]
fn dots_that_are_code() {
    table(&[
        (
            "const a = {\n  one: 1,\n};\n",
            "@@ -1,3 +1,4 @@\n const a = {\n   one: 1,\n+  ...other.values,\n };\n",
            "Clean [] const a = {\\n  one: 1,\\n  ...other.values,\\n};\\n",
        ),
        (
            "class A:\n    pass\n",
            "@@ -1,2 +1,4 @@\n class A:\n     pass\n+    def f(self):\n+        ...\n",
            "Clean [] class A:\\n    pass\\n    def f(self):\\n        ...\\n",
        ),
        ("def f():\n    work()\n", "@@ -1,2 +1,2 @@\n def f():\n-    work()\n+    ...\n", "Elision []"),
        ("one();\n", "@@ -1 +1,2 @@\n one();\n+// ... existing code ...\n", "Elision []"),
        ("one();\n", "@@ -1 +1,2 @@\n one();\n+...existing code...\n", "Elision []"),
        // Dots that the old text has are not left out.
        (
            "# ... more\nx one\n",
            "@@ -1,2 +1,2 @@\n-# ... more\n+    # ... more\n x one\n",
            "Clean []     # ... more\\nx one\\n",
        ),
    ]);
}

#[test]
fn an_insertion_across_blank_lines() {
    blocks(&[
        (
            "a one\n\n\nb two\n",
            &[("a one\nb two\n", "a one\nnew\nb two\n")],
            "Confirm [skipped_blank_lines inferred_insert_side used_fuzz] a one\\n\\n\\nnew\\nb two\\n",
        ),
        (
            "a one\n\nb two\n",
            &[("a one\nb two\n", "a one\n\nnew\n\nb two\n")],
            "Confirm [skipped_blank_lines inferred_insert_side used_fuzz] a one\\n\\nnew\\n\\n\\nb two\\n",
        ),
    ]);
    // A header with numbers would count them.
    assert_eq!(shown("a one\n\nb two\n", "@@ -1,2 +1,3 @@\n a one\n+new\n b two\n"), "Ambiguous [2, 3]");
}

#[test]
fn what_looks_applied_and_is_not_meant() {
    table(&[
        // A forgotten `-`.
        (
            "def load(path):\n    return total_count\n",
            "@@ -1,2 +1,3 @@\n def load(path):\n+    return total_counts\n     return total_count\n",
            "Confirm [inserts_near_copy] def load(path):\\n    return total_counts\\n    return total_count\\n",
        ),
        // The same beside a deletion is a replacement.
        (
            "def load(path):\n    return total_count\n",
            "@@ -1,2 +1,2 @@\n def load(path):\n+    return total_counts\n-    return total_count\n",
            "Clean [] def load(path):\\n    return total_counts\\n",
        ),
        // Seven characters have no typo, and another number is another line.
        ("abcdefg\n", "@@ -1 +1,2 @@\n abcdefg\n+abcdefh\n", "Clean [] abcdefg\\nabcdefh\\n"),
        ("abcdefgh\n", "@@ -1 +1,2 @@\n abcdefgh\n+abcdefgi\n", "Confirm [inserts_near_copy] abcdefgh\\nabcdefgi\\n"),
        (
            "value_number_1\n",
            "@@ -1 +1,2 @@\n value_number_1\n+value_number_2\n",
            "Clean [] value_number_1\\nvalue_number_2\\n",
        ),
        // The lines stand three lines away, and four.
        (
            "a one\nb two\nc three\nd four\n",
            "@@ -1,4 +1,5 @@\n a one\n+d four\n b two\n c three\n d four\n",
            "Confirm [marks_existing_line] a one\\nd four\\nb two\\nc three\\nd four\\n",
        ),
        (
            "a one\nb two\nc three\nd four\ne five\n",
            "@@ -1,4 +1,5 @@\n a one\n+e five\n b two\n c three\n d four\n",
            "Clean [] a one\\ne five\\nb two\\nc three\\nd four\\ne five\\n",
        ),
        // A bracket informs of nothing.
        ("}\na one\n", "@@ -1,2 +1,3 @@\n }\n a one\n+}\n", "Clean [] }\\na one\\n}\\n"),
        // The line moves: the hunk takes it away there.
        (
            "a one\nb two\nc three\n",
            "@@ -1,3 +1,3 @@\n a one\n+c three\n b two\n-c three\n",
            "Clean [] a one\\nc three\\nb two\\n",
        ),
    ]);
}

#[test]
fn hints_are_for_a_model() {
    let base = "class Store:\n    def load(self, path):\n        data = read(path)\n        return data\n\n    \
                def save(self, path):\n        data = read(path)\n        return data\n";
    let hint = |patch: &str| looked(base, &[patch.to_owned()]).error_details[0].hint.clone();
    let differs = hint(
        "@@\n     def save(self, path):\n         date = raed_all(path)\n-        return data\n+        return 1\n",
    );
    assert!(
        differs.contains("`        date = raed_all(path)`")
            && differs.contains("line 7 reads `        data = read(path)`"),
        "{differs}"
    );
    let two = hint(&reply(&[("        data = read(path)\n", "        data = 1\n")]));
    assert!(two.contains("line 3 (in `def load(self, path):`)"), "{two}");
    assert!(two.contains("line 7 (in `def save(self, path):`)"), "{two}");
    let nothing = hint(&reply(&[("zzz_unknown_words\n", "x\n")]));
    assert!(nothing.contains("`zzz_unknown_words`") && nothing.contains("Look at the file again"), "{nothing}");
}
