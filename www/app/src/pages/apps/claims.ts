/** In what the words of a proposal and its change differ. Pure. */
import type { AppProposal } from "@holdpoint/core/apps";
import type { Claim } from "@holdpoint/elements/review/claims";
import { argOf, isUnchanged, omitted, unchanged } from "../../claims.js";

const DID = { added: "adds", modified: "changes", deleted: "removes" } as const;

export function claimsOf({
  claims,
  files,
  summary,
  rationale,
  assumptions,
}: AppProposal): readonly Claim[] {
  const words = [summary, rationale, ...assumptions].join("\n");
  return claims.map((warning) => {
    const object = argOf(warning, "object") || argOf(warning, "name");
    if (isUnchanged(warning)) return unchanged(warning, words, { object, name: object });
    const { path: file = "" } = warning;
    // A package changes in the file that declares it.
    const status = files.find(({ path }) => path === object)?.status ?? "modified";
    return omitted(DID[status], { object, name: object, file });
  });
}
