/**
 * Pages with the real engine, each opened at once: the page of scripts with `walk.html`, the crew pages with
 * `?page=crew`, both over the edge that serves them; the model page with `?page=model`, without one (`?page=view`: with
 * its sample read from the file; `?page=several`: with an extension that really runs); with `?page=bare` none.
 */
import "@holdpoint/elements/tokens.css";
import "@holdpoint/elements";
import "../src/page.css";
import "../src/pages/model/page.js";
import "../src/pages/scripts/page.js";
import { createChecks, createSandboxClient, loadCore } from "@holdpoint/core";
import { ApiError, createEditorApi } from "@holdpoint/core/editor";
import { createModelClient } from "@holdpoint/core/page";
import type {
  Called,
  Files,
  ModelClient,
  ModelQuery,
  SandboxFailure,
  Store,
  ViewerEffect,
} from "@holdpoint/core/types";
import type { Credential } from "../src/credential.js";
import { App } from "../src/pages/model/app.js";
import { listen as listenModel } from "../src/pages/model/events.js";
import { KIND as EXTENSION } from "../src/pages/model/kind.js";
import type { Page } from "../src/pages/model/page.js";
import { ScriptsApp } from "../src/pages/scripts/app.js";
import { listen } from "../src/pages/scripts/events.js";
import { createRunner } from "../src/pages/scripts/interpreter.js";
import { KIND as SCRIPT } from "../src/pages/scripts/kind.js";
import { crewWalk } from "./crew-walk.js";
import * as f from "./fixtures.js";
import { walls } from "./walls.js";

/** What the device keeps, in this tab's memory. */
function memory(): Store {
  const kept = new Map<string, unknown>();
  const claims = new Map<string, number>();
  return {
    name: "memory",
    get: async <T>(area: string, key: string) =>
      structuredClone(kept.get(`${area} ${key}`)) as T | undefined,
    put: async (area, key, value) => void kept.set(`${area} ${key}`, structuredClone(value)),
    delete: async (area, key) => void kept.delete(`${area} ${key}`),
    keys: async (area) =>
      [...kept.keys()]
        .filter((key) => key.startsWith(`${area} `))
        .map((key) => key.slice(area.length + 1)),
    update: async (area, key, change) => {
      const value = change(structuredClone(kept.get(`${area} ${key}`)) as undefined);
      kept.set(`${area} ${key}`, structuredClone(value));
      return value;
    },
    claim: async (record) => {
      const number = (claims.get(record) ?? 0) + 1;
      claims.set(record, number);
      return { record, number };
    },
  };
}

declare global {
  interface Window {
    hpStore?: Store;
    hpFails?: SandboxFailure | null;
    hpViewer?: ViewerEffect[];
    hpTake?: (name: string, text: string | Blob, beside?: boolean) => void;
    hpModels?: object;
  }
}

const credential = {
  token: "hp_walk",
  ask: async () => false,
  reached: async () => true,
  take: () => undefined,
  forget: () => undefined,
} as unknown as Credential;

async function walk(): Promise<void> {
  const core = await loadCore();
  const checks = createChecks(SCRIPT);
  const store = memory();
  window.hpStore = store;
  history.replaceState(null, "", "/scripts/t1");
  const page = document.createElement("hp-scripts-page");
  const api = {
    indicator: async () => f.indicator,
    model: async () => ({ model: "Scripted model", scripted: true }),
  };
  const app = new ScriptsApp(page, {
    core,
    checks,
    facts: null,
    store,
    runner: createRunner(),
    credential,
    api: api as never,
    editor: createEditorApi(() => credential.token),
  });
  listen(page, app);
  page.id = "page";
  await app.start();
  document.body.append(page);
  Object.assign(window, { hpApp: app });
  document.documentElement.dataset.ready = "walk";
}

const manifest = {
  manifestVersion: 1,
  id: "walk.count",
  name: "Counter",
  description: "Counts.",
  version: "0.1.0",
  engines: { ifcLiteSdk: "^1.0.0" },
  capabilities: [],
  activation: [],
  entry: { commands: { "walk.start": "src/count.js" } },
  contributes: {
    commands: [{ id: "walk.start", title: "Count" }],
    toolbar: [{ command: "walk.start", slot: "toolbar.right" }],
  },
  tests: [
    {
      name: "it counts",
      command: "walk.start",
      fixture: "empty-model",
      expect: { noEffect: true },
    },
  ],
};

/** A model without its file. */
const told = {
  open: async () => ({ ...f.facts }),
  close: () => undefined,
  rows: async () => f.rows,
  tree: async () => f.tree,
  named: async () => false,
  preferred: async () => null,
  column: async () => ({ values: [], unit: null, numbers: false }),
  choices: async () => [],
  units: async () => [],
  find: async (query: ModelQuery) => ({
    ...{ query, fits: null, texts: null },
    suggestions: { properties: [], values: [], contains: 0 },
  }),
  details: async () => [],
} as unknown as ModelClient;

const counter: Files = {
  "manifest.json": JSON.stringify(manifest),
  "src/count.js": "export default function count() {}\n",
};

/** An edge that takes no changes, and one extension; unless it runs, its calls fail while `hpFails` says so. */
async function model(client: () => ModelClient, runs?: Files): Promise<void> {
  const [core, store, checks] = [await loadCore(), memory(), createChecks(EXTENSION)];
  const files = runs ?? counter;
  const { id, version, capabilities } = JSON.parse(files["manifest.json"] ?? "");
  const record = { ...f.record, id, version, granted: capabilities, enabled: true };
  await store.put("installs", id, { record, files, stored: true, change: "" });
  const effects = { exports: [], notifications: [], ui: [] };
  const sandbox = {
    call: async (): Promise<Called> => ({
      activation: null,
      outcome: {
        value: null,
        failure: window.hpFails ?? null,
        effects: { ...effects, viewer: window.hpViewer ?? [] },
        logs: [],
      },
    }),
    end: async () => null,
  };
  const api = {
    indicator: async () => f.indicator,
    model: async () => ({ model: "Scripted model", scripted: true }),
    extensions: async () => [record],
    change: async () => {
      throw new ApiError(
        { code: "SERVICE_UNAVAILABLE", message: "Not ready.", details: { part: "account" } },
        503,
      );
    },
  };
  const page = document.createElement("hp-page") as Page;
  const app = new App(page, {
    core,
    checks,
    store,
    credential,
    api: api as never,
    sandbox: runs ? createSandboxClient(checks) : (sandbox as never),
    client,
  });
  listenModel(page, app, () => undefined);
  window.hpTake = (name, text, beside) => app.take([new File([text], name)], beside);
  page.id = "page";
  await app.start();
  document.body.append(page);
  document.documentElement.dataset.ready = "walk";
}

const walks: Record<string, () => Promise<void>> = {
  model: () => model(() => told),
  // With the sample as it is read from its file, for what is drawn of it.
  view: () => model(createModelClient),
  several: () => model(createModelClient, walls),
  crew: () => crewWalk(credential, memory()),
  // Nothing but what reads models, for the rig that measures it.
  bare: async () => {
    window.hpModels = { createModelClient, mesh: (await import("@holdpoint/core/geometry")).mesh };
    document.documentElement.dataset.ready = "walk";
  },
};
void (walks[new URLSearchParams(location.search).get("page") ?? ""] ?? walk)();
