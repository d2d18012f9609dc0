// The pages of apps over an edge in memory (app-builder.md §3): one app, its builds, runs that a test ends, proposals,
// publishing and settings; and the origin on which its preview runs, with the bridge that the edge serves.

import { readFileSync } from "node:fs";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import type { App, AppProposal, BuildPhase, ChatBody, Outcome } from "@holdpoint/core/apps";
import { listen } from "../site.ts";
import { comes, Edge, listed, Refused, Reply, type Routes } from "./edge.ts";
import { pagesOver } from "./pages.ts";
import { Stream } from "./stream.ts";

const bridge = readFileSync(
  fileURLToPath(new URL("../../../worker/src/kinds/vite_app/bridge.js", import.meta.url)),
  "utf8",
);

/** A browser that keeps nothing for frames of other sites. */
const UNKEPT = `<script>Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("Access is denied.", "SecurityError"); },
});</script>`;

/** The origin of previews: a page with two buttons and the bridge. */
export const previews = () =>
  listen(({ url = "" }, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    const unkept = url.startsWith("/unkept") ? UNKEPT : "";
    response.end(
      url.startsWith("/other")
        ? "<p>Another page</p>"
        : `<!doctype html>${unkept}<script>${bridge}</script><h1>Snags</h1><button>Add snag</button>`,
    );
  });

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

/** A run that goes on until the test ends it. */
class Run extends Stream {
  #seq = 0;

  constructor(
    n: number,
    readonly body: ChatBody,
  ) {
    super(String(n).padStart(32, "0"));
    this.#say("status", { content: "Reading", thread_id: "t".repeat(32) });
  }

  #say(event: string, data: object, isLast = false): void {
    this.#seq += 1;
    const of = { event, stage: "start", request_id: this.id, seq: this.#seq, ts: AT };
    this.tell(event, { ...of, data }, isLast);
  }

  end(outcome: Outcome, proposal_id?: string): void {
    this.#say("token", { content: "Done." });
    this.#say("done", { outcome, turn_id: `turn_${this.id}`, proposal_id }, true);
  }
}

const ROOT = "/admin/apps/app_1";
const BUILDER = `${ROOT}/builder`;
/** Calls of the edge, as `of` and `faults` name them. */
export const CHANGE = `PATCH ${ROOT}`;
export const SET_UP = `POST ${BUILDER}/scaffolds/rest-api`;
export const EXPORT = `GET ${BUILDER}/export`;

export class AppsEdge extends Edge {
  runs: Run[] = [];
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
  readonly #events = new Stream("e");
  protected override readonly routes: Routes = {
    "GET /admin/apps": () => listed(this.gone ? [] : [this.app]),
    [`* ${ROOT}(/.*)?`]: () => {
      if (this.gone) throw new Refused({ status: 404, code: "NOT_FOUND" });
    },
    [CHANGE]: ({ body }) => this.#change(body),
    [`DELETE ${ROOT}`]: () => {
      this.gone = true;
      return { status: "deleted", id: "app_1" };
    },
    [`POST ${ROOT}/publish`]: () =>
      this.#change({ status: "published", current_published_revision_id: "rev_3" }),
    [`GET ${BUILDER}/events`]: () => {
      this.builds(this.build);
      return this.#events;
    },
    [`POST ${BUILDER}/chat/stream`]: ({ body }) => {
      const run = new Run(this.runs.length + 1, body as unknown as ChatBody);
      this.runs.push(run);
      return run;
    },
    [EXPORT]: ({ query }) => {
      const type = { "content-type": "text/x-diff" };
      return new Reply(200, `diff --git a/one b/one\n${query}\n`, type);
    },
    [`GET ${BUILDER}/state`]: () => this.#state(),
    [`GET ${BUILDER}/revisions`]: () => listed([3, 2].map((n) => this.#version(n))),
    [`GET ${BUILDER}/revisions/rev_(\\d)`]: (_, n) => ({
      ...this.#version(Number(n)),
      files: FILES,
    }),
    [`GET ${BUILDER}/revisions/:id/build`]: () => this.#built(),
    [`POST ${BUILDER}/revisions/:id/preview-token`]: () => ({
      ...{ revision_id: "rev_3", preview_token: "t", preview_url: `${this.preview}/` },
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    }),
    [`* ${BUILDER}/proposals/cs_1(/.*)?`]: () => this.#proposal(),
    [`GET ${BUILDER}/diff`]: () => ({
      ...{ from: "rev_2", to: "rev_3" },
      files: this.#difference(),
    }),
    [`GET ${BUILDER}/scaffolds`]: () => [SERVICE],
    [SET_UP]: () => this.#proposal(),
    [`GET ${BUILDER}/health`]: () => ({ diagnostics: [] }),
    [`GET ${BUILDER}/working-copy`]: () => null,
    [`PUT ${BUILDER}/working-copy`]: ({ body }) => body,
    "GET /admin/apps/.*": () => listed([]),
  };

  /** Where the app runs, without the last slash. */
  constructor(public preview: string) {
    super();
  }

  /** A run, once it was asked for. */
  begun(n = 1): Promise<Run> {
    return comes(() => this.runs[n - 1], `Run ${n}`);
  }

  /** The build of the draft goes on. */
  builds(phase: BuildPhase): void {
    this.build = phase;
    this.#events.tell("build", this.#built());
  }

  #change({ settings, ...rest }: Partial<App>): App {
    const kept = { ...this.app.settings, ...settings };
    this.app = { ...this.app, ...rest, settings: kept };
    return this.app;
  }

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
}

/** For the top of a test file: the page of one app. */
export function apps() {
  let shown: Awaited<ReturnType<typeof previews>>;
  before(async () => {
    shown = await previews();
  });
  after(() => shown?.stop());
  return pagesOver({
    make: () => new AppsEdge(shown.origin),
    root: "/apps/app_1",
    token: "hp_ann",
    ready: (page) => page.getByTestId("hp-draft").waitFor(),
  });
}
