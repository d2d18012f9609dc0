/** Two versions as they run side by side, in place of the model; where one has room, with tabs. UI.md §11. */
import { type PanelView, t } from "@holdpoint/elements";
import { turned } from "@holdpoint/elements/base/tabs";
import { html } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Send } from "./page-model.js";
import type { PageView } from "./page-view.js";

const letterOf = (one: PanelView): string => one.tried?.version?.letter ?? "";
const named = (one: PanelView): string => t("versions.name", { letter: letterOf(one) });
const isBeside = (one: PanelView): boolean => one.tried?.version?.shown === false;

export function trialsPane({ trials, beside, visible }: PageView, send: Send) {
  const isFront = (one: PanelView): boolean => isBeside(one) === beside;
  return html`<div class="panel sides">
    <div class="two">
      ${tabs(trials, isFront, send)}
      ${repeat(
        trials,
        letterOf,
        (one) =>
          html`<section
            class="one ${isFront(one) ? "front" : ""}"
            data-f6
            data-version=${letterOf(one)}
            aria-label=${named(one)}
          >
            <hp-widget-panel .view=${one} .selection=${visible}></hp-widget-panel>
          </section>`,
      )}
    </div>
  </div>`;
}

function tabs(trials: PanelView[], isFront: (one: PanelView) => boolean, send: Send) {
  const turn = (to: number): void => {
    const one = trials[to];
    if (one) send("hp-beside-front", { beside: isBeside(one) });
  };
  const keys = (event: KeyboardEvent): void => {
    const to = turned(event.key, trials.findIndex(isFront), trials.length);
    if (to === null) return;
    event.preventDefault();
    turn(to);
    const list = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => list.querySelectorAll("button")[to]?.focus());
  };
  return html`<div class="tabs" role="tablist" aria-label=${t("versions.title")} @keydown=${keys}>
    ${trials.map(
      (one, i) =>
        html`<button
          role="tab"
          aria-selected=${isFront(one)}
          tabindex=${isFront(one) ? 0 : -1}
          @click=${() => turn(i)}
        >
          ${named(one)}
        </button>`,
    )}
  </div>`;
}
