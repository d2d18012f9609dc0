// Extensions that ask hosts, in a Chromium page without the product around it: the client, its workers and modules as
// they are, served with the content policies of the edge. `https://*.example.org` is answered by the test.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type {
  Asked,
  CallOutcome,
  ElementRef,
  SandboxClient,
  SandboxModel,
} from "@holdpoint/core/types";
import type { Browser, BrowserContext, Route } from "playwright-core";
import { transformWithEsbuild } from "vite";

const SITE = "http://sandbox.test";
const CORE = new URL("../../www/core/", import.meta.url);
const HEADERS = readFileSync(new URL("../../worker/src/headers.rs", import.meta.url), "utf8");
/** A file of the fixtures, and its id: 16 hex of its SHA-256. */
const fixture = (name: string) => {
  const text = readFileSync(new URL(`../../fixtures/ifc/${name}`, import.meta.url), "utf8");
  return { name, text, id: createHash("sha256").update(text).digest("hex").slice(0, 16) };
};
const FILES = ["house-small.ifc", "villa-2x3.ifc"].map(fixture);
export const [HOUSE = "", VILLA = ""] = FILES.map(({ id }) => id);

/** What the edge says of headers, by the name of its constant. */
export function ofEdge(name: string): string {
  const [, text] = new RegExp(`const ${name}: &str = "([^"]+)"`).exec(HEADERS) ?? [];
  if (!text) throw new Error(`The edge has no ${name}.`);
  return text.replace(/\\\n\s*/g, "");
}

/** How one extension is called. */
export interface Call {
  /** Of an async function `(ctx)`. */
  body: string;
  extension?: string;
  trial?: boolean;
  granted?: string[];
  /** The models that are open, `house-small` where nothing is said; `opening` is 1 and it is on, if not said. */
  models?: (Pick<SandboxModel, "id"> & Partial<SandboxModel>)[];
  selection?: ElementRef[];
}
/** What came of a call. */
export interface Came {
  outcome: CallOutcome | null;
  /** Requests that a person sees. */
  asked: string[];
}

type Loaded = {
  createChecks(kind: string): never;
  createSandboxClient(checks: never): SandboxClient;
};
declare global {
  interface Window {
    sandbox: SandboxClient;
    hpCall(call: Call): Promise<Came>;
    hpEnd(call: Call): Promise<void>;
  }
}

/** Runs in the page. */
async function install(files: typeof FILES): Promise<void> {
  const source = "/src/index.ts";
  const { createChecks, createSandboxClient } = (await import(source)) as Loaded;
  const sandbox = createSandboxClient(createChecks("ifc-extension"));
  const modelOf = ({ id, ...more }: NonNullable<Call["models"]>[number], n: number) => {
    const { name = "", text = "" } = files.find((one) => one.id === id) ?? {};
    const file = new Blob([text]);
    return { ...{ id, name, file, opening: n + 1, on: true, active: n === 0 }, ...more };
  };
  const [house] = files.map(({ id }) => ({ id }));
  const all = ["network.fetch:api.example.org", "model.read", "model.mutate:P.*"];
  const running = ({ body, extension = "tests.one", granted = all, ...call }: Call) => {
    const { trial = false, selection = [], models = house ? [house] : [] } = call;
    const manifest = {
      ...{ manifestVersion: 1, id: extension, name: "T", description: "T.", version: "1.0.0" },
      ...{ engines: { ifcLiteSdk: "^1.0.0" }, capabilities: all, activation: [] },
      entry: { commands: { "t.run": "src/a.js" } },
      contributes: { commands: [{ id: "t.run", title: "Run" }] },
      tests: [],
    };
    const asked: string[] = [];
    return {
      ...{ key: `${extension} ${body}`, trial, granted, locale: "en", asks: asked },
      files: {
        "manifest.json": JSON.stringify(manifest),
        "src/a.js": `export default async (ctx) => { ${body} };`,
      },
      selection: () => selection,
      storage: () => ({}),
      keep: () => undefined,
      asked: ({ host, method }: { host: string; method: string }) => {
        asked.push(`${method} ${host}`);
      },
      models: () => models.map(modelOf),
    };
  };
  const one: Asked = { command: { id: "t.run" } };
  window.hpCall = async (call) => {
    const extension = running(call);
    const { outcome } = await sandbox.call(extension, one);
    return { outcome, asked: extension.asks };
  };
  window.hpEnd = async (call) => void (await sandbox.end(running(call)));
}

async function served(route: Route): Promise<void> {
  const path = new URL(route.request().url()).pathname;
  const isNetwork = path.endsWith("/network-worker.ts");
  const headers = {
    "content-security-policy": ofEdge(isNetwork ? "NETWORK_POLICY" : "PAGE_POLICY"),
    "cache-control": "no-store",
  };
  if (path === "/")
    return route.fulfill({ headers, contentType: "text/html", body: "<!doctype html>" });
  const file = new URL(`.${path}`, CORE);
  if (path.endsWith(".wasm"))
    return route.fulfill({ headers, contentType: "application/wasm", body: readFileSync(file) });
  const text = readFileSync(file, "utf8");
  const { code } = path.endsWith(".ts")
    ? await transformWithEsbuild(text, fileURLToPath(file))
    : { code: text };
  return route.fulfill({ headers, contentType: "text/javascript", body: code });
}

/** What hosts are asked for, and what a page calls. */
export interface Network {
  call(call: Call): Promise<Came>;
  end(call: Call): Promise<void>;
  context: BrowserContext;
  /** Runs in the page before its calls. */
  patched(patch: (about: string) => void, about: string): Promise<void>;
  /** In the page, around extensions: what a request of the page itself comes to. */
  ofPage(url: string): Promise<string>;
}

/** A page over hosts that `answer` answers. */
export async function network(
  browser: Browser,
  answer: (route: Route, url: URL) => Promise<void>,
): Promise<Network> {
  const context = await browser.newContext();
  await context.route(`${SITE}/**`, served);
  await context.route(/^https:\/\/\w+\.example\.org\//, (route) =>
    answer(route, new URL(route.request().url())),
  );
  const page = await context.newPage();
  await page.goto(`${SITE}/`);
  await page.evaluate(install, FILES);
  return {
    context,
    call: (call) => page.evaluate((call) => window.hpCall(call), call),
    end: (call) => page.evaluate((call) => window.hpEnd(call), call),
    patched: (patch, about) => page.evaluate(patch, about),
    ofPage: (url) =>
      page.evaluate(
        (url) =>
          fetch(url).then(
            () => "answered",
            () => "refused",
          ),
        url,
      ),
  };
}
