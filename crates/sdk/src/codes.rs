//! The codes of running extension code: how a call ends (spec: ifc-sdk.md §5.4). What the SDK refuses stands in the
//! sandbox.
//!
//! Some are told by who runs the sandbox: natively the process around it, in the page `www/core/src/sandbox`.

use holdpoint_check::codes;

codes! {
    /// the model of the test could not be made, or the test was not run
    FIXTURE_FAILED / NOT_RUN: Error, "The test was not run.";
    FIXTURE_FAILED / NOT_BUILT: Error, "The fixture `{fixture}` cannot be built here." [fixture];
    FIXTURE_FAILED / NOT_MADE: Error, "The fixture `{fixture}` cannot be built: {why}" [fixture, why];
    FIXTURE_FAILED / NO_HANDLE: Error, "`build` must answer the open handle of `project`.";
    FIXTURE_FAILED / NOT_READ: Error, "The model could not be read.";
    FIXTURE_FAILED / NOT_READ_TOGETHER: Error,
        "The models that are shown could not be read together. Show fewer of them.";
    /// an error that nothing caught
    THREW / ENGINE: Error, "The engine could not go on: {why}" [why];
    THREW / NO_ANSWER: Error, "The engine ended without an answer ({status}). {last}" [status, last];
    THREW / NO_MODULE: Error, "`{path}` is no module of the bundle" [path];
    THREW / NO_FUNCTION: Error,
        "`{path}` has no function to call: export one as default, or name it `{function}`" [path, function];
    /// a result that is no JSON
    RESULT_NOT_JSON: Error, "The result must be JSON, but {why}." [why];
    /// a result that its host cannot use
    RESULT_SHAPE / LENS: Error, "A lens must answer a list of {shape}." [shape];
    RESULT_SHAPE / EXPORTER: Error, "An exporter must answer {shape} with texts." [shape];
    RESULT_SHAPE / VALIDATOR: Error, "A check must answer a list of {shape}." [shape];
    /// a promise that nothing settles
    NEVER_SETTLED: Error,
        "The promise can no longer settle: nothing is left that could resolve it. Resolve it on every path, or do not \
         wait for it.";
    /// the step budget is used up
    FUEL: Error,
        "The call used up its steps. Look for a loop that does not end, or work that grows with the square of the model.";
    /// the call ran too long
    TIMEOUT / STOPPED: Error, "The call ran too long.";
    TIMEOUT / ENDED: Error,
        "The call ran too long and was ended; the result is not reproducible. Look for a loop without end, or a query \
         inside a loop.";
    TIMEOUT / WALL: Error, "The code ran longer than {seconds} seconds. Look for a loop that does not end." [seconds];
    /// the call used more memory than it may
    MEMORY / CALL: Error, "The call used more memory than it may. Keep less at once: counts instead of lists.";
    MEMORY / CODE: Error, "The code used more memory than it may.";
    /// functions call each other too deeply
    STACK / CALLS: Error, "Functions call each other too deeply. Use a loop, or end the recursion earlier.";
    STACK / CODE_CALLS: Error, "The code called itself too deeply.";
}

/// Codes that a dry run spells with `TEST_` in front.
pub const PREFIXED: [&str; 6] = ["THREW", "NEVER_SETTLED", "FUEL", "TIMEOUT", "MEMORY", "STACK"];
