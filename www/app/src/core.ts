/** The one place where the page takes things from `@holdpoint/core`. */
import { openStore } from "@holdpoint/core/page";

export { createChecks, createSandboxClient, loadCore } from "@holdpoint/core";
export {
  type Asker,
  type Belongings,
  belongings,
  createApi,
  createHttp,
  createModelClient,
  erase,
  exported,
  identify,
  modelFile,
  type OpenModel,
  OpenModels,
  type RunProgress,
  type RunSession,
  type RunSurroundings,
  restoreRun,
  startRun,
  takeOver,
  unclaimed,
} from "@holdpoint/core/page";

/** Bundles as one file: loaded when the first one is made or read. */
export const loadArchives = async () => (await import("@holdpoint/core/archive")).loadArchives();

/** The store of whoever is signed in, or was last. Where another tab erases it, the page begins anew. */
export const openDevice = (credential: { principal: string | null }) =>
  openStore(credential.principal, () => location.reload());
