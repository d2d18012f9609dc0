/** The glue of `wasm-check-app` as a function that makes a fresh one: the packed package brings it. */
export declare const fresh: () => typeof import("../../../wasm/check-app/check-app.js");
