/** The five texts and the panel beside them as tabs; ▪ has a proposed change, ● is not saved. Arrows, Home, End. */

import { FILES } from "@holdpoint/core/editor";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { type IconName, icon } from "../base/icons.js";
import { buttons, ground } from "../base/styles.js";
import { tabs, turned } from "../base/tabs.js";
import { t } from "../text/index.js";
import type { Front, ScriptView, StepView } from "./view.js";

const own = css`
  :host {
    display: flex;
    align-items: stretch;
    border-bottom: 1px solid var(--line-2);
    background: var(--sunken);
    min-height: 40px;
    flex: none;
    min-width: 0;
  }
  [role="tab"] { padding: 0 var(--s-6); }
  .many [role="tab"] { padding: 0 var(--s-4); }
  .d, .d2 {
    width: 8px;
    height: 8px;
    border: 1px solid var(--hold);
    background: var(--hold-fill);
    border-radius: 1px;
  }
  .d2 { border-color: var(--action); background: var(--action-fill); border-radius: 50%; }
  .last {
    display: flex;
    position: sticky;
    inset-inline-end: 0;
    background: var(--sunken);
    border-inline-start: 1px solid var(--line);
  }
  .ptab { font-weight: var(--w-strong); }
  .ptab .i { color: var(--hold); }
  .ptab .c-run { color: var(--action); }
  .ptab[aria-selected="true"] { background: var(--surface); }
  .end {
    margin-inline-start: auto;
    display: flex;
    align-items: center;
    padding: 0 var(--s-4);
    gap: var(--s-1);
    flex: none;
  }
  @media (max-width: 767px) {
    .last { display: none; }
    [role="tab"] { padding: 0 var(--s-5); }
  }
`;

const marks: Record<NonNullable<ScriptView["panel"]>, IconName> = {
  proposal: "diff",
  error: "diff",
  versions: "diff",
  compare: "history",
};

@customElement("hp-file-tabs")
export class FileTabs extends HpElement {
  static override styles = [ground, buttons, tabs, own];
  @property({ attribute: false }) view!: ScriptView;

  override render() {
    const { view } = this;
    const proposed = new Set(
      view.panel === "proposal" && view.proposal
        ? view.proposal.files.map((file) => file.path)
        : [],
    );
    return html`<div
      role="tablist"
      class=${view.panel ? "many" : ""}
      aria-label=${t("script.files")}
      @keydown=${this.#keys}
    >
        ${FILES.map((path) =>
          this.#tab(
            path,
            html`<span class="mono">${path}</span>${
              proposed.has(path)
                ? html`<span class="d" aria-hidden="true"></span
                      ><span class="vh">${t("script.proposed")}</span>`
                : nothing
            }${
              view.edited.includes(path)
                ? html`<span class="d2" aria-hidden="true"></span
                      ><span class="vh">${t("script.edited")}</span>`
                : nothing
            }`,
          ),
        )}
        ${this.#tab("all", html`<span>${t("script.files.all")}</span>`)}
        <div class="last" role="presentation">
        ${this.#tab("run", html`${icon("play", "s c-run")}<span>${t("script.run.tab")}</span>`)}${
          view.panel
            ? this.#tab(
                "panel",
                html`${icon(marks[view.panel], view.panel === "compare" ? "s c-run" : "s")}<span
                    >${this.#panel(view.panel)}</span
                  >`,
                "ptab",
              )
            : nothing
        }</div>
      </div>
      <div class="end">
        <button
          class="btn quiet s icon"
          aria-label=${t("script.history")}
          aria-pressed=${view.drawer === "history"}
          data-testid="hp-history"
          @click=${() =>
            this.emit("hp-drawer", { drawer: view.drawer === "history" ? "chat" : "history" })}
        >
          ${icon("history")}
        </button>
        ${this.#step("undo", view.undo)}${this.#step("redo", view.redo)}
      </div>`;
  }

  #tab(front: Front, body: unknown, look = "") {
    const selected = this.view.front === front;
    return html`<button
      role="tab"
      id="tab-${front}"
      class=${look}
      aria-selected=${selected}
      tabindex=${selected ? 0 : -1}
      title=${front === "all" || front === "panel" || front === "run" ? nothing : front}
      @click=${() => this.emit("hp-file", { front })}
    >
      ${body}
    </button>`;
  }

  #panel(panel: NonNullable<ScriptView["panel"]>): string {
    if (panel === "compare") return this.view.compare?.title ?? "";
    return t(`script.tab.${panel}`);
  }

  /** Disabled in words: the reason is the tooltip and stands in the description. */
  #step(name: "undo" | "redo", step: StepView) {
    const group = step.places
      ? t(`script.${name}.group`, {
          places: t("script.places", { n: step.places }),
          files: t("script.files.n", { n: step.files }),
        })
      : t(`script.${name}`);
    return html`<button
        class="btn quiet s icon"
        data-testid="hp-${name}"
        aria-label=${group}
        title=${step.on ? group : `${t(`script.${name}`)}: ${step.reason}`}
        ?disabled=${!step.on}
        aria-describedby=${step.on ? nothing : `why-${name}`}
        @click=${() => this.emit("hp-step", { step: name })}
      >
        ${icon(name)}</button
      >${step.on ? nothing : html`<span class="vh" id="why-${name}">${step.reason}</span>`}`;
  }

  #keys(event: KeyboardEvent): void {
    const all = [...this.renderRoot.querySelectorAll<HTMLElement>('[role="tab"]')].filter(
      (tab) => tab.offsetParent !== null,
    );
    const to = turned(event.key, all.indexOf(event.target as HTMLElement), all.length);
    const next = to === null ? undefined : all[to];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.click();
  }

  /** Where focus goes when a panel closes. */
  focusTab(): void {
    this.renderRoot.querySelector<HTMLElement>('[role="tab"][tabindex="0"]')?.focus();
  }
}
