/** What the states of the gallery are made of. */
export * from "./fixtures/change.js";
export * from "./fixtures/drift.js";
export * from "./fixtures/log.js";
export * from "./fixtures/model.js";
export * from "./fixtures/run.js";
