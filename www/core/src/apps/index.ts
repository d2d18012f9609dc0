/** Apps: wire types, the client of their routes, runs as a conversation. No Wasm is loaded here. */

export { type AppsApi, createAppsApi } from "./client.ts";
export { follow } from "./following.ts";
export { type Framed, framed } from "./frames.ts";
export { type AppRun, advanced, begun, type RunLine, type RunStep } from "./run.ts";
export {
  type AppAsk,
  type AppMessage,
  AppRoutes,
  type AppTalk,
  messagesOf,
} from "./turns.ts";
export type * from "./wire.ts";
