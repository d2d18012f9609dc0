/** In what a summary and its change differ, from the warnings of a turn. Pure. */
import type { SetFinding } from "@holdpoint/core/crew";
import type { Claim } from "@holdpoint/elements/review/claims";
import { argOf, isClaim, isUnchanged, omitted, unchanged } from "../../../claims.js";
import type { Change } from "./change.js";
import type { Names } from "./names.js";

const DID = { A: "adds", D: "removes" } as const;

export function claimsOf(
  warnings: readonly SetFinding[],
  summary: string,
  names: Names,
  change: Change | null,
): Claim[] {
  return warnings.filter(isClaim).map((warning) => {
    const object = objectOf(warning);
    const own = argOf(warning, "name");
    if (isUnchanged(warning))
      return unchanged(warning, summary, { object, name: object ? names.of(object) : own });
    const row = change?.rows.find((one) => one.object === object);
    const did = row?.status === "A" || row?.status === "D" ? DID[row.status] : "changes";
    const name = object ? names.kind(object) : own;
    return omitted(did, { object, name, file: row?.file ?? "" });
  });
}

/** The object that a warning is about: `step:second-look`. */
function objectOf(warning: SetFinding): string {
  const object = argOf(warning, "object");
  return object || (/^(workflow|step|agent|asset):/.test(warning.path) ? warning.path : "");
}
