/** The one place where the page takes things from `@holdpoint/core`. */
export {
  createApi,
  createModelClient,
  createSandboxClient,
  loadCore,
  openStore,
  type PageRun,
  type RunSurroundings,
  restoreRun,
  startRun,
} from "@holdpoint/core";
