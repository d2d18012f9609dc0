/** States of running a script: its forms, a run that goes on, what came of it, the proposal beside. */
import type { Output, OutputDifference } from "@holdpoint/core/python-run";
import { t } from "@holdpoint/elements";
import type { RunColumn, RunField, RunView } from "@holdpoint/elements/run/view";
import { PYTHON_BYTES } from "../src/pages/scripts/interpreter.js";
import type { ScriptPageView } from "../src/pages/scripts/page-view.js";
import { minute } from "./fixtures.js";
import * as f from "./script-fixtures.js";
import { over, panel } from "./script-page.js";

const field = (name: string, is: RunField["is"], more: Partial<RunField> = {}): RunField => ({
  name,
  is,
  title: name,
  help: "",
  required: false,
  options: [],
  value: "",
  problem: "",
  file: null,
  ...more,
});
const forms: RunView["forms"] = [
  {
    id: "settings",
    state: "ready",
    title: "Rules",
    fields: [
      field("language", "choice", { title: "Language", options: ["en", "sv"], value: "sv" }),
      field("lowest", "choices", {
        title: "Ratings that count",
        options: ["EI 30", "EI 60", "EI 90"],
        value: ["EI 60", "EI 90"],
      }),
      field("width", "integer", {
        title: "Least clear width in mm",
        help: "800 mm is usual inside a flat.",
        required: true,
        value: "800",
      }),
      field("strict", "yes", { title: "Also doors without a storey", value: true }),
      field("date", "date", { title: "As of", value: "2026-11-30" }),
    ],
  },
  {
    id: "input",
    state: "ready",
    title: "Doors",
    fields: [
      field("doors", "text", {
        title: "Export of the doors (CSV)",
        required: true,
        file: { name: "harbour-house-doors-2026-11.csv", size: 48_230 },
      }),
      field("names", "list", { title: "Leave out", value: "Gate\nHatch" }),
    ],
  },
];
const start: RunView = {
  phase: "idle",
  load: { here: 0, of: PYTHON_BYTES, done: false },
  away: "",
  which: "now",
  proposed: null,
  forms,
  files: [{ name: "walls.csv", size: 12_400 }],
  refused: "",
  columns: [],
  same: null,
  moved: false,
  faults: 0,
  since: 0,
  now: minute(24),
  examples: [],
  keeps: false,
};
const ready = { here: PYTHON_BYTES, of: PYTHON_BYTES, done: true };
const column = (more: Partial<RunColumn> = {}): RunColumn => ({
  side: "now",
  print: "",
  state: "done",
  printed: "",
  outputs: [],
  leftOut: [],
  error: null,
  ms: 310,
  differs: null,
  ...more,
});
const facts = (missing: number): Output => ({
  is: "facts",
  name: "",
  rows: [
    ["status", "ok"],
    ["missing", missing],
    ["complete", missing === 0],
  ],
});
const table = (rating: string): Output => ({
  is: "table",
  name: "report.csv",
  columns: ["Name", "Storey", "FireRating", "Width"],
  rows: [
    ["Door 01-014", "Level 1", "EI 30", 900],
    ["Door 01-022", "Level 1", rating, 1_010],
    ["Door 02-003", "Level 2", "EI 60", 800],
  ],
  total: 1_204,
});
const report: Output = {
  is: "text",
  name: "report",
  text: "Door report\nDoors: 1,204\n\nLevel 1\n  01-014: 790 mm\n",
  cut: false,
};
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="120">${[70, 96, 40, 58]
  .map(
    (high, i) =>
      `<rect x="${20 + i * 74}" y="${110 - high}" width="48" height="${high}" fill="#0c5a69"/>`,
  )
  .join("")}</svg>`;
const chart: Output = {
  is: "file",
  name: "doors-by-storey.svg",
  bytes: new TextEncoder().encode(drawing),
  picture: "image/svg+xml",
};
const bytes: Output = { ...chart, name: "report.csv", picture: "" };
const same: OutputDifference = { differs: false, lines: new Set() };
const at = (...lines: number[]): OutputDifference => ({ differs: true, lines: new Set(lines) });

const shown = (run: Partial<RunView>): ScriptPageView =>
  over(
    { front: "run", run: { ...start, ...run } },
    { editors: f.editors(f.files, null), pane: "run" },
  );
const failed = (title: string, text: string, more: Partial<RunColumn["error"] & object> = {}) =>
  shown({
    load: ready,
    columns: [
      column({
        state: "failed",
        printed: "reading doors.csv\n",
        error: {
          ...{ title, text, line: 22, linked: true },
          source: '        if not door["FireRating"]:',
          trace: [
            "Traceback (most recent call last):",
            '  File "tool.py", line 22, in run_tool',
            '    if not door["FireRating"]:',
            "KeyError: 'FireRating'\n",
          ].join("\n"),
          ...more,
        },
      }),
    ],
  });

export const runs: Record<string, () => ScriptPageView> = {
  "scripts-run": () => shown({}),
  "scripts-run-bare": () =>
    shown({
      forms: [
        { id: "settings", state: "ready", title: "", fields: [] },
        { id: "input", state: "broken", title: "", fields: [] },
      ],
      files: [],
      refused: t("script.run.files.large", { name: "site.ifc", size: "32 MB" }),
    }),
  "scripts-run-faults": () =>
    shown({
      faults: 2,
      forms: forms.map((form) => ({
        ...form,
        fields: form.fields.map((one) => {
          if (one.name === "width")
            return { ...one, value: "500", problem: t("script.run.field.least", { n: 600 }) };
          if (one.name === "doors")
            return { ...one, file: null, problem: t("script.run.field.required") };
          return one;
        }),
      })),
    }),
  "scripts-run-loading": () =>
    shown({
      phase: "loading",
      load: { ...ready, here: 7_340_000, done: false },
      columns: [column({ state: "waits" })],
    }),
  "scripts-run-running": () =>
    shown({
      ...{ phase: "running", load: ready, since: minute(24) - 12_000 },
      columns: [column({ state: "running", printed: "Level 1: 310 doors\nLevel 2: 298 doors\n" })],
    }),
  "scripts-run-done": () =>
    shown({
      ...{ load: ready, keeps: true },
      columns: [
        column({
          printed: "Level 1: 310 doors\nLevel 2: 298 doors\n",
          outputs: [facts(14), report, table("–"), bytes, chart],
          leftOut: ["all-doors.json"],
        }),
      ],
      examples: [
        { id: "1", title: t("script.run.example.title", { n: 1 }), state: "kept", side: "now" },
      ],
    }),
  "scripts-run-failed": () =>
    failed(t("script.run.error.key.title", { name: "'FireRating'" }), t("script.run.error.key")),
  "scripts-run-package": () =>
    failed(
      t("script.run.error.package.title", { name: "pandas" }),
      t("script.run.error.package", { name: "pandas" }),
      { line: 3, source: "import pandas as pd", trace: "" },
    ),
  "scripts-run-late": () =>
    shown({
      ...{ load: ready, moved: true },
      columns: [
        column({
          ...{ state: "time", ms: 60_000, printed: "Level 1\n" },
          error: {
            ...{ line: null, source: "", linked: false, trace: "" },
            title: t("script.run.end.time.title"),
            text: t("script.run.end.time", { time: t("script.run.seconds", { n: 60 }) }),
          },
        }),
      ],
    }),
  "scripts-run-away": () => shown({ away: "Failed to fetch" }),
  "scripts-run-both": () =>
    over(
      {
        ...{ front: "run", panel: "proposal", proposal: f.proposal },
        run: {
          ...start,
          ...{ load: ready, which: "both", proposed: { print: "A41F 02C9" }, same: false },
          columns: [
            column({
              outputs: [facts(14), table("–"), bytes],
              differs: { outputs: [at(1), at(1), at()], printed: same },
            }),
            column({
              ...{ side: "proposed", print: "A41F 02C9", ms: 324 },
              outputs: [facts(15), table("ei 30"), bytes, chart],
              differs: { outputs: [at(1), at(1), at(), at()], printed: same },
            }),
          ],
          examples: [
            {
              id: "1",
              title: t("script.run.example.title", { n: 1 }),
              state: "same",
              side: "proposed",
            },
            {
              ...{ id: "2", title: t("script.run.example.title", { n: 2 }) },
              ...{ state: "differs", side: "proposed" },
            },
          ],
        },
      },
      { editors: f.editors(f.files, null), pane: "run" },
    ),
  "scripts-run-breaks": () =>
    panel({
      proposal: {
        ...f.proposal,
        examples: { state: "done", breaks: [t("script.run.example.title", { n: 2 })], of: 3 },
      },
    }),
};
