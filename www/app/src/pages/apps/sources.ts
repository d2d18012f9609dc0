/** Where in its source an error of what was built happened: by the source map of its asset (app-builder.md §7). */

import type { RuntimeError, SourcePlace } from "@holdpoint/elements/apps/view";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";

/** Maps that are kept: those of one version's scripts. */
const MOST_MAPS = 8;
/** What was built lies there, seen from the project: the sources of a map are named from its asset. */
const DIST = "https://project.invalid/dist/";
const INSTALLED = "node_modules/";

export class Sources {
  readonly #maps = new Map<string, Promise<TraceMap | null>>();

  constructor(private readonly read: (revision: string, asset: string) => Promise<unknown>) {}

  /** The place in a file of the project; null: it is in a package, or nobody knows. */
  async of(revision: string, { asset, line, column }: RuntimeError): Promise<SourcePlace | null> {
    if (!asset || line < 1) return null;
    const map = await this.#map(revision, asset);
    if (!map) return null;
    // Browsers count columns from 1, maps from 0.
    const found = originalPositionFor(map, { line, column: Math.max(0, column - 1) });
    if (found.source === null) return null;
    const { pathname, origin } = new URL(found.source, DIST + asset);
    const path = decodeURIComponent(pathname).slice(1);
    if (origin !== new URL(DIST).origin || path.includes(INSTALLED)) return null;
    return { path, line: found.line };
  }

  #map(revision: string, asset: string): Promise<TraceMap | null> {
    const key = `${revision} ${asset}`;
    const kept = this.#maps.get(key);
    if (kept) return kept;
    if (this.#maps.size >= MOST_MAPS) this.#maps.clear();
    // Without a map an error keeps the place in what was built.
    const reading = this.read(revision, asset)
      .then((text) => new TraceMap(text as ConstructorParameters<typeof TraceMap>[0]))
      .catch(() => null);
    this.#maps.set(key, reading);
    return reading;
  }
}
