/**
 * More members of an agent, folded: what it is called elsewhere, what it always does, its prompts and its menu as forms;
 * members that no schema describes as JSON. UI.md §12; crew-package.md §3.
 */
import type { Agent } from "@holdpoint/core/crew";
import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { HpElement } from "../base/element.js";
import { listed } from "../base/format.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import {
  ABOUT,
  ACTIONS,
  ITEMS,
  type ItemList,
  type MemberField,
  newItem,
  OWN,
  objectsOf,
  textsOf,
  withMember,
} from "./agent-fields.js";
import { isBad, toldAt } from "./agent-told.js";
import { fields } from "./crew.styles.js";
import "./texts.js";
import type { AgentView } from "./view.js";

const own = css`
  summary .end { margin-inline-start: auto; text-align: end; }
  .part { padding: var(--s-4) var(--s-5) var(--s-5); border-top: 1px solid var(--line); }
  h3 {
    font-size: var(--t-small);
    line-height: var(--l-small);
    font-weight: var(--w-strong);
    margin-bottom: var(--s-3);
  }
  .col { display: grid; gap: var(--s-4); font-size: var(--t-small); line-height: var(--l-small); }
  .col label:not(.opt) { display: grid; gap: var(--s-1); color: var(--text-2); }
  .input { width: 100%; min-height: var(--control); color: var(--text); }
  textarea.input { padding-block: var(--s-3); resize: vertical; min-height: 72px; }
  .json { font-family: var(--mono); font-size: var(--t-meta); min-height: 160px; }
  fieldset {
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    margin: 0 0 var(--s-4);
    padding: var(--s-3) var(--s-4) var(--s-4);
    min-width: 0;
  }
  legend { padding: 0 var(--s-2); font-size: var(--t-meta); font-weight: var(--w-strong); }
  .row { display: flex; gap: var(--s-3); align-items: center; justify-content: flex-end; }
  .hint { margin-top: 0; }
`;

@customElement("hp-crew-agent-more")
export class CrewAgentMore extends HpElement {
  static override styles = [ground, buttons, forms, sheets, fields, own];
  @property({ attribute: false }) view!: AgentView;
  /** Unfolded; its host then gives it more room. */
  @property({ type: Boolean, reflect: true }) open = false;

