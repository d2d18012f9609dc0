/** The archive of the open package (crew-package.md §7 "Export"). */
import { zipped } from "@holdpoint/core/crew";
import type { Around } from "./around.js";
import type { Opened } from "./opened.js";

/** What the check says of a file that is no part of the package; no archive has it. */
const NO_PART = "PKG_UNEXPECTED_FILE";

/** The edge's; where there is no edge, or edits that it does not have, one of this device. */
export function archiveOf(opened: Opened, { api, online }: Around): Promise<Blob> {
  if (online() && !opened.edits().size) return api.export(opened.id);
  const out = new Set(
    opened.checked.findings.filter(({ code }) => code === NO_PART).map(({ path }) => path),
  );
  return zipped(
    Object.fromEntries(Object.entries(opened.files).filter(([path]) => !out.has(path))),
  );
}
