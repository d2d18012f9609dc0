/** The module of the checks, fetched and compiled once for both of its workers. */

import wasmUrl from "../../wasm/check/check_bg.wasm?url";
import { CoreError } from "../core.ts";

let compiled: Promise<WebAssembly.Module> | undefined;

/** The compiled module; a failed load is tried again by the next call. */
export function checkModule(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compileStreaming(fetch(wasmUrl)).catch(() => {
    compiled = undefined;
    throw new CoreError({
      code: "CHECK_NOT_LOADED",
      message: "The checks could not be loaded. Try again when the network is back.",
    });
  });
  return compiled;
}
