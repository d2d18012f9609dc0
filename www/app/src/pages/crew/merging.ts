/**
 * Mine and theirs put together, while somebody else was first: what a person chose of each place that both changed.
 */
import {
  type Clash,
  lineChanges,
  type MergedAs,
  type MergedFile,
  mergedFile,
  type Side,
  titleOf,
} from "@holdpoint/core/crew";
import { format, t } from "@holdpoint/elements";
import type { MergePlace, MergeView } from "@holdpoint/elements/crew/view";
import type { Around } from "./around.js";
import type { Edit } from "./draft.js";
import type { Opened } from "./opened.js";

export class Merging {
  readonly #chosen = new Map<string, Side>();
  #joined: { key: string; files: Map<string, MergedFile> } | null = null;

  constructor(
    private readonly opened: Opened,
    private readonly core: Around["core"],
    private readonly edits: () => Map<string, Edit>,
  ) {}

  choose(key: string, side: Side): void {
    this.#chosen.set(key, side);
    this.#joined = null;
  }

  /** Each file of mine with theirs in it; null while something is not chosen yet. */
  changes(): Record<string, string | null> | null {
    const files = [...this.#files()];
    const open = files.some(([path, { clashes }]) => clashes.some((one) => !this.#of(path, one)));
    return open ? null : Object.fromEntries(files.map(([path, { text }]) => [path, text]));
  }

  view(): MergeView {
    const places = [...this.#files()].flatMap(([path, { clashes }]) =>
      clashes.map(
        (one): MergePlace => ({
          key: keyOf(path, one),
          place: this.#place(path, one),
          mine: one.mine,
          theirs: one.theirs,
          chosen: this.#of(path, one) ?? "",
        }),
      ),
    );
    return { places, open: places.filter(({ chosen }) => !chosen).length };
  }

  #of(path: string, clash: Clash): Side | undefined {
    return this.#chosen.get(keyOf(path, clash));
  }

  /** Compared once, until a text or a choice is another. */
  #files(): Map<string, MergedFile> {
    const edits = [...this.edits()];
    const { files } = this.opened.stored;
    const key = JSON.stringify([edits, edits.map(([path]) => files[path])]);
    if (this.#joined?.key === key) return this.#joined.files;
    const joined = new Map(
      edits.map(([path, { was, now }]) => {
        const texts = { base: was, mine: now, theirs: files[path] ?? null };
        const chosen = (place: string) => this.#chosen.get(`${path}#${place}`);
        const lines = (before: string, after: string) =>
          lineChanges(this.core.textDiff(before, after, 0), after);
        return [path, mergedFile(texts, this.#as(path), chosen, lines)] as const;
      }),
    );
    this.#joined = { key, files: joined };
    return joined;
  }

  #as(path: string): MergedAs {
    const { workflows, agentsFile } = this.opened.pack;
    if (path === agentsFile || workflows.some(({ graphFile }) => graphFile === path)) return "json";
    return path.endsWith(".md") && !path.startsWith("assets/") ? "head" : "lines";
  }

  /** File and place in words: Assess damage, title. */
  #place(path: string, { member, line }: Clash): string {
    const { workflows, agentsFile, agents } = this.opened.pack;
    const nodes = workflows.flatMap(({ graph }) => graph?.nodes ?? []);
    const words = (name: string): string =>
      titleOf(nodes.find(({ id }) => id === name)) ||
      agents?.find(({ id }) => id === name)?.metadata.name ||
      name;
    const where = line ? [t("crew.findings.line", { n: line })] : member.map(words);
    const workflow = workflows.find((one) => [one.graphFile, one.document].includes(path));
    const step = nodes.find(({ file }) => file === path);
    if (step) return format.listed([titleOf(step), ...where]);
    // A list of the graph is not said: what stands in it has a name.
    if (workflow?.graphFile === path) return format.listed([t("crew.graph"), ...where.slice(1)]);
    if (workflow) return format.listed([t("crew.cmp.document"), ...where]);
    return format.listed(
      path === agentsFile ? [t("crew.agents"), ...where.slice(1)] : [path, ...where],
    );
  }
}

const keyOf = (path: string, { key }: Clash): string => `${path}#${key}`;
