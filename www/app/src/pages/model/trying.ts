/** What is reviewed as a person tries it: whether it is in sight, and what is asked of it. */
import type { TrialView } from "@holdpoint/elements";
import { placeOf } from "@holdpoint/elements/dock/open-panels";
import type { PreviewAsk } from "@holdpoint/elements/dock/preview";
import type { Changes } from "./changes.js";
import { ALONE } from "./page-settings.js";
import type { PageView } from "./page-view.js";
import type { Preview } from "./preview.js";

/** Where two versions and the change have no room beside each other either. */
const NARROW = matchMedia("(max-width: 767px)");

export class Trying {
  constructor(
    private readonly preview: Preview,
    private readonly changes: Changes,
    private readonly set: (ui: Partial<Pick<PageView, "pane" | "pair">>) => void,
  ) {}

  /** What is reviewed is tried, and another version beside it; while the checks answer, what was tried stays. */
  follow(): void {
    const { current } = this.changes;
    const of = current?.signing.tryable() ?? null;
    if (of) this.preview.follow(of, current?.versions.tryable());
    else if (current?.view.state !== "review") this.preview.follow(null);
  }

  /** Whether the change hides what is tried. */
  get #isAlone(): boolean {
    return (this.preview.panels().length > 1 ? NARROW : ALONE).matches;
  }

  trial(): TrialView | null {
    return this.preview.trial(this.#isAlone);
  }

  /** What is reviewed comes to the front as it runs, or leaves it. */
  show(open = this.#isAlone || !this.preview.open): void {
    this.preview.shows(open);
    this.set(open ? { pane: "panels", pair: "dock" } : { pane: "change", pair: "work" });
  }

  asked(ask: PreviewAsk & { dock?: string }): unknown {
    const { changes, preview } = this;
    switch (ask.act) {
      case "again":
        return preview.again(ask.dock);
      case "accept":
        return preview.accept();
      case "close":
        return this.show(false);
      case "panel":
        return preview.front(ask.id, ask.dock);
      case "run":
        return preview.run(ask.kind, ask.id, ask.dock);
      case "review":
        return this.set({ pane: "change", pair: "work" });
      case "source": {
        const at = preview.failure?.at;
        this.set({ pane: "change", pair: "work" });
        return changes.current?.source.open(at ? { path: at.path } : null);
      }
    }
  }

  /** One panel in a dock, or two versions side by side, in place of the panels that are open; null: none is tried. */
  view(): Pick<PageView, "docks" | "trials" | "panel"> | null {
    const picks = this.changes.current?.wrong.view != null;
    const [first, ...more] = this.preview.panels(picks);
    if (!first) return null;
    if (more.length) return { docks: [], trials: [first, ...more], panel: null };
    const dock = { place: placeOf(first.slot), tabs: [first], front: first.dock };
    return { docks: [dock], trials: [], panel: first.dock };
  }
}
