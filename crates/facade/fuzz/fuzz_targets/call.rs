//! Any method with any input: the first line names the method, the rest is its input as JSON text.
//!
//! `tests/mutations.rs` of the facade walks the same road on a stable compiler, from the sample cases.
#![no_main]

use holdpoint_facade::Shell;
use libfuzzer_sys::fuzz_target;

static SHELL: Shell = holdpoint_facade::native_shell!(holdpoint_kinds);

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (method, input) = text.split_once('\n').unwrap_or((&text, ""));
    if let Ok(input) = serde_json::from_str(input) {
        SHELL.call(method, input);
    }
});
