/** A script, a proposal for it and a conversation: as the real ones are shaped, and always the same. */
import {
  changes,
  type EngineDiff,
  type EngineHunk,
  type EngineLine,
  type FileId,
  type Preview,
  type ToolCheck,
  type VirtualFiles,
} from "@holdpoint/core/editor";
import { t } from "@holdpoint/elements";
import type { Reason } from "@holdpoint/elements/review/view";
import { Editors } from "@holdpoint/elements/script/editors";
import {
  type ChatView,
  examples,
  type ProposalView,
  type ProposedFile,
} from "@holdpoint/elements/script/view";
import type { Turn } from "@holdpoint/elements/talk/view";
import { minute } from "./fixtures.js";
import { files } from "./script-files.js";

export { files };

const { "tool.py": tool, "settings_schema.json": settings } = files;
export const nothing: VirtualFiles = {
  "tool.py": "",
  "entrypoint.txt": "",
  "settings_schema.json": "",
  "input_schema.json": "",
  "usage_instructions.md": "",
};

const KINDS: Record<string, EngineLine["kind"]> = { "+": "insert", "-": "delete" };

/** Lines with their marker in front and their changed words in ⟦⟧. */
export function hunk(oldStart: number, newStart: number, marked: string[]): EngineHunk {
  const lines = marked.map((line): EngineLine => {
    const kind = KINDS[line[0] ?? ""] ?? "context";
    const spans: [number, number][] = [];
    let plain = "";
    for (const [i, part] of line.slice(1).split(/[⟦⟧]/).entries()) {
      if (i % 2 === 1) spans.push([plain.length, plain.length + part.length]);
      plain += part;
    }
    return { kind, text: plain, eol: "lf", ...(spans.length ? { spans } : {}) };
  });
  const count = (kind: string): number =>
    lines.filter((line) => line.kind === "context" || line.kind === kind).length;
  const [old, now] = [count("delete"), count("insert")];
  return {
    id: `${oldStart},${old}+${newStart},${now}`,
    old_start: oldStart,
    old_count: old,
    new_start: newStart,
    new_count: now,
    lines,
  };
}

export const diff = (hunks: EngineHunk[]): EngineDiff => {
  const of = (kind: string): number =>
    hunks.reduce((sum, one) => sum + one.lines.filter((line) => line.kind === kind).length, 0);
  return { hunks, stats: { added: of("insert"), deleted: of("delete") }, unified: "" };
};

const toolHunks = [
  hunk(7, 7, [
    " ",
    " def rank(rating):",
    "-    return RATINGS.index(⟦rating⟧) if ⟦rating⟧ in RATINGS else -1",
    '+    text = (rating or "").strip().upper()',
    "+    return RATINGS.index(⟦text⟧) if ⟦text⟧ in RATINGS else -1",
    " ",
    " ",
  ]),
  hunk(18, 19, [
    '     doors = read_doors(Path(input_dir) / "doors.csv")',
    '     settings = json.loads((Path(input_dir) / "settings.json").read_text())',
    '+    lowest = settings.get("lowest_rating", "EI 30")',
    "     missing = []",
    "+    weaker = []",
    "     for door in doors:",
    '-        if ⟦not ⟧door["FireRating"]:',
    '+        if ⟦rank(⟧door["FireRating"]⟦) < rank(lowest)⟧:',
    "             missing.append(door)",
    '+        elif rank(door["FireRating"]) < rank(door["WallRating"]):',
    "+            weaker.append(door)",
    "     report = {",
    '         "tool": "fire-doors",',
  ]),
  hunk(26, 31, [
    '         "doors": len(doors),',
    '         "missing": [d["Name"] for d in missing],',
    '+        "weaker_than_wall": [d["Name"] for d in weaker],',
    "     }",
    '     out = Path(output_dir) / "report.json"',
  ]),
];
const settingsHunks = [
  hunk(2, 2, [
    '   "type": "object",',
    '   "properties": {',
    '-    "language": { "type": "string", "enum": ["en", "sv"] }',
    '+    "language": { "type": "string", "enum": ["en", "sv"] }⟦,⟧',
    '+    "lowest_rating": {',
    '+      "type": "string",',
    '+      "enum": ["EI 30", "EI 60", "EI 90"],',
    '+      "default": "EI 30"',
    "+    }",
    "   }",
    " }",
  ]),
];

/** The text after, from the hunks. */
export function after(text: string, hunks: EngineHunk[]): string {
  const lines = text.split("\n");
  for (const one of [...hunks].reverse())
    lines.splice(
      one.old_start - 1,
      one.old_count,
      ...one.lines.filter((line) => line.kind !== "delete").map((line) => line.text),
    );
  return lines.join("\n");
}

const proposed = (path: FileId, hunks: EngineHunk[]): ProposedFile => ({
  path,
  before: files[path],
  after: after(files[path], hunks),
  diff: diff(hunks),
});
export const proposedFiles: ProposedFile[] = [
  proposed("tool.py", toolHunks),
  proposed("settings_schema.json", settingsHunks),
];
export const afterFiles: VirtualFiles = {
  ...files,
  "tool.py": after(tool, toolHunks),
  "settings_schema.json": after(settings, settingsHunks),
};

export const preview: Preview = {
  ok: true,
  verdict: "clean",
  after_virtual_files: afterFiles,
  changed_files: ["settings_schema.json", "tool.py"],
  errors: [],
  error_details: [],
  diagnostics: [],
  meta: {
    base_hash: "sha256:00",
    patch_id: "sha256:01",
    result_hash: "sha256:a41f02c9",
    confirm_token: null,
    requires_confirmation: false,
    reasons: [],
    fuzz_level_used: 0,
    max_offset: 0,
    normalizations_applied: [],
    applied_cleanly: true,
    hunks: [],
    engine_version: "holdpoint-text/1",
    mode: "patch-only",
  },
};

