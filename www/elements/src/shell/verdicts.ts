/** What a check found, one line an element: what is not right first. A line selects its element (ifc-sdk.md §1). */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { badges, buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";

/** One element and its verdict. */
export interface VerdictView {
  id: number;
  name: string;
  ok: boolean;
  message: string;
}

/** Lines that are drawn: more say how many they are. */
const MAX_LINES = 200;

const own = css`
  ul { display: grid; gap: var(--s-1); max-height: 240px; overflow: auto; margin: 0; padding: 0; list-style: none; }
  button { width: 100%; justify-content: start; text-align: start; gap: var(--s-3); }
`;

@customElement("hp-verdicts")
export class Verdicts extends HpElement {
  static override styles = [ground, buttons, badges, own];
  @property({ attribute: false }) items: VerdictView[] = [];

  protected override get state(): string {
    return this.items.some((one) => !one.ok) ? "bad" : "good";
  }

  override render() {
    const bad = this.items.filter((one) => !one.ok);
    const lines = [...bad, ...this.items.filter((one) => one.ok)].slice(0, MAX_LINES);
    const all = this.items.length;
    return html`<p>
        ${bad.length ? t("ext.verdicts", { n: bad.length, all }) : t("ext.verdicts.none", { all })}
      </p>
      <ul>
        ${lines.map((one) => this.#line(one))}
      </ul>
      ${
        all > lines.length
          ? html`<p class="meta">${t("ext.verdicts.more", { n: all - lines.length })}</p>`
          : nothing
      }`;
  }

  #line({ id, name, ok, message }: VerdictView) {
    return html`<li>
      <button class="btn s quiet" @click=${() => this.emit("hp-select", { ids: [id] })}>
        <span class="badge ${ok ? "pass" : "fail"}"
          >${icon(ok ? "ok" : "cross", "s")}<span
            >${t(ok ? "ext.verdict.good" : "ext.verdict.bad")}</span
          ></span
        ><span>${name}</span>${message ? html`<span class="meta">${message}</span>` : nothing}
      </button>
    </li>`;
  }
}
