/**
 * The newest proposal as it is shown: its files with what differs in them, its check, what it touches.
 *
 * Invariant: what is shown here is one answer of the edge, and its two hashes are what is signed (ai-sessions.md §11).
 */
import type {
  ChangedText,
  Diffs,
  FileLetter,
  PreviewAnswer,
  SetFinding,
  Suggestion,
  TargetType,
  Validation,
} from "@holdpoint/core/crew";
import type { TextDiff } from "@holdpoint/core/types";
import { format, has, said, t } from "@holdpoint/elements";
import type { FileRow, ImpactView } from "@holdpoint/elements/crew/workbench/view";
import type { DiffFile } from "@holdpoint/elements/diff/view";
import type { Found } from "@holdpoint/elements/findings/view";
import { type Names, ORDER, split } from "./names.js";

/** A proposal, read whole. */
export interface Change {
  suggestion: Suggestion;
  answer: PreviewAnswer;
  /** In the order of the list; what stays as it is is left out. */
  rows: readonly ChangedText[];
  diffs: ReadonlyMap<string, TextDiff | null>;
  files: readonly DiffFile[];
}

const STATUS: Record<FileLetter, NonNullable<DiffFile["status"]>> = {
  A: "added",
  M: "modified",
  D: "deleted",
};

/** Between two files the page answers. */
const breathe = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Reads what the edge answers; a file at a time, so that many of them hold nothing up. */
export async function readChange(
  compare: Diffs,
  suggestion: Suggestion,
  answer: PreviewAnswer,
): Promise<Change> {
  const rows = arranged(answer.changed);
  const diffs = new Map<string, TextDiff | null>();
  for (const { file, before, after } of rows) {
    diffs.set(file, await compare(text(before), text(after)));
    await breathe();
  }
  const files = rows.map((row): DiffFile => {
    const status = STATUS[row.status as FileLetter];
    const before = text(row.before);
    return {
      path: row.file,
      diff: diffs.get(row.file) ?? null,
      status,
      ...(before ? { before } : {}),
    };
  });
  return { suggestion, answer, rows, diffs, files };
}

/** Workflow, step, agent, asset; then by path. */
function arranged(changed: readonly ChangedText[]): ChangedText[] {
  const place = ({ object }: ChangedText) => ORDER.indexOf(split(object).type);
  return changed
    .filter(({ status }) => status !== "unchanged")
    .sort((a, b) => place(a) - place(b) || (a.file < b.file ? -1 : 1));
}

/** A text; what the edge tells as a value is written as it stores it. */
const text = (said: unknown): string => {
  if (said === null || said === undefined) return "";
  return typeof said === "string" ? said : `${JSON.stringify(said, null, 2)}\n`;
};

export const printOf = ({ answer }: Change): string =>
  answer.preview ? format.fingerprint(answer.preview.resultHash) : "";

/** Objects that it changes. */
export const objectsOf = ({ rows }: Change): string[] => [
  ...new Set(rows.map(({ object }) => object)),
];

type Some = ReadonlySet<string>;

export function rowsOf(
  { rows, diffs }: Change,
  names: Names,
  unsaid: Some,
  different: Some,
): FileRow[] {
  return rows.map(({ object, file, status }) => {
    const { added = 0, deleted = 0 } = diffs.get(file)?.stats ?? {};
    return {
      letter: status as FileLetter,
      name: names.of(object),
      ...{ file, added, deleted },
      unsaid: unsaid.has(object),
      different: different.has(file),
    };
  });
}

export function impactOf(change: Change, names: Names): ImpactView | null {
  const { answer } = change;
  const { impact, validation } = answer;
  if (!impact) return null;
  const operated = objectsOf(change);
  const affected = validation?.meta?.affected ?? impact.affected ?? [];
  const objects = impact.objects.filter((key) => operated.includes(key) || !affected.includes(key));
  const kinds = ORDER.map((type) => ({
    type,
    names: objects.filter((key) => split(key).type === type).map((key) => names.of(key)),
  })).filter(({ names: some }) => some.length > 0);
  const deleted = deletedOf(change);
  return {
    objects: objects.length,
    kinds,
    risks: impact.riskFlags.map((flag) => risk(flag, change, kinds.length)),
    affected: affected.map((key) => ({ ...names.named(key), why: why(change, deleted) })),
  };
}

function risk(flag: string, change: Change, kinds: number): string {
  const n: Record<string, number> = {
    "cross-object": kinds,
    "high-churn": objectsOf(change).length,
  };
  const key = `wb.risk.${flag}`;
  return has(key) ? t(key, { n: n[flag] ?? 0, what: deletesOf(change) }) : flag;
}

const deletedOf = ({ rows }: Change): string[] => [
  ...new Set(rows.filter(({ status }) => status === "D").map(({ object }) => object)),
];

/** What is deleted, counted: 1 asset, or 3 objects where they are of several kinds. */
export function deletesOf(change: Change): string {
  const deleted = deletedOf(change);
  const types = new Set(deleted.map((key) => split(key).type));
  const [type = "object"] = types.size === 1 ? types : [];
  return t(`wb.n.${type}`, { n: deleted.length });
}

/** Why an object outside of a change is touched by it. */
function why(change: Change, deleted: readonly string[]): string {
  const types = new Set<TargetType>(objectsOf(change).map((key) => split(key).type));
  if (deleted.some((key) => split(key).type === "asset")) return t("wb.affected.deleted");
  return t(types.has("asset") ? "wb.affected.cites" : "wb.affected.uses");
}

const REVISION = "AI_REVISION_BASE_MISMATCH";

export const isNewer = ({ code }: SetFinding): boolean => code === REVISION;

/** A finding with its code, its place and what helps. */
export function foundOf(finding: SetFinding): Found {
  const { code, severity, path, pointer = "", hints = [], file = "" } = finding;
  const place = [path, file && file !== path ? file : "", pointer].filter(Boolean).join(" ");
  return {
    ...{ code, pointer: "", place, path: "", range: null, test: "", near: "" },
    severity: severity === "error" ? "error" : "warning",
    text: said(finding),
    snippet: [],
    compared: null,
    texts: [],
    hint: hints.join(" "),
    fresh: false,
    fixable: false,
  };
}

export const errorsOf = (validation: Validation | null): readonly SetFinding[] =>
  validation && !validation.valid ? validation.errors : [];
