/** Crew packages in the page: how they are read and changed as texts, and the client of their routes. */

export { createDiffs, type Diffs } from "./diffs.ts";
export { archiveName, loadCrew, zipped } from "./engine.ts";
export * from "./frontmatter.ts";
export * from "./graph.ts";
export * from "./logic.ts";
export * from "./markdown.ts";
export * from "./merge.ts";
export * from "./package.ts";
export * from "./places.ts";
export * from "./profile.ts";
export * from "./projects.ts";
export type * from "./session-wire.ts";
export * from "./sessions.ts";
export * from "./turn-steps.ts";
export * from "./turns.ts";
export * from "./walk.ts";
export type * from "./wire.ts";
