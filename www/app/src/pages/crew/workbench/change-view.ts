/** The change column and the middle of the workbench, as they stand. Pure. */
import { format } from "@holdpoint/elements";
import type {
  AppliedView,
  ChangeColumn,
  MiddleView,
} from "@holdpoint/elements/crew/workbench/view";
import { isClaim } from "../../../claims.js";
import type { Written } from "./applying.js";
import type { Bench } from "./bench.js";
import type { Change } from "./change.js";
import * as changes from "./change.js";
import { claimsOf } from "./claims.js";
import { checkOf, claimed, namesOf, none, running, targetOf } from "./facts.js";
import { graphsOf } from "./graphs.js";
import type { Names } from "./names.js";
import { countersOf, nowOf, versionOf } from "./now.js";
import { isOf, savedOf } from "./saved.js";

export function columnOf(bench: Bench, names: Names): ChangeColumn {
  const { change, selected, unavailable, reading } = bench;
  const validation = change?.answer.validation ?? null;
  const busy = running(bench) || reading;
  return {
    proposal: change?.suggestion.version ?? null,
    check: busy ? "running" : checkOf(change),
    errors: changes.errorsOf(validation).length,
    warnings: warningsOf(bench).length,
    files: change ? changes.rowsOf(change, names, unsaid(bench), different(bench)) : [],
    selected,
    impact: change ? changes.impactOf(change, names) : null,
    unavailable,
  };
}

/** Of the check, and of the turn that proposed it. */
function warningsOf({ change, asking }: Bench) {
  const checked = change?.answer.validation?.warnings ?? [];
  const claims = asking ? claimed(asking.session.view.messages, change) : [];
  return [...checked.filter((one) => !isClaim(one)), ...claims];
}

function unsaid(bench: Bench): ReadonlySet<string> {
  const { change, asking } = bench;
  if (!change || !asking) return none;
  const warnings = claimed(asking.session.view.messages, change);
  const claims = claimsOf(warnings, "", namesOf(bench, change), change);
  return new Set(claims.filter(({ is }) => is === "omitted").map(({ object }) => object));
}

/** Files that are not as they were seen before the conflict. */
function different({ applying, change }: Bench): ReadonlySet<string> {
  const { conflict } = applying;
  if (!conflict || !change) return none;
  const seen = new Map(conflict.before.rows.map((row) => [row.file, row]));
  const other = change.rows.filter((row) => {
    const before = seen.get(row.file);
    return before?.before !== row.before || before?.after !== row.after;
  });
  return new Set(other.map(({ file }) => file));
}

export function middleOf(bench: Bench, names: Names, now: number): MiddleView {
  const { change, layout, applying, query, pack, bundle } = bench;
  const { written } = applying;
  const version = versionOf(query, bundle && countersOf(query, bundle));
  const title = format.listed([names.of(targetOf(bench)), version].filter(Boolean));
  if (!change)
    return {
      is: written ? "result" : "now",
      title: written ? "" : title,
      now: nowOf(query, pack, bundle),
      files: [],
      graphs: [],
      layout,
      errors: [],
      repairs: 0,
      conflict: null,
      applied: written ? appliedOf(bench, written, now) : null,
    };
  return {
    is: "diff",
    title: "",
    now: { is: "none" },
    files: change.files,
    graphs: graphs(change, pack),
    layout,
    errors: errors(change),
    repairs: repairsOf(bench),
    conflict: conflictOf(bench, names, now),
    applied: null,
  };
}

/** The same list as long as the change is the same: what is in sight stays. */
const read = new WeakMap<Change, MiddleView["errors"]>();
function errors(change: Change): MiddleView["errors"] {
  const known = read.get(change) ?? changes.errorsOf(change.answer.validation).map(changes.foundOf);
  read.set(change, known);
  return known;
}

/** The same list as long as the change is the same. */
const drawn = new WeakMap<Change, MiddleView["graphs"]>();
function graphs(change: Change, pack: Bench["pack"]): MiddleView["graphs"] {
  const known = drawn.get(change) ?? graphsOf(change, pack);
  if (pack) drawn.set(change, known);
  return known;
}

function repairsOf({ asking, change }: Bench): number {
  const id = change?.suggestion.changeSetId;
  const turn = asking?.session.view.messages.findLast((one) => id && one.changeSetId === id);
  return turn?.result?.usage?.repairs ?? 0;
}

function conflictOf(bench: Bench, names: Names, now: number): MiddleView["conflict"] {
  const { applying, change, query } = bench;
  if (!applying.conflict || !change) return null;
  const files = [...different(bench)];
  return {
    objects: applying.conflict.objects.filter(Boolean).map((key) => names.of(key)),
    saved: savedOf(applying.conflict.saved, names, query.projectId, now),
    files,
    same: change.rows.length - files.length,
    before: changes.printOf(applying.conflict.before),
    after: changes.printOf(change),
  };
}

const PARTS = {
  workflowRevision: "workflow",
  agentsRevision: "agents",
  assetsRevision: "assets",
} as const;

function appliedOf(bench: Bench, written: Written, now: number): AppliedView {
  const { change, print, at, newer, counters, undone } = written;
  const { query, saves } = bench;
  const names = namesOf(bench, change);
  return {
    ...{ print, at, undone },
    files: changes.rowsOf(change, names, none, none),
    newer: newer.flatMap(({ field = "", provided = 0, current = 0 }) => {
      const part = PARTS[field as keyof typeof PARTS];
      if (!part) return [];
      const of = saves.filter(({ changed }) =>
        changed.some((path) => isOf(part, query.workflowId, path)),
      );
      const saved = of.slice(0, Math.max(0, current - provided));
      return [{ part, provided, current, saved: savedOf(saved, names, query.projectId, now) }];
    }),
    version: versionOf(query, counters),
  };
}
