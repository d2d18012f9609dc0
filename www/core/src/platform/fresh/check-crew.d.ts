/** The glue of `wasm-check-crew` as a function that makes a fresh one: the packed package brings it. */
export declare const fresh: () => typeof import("../../../wasm/check-crew/check-crew.js");
