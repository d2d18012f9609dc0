//! A response whose body is written bit by bit: workerd's own pipe, bytes in, the same bytes out, one write at a time.
//!
//! Invariant: a write is done when the reader has taken it, so the slowest reader sets the pace and nothing piles up.

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::{Headers, Response, ResponseBuilder};

#[wasm_bindgen]
extern "C" {
    type IdentityTransformStream;

    #[wasm_bindgen(constructor)]
    fn new() -> IdentityTransformStream;
    #[wasm_bindgen(method, getter)]
    fn readable(this: &IdentityTransformStream) -> web_sys::ReadableStream;
    #[wasm_bindgen(method, getter)]
    fn writable(this: &IdentityTransformStream) -> web_sys::WritableStream;
}

/// The end that is written to.
pub struct ClientStream {
    writer: web_sys::WritableStreamDefaultWriter,
}

impl ClientStream {
    /// A response with this head, and where its body comes from.
    pub fn open(status: u16, headers: Headers) -> Result<(Response, Self), JsValue> {
        let pipe = IdentityTransformStream::new();
        let writer = pipe.writable().get_writer()?;
        let response = ResponseBuilder::new().with_status(status).with_headers(headers).stream(pipe.readable());
        Ok((response, Self { writer }))
    }

    /// Writes; the promise is done when the reader has the bytes, and fails when it left.
    pub fn write(&self, bytes: &[u8]) -> Promise {
        self.writer.write_with_chunk(&Uint8Array::from(bytes))
    }

    pub fn close(&self) {
        drop(self.writer.close());
    }
}
