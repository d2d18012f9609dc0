/** The versions of a package: the stored list, two ticked to compare. */
import type { Revision } from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import { format, has, t } from "@holdpoint/elements";
import type { EntriesView, Entry } from "@holdpoint/elements/history/view";
import type { Around } from "./around.js";

export class Versions {
  revisions: Revision[] = [];
  #state: EntriesView["state"] = "loading";
  #problem: ErrorShape | null = null;
  #cursor: string | null = null;
  #ticked: string[] = [];

  constructor(
    private readonly id: string,
    private readonly around: Around,
  ) {}

  async load(more = false): Promise<void> {
    try {
      const page = await this.around.api.revisions(this.id, more ? this.#cursor : null);
      this.revisions = more ? [...this.revisions, ...page.items] : page.items;
      this.#cursor = page.nextCursor;
      this.#state = "ready";
      this.#problem = null;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (!this.revisions.length) this.#state = "failed";
      this.#problem = error;
      this.around.failed(error);
    }
    this.around.changed();
  }

  tick(ids: string[]): void {
    this.#ticked = ids;
    this.around.changed();
  }

  view(): EntriesView {
    const two = this.#ticked.length === 2;
    return {
      state: this.#state,
      problem: this.#problem,
      offline: !this.around.online(),
      groups: [{ title: "", entries: this.revisions.map(entry) }],
      note: null,
      none: "crew.revision.none",
      more: this.#cursor !== null,
      chosen: null,
      ticked: this.#ticked,
      keep: null,
      compare: {
        label: t("crew.revision.compare"),
        off: two ? "" : t("crew.revision.two"),
      },
    };
  }
}

function entry({ revision, cause, at, about, changed }: Revision): Entry {
  const key = `crew.cause.${cause}`;
  const word = has(key) ? t(key) : cause;
  const of = about === null ? "" : ` ${t("crew.revision.about", { n: about })}`;
  const files = changed.length ? t("crew.revision.files", { n: changed.length }) : "";
  return {
    id: String(revision),
    lead: format.when(at, Date.now()),
    mark: null,
    title: `${t("crew.revision", { n: revision })} · ${word}${of}`,
    subs: [files && `${files}: ${changed.slice(0, 3).join(", ")}${changed.length > 3 ? " …" : ""}`],
    signature: "",
    signed: false,
    print: "",
    tick: t("crew.revision.tick", { n: revision }),
    row: true,
    undo: null,
    blocked: "",
    full: format.dateTime(at),
  };
}
