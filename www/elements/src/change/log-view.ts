/** The sheet of an extension as a conversation: what is drawn of entries that a run made. Pure. UI.md §11. */
import type { Plan, SheetAttempt, SheetEntry, SpentOn } from "@holdpoint/core/types";
import {
  counts,
  type PlanRow,
  planDiff,
  planRows,
  type RowCounts,
  type Saying,
} from "./plan-diff.js";

/** One change on the sheet. */
export interface LogChange {
  number: number;
  entries: readonly SheetEntry[];
  spent: SpentOn | null;
  /** The signature that ended it; null while it is open. */
  signed: { at: number; version: string; print: string; granted: number } | null;
}

/** Oldest first; all but the newest are folded. */
export interface LogView {
  changes: readonly LogChange[];
  now: number;
  says: Saying;
}

/** What a difference between two plans shows. */
export interface LogDiff extends RowCounts {
  rows: PlanRow[];
}

export type LogRow =
  | { is: "asked"; at: number; words: string; goesOn: boolean }
  | { is: "adjusted"; at: number; words: string; diff: LogDiff | null }
  | { is: "edited"; at: number; diff: LogDiff }
  | { is: "plan"; at: number; number: number; plan: Plan; rows: PlanRow[]; approved: string | null }
  | {
      is: "run";
      at: number;
      attempts: SheetAttempt[];
      ms: number;
      spent: SpentOn | null;
      /** Its first files were not written here. */
      brought?: boolean;
    }
  | { is: "another"; at: number }
  | { is: "signed"; at: number; version: string; print: string; granted: number };

/** Plans and what they came from, carried from one change of the sheet to the next. */
export interface Carried {
  plans: number;
  plan: Plan | null;
}

export const NOTHING: Carried = { plans: 0, plan: null };

/** The rows of one change, and what the next one goes on from. */
export function logRows(
  change: LogChange,
  before: Carried,
  says: Saying,
): { rows: LogRow[]; after: Carried } {
  const rows: LogRow[] = [];
  let { plans, plan } = before;
  change.entries.forEach((entry, i) => {
    const last = rows.at(-1);
    switch (entry.is) {
      case "asked":
        rows.push({ is: "asked", at: entry.at, words: entry.text, goesOn: before.plan !== null });
        break;
      case "adjusted": {
        const next = change.entries.slice(i + 1).find((one) => one.is === "plan");
        const diff = plan && next?.is === "plan" ? differs(plan, next.plan, says) : null;
        rows.push({ is: "adjusted", at: entry.at, words: entry.text, diff });
        break;
      }
      case "plan":
        if (entry.edited && plan)
          rows.push({ is: "edited", at: entry.at, diff: differs(plan, entry.plan, says) });
        plans += 1;
        plan = entry.plan;
        rows.push({
          is: "plan",
          at: entry.at,
          number: plans,
          plan,
          rows: planRows(plan, says),
          approved: null,
        });
        break;
      case "approved":
        if (last?.is === "plan") {
          last.approved = entry.plan_hash;
          last.at = entry.at;
        }
        break;
      case "attempt":
        if (last?.is === "run") {
          last.attempts.push(entry);
          last.ms += entry.ms;
        } else
          rows.push({
            ...{ is: "run", at: entry.at, attempts: [entry], ms: entry.ms, spent: null },
            // Nobody asked and nothing was there to edit: it came from elsewhere.
            ...(rows.length === 0 && entry.number === null ? { brought: true } : {}),
          });
        break;
      case "another":
        rows.push({ is: "another", at: entry.at });
    }
  });
  const run = rows.findLast((row) => row.is === "run");
  if (run?.is === "run") run.spent = change.spent;
  if (change.signed) rows.push({ is: "signed", ...change.signed });
  return { rows, after: { plans, plan } };
}

function differs(before: Plan, after: Plan, says: Saying): LogDiff {
  const rows = planDiff(before, after, says);
  return { rows, ...counts(rows) };
}
