/**
 * An installed panel that a person says is wrong: the form stands in place of the change, and its repair is a change of
 * its own. What is installed stays as it is until the repair is signed.
 */
import type { ErrorShape, Files, Plan } from "@holdpoint/core/types";
import { format, type WrongView } from "@holdpoint/elements";
import type { DockView } from "@holdpoint/elements/dock/open-panels";
import type { Picked } from "@holdpoint/elements/dock/pick";
import type { Around as ChangeAround } from "./change.js";
import type { Bringing } from "./change-lines.js";
import type { Live } from "./installed.js";
import { Pricing, SDK } from "./pricing.js";
import { type Repairable, Wrong } from "./wrong.js";

type Parts = "api" | "checks" | "installed" | "overlay" | "selection" | "currency" | "changed";

interface Around extends Pick<ChangeAround, Parts> {
  /** The form is in sight. */
  front(): void;
  /** A change with these files takes the front; rejects while another one is being made. */
  bring(title: string, it: Bringing, base: Files): Promise<void>;
  refused(error: ErrorShape): void;
}

/** The next version of what is installed, which a repair begins with, and the plan that it keeps to. */
interface Next {
  widened?: Files;
  plan?: Plan;
}

export class WrongPanel {
  readonly said: Wrong;
  #dock: string | null = null;
  #pricing: Pricing;
  #next: Promise<Next> = Promise.resolve({});

  constructor(private readonly around: Around) {
    this.said = new Wrong(() => this.#of(), around);
    this.#pricing = new Pricing(around);
  }

  /** Null while nobody says anything of an installed panel. */
  get view(): WrongView | null {
    const { view } = this.said;
    const { quote } = this.#pricing;
    const most = quote ? { tokens: quote.tokens.max, cost: quote.cost.max } : null;
    return (
      view && {
        ...view,
        of: {
          name: this.#live?.manifest.name ?? "",
          most: most ? format.short(most, this.around.currency()) : "",
        },
      }
    );
  }

  /** The panel's key among the docks of the page. */
  open(dock: string): void {
    this.#dock = dock;
    const live = this.#live;
    if (!live) return;
    this.#pricing = new Pricing(this.around);
    this.#next = this.#judged(live);
    void this.#next.then((next) => this.#price(next, live.record.content_hash));
    this.said.open();
    this.around.front();
  }

  pick(what: Picked): void {
    this.said.pick(what);
    this.around.front();
  }

  leave(): void {
    if (this.#dock === null) return;
    this.#dock = null;
    this.said.leave();
  }

  /** The panels that are open, with the one in which a person points. */
  marked(docks: DockView[]): DockView[] {
    if (!this.said.view) return docks;
    const mark = (dock: DockView): DockView => ({
      ...dock,
      tabs: dock.tabs.map((tab) => (tab.dock === this.#dock ? { ...tab, picks: true } : tab)),
    });
    return docks.map(mark);
  }

  get #live(): Live | undefined {
    const dock = this.around.installed.docks.get(this.#dock ?? "");
    return dock && this.around.installed.all.get(dock.extension);
  }

  #of(): Repairable | null {
    const live = this.#live;
    if (!live?.record.enabled) return null;
    const { name } = live.manifest;
    return {
      name,
      repair: async (text, test) => {
        const { widened: files = live.files } = await this.#next;
        try {
          await this.around.bring(name, { type: "Repair", text, files, test }, live.files);
        } catch (error) {
          this.around.refused(error as ErrorShape);
          return;
        }
        this.leave();
      },
    };
  }

  /** As what this SDK breaks: a patch, whose parts, permissions and tests do not grow. */
  #judged({ files }: Live): Promise<Next> {
    const input = { files, from: SDK, to: SDK, passed: false };
    return this.around.checks.call<Next>("drift.judge", input).catch(() => ({}));
  }

  async #price({ plan }: Next, plan_hash: string): Promise<void> {
    if (!plan) return;
    const { estimate } = await this.around.checks.planCheck(plan);
    if (estimate) await this.#pricing.price({ plan, plan_hash, estimate }, "");
  }
}
