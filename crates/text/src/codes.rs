//! Why an op or a hunk cannot be applied, with the sentence for people and the hint for the author of the patch
//! (spec: text-engine.md §10 "Reject codes").

use serde::Serialize;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident: $message:literal, $hint:literal;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "snake_case")]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum RejectCode { $($(#[$doc])* $name,)* }

        impl RejectCode {
            pub fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)* }
            }

            /// What the author of the patch must do; fit to be sent to a model.
            pub fn hint(self) -> &'static str {
                match self { $(Self::$name => $hint,)* }
            }
        }
    };
}

codes! {
    /// No `@@` and no marked lines.
    NoHunks: "The patch holds no change.",
        "Send a unified diff with at least one @@ hunk.";
    /// Blocks that do not close or lie in one another, context diffs.
    UnsupportedFormat: "The patch is neither a unified diff nor a list of complete search and replace blocks.",
        "Send a unified diff with @@ hunks, or blocks of these lines: `<<<<<<< SEARCH`, the old text, `=======`, the new text, `>>>>>>> REPLACE`; no other line of this kind inside.";
    CombinedDiff: "The patch is the diff of a merge.",
        "Send a diff against one base, with @@ and not @@@.";
    BinaryPatch: "The patch is binary.",
        "Send a text patch.";
    /// A diff inside a diff.
    DoubleEncoded: "The patch is a diff whose lines are all added lines.",
        "Send the diff itself, without a + in front of each of its lines.";
    BadHunkHeader: "A hunk header has absurd numbers.",
        "Write the hunk header as @@ -start,count +start,count @@ with the line numbers of the file.";
    /// A target that was not sent.
    UnknownFile: "The targeted file does not exist.",
        "Target one of the files that you were given.";
    /// The header names another file.
    WrongFile: "The header of the patch names another file than its target.",
        "Name the target file in the header of the patch, with its whole path.";
    /// Two files in one patch.
    MultiFile: "The patch changes several files.",
        "Send one patch a file.";
    CreateDelete: "The patch creates, deletes or renames a file.",
        "Change the text of the file only; do not create, delete, rename or move it.";
    /// The op is not allowed here.
    OpNotAllowed: "This operation is not allowed here.",
        "Send the change as a patch.";
    /// A patch and another op on one file.
    MixedOps: "A patch and another operation change the same file.",
        "Use patches only, or none, for one file.";
    MissingLocation: "The operation needs a cursor or a selection, and there is none.",
        "Send the change as a patch, or ask for a selection.";
    /// A position that does not exist.
    BadLocation: "The position is not a place in the targeted file.",
        "Use the cursor or selection of the active file.";
    NoAnchor: "Nothing says where the added lines belong.",
        "Give unchanged lines of the file before and after the added ones.";
    NoMatch: "The lines of this hunk are not in the file.",
        "Copy the context and the deleted lines exactly from the file as it is now.";
    /// Text left out with dots.
    Elision: "The patch leaves text out with an ellipsis.",
        "Write every line of the hunk in full, without ... for lines that are left out.";
    Ambiguous: "The hunk fits at more than one place.",
        "Add more unchanged lines around the change until only one place fits.";
    /// Too far from the stated line.
    StaleOffset: "The only place is too far from the stated line.",
        "Correct the line numbers of the hunk header to those of the file as it is now.";
    AlreadyApplied: "The change is already there.",
        "Leave this hunk out: the file already has its result.";
    /// The change is there, the sides of the header are exchanged.
    Reversed: "The patch is reversed, and its result is already there.",
        "Exchange the two sides: - is for lines to take away, + for lines to add.";
    /// No rule for the indentation.
    IndentConflict: "The indentation of the hunk does not fit that of the file.",
        "Indent every line of the hunk as the file does.";
    /// Two hunks at one place.
    Overlap: "Two changes touch the same place.",
        "Join the changes of neighbouring lines into one hunk.";
    /// Over the bound of work.
    TooCostly: "The place of this hunk could not be found with bounded work.",
        "Send fewer or shorter hunks, with lines that occur only once.";
    /// The result is the base.
    NoChange: "The proposal changes nothing.",
        "Send a change, or nothing.";
}