  /** What is wrong in it is not hidden. */
  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const inside = ["/more", "/prompts", "/menu", `/${ACTIONS}`];
    if (inside.some((pointer) => isBad(this.view.findings, pointer))) this.open = true;
  }

  override render() {
    const { agent } = this.view;
    return html`<details
      class="sheet fold"
      data-testid="hp-agent-more"
      ?open=${this.open}
      @toggle=${(event: Event) => (this.open = (event.target as HTMLDetailsElement).open)}
    >
      <summary>
        ${icon("cr", "s tw")}<span class="strong">${t("crew.agent.more")}</span
        ><span class="meta end">${this.#counted()}</span>
      </summary>
      <div class="part col">
        ${ABOUT.map((one) =>
          this.#field(one, agent.metadata, `/metadata/${one.name}`, (metadata) =>
            this.#change({ metadata: metadata as Agent["metadata"] }),
          ),
        )}
      </div>
      <div class="part">${this.#actions()}</div>
      ${this.#items("prompts")}${this.#items("menu")}
      <div class="part col">
        ${OWN.map((one) =>
          this.#field(one, agent, `/${one.name}`, (all) => this.emit("hp-agent", { agent: all })),
        )}
      </div>
      <div class="part col">${this.#json()}</div>
    </details>`;
  }

  /** What there is, in one line. */
  #counted(): string {
    const { agent, members } = this.view;
    const parts = [
      textsOf(agent[ACTIONS]).length &&
        t("crew.agent.actions.n", { n: textsOf(agent[ACTIONS]).length }),
      objectsOf(agent.prompts).length &&
        t("crew.agent.prompts.n", { n: objectsOf(agent.prompts).length }),
      objectsOf(agent.menu).length && t("crew.agent.menu.n", { n: objectsOf(agent.menu).length }),
      members && t("crew.agent.more.members", { n: members }),
    ];
    return listed(parts.filter((one) => typeof one === "string")) || t("crew.agent.more.none");
  }

  // ── fields ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #field(
    field: MemberField,
    all: Readonly<Record<string, unknown>>,
    pointer: string,
    write: (next: Record<string, unknown>) => void,
  ) {
    const { name, kind, label } = field;
    const value = all[name];
    if (kind === "tick")
      return html`<label class="opt"
          ><input
            type="checkbox"
            class="check"
            .checked=${live(value === true)}
            @change=${(event: Event) =>
              write(withMember(all, field, (event.target as HTMLInputElement).checked))}
          /><span>${t(label)}</span></label
        >${this.#told(pointer)}`;
    const text = typeof value === "string" ? value : "";
    const bad = isBad(this.view.findings, pointer);
    const typed = (event: Event): void =>
      write(withMember(all, field, (event.target as HTMLInputElement).value));
    const id = `f${pointer.replaceAll("/", "-")}`;
    return html`<div>
      <label
        ><span>${t(label)}</span>${
          kind === "area"
            ? html`<textarea
                class="input"
                rows="3"
                aria-invalid=${bad}
                aria-describedby=${bad ? id : nothing}
                .value=${live(text)}
                @input=${typed}
              ></textarea>`
            : html`<input
                class="input"
                aria-invalid=${bad}
                aria-describedby=${bad ? id : nothing}
                .value=${live(text)}
                @input=${typed}
              />`
        }</label
      >
      <div id=${id}>${this.#told(pointer)}</div>
    </div>`;
  }

  #actions() {
    const actions = textsOf(this.view.agent[ACTIONS]);
    return html`<h3>${t("crew.agent.actions")}</h3>
      <hp-crew-texts
        .items=${actions}
        label=${t("crew.agent.actions")}
        word="crew.agent.action"
        @hp-items=${(event: CustomEvent<{ items: string[] }>) => {
          const { [ACTIONS]: _, ...rest } = this.view.agent;
          const { items } = event.detail;
          this.emit("hp-agent", { agent: items.length ? { ...rest, [ACTIONS]: items } : rest });
        }}
      ></hp-crew-texts>
      ${this.#told(`/${ACTIONS}`)}`;
  }

  #items(list: ItemList) {
    const items = objectsOf(this.view.agent[list]);
    return html`<div class="part" data-testid="hp-agent-${list}">
      <h3>${t(`crew.agent.${list}`)}</h3>
      ${items.map((item, n) => this.#item(list, items, item, n))}
      <button class="btn s" type="button" @click=${() => this.#list(list, [...items, newItem(list)])}>
        ${icon("plus", "s")}<span>${t(`crew.agent.${list}.add`)}</span>
      </button>
    </div>`;
  }

  #item(
    list: ItemList,
    items: readonly Record<string, unknown>[],
    item: Record<string, unknown>,
    n: number,
  ) {
    const known = new Set(ITEMS[list].map(({ name }) => name));
    const more = Object.keys(item).filter((name) => !known.has(name));
    return html`<fieldset>
      <legend>${t(`crew.agent.${list}.item`, { n: n + 1 })}</legend>
      <div class="col">
        ${ITEMS[list].map((field) =>
          this.#field(field, item, `/${list}/${n}/${field.name}`, (next) =>
            this.#list(
              list,
              items.map((was, at) => (at === n ? next : was)),
            ),
          ),
        )}${
          more.length
            ? html`<p class="hint" translate="no">
                ${t("crew.agent.kept", { names: listed(more) })}
              </p>`
            : nothing
        }
        <div class="row">
          <button
            class="btn quiet s danger"
            type="button"
            @click=${() =>
              this.#list(
                list,
                items.filter((_, at) => at !== n),
              )}
          >
            ${t(`crew.agent.${list}.remove`, { n: n + 1 })}
          </button>
        </div>
      </div>
    </fieldset>`;
  }

  #json() {
    return html`<div>
      <label
        ><span>${t("crew.agent.more.text")}</span
        ><textarea
          class="input json"
          id="more"
          spellcheck="false"
          aria-invalid=${isBad(this.view.findings, "/more")}
          .value=${live(this.view.more)}
          @input=${(event: Event) =>
            this.emit("hp-agent-more", { text: (event.target as HTMLTextAreaElement).value })}
        ></textarea></label
      >${this.#told("/more")}
    </div>`;
  }

  #told(pointer: string) {
    return toldAt(this.view.findings, pointer) ?? nothing;
  }

  #list(list: ItemList, items: readonly Record<string, unknown>[]): void {
    const { [list]: _, ...rest } = this.view.agent;
    this.emit("hp-agent", { agent: items.length ? { ...rest, [list]: items } : rest });
  }

  #change(change: Partial<Agent>): void {
    this.emit("hp-agent", { agent: { ...this.view.agent, ...change } });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-agent-more": CrewAgentMore;
  }
}
