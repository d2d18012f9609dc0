/** Asset paths in the text of a body (crew-package.md §4 "Citations"). */

const PATH = /[A-Za-z0-9._/-]+/g;
const ROOT = "assets/";
const MOUNT = "@pkg/";
/** What ends an asset's name where the host adds nothing (crew-package.md §2). */
const EXTENSION = /[^/]\.(md|txt|json|yaml|yml)$/i;

/** Each path once, at its first line. */
export function citations(body: string): { path: string; line: number }[] {
  const out = new Map<string, number>();
  for (const { 0: run, index } of body.matchAll(PATH)) {
    const path = begun(run, body[index - 1] ?? "")?.replace(/[./-]+$/, "");
    if (!path || !EXTENSION.test(path) || out.has(path)) continue;
    out.set(path, body.slice(0, index).split("\n").length);
  }
  return [...out].map(([path, line]) => ({ path, line }));
}

/** The run from where it is a path: at its beginning, or after the mount of the package. */
function begun(run: string, before: string): string | null {
  if (before === "@" && run.startsWith(MOUNT.slice(1) + ROOT)) return run.slice(MOUNT.length - 1);
  return run.startsWith(ROOT) ? run : null;
}
