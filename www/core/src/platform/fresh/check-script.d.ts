/** The glue of `wasm-check-script` as a function that makes a fresh one: the packed package brings it. */
export declare const fresh: () => typeof import("../../../wasm/check-script/check-script.js");
