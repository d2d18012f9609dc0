/** One app in all its parts: what the states of its pages are made of. */
import type { AppRun, ChangedPath } from "@holdpoint/core/apps";
import { t } from "@holdpoint/elements";
import { AppEditors } from "@holdpoint/elements/apps/editors";
import type {
  AppConflictView,
  AppExportView,
  AppServicesView,
  AppSettingsView,
  AppsView,
  AppTalkView,
  AppVersionsView,
  BuildView,
  CodeView,
  PreviewView,
  PublishView,
  RuntimeError,
} from "@holdpoint/elements/apps/view";
import type { DiffFile } from "@holdpoint/elements/diff/view";
import type { OpenAppView, WorkspaceView } from "../src/pages/apps/page-view.js";
import { indicator, minute } from "./fixtures.js";

export { indicator };
export const now = minute(24);

const TABLE = `import { SNAGS } from "../data/snags";
import { formatDay } from "../lib/due";

/** Open snags, sorted by the column that was pressed. */
export function SnagTable() {
  return (
    <table>
      {SNAGS.map((s) => (
        <tr key={s.id}>
          <td>{s.title}</td>
          <td>{formatDay(s.due)}</td>
        </tr>
      ))}
    </table>
  );
}
`;
const files: Record<string, string> = {
  "index.html": "<div id=root></div>\n",
  "package.json": '{ "name": "snag-list" }\n',
  "src/components/SnagTable.tsx": TABLE,
  "src/data/snags.ts": "export const SNAGS = [];\n",
  "src/lib/due.test.ts": "test('a day', () => {});\n",
  "src/lib/due.ts": "export const formatDay = (day) => day;\n",
  "src/main.tsx": "render();\n",
};
export const places = ["src/components/SnagTable.tsx:11", "src/data/snags.ts:1"];

/** What runs in the frame: a document of its own, as large as an app is small. */
const shown = URL.createObjectURL(
  new Blob(
    [
      `<!doctype html><html lang="en"><title>Snag list</title><style>body{font:15px sans-serif;margin:24px}
      td,th{padding:6px 12px;text-align:start;border-bottom:1px solid #ddd}</style>
      <main><h1>Snag list</h1><table><tr><th>No.<th>Snag<th>Due<tr><td>17<td>Door 2.14 does not close<td>24 Nov
      <tr><td>18<td>Paint at the stair<td>1 Dec</table></main></html>`,
    ],
    { type: "text/html" },
  ),
);

let editors: AppEditors | null = null;
function editing(): AppEditors {
  editors ??= new AppEditors(files, {
    changes: () => [],
    label: (path) => t("apps.code.label", { path }),
    changed: () => undefined,
    save: () => undefined,
  });
  editors.show("src/components/SnagTable.tsx");
  return editors;
}

const built: BuildView = {
  ...{ phase: "succeeded", stage: "", since: null, took: 2_100, code: "", error: "" },
  ...{ superseded: false, findings: [], log: "", off: "", number: 14, now },
};
export const wrong = {
  ...{ severity: "error", code: "TYPE_ERROR", path: "src/components/SnagTable.tsx" },
  message: "The trade can be missing here, but countBy wants a text.",
  range: { start: { line: 11, column: 15 }, end: { line: 11, column: 24 } },
} as const;
export const failed = (): BuildView => ({
  ...built,
  ...{ phase: "failed", took: null, code: "BUILD_FAILED", number: 15, log: "vite build\nerror" },
  findings: [{ ...wrong }] as unknown as BuildView["findings"],
});

export const preview = (): PreviewView => ({
  ...{ address: shown, shown: "rev_14", state: "ready", number: 14, draft: 14, problem: null },
  ...{ print: "", device: "full", route: "#/", errors: [], picking: false, undo: null },
  storage: true,
});
export const errors: RuntimeError[] = [
  {
    message: "Cannot read properties of undefined (reading 'due')",
    ...{ asset: "assets/index-1f0c.js", line: 17, column: 42, count: 3 },
    source: { path: "src/components/SnagTable.tsx", line: 31 },
  },
  { message: "Refused to connect to weather.example", asset: "", line: 0, column: 0, count: 1 },
];

