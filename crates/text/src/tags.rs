//! What was tolerated or repaired, each with its severity (spec: text-engine.md §6 and §8 "severity", text-replies.md
//! §7).
//!
//! Invariant: the order of the variants is the order of the tables, and of every list of tags in an answer.

use std::collections::BTreeSet;

use serde::Serialize;

/// How much a tag weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Silent,
    Note,
    Confirm,
}

macro_rules! tags {
    ($($severity:ident { $($(#[$doc:meta])* $name:ident,)* })*) => {
        /// A repair or tolerance, in the order of the tables.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
        #[serde(rename_all = "snake_case")]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PatchTag"))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PatchTag"))]
        pub enum Tag { $($($(#[$doc])* $name,)*)* }

        impl Tag {
            /// The severity of the table.
            pub fn severity(self) -> Severity {
                match self { $($(Self::$name => Severity::$severity,)*)* }
            }

            /// Every tag, in the order of the table.
            pub const ALL: &'static [Self] = &[$($(Self::$name,)*)*];
        }
    };
}

tags! {
    Silent {
        /// An element of `patch_lines` held a line feed.
        SplitPatchLines,
        /// A byte order mark was dropped.
        StrippedBom,
        /// Line endings of the patch or of a content were changed.
        NormalizedLineEndings,
    }
    Confirm {
        /// The patch was one line with `\n` in two characters.
        DecodedEscapedNewlines,
    }
    Silent {
        /// Invisible characters in front of syntax or markers.
        StrippedInvisibleChars,
        /// The whole patch was indented.
        StrippedLeadingIndentation,
        /// Markdown fences around the patch.
        StrippedCodeFences,
        /// `*** Begin Patch` and its kin.
        StrippedPatchWrappers,
        /// `index`, modes and the like.
        IgnoredGitMetadata,
        DroppedTextOutsideHunks,
    }
    Confirm {
        /// A dropped line looks like a part of the change.
        DroppedDiffLikeText,
    }
    Silent {
        /// Several sections of the same file.
        MergedFileSections,
        /// File headers taken from the `diff --git` line.
        InferredHeadersFromDiffGit,
        /// No file header at all.
        SynthesizedFileHeaders,
        /// File headers in another than the canonical form.
        StandardizedFileHeaders,
    }
    Note {
        /// A creation, and the file is empty.
        CreatedIntoEmptyFile,
        /// A body without any `@@`.
        SynthesizedHunkHeader,
    }
    Silent {
        /// A hunk header in another than the canonical form.
        RepairedHunkHeader,
    }
    Note {
        /// A hunk without line numbers that found its place.
        RepairedMissingHunkRanges,
    }
    Silent {
        /// Other counts than the header says.
        RewroteHunkHeaderCounts,
    }
    Confirm {
        /// The last hunk may have been cut off.
        MaybeTruncated,
    }
    Silent {
        /// An empty line stood for an empty context line.
        RestoredBlankLines,
    }
    Note {
        /// An empty line stood for an added empty line.
        RestoredBlankInserts,
    }
    Confirm {
        /// Context lines had lost their marker.
        RestoredContextPrefix,
        /// One blank too many behind each marker.
        RemovedMarkerPadding,
        DedentedHunkBody,
        /// The body carried line numbers.
        StrippedLineNumbers,
        /// The body was escaped for HTML.
        DecodedHtmlEntities,
    }
    Note {
        /// A hunk that changes nothing.
        DroppedEmptyHunk,
        /// A hunk that stood there twice.
        DroppedDuplicateHunk,
        /// Several patches of one file.
        MergedOps,
        /// Hunks that were not in the order of the file.
        SortedHunks,
    }
    Note {
        /// The text behind `@@` chose the place.
        ChosenByAnchor,
        /// The text behind `@@` is nowhere in the file.
        AnchorNotFound,
    }
    Confirm {
        /// The text behind `@@` stands elsewhere.
        AnchorMismatch,
    }
    Note {
        /// Equal hunks took equal places in order.
        AssignedInOrder,
    }
    Confirm {
        /// The same text stands elsewhere too.
        OtherMatches,
        /// No line of the file vouches for the place.
        UnverifiedPosition,
        SkippedBlankLines,
        MatchedIgnoringWhitespace,
        /// Quotes, dashes or blanks differed.
        MatchedUnicodeVariants,
        MatchedNearContext,
        /// The side of skipped lines was inferred.
        InferredInsertSide,
        /// Inserted lines took the indentation of the file.
        ReindentedInsert,
    }
    Note {
        /// The last line stays without ending.
        KeptFinalNewline,
        /// A `\` line that is not true.
        IgnoredNoNewlineMarker,
    }
    Confirm {
        /// A line ending that the file does not use.
        LineEndingChange,
        /// An invisible character in an inserted text.
        InvisibleInAdded,
    }
    Note {
        /// A targeted file stays as it is.
        DroppedNoChange,
    }
    Confirm {
        UsedFuzz,
        /// Far from the stated line.
        LargeOffset,
    }
    Note {
        /// The patch is a list of search and replace blocks.
        ReadSearchReplace,
        /// A block has its place only in what the blocks before it made.
        BuiltOnEarlierBlock,
    }
    Confirm {
        /// A block without old text went behind the last line.
        AppendedAtEnd,
        /// The old text is a part of a line.
        MatchedInsideLine,
        /// Lines of the file stand for an ellipsis.
        MatchedElision,
        /// An inserted line is like the line beside it, which stays.
        InsertsNearCopy,
        /// The inserted lines stand there already.
        MarksExistingLine,
        /// A new line looks like a marker of an edit.
        MarkInAdded,
    }
}

impl Tag {
    pub fn name(self) -> String {
        let mut name = String::new();
        for character in format!("{self:?}").chars() {
            if character.is_ascii_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(character.to_ascii_lowercase());
        }
        name
    }

    /// Whether the tag stands among the normalizations: all but the two that follow from numbers.
    pub(crate) fn is_normalization(self) -> bool {
        !matches!(self, Self::UsedFuzz | Self::LargeOffset)
    }
}

/// Tags, each once, in the order of the tables.
pub(crate) type Tags = BTreeSet<Tag>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_wire() {
        for tag in Tag::ALL {
            assert_eq!(serde_json::to_value(tag).unwrap(), tag.name());
        }
        assert!(Tag::ALL.is_sorted());
        assert_eq!(Tag::ALL.len(), 59);
    }
}
