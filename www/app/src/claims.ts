/** What a summary says beside what its change does, in words. Pure. */
import { said, t } from "@holdpoint/elements";
import type { Claim } from "@holdpoint/elements/review/claims";

/** A warning in which words and change differ. */
export interface ClaimWarning {
  code: string;
  message: string;
  args?: Record<string, unknown>;
}

export const isClaim = ({ code }: ClaimWarning): boolean => code.startsWith("SUMMARY_");
/** It says of something that it changes, and it does not. */
export const isUnchanged = ({ code }: ClaimWarning): boolean => code === "SUMMARY_CLAIMS_UNCHANGED";

/** A value of a warning, as text. */
export const argOf = ({ args }: ClaimWarning, name: string): string => {
  const value = args?.[name];
  return typeof value === "string" ? value : "";
};

/** `name`: as people know the object; `object`: its key. */
export function unchanged(
  warning: ClaimWarning,
  summary: string,
  { object, name }: { object: string; name: string },
): Claim {
  return {
    is: "unchanged",
    object,
    says: quoted(summary, argOf(warning, "name") || name) || said(warning),
    does: name ? t("claims.not_in", { name }) : said(warning),
    file: "",
  };
}

/** `name`: what it is, as in a sentence. */
export function omitted(
  did: "adds" | "changes" | "removes",
  { object, name, file }: { object: string; name: string; file: string },
): Claim {
  return { is: "omitted", object, says: "", does: t(`claims.${did}`, { name }), file };
}

/** The sentence or line of a summary in which a name stands. */
function quoted(summary: string, name: string): string {
  const line = summary
    .split(/\n|(?<=[.!?。！？])\s+/)
    .find((one) => name !== "" && one.toLowerCase().includes(name.toLowerCase()));
  const words = line?.replace(/^[\s\-*]+/, "").trim();
  return words ? `“${words}”` : "";
}
