/** The script editor's half of the core: wire types, client, engine in the page, conversions. No Wasm is loaded here. */

export { ApiError } from "../api.ts";
export { createEditorApi } from "./client.ts";
export { changes, replaced, type Replacement } from "./changes.ts";
export { editor, exact, offsets, type Break, type EditorText, type Offsets } from "./endings.ts";
export * as local from "./local.ts";
export type { Engine, FactsOf } from "./local.ts";
export { FrameReader } from "./sse.ts";
export * from "./wire.ts";
