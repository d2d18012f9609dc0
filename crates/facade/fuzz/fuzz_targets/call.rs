//! Any method with any input: the first line names the method, the rest is its input as JSON text.
//!
//! `tests/mutations.rs` of the facade walks the same road on a stable compiler, from the sample cases.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (method, input) = text.split_once('\n').unwrap_or((&text, ""));
    if let Ok(input) = serde_json::from_str(input) {
        holdpoint_kinds::SHELL.call(method, input);
    }
});
