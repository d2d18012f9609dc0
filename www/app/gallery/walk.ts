/** The script pages over an edge in memory, with the real engine: `walk.html`. For walks in a browser without a server. */
import "@holdpoint/elements/tokens.css";
import "@holdpoint/elements";
import "../src/page.css";
import "../src/scripts/page.js";
import { loadCore } from "@holdpoint/core/core";
import type { Store } from "@holdpoint/core/types";
import type { Engine } from "@holdpoint/core/editor";
import type { Session } from "../src/session.js";
import { ScriptsApp } from "../src/scripts/app.js";
import { listen } from "../src/scripts/events.js";
import { FakeEdge } from "./fake-edge.js";
import { indicator } from "./fixtures.js";
import { files } from "./script-fixtures.js";

/** What the device keeps, in this tab's memory. */
function memory(): Store {
  const kept = new Map<string, unknown>();
  return {
    get: async <T>(area: string, key: string) => structuredClone(kept.get(`${area} ${key}`)) as T | undefined,
    put: async (area, key, value) => void kept.set(`${area} ${key}`, structuredClone(value)),
    delete: async (area, key) => void kept.delete(`${area} ${key}`),
    keys: async (area) => [...kept.keys()].filter((key) => key.startsWith(`${area} `)).map((key) => key.slice(area.length + 1)),
  };
}

declare global {
  interface Window { hpEngine?: (core: Engine) => Engine; hpEdge?: FakeEdge; hpStore?: Store }
}

async function walk(): Promise<void> {
  const loaded = await loadCore();
  const core = { ...loaded, ...(window.hpEngine?.(loaded) ?? {}) };
  const edge = window.hpEdge ?? new FakeEdge(core, files);
  const store = window.hpStore ?? memory();
  Object.assign(window, { hpEdge: edge, hpStore: store });
  history.replaceState(null, "", "/scripts/t1");
  const page = document.createElement("hp-scripts-page");
  const session = { token: "hp_walk", take: () => undefined, forget: () => undefined } as unknown as Session;
  const api = { indicator: async () => indicator, model: async () => ({ model: "Scripted model", scripted: true }) };
  const app = new ScriptsApp(page, { core, facts: null, store, session, api: api as never, editor: edge });
  listen(page, app);
  page.id = "page";
  await app.start();
  document.body.append(page);
  Object.assign(window, { hpApp: app });
  document.documentElement.dataset["ready"] = "walk";
}

void walk();
