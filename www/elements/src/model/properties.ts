/** Properties and quantities of the selection; of several, what they share. UI.md §3. */

import type { ElementDetail } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { decimal } from "../base/format.js";
import { breakable } from "../base/split.js";
import { ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { cell } from "./elements.js";
import { type Merged, merged } from "./merge.js";

const own = css`
  .kv { font-size: var(--t-small); line-height: var(--l-small); }
  .kv > div {
    display: grid;
    grid-template-columns: 44% 1fr;
    gap: var(--s-4);
    padding: 5px var(--pad);
    align-items: baseline;
    border-bottom: 1px solid var(--line);
  }
  dt { color: var(--text-2); overflow-wrap: anywhere; min-width: 0; }
  dd { overflow-wrap: anywhere; }
  .group-h {
    display: flex;
    align-items: center;
    gap: var(--s-3);
    padding: var(--s-3) var(--pad);
    background: var(--sunken);
    border-bottom: 1px solid var(--line);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    font-weight: var(--w-strong);
    color: var(--text-2);
    overflow-wrap: anywhere;
  }
  .none { padding: var(--pad); }
`;

@customElement("hp-properties")
export class Properties extends HpElement {
  static override styles = [ground, own];
  @property({ attribute: false }) elements: ElementDetail[] = [];
  /** How many are selected in all; details come for the first ones. */
  @property({ type: Number }) count = 0;

  protected override get state(): string {
    if (this.elements.length === 0) return "empty";
    return this.elements.length === 1 ? "one" : "several";
  }

  override render() {
    const elements = this.elements;
    if (elements.length === 0) return html`<p class="meta quiet none">${t("props.none")}</p>`;
    return html`${
      this.count > elements.length
        ? html`<p class="meta none">${t("props.many", { n: elements.length })}</p>`
        : nothing
    }
      <dl class="kv">${this.#own(elements)}</dl>
      ${merged(elements).map(
        (group) =>
          html`<h3 class="group-h">${group.name}</h3>
            <dl class="kv">${group.values.map((value) => this.#row(value, elements.length))}</dl>`,
      )}`;
  }

  #own(elements: ElementDetail[]) {
    const facts: [string, (element: ElementDetail) => string | null, boolean][] = [
      [t("props.type"), (one) => one.type, false],
      [t("props.name"), (one) => one.name, false],
      [t("props.global_id"), (one) => one.global_id, true],
      [t("props.storey"), (one) => one.storey, false],
      [t("props.description"), (one) => one.description ?? null, false],
      [t("props.object_type"), (one) => one.object_type ?? null, false],
      [t("props.tag"), (one) => one.tag ?? null, false],
    ];
    return facts.map(([label, read, mono], i) => {
      const all = elements.map(read);
      const distinct = new Set(all.filter((value) => value !== null && value !== ""));
      if (distinct.size === 0 && i > 3) return nothing;
      const [only] = distinct;
      const value = only
        ? html`<span class=${mono ? "mono" : ""}>${only}</span>`
        : html`<span class="quiet">${t("model.not_given")}</span>`;
      return html`<div>
        <dt>${breakable(label)}</dt>
        <dd>${distinct.size > 1 ? different(distinct.size) : value}</dd>
      </div>`;
    });
  }

  #row(value: Merged, of: number) {
    return html`<div>
      <dt>${breakable(value.name)}</dt>
      <dd>${this.#value(value, of)}</dd>
    </div>`;
  }

  #value(value: Merged, of: number) {
    const unit = value.unit ? ` ${value.unit}` : "";
    if (value.sum !== null)
      return html`${decimal(value.sum)}${unit} <span class="quiet">${t("props.in_all")}</span>`;
    if (value.range)
      return t("props.range", {
        from: decimal(value.range.from),
        to: `${decimal(value.range.to)}${unit}`,
      });
    if (value.different === 0) return html`<span class="quiet">${t("model.not_given")}</span>`;
    if (value.different > 1) return different(value.different);
    const text = `${cell(value.value)}${unit}`;
    if (of === 1 || value.lack === 0) return text;
    return html`<span class="strong">${text}</span> ${t("props.on", { n: value.have })},
      <span class="quiet">${t("props.not_on", { n: value.lack })}</span>`;
  }
}

const different = (n: number) => html`<span class="quiet">${t("props.different", { n })}</span>`;
