/** What came of a run, read strictly: whatever a script made its worker say is checked here or left out. */
import type { RunLimits } from "./limits.ts";

export type Cell = string | number | boolean | null;

export interface TextOutput {
  is: "text";
  name: string;
  text: string;
  /** There was more than is handed on. */
  cut: boolean;
}
export interface FactsOutput {
  is: "facts";
  name: string;
  rows: [string, Cell][];
}
export interface TableOutput {
  is: "table";
  name: string;
  columns: string[] | null;
  rows: Cell[][];
  /** Rows that there were. */
  total: number;
}
export interface FileOutput {
  is: "file";
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Its media type where it is a picture that can be shown; else empty. */
  picture: string;
}
export type Output = TextOutput | FactsOutput | TableOutput | FileOutput;

/** An exception of the script, or none of its own: `kind` is the class, `line` is of `tool.py`. */
export interface RunProblem {
  kind: string;
  message: string;
  line: number | null;
  column: number | null;
  /** The package that is missing; else empty. */
  package: string;
  trace: string;
}

/** How it ended: by itself, by a person, at a limit, or because the interpreter broke. */
export type RunEnd = "done" | "failed" | "stopped" | "time" | "memory" | "print" | "broken";

export interface RunOutcome {
  end: RunEnd;
  printed: string;
  outputs: Output[];
  /** Names of what was too much to hand on. */
  leftOut: string[];
  problem: RunProblem | null;
  /** From the call of the entry point. */
  ms: number;
}

const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/svg+xml"];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown, most: number): string =>
  typeof value === "string" ? value.slice(0, most) : "";
const cellOf = (value: unknown): Cell =>
  typeof value === "number" || typeof value === "boolean" || typeof value === "string"
    ? value
    : null;
const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null;

type Sent = { name: string; bytes: ArrayBuffer }[];

function outputOf(value: unknown, files: Sent, limits: RunLimits): Output | null {
  if (!isRecord(value)) return null;
  const name = text(value.name, 200);
  if (value.is === "text")
    return { is: "text", name, text: text(value.text, limits.textChars), cut: value.cut === true };
  if (value.is === "facts" && Array.isArray(value.rows))
    return {
      is: "facts",
      name,
      rows: value.rows
        .slice(0, limits.tableRows)
        .map((row): [string, Cell] => [text(row?.[0], 200), cellOf(row?.[1])]),
    };
  if (value.is === "table" && Array.isArray(value.rows)) {
    const rows = value.rows
      .slice(0, limits.tableRows)
      .map((row): Cell[] => (Array.isArray(row) ? row.map(cellOf) : []));
    const columns = Array.isArray(value.columns)
      ? value.columns.map((one) => text(one, 200))
      : null;
    return { is: "table", name, columns, rows, total: numberOf(value.total) ?? rows.length };
  }
  const sent = value.is === "file" ? files[Number(value.file)] : undefined;
  if (!sent || !(sent.bytes instanceof ArrayBuffer)) return null;
  const picture = PICTURES.find((one) => one === value.picture) ?? "";
  const shown = sent.bytes.byteLength <= limits.pictureBytes ? picture : "";
  return { is: "file", name, bytes: new Uint8Array(sent.bytes), picture: shown };
}

function problemOf(value: unknown): RunProblem | null {
  if (!isRecord(value)) return null;
  return {
    kind: text(value.kind, 100),
    message: text(value.message, 2_000),
    line: numberOf(value.line),
    column: numberOf(value.column),
    package: text(value.package, 100),
    trace: text(value.trace, 6_000),
  };
}

/** What the driver told; null where it told nothing that can be read. */
export function told(
  said: string,
  files: Sent,
  limits: RunLimits,
): Pick<RunOutcome, "outputs" | "leftOut" | "problem"> | null {
  let value: unknown;
  try {
    value = JSON.parse(said);
  } catch {
    return null;
  }
  if (!isRecord(value) || !Array.isArray(value.outputs)) return null;
  return {
    outputs: value.outputs
      .slice(0, limits.outputs)
      .flatMap((one) => outputOf(one, files, limits) ?? []),
    leftOut: Array.isArray(value.left_out) ? value.left_out.map((one) => text(one, 200)) : [],
    problem: problemOf(value.problem),
  };
}
