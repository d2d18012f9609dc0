/** In review, and what was installed. */
import type { Diagnostic, ErrorShape, RunView, VersionView } from "@holdpoint/core/types";
import { format, type PanelView, t, type WaitReason } from "@holdpoint/elements";
import type { VersionTrial } from "@holdpoint/elements/change/versions-view";
import type { PageView } from "../../src/pages/model/page-view.js";
import * as f from "../fixtures.js";
import { after, change, docked, inReview, less, off, over, panel, reviewing } from "./base.js";

/** It was signed, and the server could not store it. */
const waits = (reason: Exclude<WaitReason, "undecided">, error: ErrorShape): PageView =>
  over(
    { ...after, installed: { ...after.installed, stored: false, waits: { reason, error } } },
    {
      ...docked({ stored: false }),
      pane: "change",
      waiting: [
        { id: "fire.coverage", name: after.installed.name, state: null, waits: { reason, error } },
      ],
    },
  );

/** A person points at what is wrong. */
const wrong = (): PageView =>
  over({
    ...reviewing,
    screen: "wrong",
    wrong: {
      ...{ where: "Level 1 · Rated", shows: "22", should: "20" },
      why: "These two are glazed partitions, type GP-80. Their EI 30 comes from the type and was never tested.",
      ...{ elements: ["W-1.34 (IfcWall)", "W-1.35 (IfcWall)"], selected: 2 },
    },
  });

/** Of an installed panel. */
const wrongPanel = (): PageView =>
  over(
    {
      ...after,
      screen: "wrong",
      wrong: {
        ...{
          where: "Level 1 · Rated",
          shows: "22",
          should: "",
          why: "",
          elements: [],
          selected: 0,
        },
        of: { name: "Fire rating coverage", most: "317K tokens" },
      },
    },
    { ...docked({ picks: true }), pane: "change" },
  );

/** Standing wishes are written. */
const wishes = (): PageView =>
  over({
    screen: "wishes",
    wishes: { draft: "Texts in Swedish. Colours of our guide: #0B5C6B first.", kept: "" },
  });

/** The run in review of an approved plan, with some versions. */
const planned = (versions: VersionView[]): RunView => ({
  ...inReview,
  plan: inReview.plan && { ...inReview.plan, approved: true },
  versions,
});
const versionOf = (more: Partial<VersionView>): VersionView => ({
  result_hash: f.review.result_hash,
  number: 2,
  at: f.minute(6),
  ok: true,
  shown: false,
  passed: 3,
  tests: 3,
  attempts: 3,
  autofixes: 1,
  differences: [],
  files: f.files,
  ...more,
});
const edited: Diagnostic = {
  code: "PLAN_EXTRA_CONTRIBUTION",
  severity: "warning",
  message: "Remove the command `fire.coverage.mail`.",
  path: "manifest.json",
  pointer: "/contributes/commands/9",
  args: { kind: "command", id: "fire.coverage.mail" },
};
const versions: VersionView[] = [
  versionOf({}),
  versionOf({
    result_hash: "sha256:d95a40e6",
    number: "hand",
    shown: true,
    attempts: 3,
    differences: [edited],
    files: { ...f.files, "src/extra.js": "export default () => null;\n" },
  }),
  versionOf({ result_hash: "sha256:25b06607", number: "hand", ok: false, passed: 2 }),
];

const stopped: NonNullable<PanelView["failure"]> = {
  ...{ code: "THREW", message: "TypeError: cannot read property 'name' of null" },
  ...{ name: "TypeError", sdk_code: null, details: null, at: null },
};

const stoppedAt: NonNullable<PanelView["tried"]>["stopped"] = {
  ...{ code: "THREW", severity: "error", test: "", text: stopped.message, path: "" },
  ...{ range: null, pointer: "", place: "", near: "", snippet: [], compared: null, texts: [] },
  ...{ hint: "", fresh: false, fixable: false },
};

