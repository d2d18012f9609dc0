//! The codes of running extension code: how a call ends, and what the SDK refuses (spec: ifc-sdk.md §4, §5.4).
//!
//! Code, when, what to do.

/// How a call ended, or why a test failed. A dry run spells those of [`PREFIXED`] with `TEST_` in front.
pub const RUN: &[(&str, &str, &str)] = &[
    ("EXPECT_FAILED", "an operator of `expect` does not hold", "Mend the code, or the test if it is wrong."),
    ("FIXTURE_FAILED", "the model of the test could not be made, or the test was not run", "Mend the fixture."),
    ("THREW", "an error that nothing caught", "Mend the code at the place named."),
    ("RESULT_NOT_JSON", "a result that is no JSON", "Return numbers, texts, lists and plain objects."),
    ("NEVER_SETTLED", "a promise that nothing settles", "Await something that ends."),
    ("FUEL", "the step budget is used up", "Do less work."),
    ("TIMEOUT", "the call ran too long", "Do less work: count instead of listing."),
    ("MEMORY", "the call used more memory than it may", "Keep less at once: counts instead of lists."),
    ("STACK", "functions call each other too deeply", "Use a loop, or end the recursion earlier."),
    ("CAPABILITY_DENIED", "a call without its capability", "Declare the capability, and have it granted."),
];

/// Codes that a dry run spells with `TEST_` in front.
pub const PREFIXED: [&str; 6] = ["THREW", "NEVER_SETTLED", "FUEL", "TIMEOUT", "MEMORY", "STACK"];

/// `code` of an `SdkError`, which extension code can catch.
pub const SDK: &[(&str, &str, &str)] = &[
    ("SDK_ARGUMENT", "an argument of the wrong kind", "Give what `details.expected` says."),
    ("SDK_LIMIT", "over a limit of the call", "Ask for less; `details.limit` says how much."),
    ("SDK_NOT_FOUND", "something that does not exist", "Ask for what there is."),
    ("SDK_UNAVAILABLE", "a call that this host does not have", "Do without it."),
    ("CAPABILITY_DENIED", "a call without its capability", "Declare the capability, and have it granted."),
];
