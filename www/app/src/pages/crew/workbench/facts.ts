/** What more than one part of the workbench asks of an open one. Pure. */
import type { CrewMessage } from "@holdpoint/core/crew";
import { isClaim } from "../../../claims.js";
import type { Bench } from "./bench.js";
import type { Change } from "./change.js";
import { Names } from "./names.js";

export const none: ReadonlySet<string> = new Set();

export const namesOf = ({ query, pack }: Bench, change: Change | null): Names =>
  new Names(query.projectId, pack, query.workflowId, change?.rows);

export const targetOf = ({ query }: Bench): string => `${query.targetType}:${query.targetId}`;

export const running = ({ asking }: Bench): boolean => (asking?.session.view.turn ?? null) !== null;

export function checkOf(change: Change | null): "none" | "passed" | "failed" {
  const validation = change?.answer.validation;
  if (!validation) return "none";
  return validation.valid ? "passed" : "failed";
}

/** The warnings about the summary of the turn that proposed this. */
export function claimed(messages: readonly CrewMessage[], change: Change | null) {
  const id = change?.suggestion.changeSetId;
  const result = messages.findLast((one) => id && one.changeSetId === id)?.result;
  return result?.warnings.filter(isClaim) ?? [];
}
