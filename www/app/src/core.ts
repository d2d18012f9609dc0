/** The one place where the page takes things from `@holdpoint/core`. */
export {
  createApi,
  createChecks,
  createModelClient,
  createSandboxClient,
  loadCore,
  openStore,
  type PageRun,
  type RunSurroundings,
  restoreRun,
  startRun,
} from "@holdpoint/core";
