/** The glue of `wasm-sandbox` as a function that makes a fresh one: the packed package brings it. */
export declare const fresh: () => typeof import("../../../wasm/sandbox/sandbox.js");
