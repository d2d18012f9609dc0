/**
 * workerd: modules are bundled, and what has a thread elsewhere runs in the isolate of the request.
 *
 * A trap costs the instance that trapped; the next thread gets a fresh one. Nothing here ends code that does not end:
 * the platform's limit of CPU time does.
 */

import { answers as checks } from "../check/answers.ts";
import { answers as sandboxed } from "../sandbox/answers.ts";
import { type Came, type NetworkRequest, send } from "../sandbox/network.ts";
import type { ModuleName, Platform } from "./types.ts";

type Bundled<T> = { default: T };

const MODULES: Record<ModuleName, () => Promise<unknown>> = {
  core: () => import("../../wasm/core/core_bg.wasm"),
  "check-extension": () => import("../../wasm/check-extension/check-extension_bg.wasm"),
  "check-script": () => import("../../wasm/check-script/check-script_bg.wasm"),
  "check-crew": () => import("../../wasm/check-crew/check-crew_bg.wasm"),
  "check-app": () => import("../../wasm/check-app/check-app_bg.wasm"),
  sandbox: () => import("../../wasm/sandbox/sandbox_bg.wasm"),
  python: () => import("../../wasm/python/python_bg.wasm"),
  crew: () => import("../../wasm/crew/crew_bg.wasm"),
  archive: () => import("../../wasm/archive/archive_bg.wasm"),
};

/** What answers in a thread, over glue that holds an instance of its own. */
const ANSWERS = {
  "check-extension": async () => checks((await import("./fresh/check-extension.js")).fresh()),
  "check-script": async () => checks((await import("./fresh/check-script.js")).fresh()),
  "check-crew": async () => checks((await import("./fresh/check-crew.js")).fresh()),
  "check-app": async () => checks((await import("./fresh/check-app.js")).fresh()),
  sandbox: async () => sandboxed((await import("./fresh/sandbox.js")).fresh()),
};

/** Nobody's cookies are here, and no page's address: what a browser is told of both is refused as unknown. */
const sent = (request: NetworkRequest, ended: AbortSignal): Promise<Came> =>
  send(request, ended, (url, { method, headers, body, signal, redirect }) =>
    fetch(url, { method, headers, body, signal, redirect } as RequestInit),
  );

export const platform: Platform = {
  compiled: async (name) => ((await MODULES[name]()) as Bundled<WebAssembly.Module>).default,
  async thread<Asked, Said>(name: keyof typeof ANSWERS) {
    const answer = (await ANSWERS[name]()) as unknown as (asked: Asked) => Said;
    return { ask: async (asked: Asked) => answer(asked), end: () => undefined };
  },
  send: sent,
};
