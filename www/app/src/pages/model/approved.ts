/**
 * When the behaviours of an extension were approved: with the oldest version since which their test stands as it is.
 *
 * A behaviour is a test of a version that a person signed. The project is that person's alone, so who approved it is
 * who looks.
 */

import type { Api, Files, Manifest } from "@holdpoint/core/types";

/** Versions that are looked through, the newest first. */
const MAX_VERSIONS = 30;

/** Name of the test, and when in ms. */
export type Approved = Readonly<Record<string, number>>;

export async function approved(
  api: Pick<Api, "revisions" | "revision">,
  { id, tests: now }: Pick<Manifest, "id" | "tests">,
): Promise<Approved> {
  const since: Record<string, number> = {};
  let open = written(now);
  for (const { revision_id, at } of (await api.revisions(id)).slice(0, MAX_VERSIONS)) {
    if (open.size === 0) break;
    const { files } = await api.revision(id, revision_id);
    const then = testsOf(files);
    open = new Map([...open].filter(([name, text]) => then.get(name) === text));
    for (const name of open.keys()) since[name] = at;
  }
  return since;
}

const written = (tests: Manifest["tests"]) =>
  new Map((tests ?? []).map((test) => [test.name, JSON.stringify(test)]));

/** Nothing of a version that was taken away, or that no check of today reads. */
function testsOf(files: Files | undefined): ReturnType<typeof written> {
  try {
    return written(JSON.parse(files?.["manifest.json"] ?? "{}").tests);
  } catch {
    return new Map();
  }
}
