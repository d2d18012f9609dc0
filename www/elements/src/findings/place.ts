/** Where a finding is, in words: the file, and its line or the place inside its JSON. */
import type { Diagnostic } from "@holdpoint/core/types";
import { t } from "../text/index.js";

export function placeOf({
  path,
  range,
  pointer,
}: Pick<Diagnostic, "path" | "range" | "pointer">): string {
  if (range) return `${path ?? ""}, ${t("findings.line", { n: String(range.start.line) })}`;
  return pointer ? `${path ?? ""} ${pointer}` : (path ?? "");
}
