//! Texts of JavaScript as UTF-8.
//!
//! Owns one copy: the host's encoder writes into the module's memory. The glue of a `&str` goes character by character,
//! which costs more than a diff of what it brings.

use js_sys::JsString;
use wasm_bindgen::prelude::wasm_bindgen;

/// Bytes that a UTF-16 unit may take.
const MAX_UNIT_BYTES: usize = 3;

#[wasm_bindgen]
extern "C" {
    type TextEncoder;
    type Progress;

    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;
    #[wasm_bindgen(method, js_name = encodeInto)]
    fn encode_into(this: &TextEncoder, text: &JsString, into: &mut [u8]) -> Progress;

    #[wasm_bindgen(method, getter)]
    fn read(this: &Progress) -> u32;
    #[wasm_bindgen(method, getter)]
    fn written(this: &Progress) -> usize;
}

/// The text; a surrogate without its partner becomes U+FFFD.
pub fn of(text: &JsString) -> String {
    let encoder = TextEncoder::new();
    // Most texts are ASCII: one byte a unit. What then is left over gets room for the worst.
    let mut bytes = vec![0; text.length() as usize];
    let first = encoder.encode_into(text, &mut bytes);
    let mut end = first.written();
    let left = text.length() - first.read();
    if left > 0 {
        bytes.resize(end + left as usize * MAX_UNIT_BYTES, 0);
        end += encoder.encode_into(&text.slice(first.read(), text.length()), &mut bytes[end..]).written();
    }
    bytes.truncate(end);
    String::from_utf8(bytes).expect("the encoder writes UTF-8")
}
