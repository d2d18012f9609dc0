/** Each state of the page (UI.md §6, §7) as a `PageView`, from the same fixtures. */
import {
  type ChangeLine,
  type ChangeView,
  format,
  language,
  type PanelView,
  t,
} from "@holdpoint/elements";
import { pageItems } from "../src/page-links.js";
import type { PageView } from "../src/pages/model/page-view.js";
import * as f from "./fixtures.js";

const purse = {
  currency: "USD",
  left: { tokens: 3_100_000, cost: 0 },
  limit: { tokens: 5_000_000, cost: 0 },
  period: "month",
  resets_at: new Date(2026, 11, 1).getTime(),
};

const change: ChangeView = {
  number: 7,
  title: "Fire rating coverage",
  screen: "change",
  run: null,
  gateway: null,
  testing: null,
  quote: null,
  purse,
  problem: null,
  waits: 0,
  proposed: f.proposed,
  manifest: f.manifest,
  baseVersion: null,
  review: null,
  grants: null,
  print: "",
  settled: true,
  typed: "",
  accepted: [],
  stale: "",
  sending: false,
  installed: null,
  turns: [],
  answering: "Scripted model",
  offline: false,
  modelReady: true,
  draft: "",
  now: f.minute(4) + 19_000,
  source: null,
  history: null,
  chosen: [],
};

const page: PageView = {
  signIn: null,
  model: {
    facts: f.facts,
    rows: f.rows,
    tree: f.tree,
    columns: [
      { set: "Pset_WallCommon", name: "FireRating", count: 300 },
      { set: "Pset_WallCommon", name: "IsExternal", count: 200 },
    ],
    column: { set: "Pset_WallCommon", name: "FireRating" },
    values: f.values,
    selected: f.selected,
    details: f.details,
    colouring: null,
  },
  opening: null,
  change,
  panels: [],
  panel: null,
  commands: [],
  keys: new Map(),
  status: [],
  extensions: [],
  indicator: f.indicator,
  answering: { model: "Scripted model", scripted: true },
  offline: false,
  pane: "change",
  pair: "dock",
  drawer: false,
  filtering: false,
  adjusting: false,
  menu: null,
  popover: null,
  toast: null,
  problem: null,
  theme: "light",
  density: "comfortable",
  language: "en",
  widths: { tree: 264, dock: 336, work: null },
  wide: false,
  dropping: false,
  now: f.minute(4) + 19_000,
};

