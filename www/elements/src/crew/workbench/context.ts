/**
 * What the next message takes along: how much fits, the target and the rules that always go, a switch for each object
 * beside, and what was shortened. UI.md §12 "Context".
 */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../../base/element.js";
import { integer, listed } from "../../base/format.js";
import { icon } from "../../base/icons.js";
import { prose } from "../../base/prose.js";
import { calls, meters, sheets } from "../../base/sheets.js";
import { buttons, ground } from "../../base/styles.js";
import { unread } from "../../shell/unread.js";
import { t } from "../../text/index.js";
import { styles } from "./context.styles.js";
import type { ContextGroup, ContextItem, ContextView } from "./view.js";

@customElement("hp-wb-context")
export class WorkbenchContext extends HpElement {
  static override styles = [ground, buttons, sheets, calls, meters, styles];
  @property({ attribute: false }) view!: ContextView;

  protected override get state(): string {
    return this.view.state;
  }

  override render() {
    const { view } = this;
    return html`<div data-testid="wb-context">${this.#inside(view)}</div>`;
  }

  #inside(view: ContextView) {
    if (view.state === "loading")
      return html`<p class="meta none late">${icon("spin", "s spin")} ${t("wb.loading")}</p>`;
    if (view.state === "failed")
      return html`<div class="none">
        ${unread("wb.context.unread", view.problem, () => this.emit("hp-context-again"))}
      </div>`;
    return html`${budget(view)}${view.groups.map((group, i) => this.#group(group, i))}${trimmed(view)}`;
  }

  #group({ is, total, items }: ContextGroup, at: number) {
    const on = items.filter((item) => item.on).length;
    return html`<h3 class="group-h" id="g-${at}">
        ${t(`wb.context.${is}`)}
        ${
          is === "always"
            ? nothing
            : html`<span class="end">${t("wb.context.of", { n: on, of: total })}</span>`
        }
      </h3>
      <ul class="rows cx" aria-labelledby="g-${at}">
        ${items.map((item) => this.#item(item, is === "always"))}
      </ul>`;
  }

  #item({ key, name, sub, tokens, on }: ContextItem, locked: boolean) {
    return html`<li class=${on ? "" : "off"} data-object=${key}>
      <label class="grow"
        ><input
          type="checkbox"
          role="switch"
          class="sw"
          .checked=${on}
          ?disabled=${locked}
          @change=${(event: Event) =>
            this.emit("hp-exclude", {
              object: key,
              out: !(event.target as HTMLInputElement).checked,
            })}
        /><span class="grow"
          ><span class="nm" translate="no">${name}</span><span class="sub">${sub}</span></span
        ></label
      ><span class="tok-n"
        >${sized(on, tokens)}</span
      >
    </li>`;
  }
}

function sized(on: boolean, tokens: number | null): string {
  if (!on) return t("wb.context.out");
  return tokens === null ? "" : integer(tokens);
}

function budget({ tokens, budget: most, reserve, parts }: ContextView) {
  const share = (n: number): string => `width:${Math.min(100, (100 * n) / Math.max(1, most))}%`;
  const words = listed(parts.map(({ name, tokens: n }) => `${name} ${integer(n)}`));
  return html`<div class="budgetline">
    <p class="flex">
      <span class="strong">${t("wb.tokens", { n: tokens, of: most })}</span
      ><span class="meta end">${t("wb.context.reserve", { n: reserve })}</span>
    </p>
    <div
      class="meter big"
      role="img"
      aria-label=${t("wb.context.bar", { words, n: Math.max(0, most - tokens) })}
    >
      ${parts.map(({ tokens: n }, i) => html`<i class=${i % 2 ? "alt" : ""} style=${share(n)}></i>`)}
    </div>
    <p class="meta">${t("wb.context.text")}</p>
  </div>`;
}

function trimmed({ trimmed: all }: ContextView) {
  if (!all.length) return nothing;
  return html`<h3 class="group-h" id="g-t">${t("wb.context.trimmed")}</h3>
    <ul class="rows" aria-labelledby="g-t" data-testid="wb-trimmed">
      ${all.map(
        ({ what, before, after }) =>
          html`<li>
            ${icon("info", "c-off")}
            <div>
              <p>${prose(what)}</p>
              <p class="sub">${t("wb.context.chars", { before, after })}</p>
            </div>
          </li>`,
      )}
    </ul>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-wb-context": WorkbenchContext;
  }
}
