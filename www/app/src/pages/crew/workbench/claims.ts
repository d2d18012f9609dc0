/** In what a summary and its change differ, from the warnings of a turn. Pure. */
import type { SetFinding } from "@holdpoint/core/crew";
import { said, t } from "@holdpoint/elements";
import type { Claim } from "@holdpoint/elements/crew/workbench/view";
import type { Change } from "./change.js";
import { isClaim } from "./change.js";
import type { Names } from "./names.js";

const UNCHANGED = "SUMMARY_CLAIMS_UNCHANGED";

export function claimsOf(
  warnings: readonly SetFinding[],
  summary: string,
  names: Names,
  change: Change | null,
): Claim[] {
  return warnings.filter(isClaim).map((warning) => {
    const object = objectOf(warning);
    const name = object ? names.of(object) : worded(warning.args?.name);
    const kind = object ? names.kind(object) : name;
    const row = change?.rows.find((one) => one.object === object);
    if (warning.code === UNCHANGED)
      return {
        is: "unchanged",
        object,
        says: quoted(summary, worded(warning.args?.name) || name) || said(warning),
        does: name ? t("wb.claims.not_in", { name }) : said(warning),
        file: "",
      };
    return {
      is: "omitted",
      object,
      says: "",
      does: done(row?.status, kind),
      file: row?.file ?? "",
    };
  });
}

/** The object that a warning is about: `step:second-look`. */
function objectOf({ args, path }: SetFinding): string {
  const object = worded(args?.object);
  return object || (/^(workflow|step|agent|asset):/.test(path) ? path : "");
}

const worded = (value: unknown): string => (typeof value === "string" ? value : "");

function done(status: string | undefined, name: string): string {
  if (status === "A") return t("wb.claims.adds", { name });
  return t(status === "D" ? "wb.claims.removes" : "wb.claims.changes", { name });
}

/** The sentence or line of a summary in which a name stands. */
function quoted(summary: string, name: string): string {
  const line = summary
    .split(/\n|(?<=[.!?。！？])\s+/)
    .find((one) => name !== "" && one.toLowerCase().includes(name.toLowerCase()));
  const words = line?.replace(/^[\s\-*]+/, "").trim();
  return words ? `“${words}”` : "";
}
