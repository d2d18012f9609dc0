// A worker of the rig: runs programs in npm `quickjs-emscripten` or as the browser's own code, whatever they do to it.
// What a program asks of `ctx` is there in name only.

import variant from "@jitl/quickjs-singlefile-browser-release-sync";
import { newQuickJSWASMModuleFromVariant, type QuickJSWASMModule } from "quickjs-emscripten-core";

/** Our limits of a test, as the package has them. */
const HEAP_BYTES = 16_777_216;
const STACK_BYTES = 1_048_576;

interface Asked {
  engine: "quickjs" | "function";
  source: string;
  wall: number;
}

/** A module's text as the body of a function whose argument `out` gets the default export. */
const asBody = (source: string): string =>
  source
    .replace(/export\s+default\s+/, "out.default = ")
    .replace(/export\s*\{[^}]*\};?/g, "")
    .replace(/export\s+(const|let|function|async|class)/g, "$1");
const CTX = `const ctx = { storage: { get: async () => null, set: async (k, v) => void JSON.stringify(v), keys: async () => [], delete: async () => {} },
  log: { info: String, warn: String, error: String, debug: String }, notify: String, onDispose: (f) => f(), can: () => false, t: String, meta: {},
  commands: { invoke: async () => {} }, ui: { update() {}, open() {}, close() {} }, fetch: async () => { throw new Error('no network'); }, bim: {} };`;
const CALL = `out.settled = (async () => JSON.stringify(await out.default(ctx)))();
  out.settled.then((text) => { out.text = text ?? "null"; }, (error) => { out.failed = String(error); });`;

let quickjs: Promise<QuickJSWASMModule> | undefined;

async function inQuickjs({ source, wall }: Asked): Promise<string> {
  quickjs ??= newQuickJSWASMModuleFromVariant(variant);
  const runtime = (await quickjs).newRuntime();
  runtime.setMemoryLimit(HEAP_BYTES);
  runtime.setMaxStackSize(STACK_BYTES);
  const until = Date.now() + wall;
  runtime.setInterruptHandler(() => Date.now() > until);
  const context = runtime.newContext();
  const body = `"use strict"; globalThis.out = {}; ${CTX} ${asBody(source)}\n;${CALL}`;
  const begun = context.evalCode(body);
  if (begun.error) return `ended ${JSON.stringify(context.dump(begun.error))}`;
  begun.value.dispose();
  const jobs = runtime.executePendingJobs();
  if (jobs.error) return `ended ${JSON.stringify(context.dump(jobs.error))}`;
  const said = context.unwrapResult(
    context.evalCode("out.failed === undefined ? 'value ' + out.text : 'ended ' + out.failed"),
  );
  const text = context.getString(said);
  said.dispose();
  context.dispose();
  runtime.dispose();
  return text;
}

async function asFunction({ source }: Asked): Promise<string> {
  const out: { settled?: Promise<string> } = {};
  new Function("out", `"use strict"; ${CTX} ${asBody(source)}\n;${CALL}`)(out);
  return `value ${await out.settled}`;
}

self.onmessage = async ({ data }: MessageEvent<Asked>) => {
  const begun = performance.now();
  let said: string;
  try {
    said = await (data.engine === "quickjs" ? inQuickjs(data) : asFunction(data));
  } catch (error) {
    said = `ended ${error}`;
  }
  self.postMessage({ said, ms: performance.now() - begun });
};
