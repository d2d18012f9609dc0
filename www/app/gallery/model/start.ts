/** From the first look at the page to the end of a run. */
import type { Belongings } from "@holdpoint/core/page";
import { type Question, questionView } from "../../src/device-view.js";
import type { PageView } from "../../src/pages/model/page-view.js";
import * as f from "../fixtures.js";
import { approved, over, page, purse } from "./base.js";
import { finding } from "./finding.js";
import { severalModels } from "./several.js";

const belongings: Belongings = {
  store: "holdpoint",
  extensions: [
    "Fire rating coverage",
    "External walls without a U-value",
    "Doors by fire rating",
    "Storey areas",
    "Room list",
    "Openings in fire walls",
  ],
  waiting: ["Fire rating coverage"],
  changes: 7,
  drafts: 2,
  models: 1,
};
const keys = { token: "hp_live_0000000000000000_4c1e", other: { token: "hp_7b2d", principal: "" } };
const asked = (question: Question): PageView => ({
  ...page,
  signIn: { question: questionView(question, keys) },
});

export const start: Record<string, () => PageView> = {
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
  ...finding,
  ...severalModels,
  signin: () => ({ ...page, signIn: { reason: "missing", refused: "", sending: false } }),
  "signin-wrong": () => ({
    ...page,
    signIn: { reason: "unknown", refused: "hp_live_0000000000000000", sending: false },
  }),
  "signin-expired": () => ({ ...page, signIn: { reason: "expired", refused: "", sending: false } }),
  "signin-offline": () => ({ ...page, signIn: { reason: "offline", refused: "", sending: false } }),
  "device-link": () => asked({ about: "link" }),
  "device-unclaimed": () => asked({ about: "unclaimed", found: belongings, saved: false }),
  "device-leaving": () => asked({ about: "leaving", found: belongings }),
  "device-leaving-empty": () =>
    asked({
      about: "leaving",
      found: { ...belongings, extensions: [], waiting: [], changes: 0, drafts: 0 },
    }),
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
  continued: () =>
    over({ run: { ...f.run, state: "gate" }, quote: f.quote, number: 8, log: f.continued }),
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
  writing: () =>
    over({
      run: {
        ...f.run,
        state: "generating",
        plan: approved,
        attempts: [f.writing],
        approved_at: f.minute(4),
        total_deadline_at: f.minute(10),
      },
      gateway: f.gateway,
      writing: [
        { path: "manifest.json", lines: 41 },
        { path: "src/coverage.js", lines: 17 },
      ],
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
};
