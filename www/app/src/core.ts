/** The one place where the page takes things from `@holdpoint/core`. */
export {
  createApi,
  createModelClient,
  createSandboxClient,
  loadCore,
  openStore,
  restoreRun,
  startRun,
  type PageRun,
  type RunSurroundings,
} from "@holdpoint/core";
