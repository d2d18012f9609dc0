/** The months that can be looked at. The ledger counts days in UTC, so a month is one of UTC. */
import { format } from "@holdpoint/elements";
import type { Span } from "./client.js";

const DAY_MS = 86_400_000;
/** The present one and those before it. */
const MONTHS = 12;

export interface Month {
  /** `2026-11` */
  id: string;
  /** Its beginning. */
  at: number;
  days: number;
}

/** The beginning of a day in UTC. */
export const dayOf = (at: number): number => at - (((at % DAY_MS) + DAY_MS) % DAY_MS);

/** The newest first. */
export function months(now: number): Month[] {
  const today = new Date(now);
  return Array.from({ length: MONTHS }, (_, back) => {
    const at = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1);
    const end = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back + 1, 1);
    return { id: iso(at).slice(0, 7), at, days: (end - at) / DAY_MS };
  });
}

/** What is asked of a month: all of it, also of one that is not over. */
export const span = ({ at, days }: Month): Span => ({
  from: iso(at),
  to: iso(at + (days - 1) * DAY_MS),
});

export const daysOf = ({ at, days }: Month): number[] =>
  Array.from({ length: days }, (_, i) => at + i * DAY_MS);

export const named = ({ at }: Month): string => format.month(at);

/** Whether a time is of the month: before it, in it or after it. */
export function of({ at, days }: Month, time: number): "before" | "in" | "after" {
  if (time < at) return "before";
  return time < at + days * DAY_MS ? "in" : "after";
}

const iso = (at: number): string => new Date(at).toISOString().slice(0, 10);
