/** The module of the checks, fetched and compiled once for all of their threads. */

import { CoreError } from "../core.ts";
import { platform } from "../platform.ts";

let compiled: Promise<WebAssembly.Module> | undefined;

/** The compiled module; a failed load is tried again by the next call. */
export function checkModule(): Promise<WebAssembly.Module> {
  compiled ??= platform.compiled("check").catch(() => {
    compiled = undefined;
    throw new CoreError({
      code: "CHECK_NOT_LOADED",
      message: "The checks could not be loaded. Try again when the network is back.",
    });
  });
  return compiled;
}
