/** A script that ran becomes a tool: what it is called, and its bundle, made without a model (authoring.md §1 A). */
import type { Checks, Promoted, RunView } from "@holdpoint/core/types";
import { type PromotingView, said } from "@holdpoint/elements";
import type { Around } from "./change.js";
import { ICONS } from "./kind.js";

interface Promotable {
  readonly view: RunView;
  send(event: { type: "Promote"; files: NonNullable<Promoted["files"]> }): Promise<void>;
}

/** As long as a name may be (`manifest.schema.json`). */
const MAX_NAME_CHARS = 80;

export class Promoting {
  view: PromotingView | null = null;

  constructor(
    private readonly change: Promotable,
    private readonly around: { checks: Checks } & Pick<Around, "installed" | "changed">,
  ) {}

  open(): void {
    const name = this.change.view.request.trim().replace(/[\s?？؟.!]+$/, "");
    this.view ??= {
      ...{ name: [...name].slice(0, MAX_NAME_CHARS).join(""), icon: "", category: "", key: "" },
      ...{ icons: ICONS, problem: "" },
    };
    this.around.changed();
  }

  write(name: "name" | "icon" | "category" | "key", value: string): void {
    if (this.view) this.view = { ...this.view, [name]: value, problem: "" };
    this.around.changed();
  }

  /** Its bundle goes to the review, or says why there is none. */
  async go(): Promise<void> {
    const { view, change, around } = this;
    if (!view?.name.trim()) return;
    const { icon, category, key } = view;
    const [source] = Object.values(change.view.files);
    const taken = [...around.installed.all.keys()];
    const more = { icon, category: category.trim(), key: key.trim() };
    const filled = Object.fromEntries(Object.entries(more).filter(([, value]) => value));
    const { files, diagnostics } = await around.checks.call<Promoted>("script.promote", {
      ...{ source, name: view.name, taken },
      ...filled,
    });
    if (files) {
      this.leave();
      await change.send({ type: "Promote", files });
      return;
    }
    const worst = diagnostics.find((one) => one.severity === "error");
    this.view = { ...view, problem: worst ? said(worst) : "" };
    around.changed();
  }

  leave(): void {
    this.view = null;
    this.around.changed();
  }
}
