/** What the states of the model page begin with: a page, and a change at each of its steps. */
import { type ChangeLine, type ChangeView, type PanelView, t } from "@holdpoint/elements";
import type { PageView } from "../../src/pages/model/page-view.js";
import * as f from "../fixtures.js";

export const purse = {
  currency: "USD",
  left: { tokens: 3_100_000, cost: 0 },
  limit: { tokens: 5_000_000, cost: 0 },
  period: "month",
  resets_at: new Date(2026, 11, 1).getTime(),
};

export const change: ChangeView = {
  number: 7,
  elsewhere: null,
  title: "Fire rating coverage",
  screen: "change",
  run: null,
  gateway: null,
  testing: null,
  writing: [],
  quote: null,
  purse,
  problem: null,
  waits: 0,
  proposed: f.proposed,
  planned: f.planView.capabilities,
  manifest: f.manifest,
  baseVersion: null,
  review: null,
  grants: null,
  trial: null,
  print: "",
  versionFacts: { diffs: {}, trials: {}, asked: {}, spent: {}, beside: null },
  settled: true,
  typed: "",
  accepted: [],
  approved: {},
  stale: "",
  sending: false,
  installed: null,
  turns: [],
  answering: "Scripted model",
  offline: false,
  modelReady: true,
  model: "Harbour House.ifc",
  draft: "",
  now: f.minute(4) + 19_000,
  source: null,
  history: null,
  log: null,
  chosen: [],
};

export const page: PageView = {
  signIn: null,
  model: {
    facts: f.facts,
    models: [f.line],
    rows: f.rows,
    tree: f.tree,
    choices: f.choices,
    shown: [{ set: "Pset_WallCommon", name: "FireRating", values: f.values }],
    query: { text: "", filters: [] },
    found: null,
    units: f.units,
    selected: f.selected,
    details: f.details,
    colouring: null,
  },
  opening: null,
  change,
  docks: [],
  trials: [],
  beside: false,
  panel: null,
  commands: [],
  palette: null,
  keys: new Map(),
  status: [],
  saved: [],
  recent: [],
  visible: f.selected.map((expressId) => ({ modelId: f.facts.model_id, expressId })),
  view3d: { layout: "table", off: false, view: null, away: 0 },
  examples: null,
  drift: null,
  extensions: [],
  indicator: f.indicator,
  answering: { model: "Scripted model", scripted: true },
  offline: false,
  pane: "change",
  pair: "dock",
  drawer: false,
  filtering: false,
  storeyFilters: false,
  choosing: false,
  commanding: false,
  adjusting: false,
  menu: null,
  popover: null,
  toast: null,
  problem: null,
  theme: "light",
  density: "comfortable",
  language: "en",
  widths: { tree: 264, left: 336, bottom: 280, dock: 336, work: null },
  wide: false,
  dropping: false,
  now: f.minute(4) + 19_000,
};

export const panel: PanelView = {
  slot: "dock.right",
  extension: "fire.coverage",
  dock: "fire.coverage.dock",
  title: "Fire rating coverage",
  version: "0.1.0",
  hash: "sha256:7c1e90ab",
  stored: true,
  enabled: true,
  busy: false,
  failure: null,
  state: {
    rows: [
      ["Roof", 0, 6],
      ["Level 2", 20, 36],
      ["Level 1", 22, 36],
      ["Ground floor", 31, 38],
      ["Basement", 12, 14],
    ].map(([storey, rated, walls]) => ({
      storey: String(storey),
      rated: Number(rated),
      walls: Number(walls),
      share: Number(rated) / Number(walls),
    })),
    headline: "65 %",
    note: "85 of 130 walls, Pset_WallCommon.FireRating",
  },
  widget: {
    type: "Stack",
    direction: "vertical",
    children: [
      { type: "Text", text: "Walls with a fire rating", variant: "caption" },
      { type: "Text", text: "$.headline", variant: "heading" },
      { type: "Text", text: "$.note", variant: "caption" },
      {
        type: "Table",
        data: "$.rows",
        columns: [
          { title: "Storey", field: "storey" },
          { title: "Rated", field: "rated", format: "integer" },
          { title: "Share", field: "share", format: "percent" },
        ],
        rowCommand: "fire.coverage.select",
      },
      {
        type: "Chart",
        variant: "bar",
        data: "$.rows",
        xField: "storey",
        yField: "rated",
        title: "Rated walls",
      },
      { type: "Field", label: "Name contains", binding: "$.filter", variant: "text" },
      { type: "Button", label: "Export CSV", command: "fire.coverage.export", icon: "download" },
    ],
  },
};

export const over = (more: Partial<ChangeView>, rest: Partial<PageView> = {}): PageView => ({
  ...page,
  ...rest,
  change: { ...change, ...more },
});
export const approved = { ...f.planView, approved: true, edits: 0 };
export const inReview = {
  ...f.run,
  state: "review" as const,
  attempt: 2,
  plan: approved,
  attempts: [f.first, { ...f.second, best: false }, f.passed],
  files: f.files,
  capabilities: f.uses,
  tests: f.tests,
  review: f.review,
  approved_at: f.minute(3),
};
export const failed = {
  ...inReview,
  state: "failed" as const,
  reason: "attempts" as const,
  best: { attempt: 2, check_ok: true, errors: 1, failing_tests: 1 },
  review: null,
  attempts: [
    f.first,
    f.second,
    { ...f.second, number: 2, best: true },
    { ...f.second, number: 3 },
    { ...f.second, number: 4 },
  ],
};
export const installed = { ...inReview, state: "installed" as const };
export const reviewing = {
  run: inReview,
  review: f.review,
  grants: f.grants,
  print: f.review.result_hash,
  gateway: f.ended,
};
/** One permission is left out. */
export const less = f.plan.capabilities.filter((one) => one !== "viewer.read");
export const after = {
  ...reviewing,
  run: installed,
  log: f.conversation,
  installed: {
    record: f.record,
    name: "Fire rating coverage",
    at: f.minute(9),
    stored: true,
    print: f.record.content_hash,
    place: "dock" as const,
  },
};
/** One panel is open. */
export const docked = (more: Partial<PanelView> = {}): Partial<PageView> => {
  const one = { ...panel, ...more };
  return {
    docks: [{ place: "right", tabs: [one], front: one.dock }],
    panel: one.dock,
    pane: "panels",
  };
};
export const off = {
  ...f.record,
  enabled: false,
  reason: "The code ran longer than 5 seconds. Look for a loop that does not end.",
};

export const earlier = (): ChangeLine[] => [
  {
    id: "8",
    number: 8,
    title: "Fire rating coverage 0.2.0",
    sub: `${t("review.tests.of", { n: 3, of: 3 })} · ${t("review.files", { n: 5 })}`,
    at: f.minute(40),
    signed: true,
    result_hash: "sha256:c4d218f7",
    extension: "fire.coverage",
    version: "0.2.0",
    undo: "undo",
  },
  {
    id: "7",
    number: 7,
    title: "Fire rating coverage 0.1.0",
    sub: `${t("review.tests.of", { n: 3, of: 3 })} · ${t("review.files", { n: 5 })}`,
    at: f.minute(9),
    signed: true,
    result_hash: "sha256:7c1e90ab",
    extension: "fire.coverage",
    version: "0.1.0",
    undo: "undo",
    blocked: t("history.blocked", { n: 8 }),
  },
  {
    id: "6",
    number: 6,
    title: "Door schedule",
    sub: t("failed.attempts", { n: 5 }),
    at: f.minute(-20),
    signed: false,
    result_hash: null,
    extension: null,
    version: "",
    undo: null,
  },
];