const all = Object.fromEntries(
  proposedFiles.map((file) => [file.path, file.diff.hunks.map((one) => one.id)]),
);
export const proposal: ProposalView = {
  id: "c1",
  words: "",
  phase: "ready",
  preview,
  files: proposedFiles,
  taken: { ...all, "tool.py": all["tool.py"]?.slice(0, 2) ?? [] },
  reasons: [],
  notes: [],
  findings: [],
  confirmed: false,
  stale: null,
  closed: "",
  print: "A41F 02C9",
  layout: "split",
  repaired: false,
  examples: null,
};
export const whole: ProposalView = { ...proposal, taken: all, print: "B730 5E1D" };

export const looks = (): Reason[] => [
  {
    text: t("script.reason.large_offset.lower", { n: 14, place: 2 }),
    short: t("script.reason.large_offset.short", { n: 14 }),
    path: "tool.py",
    hunk: toolHunks[1]?.id ?? null,
  },
  {
    text: t("script.reason.used_fuzz", { n: 1, place: 1 }),
    short: t("script.reason.used_fuzz.short", { n: 1 }),
    path: "tool.py",
    hunk: toolHunks[0]?.id ?? null,
  },
];

/** What another tab saved, and what is here. */
export const twoFiles: ProposedFile[] = [
  {
    path: "tool.py",
    before: tool,
    after: tool,
    diff: diff([
      hunk(20, 20, [
        "     missing = []",
        "     for door in doors:",
        '-        if door["FireRating"] ⟦== ""⟧:',
        '+        if ⟦rank(⟧door["FireRating"]⟦) < 0⟧:',
        "             missing.append(door)",
      ]),
      hunk(28, 28, [
        "     }",
        '     out = Path(output_dir) / "report.json"',
        "-    out.write_text(json.dumps(report, indent=⟦2⟧))",
        "+    out.write_text(json.dumps(report, indent=⟦4⟧))",
      ]),
    ]),
  },
];

export const check: ToolCheck = {
  ok: true,
  diagnostics: [],
  summary: {
    entrypoint: { name: "run_tool", line: 17 },
    functions: ["rank", "read_doors", "run_tool"],
    has_settings_schema: true,
    has_input_schema: true,
  },
};
export const broken: ToolCheck = {
  ...check,
  ok: false,
  diagnostics: [
    {
      code: "TOOL_ENTRYPOINT_NOT_FOUND",
      severity: "error",
      message: "No function is called `run`. Write the name of one that is there.",
      path: "entrypoint.txt",
    },
    {
      code: "TOOL_SCHEMA_ROOT",
      severity: "warning",
      message: "The type of the root should be `object`.",
      path: "input_schema.json",
      pointer: "/type",
    },
  ],
};

const you = (id: string, at: number, text: string): Turn => ({
  id,
  who: "you",
  text,
  at: minute(at),
  state: "done",
});
const assistant = (id: string, at: number, text: string, more: Partial<Turn> = {}): Turn => ({
  id,
  who: "assistant",
  text,
  at: minute(at),
  state: "done",
  ...more,
});
export const asked = [
  you("1", 11, "What does this tool do with doors without a rating?"),
  assistant(
    "2",
    11,
    "It reads `doors.csv`, collects every door whose `FireRating` is empty, and writes their names to " +
      "`report.json`. Ratings are not compared with the wall yet.",
  ),
];
export const wanted = you(
  "3",
  19,
  "Also list doors that are weaker than their wall, and let me choose the lowest rating in the settings.",
);
export const words =
  "I add a setting `lowest_rating` and compare each door with its wall. Doors below the lowest rating stay in " +
  "“missing”; doors that are weaker than their wall come in a new list.";
export const answered = (card: Turn["card"]): Turn[] => [
  ...asked,
  wanted,
  assistant("4", 20, words, { card }),
];
export const writing: Turn[] = [
  ...asked,
  wanted,
  {
    id: "4",
    who: "assistant",
    text: words.slice(0, 138),
    at: null,
    state: "writing",
    since: minute(19),
  },
];

export const chat: ChatView = {
  state: "ready",
  problem: null,
  offline: false,
  turns: asked,
  outcome: null,
  mode: "edit",
  draft: "",
  last: "",
  running: null,
  since: 0,
  off: "",
  over: null,
  tokens: 1400,
  place: "",
  empty: false,
  beside: false,
  examples: examples.doors,
  now: minute(24),
};

/** Real editors over the fixture's texts; `applied` as after a signature. */
export function editors(texts: VirtualFiles, applied: VirtualFiles | null): Editors {
  const made = new Editors({
    files: texts,
    changes: (before, then) =>
      changes(before, then, before === tool ? diff(toolHunks) : diff(settingsHunks)),
    label: (path) => t("script.editor", { path }),
    on: {
      changed: () => undefined,
      save: () => undefined,
      step: () => undefined,
      focused: () => undefined,
      pointed: () => undefined,
    },
  });
  if (applied)
    made.groups.apply({
      patch_id: "sha256:01",
      before: { "tool.py": tool, "settings_schema.json": settings },
      after: {
        "tool.py": applied["tool.py"],
        "settings_schema.json": applied["settings_schema.json"],
      },
      places: 4,
      at: 0,
    });
  return made;
}
