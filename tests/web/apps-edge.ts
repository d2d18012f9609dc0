// An edge in memory for the pages of apps (app-builder.md §3): one app, its builds, runs that a test ends, proposals,
// publishing and settings; and the origin on which its preview runs, with the bridge that the edge serves.

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import type {
  App,
  AppChange,
  AppProposal,
  BuildPhase,
  ChatBody,
  Outcome,
} from "@holdpoint/core/apps";
import type { Browser, Page, ViewportSize } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { type Site, serve } from "./site.ts";

const bridge = readFileSync(
  fileURLToPath(new URL("../../worker/src/kinds/vite_app/bridge.js", import.meta.url)),
  "utf8",
);

/** A browser that keeps nothing for frames of other sites. */
const UNKEPT = `<script>Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("Access is denied.", "SecurityError"); },
});</script>`;

/** The origin of previews: a page with two buttons and the bridge. */
export async function previews(): Promise<{ origin: string; stop: () => void }> {
  const server: Server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    const unkept = request.url?.startsWith("/unkept") ? UNKEPT : "";
    response.end(
      request.url?.startsWith("/other")
        ? "<p>Another page</p>"
        : `<!doctype html>${unkept}<script>${bridge}</script><h1>Snags</h1><button>Add snag</button>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

export const FILES: Record<string, string> = {
  "index.html": "<div id=root></div>\n",
  "package.json": '{ "name": "snags" }\n',
  "src/App.tsx": "export const App = () => <h1>Snags</h1>;\n",
  "src/Bar.tsx": "export const Bar = () => <button>Add snag</button>;\n",
  "src/Foot.tsx": "export const Foot = () => <button>Add snag</button>;\n",
  "src/lib/due.ts": "export const due = 1;\n",
  "src/pages/due.ts": "export const page = 1;\n",
};
export const SERVICE = {
  ...{ key: "rest-api", name: "REST service", description: "A typed client." },
  fields: [
    { name: "base_url", label: "Address", form: "url", example: "https://api.example.com/v1" },
  ],
  operations: [{ op: "upsert_file", path: "src/services/api.ts", template: "api.ts" }],
  ...{ env: ["VITE_API_URL"], notes: ["Add the origin of {base_url}."] },
};
const AT = "2026-11-27T10:00:00.000Z";
const hash = (n: number): string => `sha256:${String(n).repeat(64).slice(0, 64)}`;

interface Refused {
  status: number;
  code: string;
  details?: object;
}

interface Answer {
  status?: number;
  value: unknown;
}

const refused = ({ status, code, details = {} }: Refused): Answer => ({
  status,
  value: { error: { code, message: `${code}.`, details } },
});

/** A run that goes on until the test ends it. */
interface Run {
  body: ChatBody;
  end(outcome: Outcome, proposal?: string): void;
}

export class AppsEdge {
  /** Method and path of each call that is no read, in turn. */
  calls: string[] = [];
  runs: Run[] = [];
  changes: AppChange[] = [];
  /** What services were set up with. */
  setUps: object[] = [];
  /** Queries of the exports, in turn. */
  exports: string[] = [];
  /** What the next change of the app is refused with. */
  refusal: Refused | null = null;
  build: BuildPhase = "succeeded";
  gone = false;
  app = {
    ...{ tenant_id: "acc_1", created_by: "ann" },
    ...{ id: "app_1", name: "Snags", slug: "snags", status: "draft", template_key: "blank-react" },
    ...{ catalog_version: "1", current_draft_revision_id: "rev_3", published_url: null },
    ...{ current_published_revision_id: null, created_at: AT, updated_at: AT, published_at: null },
    settings: {
      ...{ dependency_policy: "curated", save_gate: "build", publish_requires_tests: false },
      ...{ connect_origins: [], env: {} },
    },
  } as App;
  /** What is otherwise of the result of the proposal. */
  result: Partial<AppProposal> = {};
  readonly #listening = new Set<ServerResponse>();

  /** Where the app runs, without the last slash. */
  constructor(public preview: string) {}

  #version(number: number) {
    return {
      ...{ id: `rev_${number}`, app_id: "app_1", number, entry_file: "src/App.tsx" },
      ...{ files_hash: hash(number), file_count: 7, source_revision_id: null, label: null },
      ...{ restored_from_revision_id: null, origin_kind: "manual_save", created_by: "ann" },
      ...{ created_at: AT, build_status: number === 3 ? this.build : "succeeded" },
    };
  }

  #built() {
    return {
      ...{ revision_id: "rev_3", build_status: this.build, build_seq: 1, build_error: null },
      ...{ build_error_code: null, diagnostics: [], stage: "build", attempts: 1 },
      ...{ build_started_at: AT, build_finished_at: null, dist_manifest: null },
    };
  }

  /** The build of the draft goes on. */
  builds(phase: BuildPhase): void {
    this.build = phase;
    for (const response of this.#listening) tell(response, "build", this.#built());
  }

  #state() {
    const { app } = this;
    return {
      ...{ app, templates: [], current_draft_revision: { ...this.#version(3), files: FILES } },
      ...{ current_published_revision: null, preview_token: null, active_run: null },
      ...{ can_undo: true, can_redo: false },
    };
  }

  #difference() {
    const line = (kind: string, text: string) => ({ kind, text, eol: "lf" });
    const hunk = {
      ...{ id: "h1", old_start: 1, old_count: 1, new_start: 1, new_count: 1 },
      lines: [line("delete", "export const due = 1;"), line("insert", "export const due = 2;")],
    };
    const diff = { hunks: [hunk], stats: { added: 1, deleted: 1 }, unified: "" };
    return [{ path: "src/lib/due.ts", status: "modified", diff }];
  }

  #proposal() {
    return {
      ...{ id: "cs_1", request_id: "r", base_revision_id: "rev_3", base_hash: hash(3) },
      ...{ patch_id: "p", result_hash: hash(4), files: this.#difference(), diagnostics: [] },
      ...{ state: "open", summary: "Two.", rationale: "", assumptions: [] },
      ...{ behaviours: [], claims: [] },
      verified: { compile: true, tests: true, build: true, bundle: true },
      preview_url: this.preview,
      ...this.result,
    };
  }

  answer(
    method: string,
    { path, query }: { path: string; query: string },
    body: unknown,
    response: ServerResponse,
  ): void {
    if (method !== "GET") this.calls.push(`${method} ${path}`);
    const below = path.replace(/^\/admin\/apps(\/app_1)?/, "");
    if (below === "/builder/events") this.#events(response);
    else if (below === "/builder/chat/stream") this.#chat(body as ChatBody, response);
    else if (below === "/builder/export" && !this.refusal) this.#export(query, response);
    else {
      const { status = 200, value } = this.#answer(method, path, below, body);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    }
  }

  #answer(method: string, path: string, below: string, body: unknown): Answer {
    if (!path.startsWith("/admin/apps/app_1"))
      return { value: { items: below === "" && !this.gone ? [this.app] : [], next_cursor: null } };
    if (this.gone) return refused({ status: 404, code: "NOT_FOUND" });
    if (below === "/builder/export" && this.refusal) return refused(this.refusal);
    if (below === "" && method === "PATCH") return this.#change(body as AppChange);
    if (below === "" && method === "DELETE") {
      this.gone = true;
      return { value: { status: "deleted", id: "app_1" } };
    }
    if (below === "/publish") {
      this.app = { ...this.app, status: "published", current_published_revision_id: "rev_3" };
      return { value: this.app };
    }
    if (below === "/builder/working-copy" && method === "GET") return { value: null };
    if (below === "/builder/scaffolds/rest-api") return this.#setUp(body as { values: object });
    return { value: this.#read(below, body) };
  }

  #setUp(body: { values: object }): Answer {
    this.setUps.push(body);
    const { refusal } = this;
    this.refusal = null;
    return refusal ? refused(refusal) : { value: this.#proposal() };
  }

  #change(change: AppChange): Answer {
    this.changes.push(change);
    const { refusal } = this;
    this.refusal = null;
    if (refusal) return refused(refusal);
    const { settings, ...rest } = change;
    this.app = { ...this.app, ...rest, settings: { ...this.app.settings, ...settings } };
    return { value: this.app };
  }

  #read(below: string, body: unknown): unknown {
    const page = (items: unknown[]) => ({ items, next_cursor: null });
    if (below === "/builder/state") return this.#state();
    if (below === "/builder/revisions") return page([3, 2].map((n) => this.#version(n)));
    if (/^\/builder\/revisions\/rev_\d\/preview-token$/.test(below))
      return {
        ...{ revision_id: "rev_3", preview_token: "t", preview_url: `${this.preview}/` },
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      };
    if (/^\/builder\/revisions\/rev_\d\/build$/.test(below)) return this.#built();
    if (/^\/builder\/revisions\/rev_\d$/.test(below))
      return { ...this.#version(Number(below.at(-1))), files: FILES };
    if (below.startsWith("/builder/proposals/cs_1")) return this.#proposal();
    if (below === "/builder/diff") return { from: "rev_2", to: "rev_3", files: this.#difference() };
    if (below === "/builder/scaffolds") return [SERVICE];
    if (below === "/builder/health") return { diagnostics: [] };
    return body && below === "/builder/working-copy" ? body : page([]);
  }

  #export(query: string, response: ServerResponse): void {
    this.exports.push(query);
    response.writeHead(200, { "content-type": "text/x-diff" });
    response.end(`diff --git a/one b/one\n${query}\n`);
  }

  #events(response: ServerResponse): void {
    streams(response);
    tell(response, "build", this.#built());
    this.#listening.add(response);
    response.on("close", () => this.#listening.delete(response));
  }

  #chat(body: ChatBody, response: ServerResponse): void {
    streams(response);
    const request_id = String(this.runs.length + 1).padStart(32, "0");
    let seq = 0;
    const say = (event: string, data: object): void => {
      seq += 1;
      const value = { event, stage: "start", request_id, seq, ts: AT, data };
      response.write(
        `id: ${request_id}:${seq}\nevent: ${event}\ndata: ${JSON.stringify(value)}\n\n`,
      );
    };
    say("status", { content: "Reading", thread_id: "t".repeat(32) });
    this.runs.push({
      body,
      end: (outcome, proposal_id) => {
        say("token", { content: "Done." });
        say("done", { outcome, turn_id: `turn_${request_id}`, proposal_id });
        response.end();
      },
    });
  }
}

const streams = (response: ServerResponse): void =>
  void response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
  });
const tell = (response: ServerResponse, event: string, data: object): void =>
  void response.write(`id: e:1\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

async function read(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? undefined : JSON.parse(text);
}

const quote = { tokens: { min: 1, max: 2 }, cost: { min: 1, max: 2 }, fits: true };
const indicator = {
  ...{ payer: "platform", currency: "USD", state: "ok", budget: null, others: [] },
  ...{ today: { cost: 0, tokens: 0, requests: 0 }, estimated: false },
};

/** For the top of a test file: the page of one app over an edge of its own. */
export function apps() {
  const thrown = new WeakMap<Page, string[]>();
  let site: Site;
  let browser: Browser;
  let shown: Awaited<ReturnType<typeof previews>>;
  let edge: AppsEdge;

  before(
    async () => {
      shown = await previews();
      site = await serve("page", async (path, request, response) => {
        if (path.startsWith("/gateway/") || path.startsWith("/v1/")) {
          response.writeHead(200, { "content-type": "application/json" });
          response.end(JSON.stringify(path.endsWith("/quote") ? quote : indicator));
          return true;
        }
        if (!path.startsWith("/admin/")) return false;
        const [, query = ""] = (request.url ?? "").split("?");
        edge.answer(request.method ?? "GET", { path, query }, await read(request), response);
        return true;
      });
      browser = await startBrowser();
    },
    { timeout: 180_000 },
  );

  after(async () => {
    await browser?.close();
    site?.stop();
    shown?.stop();
  });

  const page = async (token: string, part: string, viewport?: ViewportSize): Promise<Page> => {
    const context = await browser.newContext({
      viewport: viewport ?? { width: 1440, height: 900 },
      reducedMotion: "reduce",
      serviceWorkers: "block",
    });
    const opened = await context.newPage();
    opened.setDefaultTimeout(60_000);
    const errors: string[] = [];
    thrown.set(opened, errors);
    opened.on("pageerror", (error: Error) => errors.push(String(error.stack ?? error)));
    await opened.goto(`${site.origin}/apps/app_1${part}#token=${token}`);
    await opened.getByTestId("hp-draft").waitFor();
    return opened;
  };

  return {
    /** Somebody at the app, over a fresh edge. */
    async opened(
      part = "",
      { viewport, given }: { viewport?: ViewportSize; given?: (edge: AppsEdge) => void } = {},
    ) {
      edge = new AppsEdge(shown.origin);
      given?.(edge);
      return { page: await page("hp_ann", part, viewport), edge };
    },
    /** Somebody else at the same app. */
    other: (part = ""): Promise<Page> => page("hp_bea", part),
    async closed(...all: Page[]): Promise<void> {
      for (const one of all) {
        const errors = thrown.get(one) ?? [];
        await one.context().close();
        if (errors.length) throw new Error(errors.join("\n"));
      }
    },
  };
}