export const code = (): CodeView => ({
  ...{ files: Object.keys(files), open: "src/components/SnagTable.tsx", bytes: null },
  ...{ edited: [], errors: {} },
  ...{ findings: [], checked: true, saving: false, off: "", next: 15, gate: "build" },
  refused: null,
});
export const refused = (): Pick<CodeView, "refused" | "edited" | "errors"> => ({
  refused: {
    error: { code: "BUILDER_COMPILE_FAILED", message: "Fix what is listed: no version was made." },
    findings: [{ ...wrong }] as unknown as CodeView["findings"],
  },
  edited: ["src/components/SnagTable.tsx"],
  errors: { "src/components/SnagTable.tsx": 1 },
});

const run: AppRun = {
  ...{ request: "r", thread: "t", seq: 9, status: "Bundling", model: "scripted-1", step: "build" },
  ...{ failed: false, spent: { input_tokens: 8_120, output_tokens: 640, cost_micros: 50_000 } },
  lines: [
    {
      id: "1",
      tool: "read_file",
      title: "Read 3 files",
      state: "ok",
      path: "",
      elapsed: 4,
      step: "ask",
      findings: [],
    },
    {
      id: "2",
      tool: "run_targeted_tests",
      title: "1 of 7 tests failed",
      state: "failed",
      path: "",
      elapsed: 4_000,
      step: "test",
      findings: [],
    },
  ],
};

export function talk(): AppTalkView {
  const mine = {
    id: "q",
    who: "you",
    text: "Three numbers on top.",
    at: minute(3),
    state: "done",
  } as const;
  const answer = {
    id: "a",
    who: "assistant",
    text: "Three cards above the table.",
    at: minute(4),
    state: "done",
  } as const;
  return {
    conversation: {
      ...{ state: "ready", problem: null, offline: false, turns: [mine, answer], outcome: null },
      ...{ running: null, examples: [], intro: "apps.talk.intro", note: "apps.talk.note", now },
      ...{ beside: false, live: false, clearable: false },
    },
    composer: {
      ...{ mode: "edit", modes: ["edit", "plan", "answer"], label: t("apps.ask"), draft: "" },
      ...{ placeholder: t("apps.ask.placeholder"), last: "", off: "", sending: false, since: null },
      hint: t("apps.ask.up_to", { amount: "$0.18" }),
      ...{ stopping: t("apps.ask.stopping"), waits: 0, over: null, limit: 20_000, now },
      ...{ files: Object.keys(files), several: [], tokens: [], queued: null },
    },
    extras: { a: { run, outcome: "succeeded", error: null, card: "applied" } },
  };
}

export const work = (): WorkspaceView => ({
  ...{
    front: "preview",
    preview: preview(),
    shown: t("apps.version.n", { n: "14" }),
    code: code(),
  },
  ...{ editors: editing(), build: null, talk: talk(), review: null, conflict: null },
  undo: { on: true, reason: "" },
  redo: { on: false, reason: t("apps.redo.none") },
});

export const app = (change: Partial<OpenAppView>): OpenAppView => ({
  bar: {
    ...{ name: "Snag list", draft: 14, build: built, part: "workspace", versions: 14 },
    live: { number: 12, address: "https://apps.example/snag-list/" },
  },
  ...{ href: "/apps/app_1", work: work(), versions: null, publish: null, settings: null },
  ...{ services: null, exporting: null },
  ...change,
});

const template = (key: string, name: string, description: string) => ({
  ...{ key, name, description, thumbnail: "", tags: [], entry_file: "src/main.tsx" },
  ...{ style_tokens: {}, template_hash: "" },
});

export const list = (): AppsView => ({
  ...{ state: "ready", problem: null, creating: false, refused: null, offline: false, now },
  apps: [
    {
      ...{ id: "app_1", name: "Snag list", slug: "snag-list", status: "published", was: true },
      ...{ draft: { number: 14, build: "succeeded" }, live: 12, running: true, unsaved: false },
      at: minute(21),
    },
    {
      ...{ id: "app_2", name: "Stairs", slug: "stairs", status: "draft", was: false, live: null },
      ...{ draft: { number: 1, build: "failed" }, running: false, unsaved: true, at: minute(-900) },
    },
  ],
  templates: [
    template("chat-classic", "Chat", "A conversation"),
    template("dashboard", "Dashboard", "Cards, a chart, a table"),
  ],
});

