/**
 * The script editor's half of the core: wire types, client, engine in the page, conversions. No Wasm is loaded here.
 */

export { ApiError } from "../http.ts";
export { changes, type Replacement, replaced } from "./changes.ts";
export { createEditorApi } from "./client.ts";
export { type Break, type EditorText, editor, exact, type Offsets, offsets } from "./endings.ts";
export type { Engine, FactsOf } from "./local.ts";
export * as local from "./local.ts";
export * from "./wire.ts";
