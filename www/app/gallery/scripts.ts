/** Each state of the script pages (UI.md §6, §7) as a `ScriptPageView`, from the same fixtures. */
import { t } from "@holdpoint/elements";
import { examples } from "@holdpoint/elements/script/view";
import type { ScriptPageView } from "../src/pages/scripts/page-view.js";
import { minute } from "./fixtures.js";
import * as f from "./script-fixtures.js";
import { card, DAY, failed, now, over, page, panel, versions } from "./script-page.js";
import { replied } from "./script-replies.js";
import { runs } from "./script-run.js";

const states: Record<string, () => ScriptPageView> = {
  "scripts-list": () => ({
    ...page(),
    script: null,
    tools: {
      state: "ready",
      problem: null,
      creating: false,
      deleted: [{ tool_id: "t9", title: "Door report, copy", at: minute(12) }],
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
  "scripts-rename": () =>
    over(
      {},
      {
        editors: f.editors(f.files, null),
        ask: {
          is: "name",
          heading: t("script.tools.rename.of", { title: "Fire door report" }),
          text: "",
          label: t("script.tools.name"),
          value: "Fire door report",
          go: t("script.tools.rename"),
        },
      },
    ),
  "scripts-none": () => ({
    ...page(),
    script: null,
    tools: {
      state: "ready",
      problem: null,
      creating: false,
      deleted: [],
      offline: true,
      now,
      tools: [],
    },
    offline: true,
  }),
  "scripts-list-failed": () => ({
    ...page(),
    script: null,
    tools: {
      state: "failed",
      problem: { code: "SERVICE_UNAVAILABLE", message: "The server is not ready." },
      creating: false,
      deleted: [],
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
  "scripts-replied": () => panel({ proposal: replied() }, "confirm"),
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
  ...runs,
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
  "scripts-budget": () => ({
    ...failed("upstream_error", {
      ...{ code: "BUDGET_EXCEEDED", message: "" },
      details: { extension_url: "/usage?budget=mei&ask=250000", resets_at: now + 56 * 60_000 },
    }),
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
