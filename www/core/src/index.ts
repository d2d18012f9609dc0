/**
 * What every page uses of the core: modules, clients, the run, the device's store. The Python grammar is not among it.
 */

export { ApiError, createApi } from "./api.ts";
export { createChecks } from "./check/client.ts";
export { CoreError, loadCore } from "./core.ts";
export { createModelClient } from "./model/client.ts";
export {
  type PageRun,
  type RunSurroundings,
  restoreRun,
  type StoredRun,
  startRun,
} from "./run/client.ts";
export { createSandboxClient } from "./sandbox/client.ts";
export { openStore } from "./store.ts";
export type * from "./types.ts";