const line = (kind: "context" | "insert" | "delete", text: string) => ({
  kind,
  text,
  eol: "lf" as const,
});
export const changed = (): DiffFile[] => [
  {
    ...{ path: "src/components/SnagTable.tsx", status: "modified", before: TABLE },
    diff: {
      stats: { added: 2, deleted: 1 },
      hunks: [
        {
          ...{ id: "h1", old_start: 10, old_count: 2, new_start: 10, new_count: 3 },
          lines: [
            line("context", "          <td>{s.title}</td>"),
            line("delete", "          <td>{formatDay(s.due)}</td>"),
            line("insert", "          <td>{formatDay(s.due)}"),
            line(
              "insert",
              '            {isOverdue(s) && <span className="tag">Overdue</span>}</td>',
            ),
          ],
        },
      ],
    } as unknown as DiffFile["diff"],
  },
  {
    ...{ path: "src/components/TradeFilter.tsx", status: "added" },
    diff: {
      stats: { added: 1, deleted: 0 },
      hunks: [
        {
          ...{ id: "h2", old_start: 0, old_count: 0, new_start: 1, new_count: 1 },
          lines: [line("insert", "export const TradeFilter = () => null;")],
        },
      ],
    } as unknown as DiffFile["diff"],
  },
];

export const changedPaths = (): ChangedPath[] =>
  changed().map(({ path, status = "modified" }) => ({ path, status: status as "added" }));

export const sign = (label: string, id: string, testid: string): PublishView["foot"]["main"] => ({
  ...{ id, label, icon: "check", look: "sign", testid, mono: true, print: "5C2E A7D1" },
});
export const before = (): PublishView["foot"]["before"] => [
  { id: "discard", label: t("script.discard"), danger: true, alt: true },
  { id: "ask-on", label: t("apps.review.ask"), alt: true },
];

export const conflict = (): AppConflictView => ({
  ...{ number: 15, at: minute(20), changed: ["src/components/SnagTable.tsx"] },
  ...{ meet: ["src/components/SnagTable.tsx"], files: changed().slice(0, 1), decided: {} },
  layout: "uni",
  foot: {
    ...{ state: "closed", reason: t("script.two.open", { n: 1 }), reasonIcon: "lock" },
    reasonLook: "c-hold",
    before: [
      { id: "mine", label: t("apps.conflict.keep"), alt: true },
      { id: "theirs", label: t("apps.conflict.take"), alt: true },
    ],
    main: { id: "together", label: t("apps.conflict.join"), look: "primary" },
  },
});

export const versions = (): AppVersionsView => ({
  ...{ state: "ready", problem: null, offline: false, more: true, chosen: "rev_12", ticked: [] },
  ...{ layout: "uni", now },
  lines: [14, 13, 12].map((number) => ({
    ...{ id: `rev_${number}`, number, of: number - 1, label: number === 12 ? "Handed over" : "" },
    ...{ origin: number === 13 ? "manual_save" : "coding_run", files: 2, build: "succeeded" },
    ...{ draft: number === 14, live: number === 12, at: minute(number) },
  })),
  compare: {
    ...{ from: 12, to: 14, files: changed(), takes: true, asks: true },
    ends: ["rev_12", "rev_14"],
    changed: changedPaths(),
  },
  foot: {
    ...{ state: "waits", reason: t("apps.versions.hold", { next: "15", n: "12" }) },
    before: [{ id: "leave", label: t("apps.versions.leave") }],
    main: sign(t("apps.versions.restore", { n: "12" }), "restore", "hp-restore"),
  },
});

export function publish(state: "ready" | "pending" | "blocked" | "published"): PublishView {
  const main = sign(t("apps.publish", { n: "14" }), "publish", "hp-publish");
  const foots: Record<typeof state, PublishView["foot"]> = {
    ready: { state: "waits", reason: t("apps.publish.hold", { n: "14", live: "12" }), main },
    pending: {
      ...{ state: "plain", reason: t("apps.publish.waits"), reasonIcon: "clock" },
      main: { id: "publish-wait", label: t("apps.publish.wait.not"), look: "plain" },
    },
    blocked: { state: "closed", reason: t("apps.publish.off.blocked"), main },
    published: {
      ...{ state: "done", reason: t("apps.publish.is", { n: "14" }), reasonIcon: "globe" },
      main: { id: "open-page", label: t("apps.publish.open"), icon: "ext", look: "plain" },
      before: [{ id: "unpublish", label: t("apps.unpublish"), alt: true }],
    },
  };
  return {
    ...{ state, draft: 14, print: "5C2E A7D1", live: 12, liveAt: minute(-300), slug: "snag-list" },
    address: "https://apps.example/snag-list/",
    was: true,
    health: (state === "blocked" ? [{ ...wrong }] : []) as unknown as PublishView["health"],
    ...{ healthProblem: null, looking: false, foot: foots[state], busy: false, now },
    build:
      state === "pending"
        ? { ...built, phase: "running", since: now - 4_000, stage: "build" }
        : built,
    history: [
      {
        seq: 2,
        id: "rev_12",
        number: 12,
        kind: "publish",
        at: minute(-300),
        live: true,
        back: false,
      },
      {
        seq: 1,
        id: "rev_9",
        number: 9,
        kind: "publish",
        at: minute(-900),
        live: false,
        back: true,
      },
    ],
  };
}