const panel: PanelView = {
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

const over = (more: Partial<ChangeView>, rest: Partial<PageView> = {}): PageView => ({
  ...page,
  ...rest,
  change: { ...change, ...more },
});
const approved = { ...f.planView, approved: true, edits: 0 };
const inReview = {
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
const failed = {
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
const installed = { ...inReview, state: "installed" as const };
const reviewing = {
  run: inReview,
  review: f.review,
  grants: f.grants,
  print: f.review.result_hash,
  gateway: f.ended,
};
/** One permission is left out. */
const less = f.plan.capabilities.filter((one) => one !== "viewer.read");
const after = {
  ...reviewing,
  run: installed,
  installed: {
    record: f.record,
    name: "Fire rating coverage",
    at: f.minute(9),
    stored: true,
    print: f.record.content_hash,
    place: "dock" as const,
  },
};
const docked: Partial<PageView> = { panels: [panel], panel: panel.dock, pane: "panels" };
const off = {
  ...f.record,
  enabled: false,
  reason: "The code ran longer than 5 seconds. Look for a loop that does not end.",
};

const earlier = (): ChangeLine[] => [
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

const states: Record<string, () => PageView> = {
  empty: () => page,
  table: () => ({
    ...page,
    pane: "model",
    model: {
      ...page.model,
      colouring: {
        name: "Fire rating coverage",
        groups: f.colours.map(([value, color]) => ({
          value,
          color,
          ids: f.rows.filter((_, i) => (f.values[i] ?? null) === value).map((row) => row.id),
        })),
      },
    },
  }),
  signin: () => ({ ...page, signIn: { reason: "missing", refused: "", sending: false } }),
  "signin-wrong": () => ({
    ...page,
    signIn: { reason: "unknown", refused: "hp_live_0000000000000000", sending: false },
  }),
  "signin-expired": () => ({ ...page, signIn: { reason: "expired", refused: "", sending: false } }),
  opening: () =>
    over(
      { modelReady: false },
      {
        pane: "model",
        opening: {
          state: "opening",
          name: "Tower North.ifc",
          ms: 7_000,
          progress: {
            stage: "elements",
            read: 12_400_000,
            total: 20_100_000,
            lines: 214_300,
            elements: 6_912,
            header: "IFC4 · Nordbau CAD 24",
          },
        },
      },
    ),
  badfile: () => ({
    ...page,
    pane: "model",
    opening: {
      state: "failed",
      name: "plan-level-1.pdf",
      error: {
        code: "MODEL_INVALID",
        message: "this is no IFC file: it does not begin with `ISO-10303-21;`",
        details: { reason: "header" },
      },
    },
  }),
  "badfile-cut": () => ({
    ...page,
    pane: "model",
    opening: {
      state: "failed",
      name: "Tower North.ifc",
      error: {
        code: "MODEL_INVALID",
        message:
          "the file is cut off: `END-ISO-10303-21;` is missing at its end; what follows is lost",
        details: { reason: "cut", line: 184_203, excerpt: "#93412=IFCWALL('1Kq7Xv" },
      },
    },
  }),
  partly: () => ({
    ...page,
    pane: "model",
    opening: {
      state: "partly",
      facts: {
        ...f.facts,
        problems: [
          {
            code: "MODEL_INVALID",
            message: "this instance cannot be read and is left out: a text has no closing quote",
            line: 40_218,
            express_id: 3000,
          },
          {
            code: "MODEL_INVALID",
            message: "#3421 refers to #3007, which is not in the file",
            line: 61_077,
          },
        ],
      },
    },
  }),
  planning: () => over({ run: { ...f.run, state: "planning", plan: null } }),
  plan: () => over({ run: { ...f.run, state: "gate" }, quote: f.quote }),
  "plan-invalid": () =>
    over({
      run: {
        ...f.run,
        state: "gate",
        plan: {
          ...f.planView,
          ok: false,
          diagnostics: [
            {
              code: "TEST_MISSING",
              severity: "error",
              message: "Plan a test that runs `fire.coverage.export`.",
              path: "plan",
              pointer: "/contributions/1",
            },
          ],
        },
      },
      quote: f.quote,
    }),
  "plan-unticked": () =>
    over({
      run: {
        ...f.run,
        state: "gate",
        plan: { ...f.planView, edits: 2, plan: f.withoutExport },
      },
      quote: f.quote,
    }),
  adjust: () => over({ run: { ...f.run, state: "gate" }, quote: f.quote }, { adjusting: true }),
  overbudget: () =>
    over({
      run: { ...f.run, state: "gate" },
      quote: { ...f.quote, fits: false },
      purse: { ...purse, left: { tokens: 120_000, cost: 0 } },
    }),
  running: () =>
    over({
      run: {
        ...f.run,
        state: "testing",
        plan: approved,
        attempts: [f.first, f.second, f.third],
        approved_at: f.minute(3),
        total_deadline_at: f.minute(9) + 10_000,
      },
      gateway: f.gateway,
      testing: { done: 2, total: 3 },
    }),
  budget: () =>
    over(
      {
        run: {
          ...f.run,
          state: "testing",
          plan: approved,
          attempts: [f.first, f.second, f.third],
          approved_at: f.minute(3),
          total_deadline_at: f.minute(9),
        },
        gateway: f.gateway,
      },
      { popover: { kind: "budget", anchor: null } },
    ),
  problem: () =>
    over({
      run: { ...f.run, state: "generating", plan: approved },
      problem: { code: "UPSTREAM_UNREACHABLE", message: "The model did not answer." },
    }),
  "problem-waits": () =>
    over({
      run: { ...f.run, state: "generating", plan: approved },
      problem: { code: "RATE_LIMITED", message: "" },
      waits: f.minute(4) + 22_000,
    }),
  review: () => over(reviewing),
  "grants-testing": () =>
    over({
      ...reviewing,
      print: "sha256:b40a77d200",
      grants: { ...f.grants, granted: less, running: { done: 1, total: 3 } },
    }),
  "grants-less": () =>
    over({ ...reviewing, print: "sha256:b40a77d200", grants: { ...f.grants, granted: less } }),
  "grants-kept": () =>
    over({
      ...reviewing,
      grants: {
        ...f.grants,
        uses: f.uses.map((use) => ({ ...use, required: true })),
        needing: { "viewer.read": f.tests[0]?.name ?? "" },
      },
    }),
  "grants-taken": () =>
    over({
      ...reviewing,
      baseVersion: "0.1.0",
      manifest: { ...f.manifest, version: "0.2.0" },
      review: { ...f.review, base_hash: "sha256:00" },
      print: "sha256:b40a77d200",
      grants: { ...f.grants, granted: less, added: ["viewer.read"], taken: ["viewer.read"] },
    }),
  confirm: () =>
    over({
      ...reviewing,
      baseVersion: "0.1.0",
      typed: "fire.cov",
      manifest: { ...f.manifest, version: "0.2.0" },
      grants: {
        ...f.grants,
        uses: [f.risky, ...f.uses],
        granted: [f.risky.declared, ...f.plan.capabilities],
        added: [f.risky.capability],
      },
      review: {
        ...f.review,
        base_hash: "sha256:00",
        confirmation: "type",
        diff: { ...f.review.diff, files: f.changedDiff },
        weakened_tests: [
          { name: f.tests[0]?.name ?? "", reason: "the range of `approx` at $.share was widened" },
        ],
      },
    }),
  menu: () =>
    over(reviewing, {
      menu: {
        label: t("review.menu"),
        anchor: null,
        items: [
          { id: "source", label: t("review.source"), icon: "code" },
          {
            id: "another",
            label: t("review.another"),
            icon: "fork",
            sub: t("review.another.sub", {
              amount: format.short({ tokens: 316_800, cost: 0 }, ""),
            }),
          },
          "line",
          { id: "discard", label: t("review.discard"), icon: "trash", danger: true },
        ],
      },
    }),
  offline: () => over({ ...reviewing, offline: true }, { offline: true }),
  stale: () => over({ ...reviewing, stale: "stale" }),
  source: () =>
    over({
      ...reviewing,
      screen: "source",
      source: {
        base: f.files,
        files: {
          ...f.files,
          "src/coverage.js": f.code.replace("  const rows = [];", "  document.title = rows;"),
        },
        check: f.check,
        checkedAt: f.minute(14),
        at: null,
      },
    }),
  installed: () =>
    over(after, {
      ...docked,
      toast: {
        text: t("toast.saved", { file: "fire-rating-coverage.csv" }),
        sub: t("toast.lines", { n: 5 }),
      },
      commands: [
        {
          extension: "walls",
          command: "walls.select",
          title: "External walls without a U-value",
          busy: false,
          keys: "Ctrl+Shift+U",
        },
      ],
      keys: new Map([["Ctrl+Shift+U", { extension: "walls", command: "walls.select" }]]),
      status: [
        {
          extension: "walls",
          id: "walls.state",
          text: "Follows the selection",
          right: false,
          command: null,
        },
        {
          extension: "walls",
          id: "walls.again",
          text: "Count again",
          right: true,
          command: "walls.select",
        },
      ],
    }),
  notstored: () =>
    over(
      { ...after, offline: true, installed: { ...after.installed, stored: false } },
      { ...docked, offline: true, pane: "change", panels: [{ ...panel, stored: false }] },
    ),
  moved: () => over({ ...reviewing, stale: "moved" }),
  hostile: () =>
    over(
      { ...after, installed: { ...after.installed, record: off } },
      {
        ...docked,
        panels: [
          {
            ...panel,
            enabled: false,
            failure: {
              code: "TIMEOUT",
              message: "The code ran longer than 5 seconds. Look for a loop that does not end.",
              name: null,
              sdk_code: null,
              details: null,
              at: null,
            },
          },
        ],
      },
    ),
  extensions: () =>
    over(after, {
      ...docked,
      pane: "model",
      popover: { kind: "extensions", anchor: null },
      extensions: [
        {
          record: f.record,
          name: "Fire rating coverage",
          stored: true,
          permissions: f.uses.map((use) => use.sentence),
          commands: [{ id: "x", title: "Export CSV", keys: "Ctrl+Shift+E" }],
          answer: {
            title: "Export CSV",
            value: [
              { storey: "Ground floor", walls: 7 },
              { storey: "First floor", walls: 6 },
            ],
          },
          docks: [{ id: "fire.coverage.dock", title: "Fire rating coverage" }],
        },
        {
          record: { ...off, id: "door.check", version: "0.1.1" },
          name: "Door checker",
          stored: false,
          permissions: f.uses.slice(1, 2).map((use) => use.sentence),
          commands: [],
          answer: null,
          docks: [],
        },
      ],
    }),
  context: () =>
    over(after, {
      ...docked,
      pane: "model",
      keys: new Map([["Ctrl+Shift+U", { extension: "walls", command: "walls.select" }]]),
      menu: {
        label: t("menu.context", { n: 3 }),
        anchor: null,
        at: { x: 320, y: 240 },
        items: [
          {
            id: "cmd:walls|walls.select",
            label: "External walls without a U-value",
            value: "Ctrl+Shift+U",
          },
          "line",
          { heading: "Checks" },
          { id: "cmd:walls|walls.check", label: "Check the fire rating" },
          {
            id: "more:Checks",
            label: t("menu.more", { n: 2 }),
            items: [
              { id: "cmd:walls|walls.a", label: "Check the width" },
              { id: "cmd:walls|walls.b", label: "Check the height" },
            ],
          },
        ],
      },
    }),
  history: () =>
    over({
      ...reviewing,
      screen: "history",
      chosen: ["7", "8"],
      history: {
        now: f.minute(60),
        compared: null,
        extensions: [
          { record: f.record, name: "Fire rating coverage", stored: true },
          { record: off, name: "Door checker", stored: true },
        ],
        changes: earlier(),
      },
    }),
  compared: () =>
    over({
      ...reviewing,
      screen: "history",
      history: {
        now: f.minute(60),
        extensions: [],
        changes: earlier(),
        compared: {
          pair: { name: "Fire rating coverage", from: "0.1.0", to: "0.2.0" },
          files: f.changedDiff,
        },
      },
    }),
  words: () =>
    over({
      turns: [
        {
          id: "1",
          who: "you",
          text: "Make a 4D schedule from the work tasks",
          at: f.minute(0),
          state: "done",
        },
        {
          id: "2",
          who: "assistant",
          name: "Scripted model",
          text:
            "I cannot do this. I am a recording, not a model: I know five requests and play them " +
            "the same way each time.",
          at: f.minute(0),
          state: "done",
          suggestions: [{ key: "empty.ex1" }, { key: "empty.ex2" }],
        },
      ],
    }),
  once: () =>
    over({
      turns: [
        { id: "1", who: "you", text: "How many doors are there?", at: f.minute(0), state: "done" },
        {
          id: "2",
          who: "holdpoint",
          text: "",
          said: "chat.once",
          at: f.minute(0),
          state: "done",
          tool: "How many doors are there?",
        },
      ],
    }),
  error: () => over({ run: failed, gateway: f.ended }),
  "error-hand": () =>
    over({
      run: {
        ...failed,
        reason: "hand",
        attempts: [f.first, { ...f.passed, best: true }, { ...f.first, number: "hand" }],
      },
      gateway: f.ended,
    }),
  cancelled: () => over({ run: { ...failed, state: "cancelled", reason: null }, gateway: f.ended }),
  account: () => ({
    ...page,
    menu: {
      label: t("app.account"),
      anchor: null,
      items: [
        { heading: t("app.account"), sub: t("app.answers", { model: "Scripted model" }) },
        "line",
        ...pageItems("model"),
        "line",
        { id: "extensions", label: t("app.extensions"), icon: "panel" },
        { id: "theme", label: t("app.theme.label"), icon: "sun", value: t("app.theme.system") },
        {
          id: "density",
          label: t("app.density.label"),
          icon: "rows",
          value: t("app.density.comfortable"),
        },
        {
          id: "language",
          label: t("app.language"),
          icon: "globe",
          value: t(`app.language.${language()}`),
        },
        "line",
        { id: "sign-out", label: t("app.sign_out"), icon: "lock" },
        "line",
        { heading: t("app.name"), sub: t("app.version", { version: "0.1.0" }) },
      ],
    },
  }),
};

export const stateNames = Object.keys(states);
export const viewOf = (name: string): PageView => (states[name] ?? (() => page))();
