/** What was found, as a list shows it: by a check, a test, or the preview of a change. Pure. */
import type { PreviewError } from "@holdpoint/core/editor";
import type { Diagnostic, Finding, Json, Range, SnippetLine } from "@holdpoint/core/types";
import { has, t } from "../text/index.js";
import { hinted, said } from "../text/said.js";
import { placeOf } from "./place.js";

export interface Found {
  code: string;
  severity: Diagnostic["severity"];
  /** The test that found it. */
  test: string;
  /** What to do; empty where two values say it. */
  text: string;
  path: string;
  range: Range | null;
  pointer: string;
  /** Where it is, in words. */
  place: string;
  /** Beside the place: where it could have been meant. */
  near: string;
  snippet: readonly SnippetLine[];
  compared: { expected: Json; actual: Json } | null;
  /** Two texts side by side: what was expected, and what is there. */
  texts: readonly { label: string; text: string }[];
  hint: string;
  /** It was not there before the change. */
  fresh: boolean;
  fixable: boolean;
}

/** A finding of a check or a test. */
export function found(finding: Diagnostic | Finding): Found {
  const { code, severity, path = "", range = null, pointer = "", fix } = finding;
  const ofRun = "stage" in finding ? finding : null;
  const { expected, actual } = ofRun ?? {};
  const compared = expected !== undefined || actual !== undefined;
  // Two values beside each other say already what a hint of them would.
  const hint = compared ? "" : hinted(finding);
  return {
    ...{ code, severity, path, range, pointer },
    test: ofRun?.test ?? "",
    text: said(finding),
    place: placeOf(finding),
    near: "",
    snippet: ofRun?.snippet ?? [],
    compared: compared ? { expected: expected ?? null, actual: actual ?? null } : null,
    texts: [],
    hint: hint ? t("finding.hint", { hint }) : "",
    fresh: finding.new === true,
    fixable: range !== null && (fix?.some((one) => "text" in one) ?? false),
  };
}

/** How many errors and hints: "1 error, 2 hints"; empty where there are none. */
export function counted(findings: readonly Pick<Diagnostic, "severity">[]): string {
  const errors = findings.filter((finding) => finding.severity === "error").length;
  const hints = findings.length - errors;
  return [
    errors ? t("findings.errors", { n: errors }) : "",
    hints ? t("findings.hints", { n: hints }) : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** Why a change does not fit, at one of its places. */
export function unfit(error: PreviewError): Found {
  const key = `findings.error.${error.code}`;
  const texts = [
    { label: t("findings.error.expected"), text: error.expected_snippet ?? "" },
    { label: t("findings.error.there"), text: error.base_snippet ?? "" },
  ];
  return {
    code: error.code,
    severity: "error",
    test: "",
    text: has(key) ? t(key) : t("findings.error.other"),
    path: error.target_file ?? "",
    range: null,
    pointer: "",
    place: [placeIn(error), error.hunk_header ? `\`${error.hunk_header}\`` : ""].join(" ").trim(),
    near: nearest(error),
    snippet: [],
    compared: null,
    texts: texts.filter((one) => one.text !== ""),
    hint: error.hint ? `${t("findings.error.hint")}: ${error.hint}` : "",
    fresh: false,
    fixable: false,
  };
}

/** The file, and which of its places. */
function placeIn({ target_file: path, hunk_index: n }: PreviewError): string {
  return path && n ? t("findings.error.place", { path, n }) : (path ?? "");
}

/** Where it could have been meant, or what is most like it. */
function nearest({ candidates, nearest: near }: PreviewError): string {
  const line = (n: number): string => t("script.reason.line", { n: String(n) });
  if (candidates.length)
    return t("findings.error.candidates", { lines: candidates.map(line).join(", ") });
  if (!near) return "";
  const { line: at, similarity } = near;
  return t("findings.error.nearest", { line: String(at), similarity: String(similarity) });
}
