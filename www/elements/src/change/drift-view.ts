/** What a new version of the SDK did to the installed extensions, as a sheet draws it. Spec: authoring.md §8. Pure. */
import type { Diagnostic, Range } from "@holdpoint/core/types";
import { t } from "../text/index.js";

export type DriftOutcome = "ok" | "range_only" | "unknown" | "broken";

/** An entry of the SDK's changelog that touches an extension, and where. */
export interface DriftCause {
  entry: {
    version: string;
    kind: "breaking" | "behaviour" | "added";
    members: string[];
    summary: string;
    migration: string;
  };
  sites: { path: string; range?: Range; pointer?: string }[];
}

export interface DriftLine {
  id: string;
  name: string;
  version: string;
  outcome: DriftOutcome;
  passed: number;
  tests: number;
  /** Why it is broken where no test says so: its check. */
  finding: Diagnostic | null;
  causes: readonly DriftCause[];
  /** The version whose range holds the SDK, where that is all that is missing. */
  next: string | null;
  /** The SDKs that its manifest names. */
  range: string;
  /** A person leaves it off. */
  left: boolean;
  /** What a repair costs at most; empty until it is known. */
  most: string;
}

export interface DriftView {
  sdk: string;
  /** When they were tried, in ms, and how long that took. */
  at: number;
  ms: number;
  lines: readonly DriftLine[];
  offline: boolean;
}

/** What a person does with one of them. */
export type DriftAct = "repair" | "edit" | "leave" | "remove" | "review" | "test";

export interface DriftAsk {
  id: string;
  act: DriftAct;
  path?: string;
  range?: Range;
}

/** What changed under an extension that worked: an addition breaks nothing. */
export const breaking = (line: Pick<DriftLine, "causes">): DriftCause[] =>
  line.causes.filter(({ entry }) => entry.kind !== "added");

/** Those that a person has to decide about. */
export const undecided = (lines: readonly DriftLine[]): DriftLine[] =>
  lines.filter(({ outcome, left }) => !left && (outcome === "broken" || outcome === "range_only"));

/** One notice for all of them; null while everything works. */
export function driftNotice({ sdk, lines }: Pick<DriftView, "sdk" | "lines">): {
  heading: string;
  also: string;
} | null {
  const open = undecided(lines);
  const [only, ...more] = open;
  if (!only) return null;
  if (!more.length && only.outcome === "broken") {
    const key = breaking(only).length ? "drift.notice.tweak" : "drift.notice.broken";
    return { heading: t(key, { name: only.name, sdk }), also: "" };
  }
  const count = (outcomes: readonly DriftOutcome[]) =>
    lines.filter((line) => outcomes.includes(line.outcome)).length;
  const parts = [
    ["drift.notice.work", count(["ok", "unknown"])],
    ["drift.notice.need", count(["range_only"])],
    ["drift.notice.off", count(["broken"])],
  ] as const;
  const told = parts.filter(([, n]) => n > 0).map(([key, n]) => t(key, { n }));
  return {
    heading: t("drift.notice.title", { sdk }),
    also: t("drift.notice.tried", { n: lines.length, what: told.join(", ") }),
  };
}
