/** The glue of `wasm-check-extension` as a function that makes a fresh one: the packed package brings it. */
export declare const fresh: () => typeof import("../../../wasm/check-extension/check-extension.js");
