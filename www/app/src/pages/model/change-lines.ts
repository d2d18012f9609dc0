/** The list of changes as the device keeps it: a line a change. */
import type { ErrorShape, Files, HumanEvent, RunView } from "@holdpoint/core/types";
import {
  cancelledAs,
  failedAs,
  type Params,
  type TextKey,
  type Turn,
  t,
} from "@holdpoint/elements";
import { EXAMPLES } from "./asking.js";

/** What the list keeps of a change; its log is stored beside it. */
export interface Line {
  number: number;
  /** Its own name, the same in every browser. */
  name: string;
  title: string;
  said: Said[];
  at: number;
  signed: boolean;
  hash: string | null;
  extension: string | null;
  version?: string;
  /** What a person asked; none where files were brought. */
  words?: string;
  /** The same, where the run heard it in other words. */
  asked?: string;
  /** Its files were brought, and not asked for. */
  brought?: Brought;
  undone?: boolean;
}

/** Where files come from that nobody asked for. */
export type Brought = "permissions" | "example" | "file" | "range";

/** Files that a person brings: checked as they are, as what a script that ran became, or to be repaired. */
export type Bringing = Extract<HumanEvent, { type: "HandEdit" | "Promote" | "Repair" }>;

export const bringing = (files: Files, origin: string): Bringing => ({
  type: origin === "promoted" ? "Promote" : "HandEdit",
  files,
});

/** A text by its key, so that what is kept follows the language. */
interface Said {
  key: TextKey;
  params?: Params;
}

/** Words as they are compared: what a person types twice is seldom spaced or ended alike. */
const spoken = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/[\s.!]+$/, "")
    .trim();

/** The name of what is installed from the same words, and has not been changed since; null where nothing is. */
export function made(
  text: string,
  lines: readonly Line[],
  installed: ReadonlyMap<string, { change: string; manifest: { name: string } }>,
): string | null {
  const words = spoken(text);
  for (const line of lines) {
    if (line.words === undefined || spoken(line.words) !== words || line.extension === null)
      continue;
    const live = installed.get(line.extension);
    if (live?.change === String(line.number)) return live.manifest.name;
  }
  return null;
}

/** What a run says that made nothing: the answer of its model, or what the page says of the request. */
export function saidOf(run: RunView, answering: string): Turn[] {
  const said = run.answer ?? (run.state === "refused" ? t("chat.refused") : t("chat.once"));
  const who = run.answer === null ? ("holdpoint" as const) : ("assistant" as const);
  const suggestions = run.answer === null ? [] : EXAMPLES.map((key) => ({ key }));
  return [
    { id: "you", who: "you", text: run.request, at: run.asked_at, state: "done" },
    {
      id: "answer",
      who,
      name: answering,
      text: said,
      at: run.updated_at,
      state: "done",
      suggestions,
      ...(run.state === "rerouted" ? { tool: run.request } : {}),
    },
  ];
}

/** The number of the next change; `highest` is the one that the project knows. */
export const next = (highest: number, lines: Line[]): number =>
  Math.max(highest, ...lines.map((line) => line.number)) + 1;

/** Newest first. */
export const ordered = (lines: Line[] = []): Line[] =>
  lines.map(named).sort((a, b) => b.number - a.number);

/** A line that an earlier page wrote may lack what a line has. */
const named = (line: Line): Line => ({
  ...line,
  said: line.said ?? [],
  name: line.name ?? crypto.randomUUID(),
});

/** How the change in front ended, or what it has so far. */
export function outcome(view: RunView): Said[] {
  if (view.state === "answered") return [{ key: "answer.line.once" }];
  if (view.state === "failed" && view.answer !== null) return [{ key: "answer.line.words" }];
  if (view.state === "failed" && view.reason)
    return [{ key: failedAs(view), params: { n: view.attempts.length } }];
  if (view.state === "cancelled") return [{ key: cancelledAs(view) }];
  const files = Object.keys(view.files).length;
  if (!files) return [];
  const passed = view.tests.filter((test) => test.ok).length;
  return [
    { key: "review.tests.of", params: { n: passed, of: view.tests.length } },
    { key: "review.files", params: { n: files } },
  ];
}

/** The run with the words of its person: an example, or a tool of own words, is asked in English (`asking.ts`). */
export function worded(view: RunView, asked: string | null): RunView {
  if (asked === null || asked === view.request) return view;
  const sheet = view.sheet.map((entry) =>
    entry.is === "asked" && entry.text === view.request ? { ...entry, text: asked } : entry,
  );
  return { ...view, request: asked, sheet };
}

/** What can be done with an earlier change; `there`: it is installed, also below another one. */
export function step(line: Line, there: boolean): "undo" | "redo" | null {
  if (!line.signed) return null;
  if (there) return "undo";
  return line.undone ? "redo" : null;
}

/** Nothing is begun beside a change that runs. */
export const RUNS: ErrorShape = {
  code: "REQUEST_IN_FLIGHT",
  message: "One request at a time: stop the other or wait.",
};
