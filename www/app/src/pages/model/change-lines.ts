/** The list of changes as the device keeps it: a line a change. */
import type { RunView } from "@holdpoint/core/types";
import { cancelledAs, type Params, type TextKey } from "@holdpoint/elements";

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
  undone?: boolean;
}

/** A text by its key, so that what is kept follows the language. */
interface Said {
  key: TextKey;
  params?: Params;
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
  if (view.state === "failed" && view.reason)
    return [{ key: `failed.${view.reason}`, params: { n: view.attempts.length } }];
  if (view.state === "cancelled") return [{ key: cancelledAs(view) }];
  const files = Object.keys(view.files).length;
  if (!files) return [];
  const passed = view.tests.filter((test) => test.ok).length;
  return [
    { key: "review.tests.of", params: { n: passed, of: view.tests.length } },
    { key: "review.files", params: { n: files } },
  ];
}

/** What can be done with an earlier change; `there`: it is installed, also below another one. */
export function step(line: Line, there: boolean): "undo" | "redo" | null {
  if (!line.signed) return null;
  if (there) return "undo";
  return line.undone ? "redo" : null;
}
