import type { ScriptView, VersionLine } from "@holdpoint/elements/script/view";
import type { OutcomeView } from "@holdpoint/elements/talk/view";
import type { ScriptPageView } from "../src/pages/scripts/page-view.js";
import { indicator, minute } from "./fixtures.js";
import * as f from "./script-fixtures.js";

export const now = minute(24);
const off = { on: false, reason: "Nothing was applied that could be undone.", places: 0, files: 0 };

export const script: ScriptView = {
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
  run: null,
};

export const page = (): ScriptPageView => ({
  signIn: null,
  tools: null,
  script,
  editors: null,
  indicator,
  offline: false,
  pane: "code",
  ask: null,
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

export const over = (
  more: Partial<ScriptView>,
  rest: Partial<ScriptPageView> = {},
): ScriptPageView => ({
  ...page(),
  ...rest,
  script: { ...script, ...more },
});
export const card = (state: "clean" | "confirm" | "stale" | "applied" | "reject") => ({
  state,
  files: 2,
  places: 4,
  taken: 4,
  at: minute(state === "applied" ? 24 : 22),
  stalePath: "tool.py",
});
export const panel = (
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
export const failed = (
  outcome: OutcomeView["outcome"],
  error: OutcomeView["error"] = null,
  waits = 0,
) =>
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
export const DAY = 1_440;
export const versions: VersionLine[] = [
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
