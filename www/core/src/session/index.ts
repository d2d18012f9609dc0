/** A conversation with a model, and the driver of one at the edge. No Wasm is loaded here. */

export { EdgeDriver, type EdgeRoutes, type Heard } from "./edge.ts";
export { isRefusal, Session } from "./session.ts";
export type * from "./types.ts";
