//! The sandbox as a Wasm module for a Web Worker.
