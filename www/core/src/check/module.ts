/** The module of a kind's checks, fetched and compiled once for all of its threads. */

import { CoreError } from "../core.ts";
import type { CheckName } from "../platform/types.ts";
import { platform } from "../platform.ts";

const compiled = new Map<CheckName, Promise<WebAssembly.Module>>();

/** The compiled module; a failed load is tried again by the next call. */
export function checkModule(name: CheckName): Promise<WebAssembly.Module> {
  const known = compiled.get(name);
  if (known) return known;
  const loading = platform.compiled(name).catch(() => {
    compiled.delete(name);
    throw new CoreError({
      code: "CHECK_NOT_LOADED",
      message: "The checks could not be loaded. Try again when the network is back.",
    });
  });
  compiled.set(name, loading);
  return loading;
}
