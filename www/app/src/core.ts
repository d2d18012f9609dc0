/** The one place where the page takes things from `@holdpoint/core`. */
export { createChecks, createSandboxClient, loadCore } from "@holdpoint/core";
export {
  createApi,
  createModelClient,
  openStore,
  type RunProgress,
  type RunSession,
  type RunSurroundings,
  restoreRun,
  startRun,
} from "@holdpoint/core/page";

/** Bundles as one file: loaded when the first one is made or read. */
export const loadArchives = async () => (await import("@holdpoint/core/archive")).loadArchives();
