/** Each state of the script pages (UI.md §6, §7) as a `ScriptPageView`, from the same fixtures. */
import { t } from "@holdpoint/elements";
import { examples, type ScriptView, type VersionLine } from "@holdpoint/elements/script/view";
import type { OutcomeView } from "@holdpoint/elements/talk/view";
import type { ScriptPageView } from "../src/pages/scripts/page-view.js";
import { indicator, minute } from "./fixtures.js";
import * as f from "./script-fixtures.js";

const now = minute(24);
const off = { on: false, reason: "Nothing was applied that could be undone.", places: 0, files: 0 };

const script: ScriptView = {
  tool_id: "t1",
  title: "Fire door report",
  state: "ready",
  problem: null,
  saved: { state: "saved", at: minute(-6) },
  front: "tool.py",
  panel: null,
  proposal: null,
  failed: null,
  compare: null,
  two: null,
  applied: null,
  edited: [],
  check: f.check,
  python: true,
  empty: false,
  undo: off,
  redo: off,
  drawer: "chat",
  chat: f.chat,
  versions: null,
};

const page = (): ScriptPageView => ({
  signIn: null,
  tools: null,
  script,
  editors: null,
  indicator,
  offline: false,
  pane: "code",
  menu: null,
  budgetOpen: false,
  problem: null,
  toast: null,
  theme: "light",
  density: "comfortable",
  language: "en",
  chatWidth: 340,
  now,
});

const over = (more: Partial<ScriptView>, rest: Partial<ScriptPageView> = {}): ScriptPageView => ({
  ...page(),
  ...rest,
  script: { ...script, ...more },
});
const card = (state: "clean" | "confirm" | "stale" | "applied" | "reject") => ({
  state,
  files: 2,
  places: 4,
  taken: 4,
  at: minute(state === "applied" ? 24 : 22),
  stalePath: "tool.py",
});
const panel = (
  more: Partial<ScriptView>,
  state: "clean" | "confirm" | "stale" | "reject" = "clean",
) =>
  over(
    {
      front: "panel",
      panel: "proposal",
      chat: { ...f.chat, turns: f.answered(card(state)), beside: true },
      ...more,
    },
    { pane: "panel" },
  );
const failed = (outcome: OutcomeView["outcome"], error: OutcomeView["error"] = null, waits = 0) =>
  over(
    {
      chat: {
        ...f.chat,
        turns: [...f.asked, f.wanted],
        outcome: { outcome, message: "The list is there already.", seconds: 120, error, waits },
      },
    },
    { pane: "chat" },
  );
const line = (
  id: string,
  cause: string,
  at: number,
  files: string[],
  more: Partial<VersionLine> = {},
): VersionLine => ({
  id,
  kind: "revision",
  cause,
  title: "",
  at,
  files,
  auto: false,
  revision_id: id,
  print: "",
  ...more,
});
const DAY = 1_440;
const versions: VersionLine[] = [
  line("rev_5", "apply", minute(24), ["tool.py", "settings_schema.json"], { print: "B730 5E1D" }),
  line("cp_2", "", minute(24), [], { kind: "checkpoint", auto: true }),
  line("rev_4", "hand", minute(-6), ["tool.py"]),
  line("rev_3", "undo", minute(-18), ["tool.py"]),
  line("cp_1", "", minute(-DAY), [], {
    kind: "checkpoint",
    title: "Report works for Harbour House",
  }),
  line("rev_1", "hand", minute(-DAY - 30), []),
];