/** Two that passed, and what they ask for. */
const [readOnly, whole] = ["sha256:b20d4471", f.review.result_hash];
const two: VersionView[] = [
  versionOf({}),
  versionOf({
    result_hash: readOnly,
    number: 0,
    shown: true,
    attempts: 1,
    autofixes: 0,
    files: { "manifest.json": "{}\n", "src/missing.js": f.code, "widgets/missing.json": "{}\n" },
  }),
];
const asked = f.uses.map(({ capability, declared, sentence }) => ({
  ...{ capability, declared, sentence },
}));
const trialOf = (print: string, more: Partial<VersionTrial> = {}): VersionTrial => ({
  ...{ print, granted: f.plan.capabilities, state: "ran", ms: 312, ...more },
});
const tried: NonNullable<PanelView["tried"]> = {
  did: [{ is: "coloured", n: 85 }],
  ms: 312,
  stopped: null,
  passed: 3,
  panels: [{ id: panel.dock, title: panel.title }],
  panel: panel.dock,
  offers: [],
  answer: null,
  version: { letter: "A", shown: false, files: 5 },
};
const missing: PanelView = {
  ...panel,
  dock: "preview 2",
  hash: readOnly,
  tried: {
    ...tried,
    did: [],
    ms: 204,
    version: { letter: "B", shown: true, files: two[1] ? Object.keys(two[1].files).length : 0 },
  },
  state: {
    headline: "45",
    note: "of 130 walls, 318.4 m²",
    rows: [
      { storey: "Level 2", none: 16 },
      { storey: "Level 1", none: 14 },
      { storey: "Ground floor", none: 7 },
      { storey: "Roof", none: 6 },
      { storey: "Basement", none: 2 },
    ],
  },
  widget: {
    type: "Stack",
    direction: "vertical",
    children: [
      { type: "Text", text: "Walls without a fire rating", variant: "caption" },
      { type: "Text", text: "$.headline", variant: "heading" },
      { type: "Text", text: "$.note", variant: "caption" },
      {
        type: "Table",
        data: "$.rows",
        columns: [
          { title: "Storey", field: "storey" },
          { title: "None", field: "none", format: "integer" },
        ],
      },
    ],
  },
};
/** Side by side on the open model; `more` is of the one that is not signed. */
const beside = (more: Partial<PanelView>, trial: Partial<VersionTrial> = {}): PageView =>
  over(
    {
      ...reviewing,
      run: planned(two),
      print: readOnly,
      trial: {
        ...{ state: "ran", seen: true, accepted: false, open: true, panel: true },
        model: f.facts.name,
      },
      versionFacts: {
        diffs: { [whole]: f.changedDiff },
        trials: {
          [whole]: trialOf(whole, trial),
          [readOnly]: trialOf(readOnly, { ms: 204 }),
        },
        spent: {
          [whole]: { tokens: 61_000, cost: 0 },
          [readOnly]: { tokens: 42_000, cost: 0 },
        },
        asked: { [whole]: asked, [readOnly]: asked.slice(0, -1) },
        beside: whole,
      },
    },
    {
      trials: [{ ...panel, dock: "preview 1", hash: whole, tried, ...more }, missing],
      pane: "panels",
    },
  );

export const reviews: Record<string, () => PageView> = {
  review: () => over(reviewing),
  "review-unlike": () =>
    over({ ...reviewing, review: { ...f.review, diagnostics: [edited] }, run: planned([]) }),
  versions: () =>
    over({
      ...reviewing,
      run: planned(versions),
      print: "sha256:d95a40e6",
      review: { ...f.review, diagnostics: [edited] },
      versionFacts: {
        ...change.versionFacts,
        diffs: { [f.review.result_hash]: f.changedDiff, "sha256:25b06607": [] },
      },
    }),
  "versions-beside": () => beside({}),
  /** The one that is not signed stops: that is said where it runs. */
  "versions-beside-stopped": () =>
    beside(
      {
        failure: stopped,
        tried: { ...tried, stopped: stoppedAt, ms: 90, did: [] },
      },
      { state: "stopped", ms: 90 },
    ),
  /** The same two, looked at in the change column of a narrow page. */
  "versions-two": () => ({ ...beside({}), pane: "change" }),
  "versions-kept": () =>
    over({ ...reviewing, run: { ...planned(versions), state: "cancelled", review: null } }),
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
      ...docked(),
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
      { ...docked({ stored: false }), offline: true, pane: "change" },
    ),
  "notstored-failing": () => waits("failing", { code: "LEDGER_UNAVAILABLE", message: "" }),
  "notstored-signed-out": () => waits("signed_out", { code: "KEY_REVOKED", message: "" }),
  "notstored-taken": () =>
    over(
      {
        ...after,
        installed: {
          ...after.installed,
          stored: false,
          waits: { reason: "undecided", error: { code: "CONFLICT", message: "" } },
        },
      },
      {
        ...docked({ stored: false }),
        pane: "change",
        waiting: [{ id: "fire.coverage", name: after.installed.name, state: "taken", waits: null }],
      },
    ),
  "review-brought": () =>
    over({
      ...reviewing,
      brought: "example",
      run: {
        ...reviewing.run,
        ...{ plan: null, approved_at: null, attempt: "hand" },
        attempts: [{ ...f.passed, number: "hand", best: true }],
      },
    }),
  wrong,
  "wrong-panel": wrongPanel,
  wishes,
  moved: () => over({ ...reviewing, stale: "moved" }),
  "moved-refused": () =>
    over({
      ...reviewing,
      stale: "moved",
      refusal: {
        code: "BUNDLE_INVALID",
        message: "The bundle does not hold. Mend what the diagnostics name; nothing was stored.",
      },
    }),
  "review-nobody": () => over({ ...reviewing, nobody: true, offline: true }, { offline: true }),
  hostile: () =>
    over(
      { ...after, installed: { ...after.installed, record: off } },
      {
        ...docked({
          enabled: false,
          failure: {
            code: "TIMEOUT",
            message: "The code ran longer than 5 seconds. Look for a loop that does not end.",
            name: null,
            sdk_code: null,
            details: null,
            at: null,
          },
        }),
      },
    ),
};
