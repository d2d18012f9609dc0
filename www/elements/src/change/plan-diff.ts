/** What differs between two plans, row by row, and within a row word by word. Pure. UI.md §11. */
import type { Plan, PlanContribution } from "@holdpoint/core/types";

export type RowKind = "summary" | "part" | "permission" | "trigger" | "widget" | "test" | "notes";

/** Words of a row; those that only this side has are marked. */
export interface RowPart {
  text: string;
  marked: boolean;
}

export interface PlanRow {
  sign: "add" | "del" | "eq";
  kind: RowKind;
  parts: RowPart[];
}

/** Rows that changed, came and went. */
export interface RowCounts {
  changed: number;
  added: number;
  removed: number;
  permissions: boolean;
}

interface Row {
  kind: RowKind;
  key: string;
  text: string;
}

/** A permission in a person's words. */
export type Saying = (capability: string) => string;

const place = ({ slot, format, key }: PlanContribution): string =>
  [slot, format, key].filter(Boolean).join(", ");

function rows(plan: Plan, says: Saying): Row[] {
  const { summary, contributions, capabilities, triggers, widgets, tests, notes } = plan;
  const part = (one: PlanContribution): Row => ({
    kind: "part",
    key: `${one.kind} ${one.id}`,
    text: place(one) ? `${one.label} (${place(one)})` : one.label,
  });
  const all: Row[] = [
    { kind: "summary", key: "", text: summary },
    ...contributions.map(part),
    ...capabilities.map((one): Row => ({ kind: "permission", key: one, text: says(one) })),
    ...triggers.map((one): Row => ({ kind: "trigger", key: one, text: one })),
    ...widgets.map((one): Row => ({ kind: "widget", key: one.path, text: one.description })),
    ...tests.map((one): Row => ({ kind: "test", key: one.name, text: one.assertionSummary })),
  ];
  return notes ? [...all, { kind: "notes", key: "", text: notes }] : all;
}

const named = (row: Row): string => `${row.kind} ${row.key}`;
const plain = (text: string): RowPart[] => [{ text, marked: false }];

/** Every row of a plan. */
export const planRows = (plan: Plan, says: Saying): PlanRow[] =>
  rows(plan, says).map(({ kind, text }) => ({ sign: "eq", kind, parts: plain(text) }));

/** The rows that differ, in the order of the newer plan; what went comes where it was said of its kind last. */
export function planDiff(before: Plan, after: Plan, says: Saying): PlanRow[] {
  const [old, now] = [rows(before, says), rows(after, says)];
  const there = new Map(now.map((row) => [named(row), row]));
  const was = new Map(old.map((row) => [named(row), row]));
  const gone = old.filter((row) => !there.has(named(row)));
  const out: PlanRow[] = [];
  const removed = (kind: RowKind): void => {
    for (const row of gone.filter((one) => one.kind === kind))
      out.push({ sign: "del", kind, parts: plain(row.text) });
  };
  for (const kind of KINDS) {
    for (const row of now.filter((one) => one.kind === kind)) {
      const earlier = was.get(named(row));
      if (earlier?.text === row.text) continue;
      if (!earlier) out.push({ sign: "add", kind, parts: plain(row.text) });
      else
        out.push(
          { sign: "del", kind, parts: marked(earlier.text, row.text) },
          { sign: "add", kind, parts: marked(row.text, earlier.text) },
        );
    }
    removed(kind);
  }
  return out;
}

const KINDS: readonly RowKind[] = [
  "summary",
  "part",
  "permission",
  "trigger",
  "widget",
  "test",
  "notes",
];

/** How many rows a difference is about: a row that changed stands in it twice. */
export function counts(diff: readonly PlanRow[]): RowCounts {
  const changed = diff.filter((row, i) => row.sign === "del" && pairs(diff, i)).length;
  const of = (sign: PlanRow["sign"]): number => diff.filter((row) => row.sign === sign).length;
  return {
    changed,
    added: of("add") - changed,
    removed: of("del") - changed,
    permissions: diff.some((row) => row.kind === "permission"),
  };
}

/** Whether the row and the one behind it are one row before and after: only such rows have marks. */
function pairs(diff: readonly PlanRow[], i: number): boolean {
  const [row, next] = [diff[i], diff[i + 1]];
  const has = (one: PlanRow | undefined): boolean =>
    one?.parts.some((part) => part.marked) === true;
  return next?.sign === "add" && has(row) && has(next);
}

/** The words of a text; those between what both texts begin and end with are marked. */
function marked(text: string, other: string): RowPart[] {
  const [mine, theirs] = [text.split(/(?<=\s)/), other.split(/(?<=\s)/)];
  const least = Math.min(mine.length, theirs.length);
  const word = (all: string[], i: number): string => (all[i] ?? "").trimEnd();
  let head = 0;
  while (head < least && word(mine, head) === word(theirs, head)) head++;
  let tail = 0;
  while (
    tail < least - head &&
    word(mine, mine.length - 1 - tail) === word(theirs, theirs.length - 1 - tail)
  )
    tail++;
  const parts = [
    { text: mine.slice(0, head).join(""), marked: false },
    { text: mine.slice(head, mine.length - tail).join(""), marked: true },
    { text: mine.slice(mine.length - tail).join(""), marked: false },
  ];
  return parts.filter((part, i) => part.text !== "" || i === 1);
}
