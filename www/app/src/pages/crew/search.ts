/**
 * Words in all files of the open package, with the edits on this device: what the edge's route finds in what is stored,
 * the same engine finds here in what the page has, also without a network. One way for both.
 */
import { isRefusal } from "@holdpoint/core/session";
import type { Files } from "@holdpoint/core/types";
import type { SearchView } from "@holdpoint/elements/crew/view";
import { agentAt, workflowAt } from "./address.js";
import type { Around } from "./around.js";
import type { Opened } from "./opened.js";
import { placed } from "./package-view.js";

/** After so long without typing it is searched, in ms. */
const PAUSE_MS = 120;
const AGENT = "agent:";
const STEP = "step:";

/** What `crew.search` answers. */
interface Found {
  items: {
    file: string;
    line: number;
    text: string;
    /** As change sets name objects: `step:collect`. */
    object: string;
    workflow_id: number | null;
  }[];
  truncated: boolean;
}

export class Search {
  #words = "";
  #found: Found | null = null;
  /** What was searched last: the same is not searched again. */
  #of: { words: string; files: Files } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly opened: Opened,
    private readonly around: Around,
  ) {}

  set(words: string): void {
    this.#words = words;
    clearTimeout(this.#timer);
    if (words.trim() === "") this.clear();
    else this.#timer = setTimeout(() => void this.#search(), PAUSE_MS);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#words = "";
    this.#found = null;
    this.#of = null;
  }

  /** An answer that a later word or edit overtook is dropped. */
  async #search(): Promise<void> {
    const wanted = { words: this.#words, files: this.opened.files };
    if (this.#of?.words === wanted.words && this.#of.files === wanted.files) return;
    this.#of = wanted;
    try {
      const found = await this.around.checks.call<Found>("crew.search", wanted);
      if (this.#of !== wanted) return;
      this.#found = found;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.around.refused("read", error);
    }
    this.around.changed();
  }

  view(): SearchView | null {
    if (this.#words.trim() === "") return null;
    const found = this.#found;
    return {
      words: this.#words,
      state: found ? "ready" : "searching",
      hits: (found?.items ?? []).map((hit) => ({
        ...this.#place(hit),
        line: hit.line,
        text: hit.text.trim(),
      })),
      truncated: found?.truncated ?? false,
    };
  }

  /** The object of a hit, in words, and where a click leads. */
  #place({ file, object, workflow_id: workflow }: Found["items"][number]): {
    place: string;
    href: string;
  } {
    const { pack, id } = this.opened;
    const at = placed(pack, id, { code: "", severity: "warning", message: "", path: file });
    if (object.startsWith(AGENT)) {
      const key = object.slice(AGENT.length);
      const agent = pack.agents?.find((one) => one.id === key);
      return { place: agent?.metadata.name || key, href: agentAt(id, key) };
    }
    const href =
      object.startsWith(STEP) && workflow !== null
        ? workflowAt(id, String(workflow), object.slice(STEP.length))
        : at.href;
    return { place: at.place || file, href };
  }
}
