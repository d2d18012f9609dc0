/** What only a page has: the edge over HTTP, the viewer's model, the run, the device's store. */

export { createApi } from "./api.ts";
export { ApiError, type Asker, createHttp, identify } from "./http.ts";
export { createModelClient } from "./model/client.ts";
export { type OpenModel, OpenModels } from "./model/models.ts";
export { modelFile } from "./model/unpacking.ts";
export {
  type RunProgress,
  type RunSession,
  type RunSurroundings,
  restoreRun,
  type StoredRun,
  startRun,
} from "./run/driver.ts";
export { openStore } from "./store.ts";
export {
  type Belongings,
  belongings,
  erase,
  exported,
  takeOver,
  unclaimed,
} from "./unclaimed.ts";
