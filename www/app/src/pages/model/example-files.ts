/** The examples of this build, path by path: a part of its own, loaded when somebody looks at them. */
import type { Files } from "@holdpoint/core/types";

const texts = import.meta.glob<string>("../../../../../fixtures/extensions/*/**/*.{json,js,md}", {
  query: "?raw",
  import: "default",
  eager: true,
});
const PLACE = /\/extensions\/([^/]+)\/(.+)$/;

/** The files of each example, in the order of their folders. */
export function exampleFiles(): Files[] {
  const found = new Map<string, Files>();
  for (const [path, text] of Object.entries(texts)) {
    const [, folder = "", file = ""] = PLACE.exec(path) ?? [];
    const files = found.get(folder) ?? {};
    files[file] = text;
    found.set(folder, files);
  }
  return [...found.values()];
}