export const settings = (): AppSettingsView => ({
  ...{ name: "Snag list", saved: "Snag list", slug: "snag-list", policy: "curated", gate: "build" },
  ...{ tests: true, origins: ["https://api.harbour.example"], published: true, archived: false },
  env: [
    { name: "VITE_API_URL", value: "https://api.harbour.example/v2" },
    { name: "VITE_MAIL_KEY", value: "q7Zt-91fKe0" },
  ],
  errors: {
    "env/1": "Leave `VITE_MAIL_KEY` out: its value looks like a secret, and everybody can read it.",
  },
  ...{ changed: true, busy: false, off: "", draft: 14 },
  foot: {
    ...{ state: "plain", reason: t("apps.set.free"), reasonIcon: "info" },
    before: [{ id: "drop-settings", label: t("apps.code.drop"), alt: true }],
    main: { id: "save-settings", label: t("apps.set.save"), look: "primary" },
  },
});

const plain = (id: string, label: string, reason: string): AppServicesView["foot"] => ({
  ...{ state: "plain", reason, reasonIcon: "info", main: { id, label, look: "primary" } },
});
export const services = (): AppServicesView => ({
  ...{ state: "ready", problem: null, chosen: "rest-api", busy: false, paths: Object.keys(files) },
  ...{ origins: [], waits: "", values: { base_url: "api.harbour.example" } },
  errors: {
    base_url: "Send an address like https://api.example.com/v1, without a query or a password.",
  },
  services: [
    {
      key: "form-endpoint",
      name: "Form that is sent to a service",
      description: "A contact form with name, address and message, sent as JSON to a service.",
      ...{ fields: [], operations: [], env: [], notes: [] },
    },
    {
      key: "rest-api",
      name: "REST service",
      description: "A typed client of an HTTP service that answers JSON.",
      fields: [
        {
          ...{ name: "base_url", label: "Address of the service", form: "url" },
          example: "https://api.example.com/v1",
        },
        {
          ...{ name: "title", label: "Title of the form", form: "text", example: "Write to us" },
          default: "Write to us",
        },
      ],
      operations: ["src/services/api.ts", "src/services/api.test.ts"].map((path) => ({
        ...{ op: "upsert_file", path, template: "" },
      })),
      env: ["VITE_API_URL"],
      notes: [
        "Pages may ask only the origins in the settings of the app: add that of {base_url}.",
        "Everybody can read what a page is built with.",
      ],
    },
  ],
  foot: plain("set-up", t("apps.services.make"), t("apps.services.free")),
});

export const exporting = (): AppExportView => ({
  ...{ state: "ready", problem: null, format: "patch", from: "rev_12", to: "rev_14" },
  ...{ making: false, fault: null },
  versions: [14, 13, 12].map((number) => ({
    ...{ id: `rev_${number}`, number, draft: number === 14, live: number === 12 },
  })),
  begins: `diff --git a/src/lib/due.ts b/src/lib/due.ts
index 5b1c2f0..c90d417 100644
--- a/src/lib/due.ts
+++ b/src/lib/due.ts
@@ -1 +1 @@
-export const formatDay = (day) => day;
+export const formatDay = (day) => (day ? DAY.format(new Date(day)) : "No date");`,
  command:
    "holdpoint app export app_01J --edge https://holdpoint.example --into . --branch snag-list-14" +
    " --from rev_12 --to rev_14",
  foot: plain("download", t("apps.export.download"), "snag-list-12-14.patch, 6.1 kB"),
});
