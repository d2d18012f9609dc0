/** The issues of a BCF file: each selects its elements. */
import type { BcfTopic } from "@holdpoint/core/types";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { dateTime, listed } from "../base/format.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { styles } from "./checks.styles.js";
import { isSame, linked } from "./linked.js";

@customElement("hp-topics")
export class Topics extends HpElement {
  static override styles = [ground, buttons, badges, sheets, styles];
  @property({ attribute: false }) topics: BcfTopic[] = [];
  @property({ attribute: false }) selected: number[] = [];

  override render() {
    const { topics } = this;
    return html`<div
      class="body scroll"
      tabindex="0"
      role="group"
      aria-label=${t("app.scrolls", { name: t("bcf.list") })}
    >
      <div class="fig">
        <span class="all">${t("bcf.topics", { n: topics.length })}</span>
      </div>
      <ol aria-label=${t("bcf.list")}>
        ${topics.map((one) => this.#topic(one))}
      </ol>
    </div>`;
  }

  #topic(one: BcfTopic) {
    const on = one.ids.length > 0 && isSame(one.ids, this.selected);
    const about = listed([one.author ?? "", when(one.created)].filter((part) => part !== ""));
    const absent = one.global_ids.length - one.ids.length;
    return html`<li class="topic ${on ? "on" : ""}">
      <div class="line">
        <span class="name">${linked(one.title, one.ids, this.selected, this.#select)}</span
        >${one.status ? html`<span class="badge">${one.status}</span>` : nothing}
      </div>
      <span class="meta"
        >${about ? html`${about} · ` : nothing}${
          one.global_ids.length === 0
            ? t("bcf.nothing")
            : linked(
                t("ids.elements", { n: one.ids.length }),
                one.ids,
                this.selected,
                this.#select,
                one.title,
              )
        }${absent > 0 ? ` · ${t("bcf.absent", { n: absent })}` : nothing}</span
      >
      ${one.description ? html`<p>${one.description}</p>` : nothing}
      ${one.comments.length > 0 ? comments(one) : nothing}
    </li>`;
  }

  readonly #select = (ids: number[]): void => this.emit("hp-select", { ids });
}

function comments({ comments }: BcfTopic) {
  return html`<details>
    <summary>
      ${icon("cr", "s tw")}<span class="meta">${t("bcf.comments", { n: comments.length })}</span>
    </summary>
    ${comments.map(
      (one) =>
        html`<div class="said">
          <p class="who"><span>${one.author}</span><span>${when(one.date)}</span></p>
          <p>${one.text}</p>
        </div>`,
    )}
  </details>`;
}

/** A time of a file as a person reads it; one that is none, as it stands. */
function when(date: string | null): string {
  if (date === null) return "";
  const at = Date.parse(date);
  return Number.isNaN(at) ? date : dateTime(at);
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-topics": Topics;
  }
}