const states: Record<string, () => ScriptPageView> = {
  "scripts-list": () => ({
    ...page(),
    script: null,
    tools: {
      state: "ready",
      problem: null,
      creating: false,
      offline: false,
      now,
      tools: [
        {
          tool_id: "t1",
          title: "Fire door report",
          sub: "Doors without a rating, or weaker than their wall",
          findings: { errors: 0, hints: 0, path: "" },
          proposal: true,
          unsaved: false,
          at: minute(24),
        },
        {
          tool_id: "t2",
          title: "Room schedule",
          sub: "Rooms with area and finish, as one table",
          findings: { errors: 0, hints: 1, path: "" },
          proposal: false,
          unsaved: false,
          at: minute(-900),
        },
        {
          tool_id: "t3",
          title: "Window areas",
          sub: "Share of glass on each facade",
          findings: { errors: 1, hints: 0, path: "input_schema.json" },
          proposal: false,
          unsaved: true,
          at: minute(-4 * DAY),
        },
        {
          tool_id: "t4",
          title: "Rename storeys",
          sub: "One name for each storey, from a list",
          findings: null,
          proposal: false,
          unsaved: false,
          at: minute(-18 * DAY),
        },
      ],
    },
  }),
  "scripts-none": () => ({
    ...page(),
    script: null,
    tools: { state: "ready", problem: null, creating: false, offline: true, now, tools: [] },
    offline: true,
  }),
  "scripts-list-failed": () => ({
    ...page(),
    script: null,
    tools: {
      state: "failed",
      problem: { code: "SERVICE_UNAVAILABLE", message: "The server is not ready." },
      creating: false,
      offline: false,
      now,
      tools: [],
    },
  }),
  "scripts-missing": () => over({ state: "missing", title: "" }),
  "scripts-chat": () => over({}, { editors: f.editors(f.files, null), pane: "chat" }),
  "scripts-code": () =>
    over(
      { edited: ["tool.py"], saved: { state: "unsaved", at: null }, check: f.broken },
      { editors: f.editors(f.files, null) },
    ),
  "scripts-all": () => over({ front: "all" }, { editors: f.editors(f.files, null) }),
  "scripts-rail": () => over({ drawer: null }, { editors: f.editors(f.files, null) }),
  "scripts-empty": () =>
    over(
      {
        empty: true,
        title: "Stair widths",
        chat: { ...f.chat, turns: [], empty: true, examples: examples.empty, tokens: 60 },
      },
      { editors: f.editors(f.nothing, null) },
    ),
  "scripts-streaming": () =>
    over(
      {
        chat: {
          ...f.chat,
          turns: f.writing,
          running: "chat",
          since: minute(19),
          now: minute(19) + 7_000,
        },
      },
      { editors: f.editors(f.files, null), pane: "chat" },
    ),
  "scripts-proposal": () => panel({ proposal: f.proposal }),
  "scripts-column": () =>
    panel({
      proposal: {
        ...f.whole,
        words: f.words,
        layout: "uni",
        repaired: true,
        notes: [t("script.note.sorted_hunks")],
        findings: [
          {
            code: "TOOL_SCHEMA_ROOT",
            severity: "warning",
            message: "The type of the root should be `object`.",
            path: "settings_schema.json",
            pointer: "/type",
            new: true,
          },
        ],
      },
    }),
  "scripts-confirm": () =>
    panel(
      {
        proposal: {
          ...f.whole,
          preview: { ...f.preview, verdict: "confirm" },
          reasons: f.looks(),
          closed: t("script.off.confirm", { tick: t("script.confirm.tick") }),
        },
      },
      "confirm",
    ),
  "scripts-stale": () =>
    panel(
      {
        proposal: {
          ...f.whole,
          stale: { paths: ["tool.py"], at: minute(22), since: minute(20), elsewhere: false },
          closed: t("script.off.stale"),
        },
      },
      "stale",
    ),
  "scripts-rejected": () =>
    panel(
      {
        panel: "error",
        failed: {
          online: true,
          message: "",
          errors: [
            {
              code: "no_match",
              op_index: 0,
              target_file: "tool.py",
              hunk_index: 2,
              hunk_header: "@@ -20,4 +20,5 @@",
              candidates: [],
              expected_snippet: "     missing = []\n-    for d in doors:\n+    for door in doors:",
              base_snippet:
                '    missing = []\n    for door in doors:\n        if not door["FireRating"]:',
              nearest: { line: 21, similarity: 83 },
              hint: "Write the context lines exactly as they stand in tool.py.",
            },
            {
              code: "ambiguous",
              op_index: 0,
              target_file: "tool.py",
              hunk_index: 3,
              hunk_header: "@@ @@",
              candidates: [12, 40],
              expected_snippet: null,
              base_snippet: null,
              nearest: null,
              hint: "Show more lines around the change.",
            },
          ],
        },
      },
      "reject",
    ),
  "scripts-applied": () =>
    over(
      {
        applied: { print: "B730 5E1D", places: 4, files: 2, at: minute(24), change: true },
        undo: { on: true, reason: "", places: 4, files: 2 },
        saved: { state: "saved", at: minute(24) },
        chat: { ...f.chat, turns: f.answered(card("applied")) },
      },
      { editors: f.editors(f.files, f.afterFiles) },
    ),
  "scripts-history": () =>
    over(
      {
        front: "panel",
        panel: "compare",
        drawer: "history",
        versions: {
          state: "ready",
          problem: null,
          lines: versions,
          more: true,
          chosen: "rev_4",
          ticked: [],
          now,
          offline: false,
          keeping: false,
        },
        undo: { on: true, reason: "", places: 4, files: 2 },
        compare: {
          title: t("script.compare", { time: "13:52" }),
          with: "now",
          left: "13:52",
          right: t("diff.now"),
          files: f.proposedFiles.slice(0, 1),
          equal: 3,
          print: "91C7 2D40",
          restorable: "",
          layout: "split",
        },
      },
      { pane: "panel" },
    ),
  "scripts-two-versions": () =>
    over(
      {
        front: "panel",
        panel: "compare",
        drawer: "history",
        versions: {
          state: "ready",
          problem: null,
          lines: versions,
          more: false,
          chosen: null,
          ticked: ["rev_4", "rev_5"],
          now,
          offline: false,
          keeping: false,
        },
        compare: {
          title: t("script.compare.two", { from: "13:52", to: "14:22" }),
          with: "other",
          left: "13:52",
          right: "14:22",
          files: f.proposedFiles.slice(0, 1),
          equal: 4,
          print: "",
          restorable: "",
          layout: "split",
        },
      },
      { pane: "panel" },
    ),
  "scripts-versions": () =>
    over(
      {
        drawer: "history",
        versions: {
          state: "ready",
          problem: null,
          lines: versions,
          more: false,
          chosen: null,
          ticked: [],
          now,
          offline: false,
          keeping: true,
        },
        edited: ["tool.py"],
        saved: { state: "unsaved", at: null },
      },
      { pane: "chat", editors: f.editors(f.files, null) },
    ),
  "scripts-unread": () =>
    over(
      {
        drawer: "history",
        versions: {
          state: "failed",
          problem: { code: "SERVICE_UNAVAILABLE", message: "", details: { part: "project" } },
          lines: [],
          more: false,
          chosen: null,
          ticked: [],
          now,
          offline: false,
          keeping: false,
        },
      },
      { pane: "chat", editors: f.editors(f.files, null) },
    ),
  "scripts-chat-unread": () =>
    over(
      {
        chat: {
          ...f.chat,
          state: "failed",
          problem: { code: "SERVICE_UNAVAILABLE", message: "", details: { part: "project" } },
          turns: [],
        },
      },
      { pane: "chat", editors: f.editors(f.files, null) },
    ),
  "scripts-twotabs": () =>
    over(
      {
        front: "panel",
        panel: "versions",
        saved: { state: "elsewhere", at: null },
        edited: ["tool.py"],
        two: {
          at: minute(33),
          since: minute(22),
          files: f.twoFiles,
          decided: { "tool.py": { "20,4+20,4": true } },
          print: "5F03 A8B1",
          saving: false,
          layout: "split",
        },
      },
      { pane: "panel" },
    ),
  "scripts-timeout": () => ({ ...failed("timeout"), editors: f.editors(f.files, null) }),
  "scripts-cut": () => ({ ...failed("truncated"), editors: f.editors(f.files, null) }),
  "scripts-outside": () => ({
    ...failed("remote_fallback_required"),
    editors: f.editors(f.files, null),
  }),
  "scripts-refused": () => ({
    ...failed("upstream_error", { code: "REQUEST_IN_FLIGHT", message: "" }, minute(24) + 2_000),
    editors: f.editors(f.files, null),
  }),
  "scripts-overbudget": () =>
    over(
      {
        chat: {
          ...f.chat,
          draft: "Also list doors that are weaker than their wall.",
          over: {
            budget: 12_032,
            system: 1_820,
            files: 11_400,
            message: 140,
            largest: "usage_instructions.md",
            largestTokens: 9_900,
          },
        },
      },
      { editors: f.editors(f.files, null), pane: "chat" },
    ),
  "scripts-offline": () =>
    over(
      {
        saved: { state: "offline", at: null },
        edited: ["tool.py"],
        chat: { ...f.chat, offline: true, off: t("composer.off.offline") },
      },
      { editors: f.editors(f.files, null), offline: true },
    ),
  "scripts-refused-save": () =>
    over(
      { saved: { state: "unsaved", at: null }, edited: ["tool.py"], python: false },
      {
        editors: f.editors(f.files, null),
        problem: {
          heading: "script.problem.save",
          name: "",
          error: { code: "SERVICE_UNAVAILABLE", message: "" },
        },
      },
    ),
  "scripts-signin": () => ({
    ...page(),
    signIn: { reason: "missing", refused: "", sending: false },
  }),
};

export const scriptStateNames = Object.keys(states);
export const scriptViewOf = (name: string): ScriptPageView | null => states[name]?.() ?? null;
